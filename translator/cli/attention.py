"""``translator attention`` and ``draw``: attention read, kept, drawn and explored."""

import contextlib
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from translator.base.errors import InputError
from translator.cli.options import (
    engine_option,
    errors_option,
    file_option,
    font_option,
    lines_of,
    load,
    progress_bar,
    report,
    run_option,
    search_options,
)

if TYPE_CHECKING:
    from translator.attention.records import AttentionRecord
    from translator.attention.views import View
    from translator.translation.translator import Translator

_view_options = (
    click.option("--out", type=click.Path(path_type=Path), help="Picture: .png, .svg or .pdf."),
    click.option(
        "--html", type=click.Path(path_type=Path), help="Explorer: a page that needs no network."
    ),
    click.option("--kind", default="cross", show_default=True, help="encoder, decoder or cross."),
    click.option("--layer", type=int, help="Which layer, from 1; all if left out."),
    click.option("--head", help="Which head, from 1, or average or maximum; all if left out."),
    click.option("--words", is_flag=True, help="Words instead of pieces."),
    click.option("--hide-ends", is_flag=True, help="Without start and end, the rest scaled to 1."),
    click.option("--lines", is_flag=True, help="Lines between the sentences, not heat maps."),
    click.option("--dark", is_flag=True, help="Light on dark."),
    font_option,
)


def view_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Adds what a picture or an explorer is asked for by."""
    for option in reversed(_view_options):
        command = option(command)
    return command


@click.command()
@click.argument("sentences", nargs=-1)
@run_option
@engine_option
@file_option
@click.option("--save", type=click.Path(path_type=Path), help="All scores as a NumPy .npz file.")
@click.option("--half", is_flag=True, help="Save scores in half precision.")
@view_options
@search_options
@click.option("--n-best", type=int, default=1, help="Hypotheses of each sentence.")
@errors_option
def attention(
    sentences: tuple[str, ...],
    run_dir: Path | None,
    engine: str | None,
    files: tuple[Path, ...],
    save: Path | None,
    half: bool,
    out: Path | None,
    html: Path | None,
    font: str | None,
    **options: Any,
) -> None:
    """Translate SENTENCES, the lines of files, or of standard input, and keep, draw or explore
    what every head looked at.
    """
    from translator.attention import records

    if out is save is html is None:
        raise InputError(
            "expected --out PICTURE, --html FILE.html or --save FILE.npz, found none of them"
        )
    view = _take_view(options)
    _check_places(view, out, html, font, save)
    if half and save is None:
        raise InputError("expected --half with --save FILE.npz, found it without")
    if out is not None and (not sentences or len(sentences) > 1 or options["n_best"] > 1):
        raise InputError(
            "expected one sentence and one hypothesis for --out; --html shows several, and what"
            " --save keeps can be drawn one by one with translator draw"
        )
    inputs = lines_of(sentences, files, options["errors"])
    translator = load(run_dir, engine)
    _check_view(view, translator, out)
    shown, count, began, stopped = [], 0, time.perf_counter(), None
    with contextlib.ExitStack() as stack:
        writer = None
        if save is not None:
            writer = stack.enter_context(records.record_file(save, half))
        try:
            for text, record in _records(translator, inputs, files, out is not None, options):
                if record is not None:
                    if writer is not None:
                        writer.add(record)
                    if out is not None or html is not None:
                        shown.append(record)
                    count += 1
                sys.stdout.write(text + "\n")
        except (InputError, KeyboardInterrupt, BrokenPipeError, UnicodeEncodeError) as error:
            if count == 0:
                raise
            stopped = error  # what came before it is kept and shown
    if save is not None:
        each, speed = save.stat().st_size // count, count / (time.perf_counter() - began)
        plural = "s" * (count > 1)
        report(
            f"scores: {save} ({count:,} record{plural}, {each:,} bytes each, {speed:.1f} a second)"
        )
    _show(shown, view, out, html, font)
    if stopped is not None:
        raise stopped


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--sentence", type=click.IntRange(min=1), help="Which sentence, from 1; --html shows all."
)
@click.option(
    "--rank", type=click.IntRange(min=1), help="Which of its hypotheses, from 1, the best."
)
@view_options
def draw(
    file: Path,
    sentence: int | None,
    rank: int | None,
    out: Path | None,
    html: Path | None,
    font: str | None,
    **options: Any,
) -> None:
    """Draw or explore the records in FILE, which ``attention --save`` wrote."""
    from translator.attention.records import load_records

    if out is html is None:
        raise InputError("expected --out PICTURE or --html FILE.html, found neither")
    view = _take_view(options)
    _check_places(view, out, html, font)
    chosen, most = [], (0, 0)
    for record in load_records(file):
        most = max(most, (record.sentence, record.rank))
        if sentence in (None, record.sentence) and rank in (None, record.rank):
            chosen.append(record)
            if html is None:
                break
    if not chosen:
        last = f"the last is hypothesis {most[1]} of sentence {most[0]}"
        raise InputError(
            f"{file}: expected hypothesis {rank or 1} of sentence {sentence or 1}, found none such,"
            f" {last if most[0] else 'there are no records in it'}"
        )
    _show(chosen, view, out, html, font)


def _take_view(options: dict[str, Any]) -> "View":
    """Takes out of a command's options those that say what a picture shows."""
    from translator.attention.views import REDUCTIONS, View

    view = View(**{name: options.pop(name) for name in View._fields})
    if view.head is None or view.head in REDUCTIONS:
        return view
    try:
        return view._replace(head=int(view.head))
    except ValueError:
        raise InputError(
            f"head: expected its number, average or maximum, found {view.head}"
        ) from None


