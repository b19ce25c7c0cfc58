"""``translator translate``."""

import itertools
import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from translator.base.errors import InputError
from translator.base.files import what_is_at
from translator.base.languages import Direction
from translator.base.late import shlex
from translator.base.progress import progress
from translator.cli.doubts import DoubtReporter, report_missing_confidence
from translator.cli.input_lines import open_lines
from translator.cli.options import (
    PATH,
    errors_option,
    file_option,
    is_typed,
    load,
    model_options,
    progress_bar,
    sampling_options,
    search_options,
)
from translator.cli.terminal import TextCommand, is_at_terminal, report
from translator.text.formality import FORMS
from translator.translation.options import TranslationOptions
from translator.translation.whole_files import (
    FILE_TRANSLATORS,
    FORMATS,
    format_of_lines,
    is_name_of_file,
)

if TYPE_CHECKING:
    from translator.tokenizers.subword import Tokenizer
    from translator.translation.results import Translation


@click.command(cls=TextCommand)
@click.argument("sentences", nargs=-1)
@model_options
@file_option
@search_options
@sampling_options
@click.option(
    "--formality",
    type=click.Choice(FORMS),
    help="Form of address, if the model learnt it; by default, the form that a text uses first.",
)
@click.option(
    "--n-best",
    type=int,
    default=1,
    help="How many hypotheses to print for each line, with line number, score and text. With"
    " --sample: how many samples.",
)
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object for each line.")
@click.option("--quiet", is_flag=True, help="Do not mark doubtful lines on standard error.")
@click.option(
    "--from-line",
    type=click.IntRange(min=1),
    default=1,
    help="Line to start from, for example to continue a file; earlier lines are not printed.",
)
@click.option("--out", type=PATH, help="Folder for the translated files, which keep their names.")
@click.option(
    "--format",
    "format_name",
    type=click.Choice(FORMATS),
    help="Format of the files; if left out, their endings decide.",
)
@click.option(
    "--column",
    "columns",
    multiple=True,
    help="Column of a table to translate: its name, or its number (the first is 1); repeatable.",
)
@errors_option
def translate(
    sentences: tuple[str, ...],
    run_dir: Path | None,
    direction: Direction,
    engine: str | None,
    files: tuple[Path, ...],
    as_json: bool,
    quiet: bool,
    from_line: int,
    out: Path | None,
    format_name: str | None,
    columns: tuple[str, ...],
    errors: str,
    **options: Any,
) -> None:
    """Translate SENTENCES, or the lines of files, or else the lines of standard input.

    Words without quotation marks are one sentence. If SENTENCES are names of files, such as
    notes.md or film.srt, the texts in these files are translated, and all else in them stays.

    Standard input is read only without SENTENCES and files, or for -. In a terminal you then get a
    prompt. The exit code is 1 if a line could not be translated as a whole.
    """
    from translator.translation.streaming import translate_lines

    as_list = is_typed("n_best")
    if from_line > 1 and len(files) > 1:
        raise InputError("--from-line: expected one file, found several")
    documents = [Path(name) for name in sentences if os.path.isfile(name)]
    first = next(iter(sentences), "")
    if not documents and (is_name_of_file(first) or os.path.isdir(first)):
        raise InputError(
            f"{first}: expected a file, found {what_is_at(first)}; to translate the"
            " name itself, use --file=- and type the name"
        )
    if format_name and not (files or out) and sentences in ((), ("-",)) and not is_at_terminal():
        documents, sentences = [Path("-")], ("-",)
    are_documents = bool(documents) and len(documents) == len(sentences)
    if not are_documents and (out or format_name or columns):
        text = next((name for name in sentences if not os.path.isfile(name)), "")
        kind = what_is_at(text) if text else "none; write the names without --file"
        place = f"{text}: expected a file" if text else "expected names of files"
        raise InputError(f"{place} with --out, --format or --column, found {kind}")
    if are_documents and (files or as_json or as_list or from_line > 1):
        raise InputError(
            "expected no --file, --from-line, --json or --n-best with names of files, found one"
            " of them"
        )
    has_prompt = not (sentences or files or as_json or as_list) and is_at_terminal()
    inputs = [] if has_prompt or are_documents else open_lines(sentences, files, errors)
    settings = TranslationOptions(**options, errors=errors, word_confidence=as_json)
    translator = load(run_dir, engine, direction)
    doubts = DoubtReporter(quiet)
    if are_documents:
        translate_files = next(iter(FILE_TRANSLATORS.answers()), None)
        if translate_files is None:
            raise InputError("files: expected the add-on named documents, found none; use --file")
        with progress("translating"):
            translate_files(translator, documents, out, format_name, columns, settings, doubts.mark)
        sys.stdout.flush()
        _end(doubts)
        return
    if as_json and not quiet and translator.assessor is None:
        report_missing_confidence(translator.run)
    if has_prompt:
        from translator.cli.prompt import Prompt

        Prompt(translator, settings, doubts, lambda wanted: load(None, engine, wanted)).run()
        return
    done = from_line - 1
    try:
        with progress_bar(files) as advance:
            advance(done)
            for i, source in enumerate(inputs):
                before = done if i else 0
                skipped = done - before
                place = f"{source.name}, line" if source.name else "line"
                lines = itertools.islice(source.lines, skipped, None)
                for chunk, translations in translate_lines(
                    translator, lines, settings, source.name, skipped + 1
                ):
                    if done == before and not quiet:
                        _hint_at_format(source.name, chunk)
                    for translation in translations:
                        if as_json:
                            text = _json_line(done + 1, translation, translator.tokenizers.target)
                        elif as_list:
                            text = _ranked_lines(done + 1, translation)
                        else:
                            text = translation.text + source.end_of(done - before)
                        sys.stdout.write(text)
                        done += 1
                        doubts.mark(f"{place} {done - before}", translation)
                    sys.stdout.flush()
                    advance(len(chunk))
    except KeyboardInterrupt:
        sys.stdout.flush()
        if len(files) == 1 and done:
            report(
                f"{done:,} lines are done; to continue: --from-line {done + 1} and append with >>"
            )
        raise
    _end(doubts)


