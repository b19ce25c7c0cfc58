"""``translator attention`` and ``draw``: save, draw and explore attention."""

import contextlib
import itertools
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from translator.base.errors import InputError
from translator.cli.options import (
    engine_option,
    errors_option,
    file_option,
    files_of,
    font_option,
    is_given,
    lines_of,
    load,
    progress_bar,
    report,
    run_option,
    search_options,
)
from translator.translation.options import TranslationOptions

if TYPE_CHECKING:
    from translator.attention.picture_content import PictureOptions
    from translator.attention.records import AttentionRecord
    from translator.translation.translator import Translator

_picture_options = (
    click.option(
        "--out", type=click.Path(path_type=Path), help="Draw a picture: .png, .svg or .pdf."
    ),
    click.option(
        "--html",
        type=click.Path(path_type=Path),
        help="Write the explorer: an HTML page that needs no network.",
    ),
    click.option(
        "--kind",
        default="cross",
        show_default=True,
        help="Kind of attention: encoder, decoder or cross.",
    ),
    click.option("--layer", type=int, help="Which layer, from 1; all if left out."),
    click.option("--head", help="Which head, from 1, or average or maximum; all if left out."),
    click.option("--words", is_flag=True, help="Show words instead of pieces."),
    click.option(
        "--hide-ends", is_flag=True, help="Leave out start and end, and scale the rest to sum to 1."
    ),
    click.option("--lines", is_flag=True, help="Draw lines between the sentences, not heat maps."),
    click.option("--dark", is_flag=True, help="Draw light on dark."),
    font_option,
)


def picture_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Adds the options for a picture and an explorer."""
    for option in reversed(_picture_options):
        command = option(command)
    return command


@click.command()
@click.argument("sentences", nargs=-1)
@run_option
@engine_option
@file_option
@click.option(
    "--save", type=click.Path(path_type=Path), help="Save all scores as a NumPy .npz file."
)
@click.option("--half", is_flag=True, help="Save scores in half precision.")
@picture_options
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
    """Translate SENTENCES, the lines of files, or of standard input, and save, draw or explore
    what every head attended to.
    """
    from translator.attention.record_files import record_file
    from translator.base.files import check_output_path

    if out is save is html is None:
        raise InputError(
            "expected --out PICTURE, --html FILE.html or --save FILE.npz, found none of them"
        )
    picture = _take_picture_options(options)
    _check_outputs(out, html, font, files, save)
    if half and save is None:
        raise InputError("expected --half with --save FILE.npz, found it without")
    if out is not None and (not sentences or len(sentences) > 1 or options["n_best"] > 1):
        raise InputError(
            "expected one sentence and one hypothesis for --out; --html shows several, and what"
            " --save keeps can be drawn one by one with translator draw"
        )
    inputs = lines_of(sentences, files, options["errors"])
    translator = load(run_dir, engine)
    if save is not None:
        check_output_path(save, inputs=files_of(translator))
    if out is not None:
        _check_heads(picture, translator)
    shown: list[AttentionRecord] = []
    count, began, stopped = 0, time.perf_counter(), None
    with contextlib.ExitStack() as stack:
        writer = None
        if save is not None:
            writer = stack.enter_context(record_file(save, half))
        try:
            chosen = TranslationOptions(**options, per_sentence=True)
            for text, record in _records(translator, inputs, files, out is not None, chosen):
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
            stopped = error  # the records before it are saved and shown
    if save is not None:
        each, speed = save.stat().st_size // count, count / (time.perf_counter() - began)
        plural = "s" * (count > 1)
        report(
            f"scores: {save} ({count:,} record{plural}, {each:,} bytes each, {speed:.1f} a second)"
        )
    _show(shown, picture, out, html, font)
    if stopped is not None:
        raise stopped


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--sentence", type=click.IntRange(min=1), help="Which sentence, from 1; --html shows all."
)
@click.option(
    "--rank", type=click.IntRange(min=1), help="Which of its hypotheses, from 1, the best one."
)
@picture_options
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
    if out is html is None:
        raise InputError("expected --out PICTURE or --html FILE.html, found neither")
    picture = _take_picture_options(options)
    _check_outputs(out, html, font, [file])
    found = _matching_records(file, sentence, rank)
    if html is None:
        found = itertools.islice(found, 2 if sentence is None or rank is None else 1)
    chosen = list(found)
    _show(chosen, picture, out, html, font)
    if out is not None and len(chosen) > 1:
        report(
            f"{file}: several records match, the picture shows hypothesis {chosen[0].rank} of"
            f" sentence {chosen[0].sentence}; choose another with --sentence and --rank"
        )


def _matching_records(
    file: Path, sentence: int | None, rank: int | None
) -> Iterator["AttentionRecord"]:
    """The records of a sentence and a rank, or of any where None.

    Raises:
        InputError: there is none.
    """
    from translator.attention.record_files import load_records

    last, found = (0, 0), False
    for record in load_records(file):
        last = max(last, (record.sentence, record.rank))
        if sentence in (None, record.sentence) and rank in (None, record.rank):
            found = True
            yield record
    if not found:
        what = f"the last is hypothesis {last[1]} of sentence {last[0]}"
        raise InputError(
            f"{file}: expected hypothesis {rank or 1} of sentence {sentence or 1}, found none such,"
            f" {what if last[0] else 'there are no records in it'}"
        )


def _take_picture_options(options: dict[str, Any]) -> "PictureOptions":
    """Takes out of a command's options those that say what a picture shows."""
    from translator.attention.picture_content import REDUCTIONS, PictureOptions

    picture = PictureOptions(**{name: options.pop(name) for name in PictureOptions._fields})
    if picture.head is None or picture.head in REDUCTIONS:
        return picture
    try:
        return picture._replace(head=int(picture.head))
    except ValueError:
        raise InputError(
            f"head: expected its number, average or maximum, found {picture.head}"
        ) from None


