"""``translator translate``."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from translator.cli.options import (
    engine_option,
    errors_option,
    file_option,
    lines_of,
    load,
    progress_bar,
    report,
    run_option,
    search_options,
)

if TYPE_CHECKING:
    from translator.translation.results import Translation
    from translator.translation.translator import Translator


@click.command()
@click.argument("sentences", nargs=-1)
@run_option
@engine_option
@file_option
@search_options
@click.option(
    "--n-best", type=int, default=1, help="Hypotheses to print: line, score and text each."
)
@click.option("--scores", is_flag=True, help="Print the log probability before each text.")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object for each line.")
@errors_option
def translate(
    sentences: tuple[str, ...],
    run_dir: Path | None,
    engine: str | None,
    files: tuple[Path, ...],
    n_best: int,
    scores: bool,
    as_json: bool,
    errors: str,
    **options: Any,
) -> None:
    """Translate SENTENCES, the lines of files, or the lines of standard input."""
    from translator.translation.streaming import translate_lines

    inputs = lines_of(sentences, files, errors)
    loaded = load(run_dir, engine)
    options |= {"n_best": n_best, "errors": errors}
    if options["replace_unknown"] and not loaded.restoration.names.words:
        report(
            f"{loaded.run.restoration}: expected the words of the training side, found none; only"
            " what the tokenizer cannot spell is replaced"
        )
    with progress_bar(files) as bar:
        count = 0
        for name, lines in inputs:
            for chunk, translations in translate_lines(loaded, lines, file=name, **options):
                for translation in translations:
                    count += 1
                    for line in _lines(loaded, count, translation, n_best, scores, as_json):
                        sys.stdout.write(line + "\n")
                sys.stdout.flush()
                bar.update(len(chunk))


def _lines(
    loaded: "Translator",
    number: int,
    translation: "Translation",
    n_best: int,
    scores: bool,
    as_json: bool,
) -> Iterator[str]:
    """How a translation is printed."""
    if as_json:
        hypotheses = [
            {
                "text": hypothesis.text,
                "score": hypothesis.score,
                "log_probability": hypothesis.log_probability,
                "tokens": loaded.tokenizers.target.pieces(hypothesis.ids),
            }
            for hypothesis in translation.hypotheses
        ]
        line = {"line": number, "source": translation.source, "hypotheses": hypotheses}
        yield json.dumps(line, ensure_ascii=False)
    elif n_best == 1:
        [best] = translation.hypotheses or [None]
        log_probability = f"{best.log_probability:.4f}\t" if best and scores else "\t" * scores
        yield log_probability + translation.text
    else:
        for hypothesis in translation.hypotheses:
            log_probability = f"{hypothesis.log_probability:.4f}\t" * scores
            yield f"{number}\t{hypothesis.score:.4f}\t{log_probability}{hypothesis.text}"