def _check_places(
    view: "View",
    out: Path | None,
    html: Path | None,
    font: str | None,
    save: Path | None = None,
) -> None:
    """Refuses files that could not be written, and options of no picture, before any work."""
    from translator.attention import records
    from translator.attention.drawing import fonts
    from translator.attention.views import View
    from translator.base.figures import FILE_ENDINGS
    from translator.base.files import check_output_path

    if out is None and (font is not None or view != View()):
        raise InputError(
            "expected --out PICTURE with --kind, --layer, --head, --words, --hide-ends, --lines,"
            " --dark or --font, found none; the explorer has switches instead"
        )
    if font is not None:
        fonts.named_family(font)
    for path, endings in (
        (out, FILE_ENDINGS),
        (html, (".html",)),
        (save, records.FILE_ENDINGS),
    ):
        if path is not None:
            check_output_path(path, endings)


def _check_view(view: "View", translator: "Translator", out: Path | None) -> None:
    """Refuses heads that the model has not, before anything is translated."""
    from translator.attention.views import check_view

    if out is not None:
        sizes = translator.config.model
        check_view(view, sizes.num_layers, sizes.num_heads)


def _records(
    translator: "Translator",
    inputs: Iterable[tuple[str, Iterable[str]]],
    files: tuple[Path, ...],
    only_one: bool,
    options: dict[str, Any],
) -> Iterator[tuple[str, "AttentionRecord | None"]]:
    """What is printed of each hypothesis, and its record; none where a sentence is passed on."""
    from translator.translation.streaming import translate_lines

    count, found = 0, False
    with progress_bar(files) as bar:
        for name, lines in inputs:
            for chunk, translations in translate_lines(
                translator, lines, file=name, apart=True, **options
            ):
                if only_one and count + len(translations) > 1:
                    raise InputError(
                        f"expected one sentence, found {count + len(translations)}; draw them one"
                        " by one, show them with --html, or --no-split"
                    )
                before = bar.n
                records = translator.attention(translations, count + 1)
                for done, translation in enumerate(translations, start=1):
                    for hypothesis in translation.hypotheses:
                        number = f"{count + done}\t{hypothesis.score:.4f}\t"
                        record = next(records) if hypothesis.ids else None
                        found |= record is not None
                        yield number * (options["n_best"] > 1) + hypothesis.text, record
                    bar.update(before + done * len(chunk) // len(translations) - bar.n)
                bar.update(before + len(chunk) - bar.n)
                count += len(translations)
    if not found:
        raise InputError("expected a sentence, found none that can be translated")


def _show(
    records: list["AttentionRecord"],
    view: "View",
    out: Path | None,
    html: Path | None,
    font: str | None,
) -> None:
    """Draws the first record, and writes the explorer of all."""
    from translator.attention.drawing import fonts
    from translator.attention.drawing import heat_maps as plots
    from translator.base.figures import save_figure

    if out is not None:
        save_figure(plots.plot_attention(records[0], view, font), out)
        if missing := plots.missing_characters(records[0], font):
            report(fonts.advice(missing))
        report(f"picture: {out}")
    if html is not None:
        from translator.attention.page.explorer import explorer_html
        from translator.base.files import whole_file

        with whole_file(html) as file:
            file.write(explorer_html(records).encode())
        report(f"explorer: {html} ({_size(html)}), open it in a browser")


def _size(path: Path) -> str:
    return f"{path.stat().st_size / 1e6:.2f} MB"