def _check_outputs(
    out: Path | None,
    html: Path | None,
    font: str | None,
    inputs: Sequence[Path],
    save: Path | None = None,
) -> None:
    """Refuses files that cannot be written, and picture options without a picture."""
    from translator.attention.drawing import fonts
    from translator.attention.picture_content import PictureOptions
    from translator.attention.record_files import RECORD_ENDINGS
    from translator.base.figures import FILE_ENDINGS
    from translator.base.files import check_output_path

    if out is None and any(map(is_given, (*PictureOptions._fields, "font"))):
        raise InputError(
            "expected --out PICTURE with --kind, --layer, --head, --words, --hide-ends, --lines,"
            " --dark or --font, found none; the explorer has switches instead"
        )
    if font is not None:
        fonts.named_family(font)
    for path, endings in (
        (out, FILE_ENDINGS),
        (html, (".html",)),
        (save, RECORD_ENDINGS),
    ):
        if path is not None:
            check_output_path(path, endings, inputs)


def _check_heads(picture: "PictureOptions", translator: "Translator") -> None:
    """Refuses heads that the model does not have, before anything is translated."""
    from translator.attention.picture_content import check_picture_options

    sizes = translator.config.model
    check_picture_options(picture, sizes.num_layers, sizes.num_heads)


def _records(
    translator: "Translator",
    inputs: Iterable[tuple[str, Iterable[str]]],
    files: tuple[Path, ...],
    only_one: bool,
    chosen: "TranslationOptions",
) -> Iterator[tuple[str, "AttentionRecord | None"]]:
    """What is printed of each hypothesis, and its record; none where a sentence is passed on."""
    from translator.translation.streaming import translate_lines

    count, found = 0, False
    with progress_bar(files) as bar:
        for name, lines in inputs:
            for chunk, translations in translate_lines(translator, lines, chosen, name):
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
                        yield number * is_given("n_best") + hypothesis.text, record
                    bar.update(before + done * len(chunk) // len(translations) - bar.n)
                bar.update(before + len(chunk) - bar.n)
                count += len(translations)
    if not found:
        raise InputError("expected a sentence, found none that can be translated")


def _show(
    records: list["AttentionRecord"],
    picture: "PictureOptions",
    out: Path | None,
    html: Path | None,
    font: str | None,
) -> None:
    """Draws the first record, and writes the explorer of all."""
    if out is not None:
        from translator.attention.drawing import fonts
        from translator.attention.drawing.plot_attention import missing_characters, plot_attention
        from translator.base.figures import save_figure

        save_figure(plot_attention(records[0], **picture._asdict(), font=font), out)
        if missing := missing_characters(records[0], font):
            report(fonts.advice(missing))
        report(f"picture: {out}")
    if html is not None:
        from translator.attention.page.explorer import explorer_html
        from translator.base.files import whole_file

        with whole_file(html) as file:
            file.write(explorer_html(records).encode())
        report(f"explorer: {html} ({html.stat().st_size / 1e6:.2f} MB), open it in a browser")
