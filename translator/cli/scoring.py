"""``translator score``."""

import math
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from translator.base.errors import InputError
from translator.base.languages import Direction
from translator.cli.doubts import report_missing_confidence
from translator.cli.input_lines import standard_input
from translator.cli.options import PATH, model_options, open_run, source_files
from translator.cli.terminal import report

if TYPE_CHECKING:
    from translator.translation.results import Score
    from translator.translation.translator import Translator

CHUNK_SIZE = 1024  # pairs that are scored and printed together


@click.command()
@model_options
@click.option("--source", type=PATH, help="File of sentences; without --target, file of pairs.")
@click.option("--target", type=PATH, help="Their translations.")
@click.option(
    "--tokens",
    "with_tokens",
    is_flag=True,
    help="Also print the confidence of each pair, the log probability of each token and the"
    " confidence of each word.",
)
def score(
    run_dir: Path | None,
    direction: Direction,
    engine: str | None,
    source: Path | None,
    target: Path | None,
    with_tokens: bool,
) -> None:
    """Print the log probability of given translations, one line for each.

    They come from files, or as source TAB target lines from standard input. The sum of the log
    probabilities and the perplexity per token go to standard error. If the model cannot take a
    pair, its score is nan, standard error says why, and the exit code is 1.
    """
    from translator.corpora.files import iterate_stream
    from translator.corpora.pair_files import ReadOptions, read_pairs, read_tab_separated
    from translator.translation.translator import Translator

    files = source_files(source, target)
    all_pairs: list[tuple[str, str]] = []
    if not files:
        name = "standard input"
        lines = iterate_stream(standard_input(), name, "replace")
        all_pairs = list(read_tab_separated(lines, name))
    run = open_run(run_dir, direction)
    if files:
        languages = run.read_config().corpus.languages if target is None else None
        all_pairs = list(read_pairs(files, ReadOptions(languages, errors="replace", report=report)))
    translator = Translator(run, engine, report)
    if with_tokens and translator.assessor is None:
        report_missing_confidence(translator.run)
    scores: list[Score] = []
    for first in range(0, len(all_pairs), CHUNK_SIZE):
        for scored in _score(translator, all_pairs[first : first + CHUNK_SIZE], first + 1):
            if isinstance(scored, InputError):
                report(str(scored))
                click.echo("nan")
                continue
            for line in _token_lines(scored) if with_tokens else [f"{scored.log_probability:.4f}"]:
                click.echo(line)
            scores.append(scored)
    if not scores:
        raise InputError("expected a pair that the model can take, found none")
    total = sum(scored.log_probability for scored in scores)
    tokens = sum(scored.tokens for scored in scores)
    perplexity = math.exp(-total / tokens)
    report(f"in all: {total:.4f}, {tokens:,} tokens, perplexity {perplexity:.3f} a token")
    if len(scores) < len(all_pairs):
        report(f"{len(all_pairs) - len(scores):,} of {len(all_pairs):,} pairs have no score")
        click.get_current_context().exit(1)


def _token_lines(scored: "Score") -> Iterator[str]:
    """Yields a line for the pair, then one for each token, with the word at its first token."""
    confidence = "" if scored.confidence is None else f"{scored.confidence:.2f}"
    yield f"{scored.log_probability:.4f}\t{confidence}"
    begun = -1
    numbers = scored.word_numbers or [-1] * scored.tokens
    for piece, value, number in zip(scored.pieces, scored.token_log_probabilities, numbers):
        word = ""
        if number > begun:
            begun = number
            word = f"{scored.words[number].text}\t{scored.words[number].confidence:.2f}"
        yield f"\t{piece}\t{value:.4f}\t{word or chr(9)}"


def _score(
    translator: "Translator", pairs: list[tuple[str, str]], first_line: int
) -> Iterator["Score | InputError"]:
    """Scores pairs together; one by one if a pair cannot be scored."""
    sources, targets = zip(*pairs)
    try:
        yield from translator.score(sources, targets, first_line)
    except InputError:
        for line, (source, target) in enumerate(pairs, first_line):
            try:
                yield from translator.score([source], [target], line)
            except InputError as error:
                yield error
