"""``translator attention`` and ``draw``: save, draw and explore attention."""

import contextlib
import itertools
import json
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from translator.base.errors import InputError
from translator.base.languages import Direction
from translator.cli.doubts import DoubtReporter
from translator.cli.input_lines import InputLines, open_lines
from translator.cli.options import (
    PATH,
    PICTURE_HELP,
    errors_option,
    file_option,
    files_of,
    is_typed,
    load,
    model_options,
    open_run,
    progress_bar,
    search_options,
)
from translator.cli.terminal import TextCommand, report
from translator.translation.options import TranslationOptions

if TYPE_CHECKING:
    from translator.addons.attention.picture_content import PictureOptions
    from translator.translation.records import AttentionRecord
    from translator.translation.translator import Translator

AFTERWARDS = 'translator attention --run {run} "A sentence."'  # a training ends with this line


_picture_options = (
    click.option("--out", type=PATH, help=PICTURE_HELP),
    click.option(
        "--html",
        type=PATH,
        help="Write the explorer: an HTML page that needs no network.",
    ),
    click.option(
        "--kind",
        default="cross",
        show_default=True,
        help="Kind of attention: encoder, decoder or cross.",
    ),
    click.option("--layer", type=int, help="Number of the layer, from 1; all layers if left out."),
    click.option(
        "--head", help="Number of the head, from 1, or average or maximum; all heads if left out."
    ),
    click.option(
        "--words/--pieces",
        default=True,
        help="Show words, or pieces as the model sees them; words if left out.",
    ),
    click.option(
        "--hide-ends", is_flag=True, help="Leave out start and end; scale the rest to sum to 1."
    ),
    click.option("--dark", is_flag=True, help="Draw on a dark background."),
)


class Outputs(NamedTuple):
    """The outputs of a command; None for an output that it does not write.

    Attributes:
        out: a picture of the first record.
        html: an explorer of all records.
        save: a NumPy file of all records.
        json: a JSON file of all records.
        half: whether the NumPy file has half precision.
    """

    out: Path | None
    html: Path | None
    save: Path | None
    json: Path | None
    half: bool
    picture: "PictureOptions"


def picture_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Adds the options for a picture and an explorer."""
    for option in reversed(_picture_options):
        command = option(command)
    return command


def take_outputs(options: dict[str, Any], inputs: Sequence[Path]) -> Outputs:
    """Takes the options of outputs out of a command's options."""
    from translator.addons.attention.picture_content import REDUCTIONS, PictureOptions
    from translator.addons.attention.record_files import RECORD_ENDINGS
    from translator.addons.page.offline_page import FILE_ENDINGS
    from translator.base.files import check_output_path

    last_option = "--save FILE.npz" if "save" in options else "--json FILE.json"
    out, html = options.pop("out"), options.pop("html")
    paths = out, html, options.pop("save", None), options.pop("json", None)
    picture = PictureOptions(**{name: options.pop(name) for name in PictureOptions._fields})
    if picture.head is not None and picture.head not in REDUCTIONS:
        if not str(picture.head).isdecimal():
            raise InputError(f"head: expected a number, average or maximum, found {picture.head}")
        picture = picture._replace(head=int(picture.head))
    outputs = Outputs(*paths, options.pop("half", False), picture)
    if not any(paths):
        raise InputError(f"expected --out PICTURE, --html FILE.html or {last_option}, found none")
    if outputs.out is None and any(map(is_typed, PictureOptions._fields)):
        raise InputError(
            "--kind, --layer, --head, --pieces, --hide-ends and --dark: expected --out PICTURE,"
            " found none; add it, or leave them out and choose on the explorer's page"
        )
    if outputs.half and outputs.save is None:
        raise InputError("--half: expected --save FILE.npz, found none; add it")
    for path, endings in (
        (outputs.out, FILE_ENDINGS),
        (outputs.html, (".html",)),
        (outputs.save, RECORD_ENDINGS),
        (outputs.json, (".json",)),
    ):
        if path is not None:
            check_output_path(path, endings, inputs)
    return outputs


