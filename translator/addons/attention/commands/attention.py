"""``translator attention`` and ``draw``: save, draw and explore attention."""

import contextlib
import itertools
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from translator.addons.attention.commands.outputs import (
    Outputs,
    check_outputs_of_run,
    picture_options,
    show_records,
    take_outputs,
    write_explorer,
)
from translator.base.errors import InputError
from translator.base.languages import Direction
from translator.cli.doubts import DoubtReporter
from translator.cli.given_lines import GivenLines, lines_of
from translator.cli.options import (
    PATH,
    direction_options,
    engine_option,
    errors_option,
    file_option,
    is_given,
    load,
    open_run,
    progress_bar,
    report,
    run_option,
    search_options,
)
from translator.cli.texts import TextCommand
from translator.text.notices import NOTICES
from translator.translation.options import TranslationOptions

if TYPE_CHECKING:
    from translator.translation.records import AttentionRecord
    from translator.translation.translator import Translator


@click.command(
    cls=TextCommand, short_help="Translate, and save or draw what every head attended to."
)
@click.argument("sentences", nargs=-1)
@run_option
@direction_options
@engine_option
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
    help="Instead of translating: show in --html what was kept in the training of RUN of the"
    " sentences that its configuration names under film.",
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
    """Translate SENTENCES, or the lines of files or of standard input, and save, draw or explore
    what every head attended to.
    """
    if film is not None:
        _show_film(film, options["html"])
        return
    outputs = take_outputs(options, files)
    if outputs.out is not None and (len(sentences) != 1 or options["n_best"] > 1):
        raise InputError(
            "expected one sentence and one hypothesis for --out; --html shows several, and what"
            " --save keeps can be drawn one by one with translator draw"
        )
    chosen = TranslationOptions(**options, per_sentence=True, word_confidence=True)
    inputs = lines_of(sentences, files, chosen.errors)
    translator = load(run_dir, engine, direction)
    check_outputs_of_run(outputs, translator)
    doubts = DoubtReporter(False, NOTICES)
    records, stopped = _record(translator, inputs, files, outputs, chosen, doubts)
    show_records(records, outputs)
    if stopped is not None:
        raise stopped
    doubts.summarize()
    if doubts.passed_on:
        click.get_current_context().exit(1)


def _show_film(run_dir: Path, page: Path | None) -> None:
    """Writes the explorer of the frames of a training.

    Raises:
        InputError: there is no page to write, an option would have no effect, or the run has no
            frames.
    """
    from translator.addons.attention.page.explorer import film_html
    from translator.addons.attention.record_files import load_film
    from translator.base.files import check_output_path

    values = click.get_current_context().params
    unused = [name for name in values if name not in ("film", "html") and values[name] != ()]
    if page is None or any(map(is_given, unused)):
        raise InputError("--film: expected --html FILE.html with it and nothing else")
    check_output_path(page, (".html",))
    write_explorer(page, film_html(load_film(open_run(run_dir).film)))


@click.command(short_help="Draw or explore saved attention records, or write them as JSON.")
@click.argument("file", type=PATH)
@click.option(
    "--sentence",
    type=click.IntRange(min=1),
    help="Number of the sentence, from 1; all if left out, of which --out draws the first.",
)
@click.option(
    "--rank",
    type=click.IntRange(min=1),
    help="Rank of its hypothesis, 1 is the best; all if left out, of which --out draws the first.",
)
@click.option("--json", type=PATH, help="Write the records with all scores as a JSON list.")
@picture_options
def draw(file: Path, sentence: int | None, rank: int | None, **options: Any) -> None:
    """Draw or explore the records in FILE, which translator attention --save wrote, or write them
    as JSON.
    """
    outputs = take_outputs(options, [file])
    found = _matching_records(file, sentence, rank)
    if outputs.html is None and outputs.json is None:
        found = itertools.islice(found, 2 if sentence is None or rank is None else 1)
    records = list(found)
    show_records(records, outputs)
    if outputs.out is not None and len(records) > 1:
        report(
            f"{file}: several records match, the picture shows hypothesis {records[0].rank} of"
            f" sentence {records[0].sentence}; choose another with --sentence and --rank"
        )


