"""``translator translate``."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from translator.base.languages import Direction
from translator.cli.doubts import DoubtReporter, say_that_confidence_is_missing
from translator.cli.options import (
    direction_options,
    engine_option,
    errors_option,
    file_option,
    is_at_terminal,
    is_given,
    lines_of,
    load,
    progress_bar,
    run_option,
    sampling_options,
    search_options,
)
from translator.cli.texts import TextCommand
from translator.translation.options import TranslationOptions

if TYPE_CHECKING:
    from translator.tokenizers.subword import Tokenizer
    from translator.translation.results import Translation


@click.command(cls=TextCommand, short_help="Translate sentences, files or standard input.")
@click.argument("sentences", nargs=-1)
@run_option
@direction_options
@engine_option
@file_option
@search_options
@sampling_options
@click.option(
    "--n-best",
    type=int,
    default=1,
    help="Hypotheses to print for each line, each with line number, score and text; with --sample"
    " the number of samples.",
)
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object for each line.")
@click.option("--quiet", is_flag=True, help="Do not mark doubtful lines on standard error.")
@errors_option
def translate(
    sentences: tuple[str, ...],
    run_dir: Path | None,
    direction: Direction,
    engine: str | None,
    files: tuple[Path, ...],
    as_json: bool,
    quiet: bool,
    errors: str,
    **options: Any,
) -> None:
    """Translate SENTENCES, or the lines of files, or else the lines of standard input.

    Standard input is read only without SENTENCES and files, or for -. In a terminal there is a
    prompt for it then. The exit code is 1 if a line could not be translated as a whole.
    """
    from translator.translation.streaming import translate_lines

    as_list = is_given("n_best")
    has_prompt = not (sentences or files or as_json or as_list) and is_at_terminal()
    inputs = [] if has_prompt else lines_of(sentences, files, errors)
    chosen = TranslationOptions(**options, errors=errors, word_confidence=as_json)
    translator = load(run_dir, engine, direction)
    doubts = DoubtReporter(quiet)
    if as_json and not quiet and translator.assessor is None:
        say_that_confidence_is_missing(translator.run)
    if has_prompt:
        from translator.cli.prompt import Prompt

        Prompt(translator, chosen, doubts, lambda other: load(None, engine, other)).run()
        return
    with progress_bar(files) as advance:
        count = 0
        for name, lines in inputs:
            before = count
            place = f"{name}, line" if name else "line"
            for chunk, translations in translate_lines(translator, lines, chosen, name):
                for translation in translations:
                    count += 1
                    if as_json:
                        target = translator.tokenizers.target
                        sys.stdout.write(_json_line(count, translation, target) + "\n")
                    else:
                        for line in _text_lines(count, translation, as_list):
                            sys.stdout.write(line + "\n")
                    doubts.mark(f"{place} {count - before}", translation)
                sys.stdout.flush()
                advance(len(chunk))
    doubts.summarize()
    if doubts.passed_on:
        click.get_current_context().exit(1)


def _json_line(number: int, translation: "Translation", tokenizer: "Tokenizer") -> str:
    """A translation as a JSON object."""
    hypotheses = [
        {
            "text": hypothesis.text,
            "score": hypothesis.score,
            "log_probability": hypothesis.log_probability,
            "confidence": hypothesis.confidence,
            "words": [word._asdict() for word in hypothesis.words],
            "tokens": tokenizer.pieces(hypothesis.ids),
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
    return json.dumps(line, ensure_ascii=False)


def _text_lines(number: int, translation: "Translation", as_list: bool) -> Iterator[str]:
    """A translation as text: the best hypothesis alone, or a list of all of them."""
    if not as_list:
        yield translation.text
        return
    for hypothesis in translation.hypotheses:
        yield f"{number}\t{hypothesis.score:.4f}\t{hypothesis.text}"