def show_records(records: list["AttentionRecord"], outputs: Outputs) -> None:
    """Draws the first record, writes the explorer of all records, and writes all as JSON."""
    if outputs.out is not None:
        from translator.addons.attention.heat_maps import plot_attention
        from translator.addons.page.offline_page import save_figure

        missing = save_figure(plot_attention(records[0], **outputs.picture._asdict()), outputs.out)
        if missing:
            report(
                f"no font has {missing[:8]}, so the picture shows boxes; install a font such as"
                " Noto Sans CJK, and delete the list of fonts in matplotlib's cache"
            )
        report(f"picture: {outputs.out}")
    if outputs.html is not None:
        from translator.addons.attention.page import explorer_html

        write_explorer(outputs.html, explorer_html(records))
    if outputs.json is not None:
        from translator.base.files import whole_file

        with whole_file(outputs.json) as file:
            values = [record.to_dict() for record in records]
            file.write(json.dumps(values, ensure_ascii=False).encode())
        report(f"JSON: {outputs.json}")


def write_explorer(path: Path, page: str) -> None:
    """Writes the page of the explorer, and reports it."""
    from translator.base.files import whole_file

    with whole_file(path) as file:
        file.write(page.encode())
    report(f"explorer: {path} ({path.stat().st_size / 1e6:.2f} MB), open it in a browser")


@click.command(cls=TextCommand)
@click.argument("sentences", nargs=-1)
@model_options
@file_option
@click.option("--save", type=PATH, help="Save all scores as a NumPy .npz file.")
@click.option("--half", is_flag=True, help="Save scores in half precision.")
@picture_options
@search_options
@click.option("--n-best", type=int, default=1, help="Hypotheses of each sentence.")
@errors_option
@click.option(
    "--film",
    type=PATH,
    metavar="RUN",
    help="Do not translate: write a page to --html that shows how attention developed during the"
    " training of RUN, for the sentences of its key film.",
)
def attention(
    sentences: tuple[str, ...],
    run_dir: Path | None,
    direction: Direction,
    engine: str | None,
    files: tuple[Path, ...],
    film: Path | None,
    **options: Any,
) -> None:
    """Translate the sentences of SENTENCES, of files or of standard input, each into its own line,
    and save, draw or explore what every head attended to.
    """
    from translator.base.files import check_output_path
    from translator.text.read_lines import NOTICES

    if film is not None:
        _show_film(film, options["html"])
        return
    outputs = take_outputs(options, files)
    if outputs.out is not None and (len(sentences) != 1 or options["n_best"] > 1):
        raise InputError(
            "--out: expected one sentence and --n-best 1, found other input; use --html, or --save"
            " and then translator draw for each hypothesis"
        )
    translation_options = TranslationOptions(**options, per_sentence=True, word_confidence=True)
    inputs = open_lines(sentences, files, translation_options.errors)
    translator = load(run_dir, engine, direction)
    for path in filter(None, (outputs.out, outputs.html, outputs.save)):
        check_output_path(path, inputs=files_of(translator))
    doubts = DoubtReporter(False, NOTICES)
    records, stopped = _record(translator, inputs, files, outputs, translation_options, doubts)
    show_records(records, outputs)
    if stopped is not None:
        raise stopped
    doubts.summarize()
    if doubts.passed_on:
        click.get_current_context().exit(1)


def _show_film(run_dir: Path, page: Path | None) -> None:
    """Writes the explorer of the frames of a training."""
    from translator.addons.attention.page import film_html
    from translator.addons.attention.record_files import load_film
    from translator.base.files import check_output_path

    values = click.get_current_context().params
    unused = [name for name in values if name not in ("film", "html") and values[name] != ()]
    if page is None or any(map(is_typed, unused)):
        raise InputError("--film: expected --html FILE.html and no other option or text")
    check_output_path(page, (".html",))
    write_explorer(page, film_html(load_film(open_run(run_dir).film)))