def _matching_records(
    file: Path, sentence: int | None, rank: int | None
) -> Iterator["AttentionRecord"]:
    """The records of a sentence and a rank, or of any where None.

    Raises:
        InputError: there is none.
    """
    from translator.addons.attention.record_files import load_records

    last, found = (0, 0), False
    for record in load_records(file):
        last = max(last, (record.sentence, record.rank))
        if sentence in (None, record.sentence) and rank in (None, record.rank):
            found = True
            yield record
    if not found:
        what = f"the last is hypothesis {last[1]} of sentence {last[0]}"
        raise InputError(
            f"{file}: expected hypothesis {rank or 1} of sentence {sentence or 1}, found none;"
            f" {what if last[0] else 'the file has no records'}"
        )


def _record(
    translator: "Translator",
    inputs: Iterable[GivenLines],
    files: tuple[Path, ...],
    outputs: Outputs,
    chosen: TranslationOptions,
    doubts: DoubtReporter,
) -> tuple[list["AttentionRecord"], BaseException | None]:
    """Prints each hypothesis, and saves its attention.

    Returns:
        The records to show, and the error that stopped the translation after them, if any.
    """
    from translator.addons.attention.record_files import record_file

    only_one = outputs.out is not None
    shown: list[AttentionRecord] = []
    count, began, stopped = 0, time.perf_counter(), None
    with contextlib.ExitStack() as stack:
        writer = None
        if outputs.save is not None:
            writer = stack.enter_context(record_file(outputs.save, outputs.half))
        try:
            for text, record in _hypotheses(translator, inputs, files, only_one, chosen, doubts):
                if record is not None:
                    if writer is not None:
                        writer.add(record)
                    if only_one or outputs.html is not None:
                        shown.append(record)
                    count += 1
                sys.stdout.write(text + "\n")
        except (InputError, KeyboardInterrupt, BrokenPipeError, UnicodeEncodeError) as error:
            if count == 0:
                raise
            stopped = error  # the records before it are saved and shown
    if outputs.save is not None:
        size, speed = outputs.save.stat().st_size, count / (time.perf_counter() - began)
        records = f"{count:,} record{'s' * (count > 1)}"
        report(
            f"scores: {outputs.save} ({records}, {size // count:,} bytes each, {speed:.1f} a"
            " second)"
        )
    return shown, stopped


def _hypotheses(
    translator: "Translator",
    inputs: Iterable[GivenLines],
    files: tuple[Path, ...],
    only_one: bool,
    chosen: TranslationOptions,
    doubts: DoubtReporter,
) -> Iterator[tuple[str, "AttentionRecord | None"]]:
    """Translates the input.

    Args:
        translator: a loaded run.
        inputs: the lines.
        files: that the lines come from, for the progress bar.
        only_one: whether to refuse more than one sentence.
        chosen: how to translate.
        doubts: is told of sentences that are passed on.

    Yields:
        What to print of each hypothesis, and its record; no record for a sentence that is
        copied to the output.

    Raises:
        InputError: nothing can be translated, or there are too many sentences.
    """
    from translator.translation.streaming import translate_lines

    count, found = 0, False
    with progress_bar(files) as advance:
        for name, lines, *_ in inputs:
            before = count
            for chunk, translations in translate_lines(translator, lines, chosen, name):
                if only_one and count + len(translations) > 1:
                    raise InputError(
                        f"expected one sentence, found {count + len(translations)}; draw them one"
                        " by one, show them with --html, or --no-split"
                    )
                shown = 0
                records = translator.attention(translations, count + 1)
                for done, translation in enumerate(translations, start=1):
                    place = f"sentence {count - before + done}"
                    doubts.mark(f"{name}, {place}" if name else place, translation)
                    for hypothesis in translation.hypotheses:
                        number = f"{count + done}\t{hypothesis.score:.4f}\t"
                        record = next(records) if hypothesis.ids else None
                        found |= record is not None
                        yield number * is_given("n_best") + hypothesis.text, record
                    advance(done * len(chunk) // len(translations) - shown)
                    shown = done * len(chunk) // len(translations)
                advance(len(chunk) - shown)
                count += len(translations)
    if not found:
        raise InputError("expected a sentence, found none that can be translated")