def _end(doubts: DoubtReporter) -> None:
    """Summarizes doubts; the exit code is 1 if a text was not translated as a whole."""
    doubts.summarize()
    if doubts.passed_on:
        click.get_current_context().exit(1)


def _hint_at_format(name: str, lines: list[str]) -> None:
    """Says how to keep a format, if the first lines look like this format."""
    if name and (form := format_of_lines(lines)):
        is_file = os.path.isfile(name)
        advice = f"translator translate {shlex.quote(name)}" if is_file else f"--format {form}"
        report(f"{name}: looks like {form}; {advice} translates only its texts, and keeps the rest")


def _json_line(number: int, translation: "Translation", tokenizer: "Tokenizer") -> str:
    """Writes a translation as a JSON object on one line."""
    hypotheses = [
        {
            "text": hypothesis.text,
            "score": hypothesis.score,
            "log_probability": hypothesis.log_probability,
            "confidence": hypothesis.confidence,
            "words": [word._asdict() for word in hypothesis.words],
            "tokens": tokenizer.pieces(hypothesis.ids),
            "terms": [{"source": term, "target": form} for term, form in hypothesis.terms],
        }
        for hypothesis in translation.hypotheses
    ]
    doubts = [doubt.text for doubt in translation.doubts]
    line = {
        "line": number,
        "source": translation.source,
        "doubts": doubts,
        "hypotheses": hypotheses,
    }
    return json.dumps(line, ensure_ascii=False) + "\n"


def _ranked_lines(number: int, translation: "Translation") -> str:
    """All hypotheses of a translation, each on its own line."""
    return "".join(
        f"{number}\t{hypothesis.score:.4f}\t{hypothesis.text}\n"
        for hypothesis in translation.hypotheses
    )