@click.command()
@click.argument("file", type=PATH)
@click.option(
    "--sentence",
    type=click.IntRange(min=1),
    help="Number of the sentence, from 1. If left out: all of them; --out draws the first.",
)
@click.option(
    "--rank",
    type=click.IntRange(min=1),
    help="Rank of the hypothesis; 1 is the best. If left out: all of them; --out draws the first.",
)
@click.option("--json", type=PATH, help="Write the records with all scores as a JSON list.")
@picture_options
def draw(file: Path, sentence: int | None, rank: int | None, **options: Any) -> None:
    """Draw or explore the records in FILE, or write them as JSON. translator attention --save
    writes such files.
    """
    from translator.addons.attention.record_files import load_records

    outputs = take_outputs(options, [file])
    matches = (
        record
        for record in load_records(file)
        if sentence in (None, record.sentence) and rank in (None, record.rank)
    )
    only_first = outputs.html is None and outputs.json is None
    records = list(itertools.islice(matches, 1 if only_first else None))
    if not records:
        raise InputError(
            f"{file}: expected hypothesis {rank or 1} of sentence {sentence or 1}, found none"
        )
    show_records(records, outputs)


def _record(
    translator: "Translator",
    inputs: Iterable[InputLines],
    files: tuple[Path, ...],
    outputs: Outputs,
    options: TranslationOptions,
    doubts: DoubtReporter,
) -> tuple[list["AttentionRecord"], BaseException | None]:
    """Prints each hypothesis, and saves its attention.

    Returns:
        The records to show, and the error that stopped the translation after them, if any.
    """
    from translator.addons.attention.record_files import record_file

    only_one = outputs.out is not None
    shown_records: list[AttentionRecord] = []
    count, stopped = 0, None
    with contextlib.ExitStack() as stack:
        writer = None
        if outputs.save is not None:
            writer = stack.enter_context(record_file(outputs.save, outputs.half))
        try:
            for text, record in _hypotheses(translator, inputs, files, only_one, options, doubts):
                if record is not None:
                    if writer is not None:
                        writer.add(record)
                    if only_one or outputs.html is not None:
                        shown_records.append(record)
                    count += 1
                sys.stdout.write(text + "\n")
        except (InputError, KeyboardInterrupt, BrokenPipeError, UnicodeEncodeError) as error:
            if count == 0:
                raise
            stopped = error  # the records before it are saved and shown
    if outputs.save is not None:
        report(f"scores: {outputs.save} ({count:,} record{'s' * (count > 1)})")
    return shown_records, stopped


def _hypotheses(
    translator: "Translator",
    inputs: Iterable[InputLines],
    files: tuple[Path, ...],
    only_one: bool,
    options: TranslationOptions,
    doubts: DoubtReporter,
) -> Iterator[tuple[str, "AttentionRecord | None"]]:
    """Translates the input.

    Yields:
        The text to print for each hypothesis, and its record; no record for a sentence that is
        copied to the output.
    """
    from translator.translation.streaming import translate_lines

    count, has_records = 0, False
    with progress_bar(files) as advance:
        for name, lines, *_ in inputs:
            before = count
            for chunk, translations in translate_lines(translator, lines, options, name):
                if only_one and count + len(translations) > 1:
                    raise InputError(
                        f"expected one sentence, found {count + len(translations)}; draw them one"
                        " by one, show them with --html, or add --no-split"
                    )
                records = translator.attention(translations, count + 1)
                for translation in translations:
                    count += 1
                    place = f"sentence {count - before}"
                    doubts.mark(f"{name}, {place}" if name else place, translation)
                    for hypothesis in translation.hypotheses:
                        number = f"{count}\t{hypothesis.score:.4f}\t"
                        record = next(records) if hypothesis.ids else None
                        has_records |= record is not None
                        yield number * is_typed("n_best") + hypothesis.text, record
                advance(len(chunk))
    if not has_records:
        raise InputError("expected a sentence, found none that can be translated")
