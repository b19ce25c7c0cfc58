"""``translator evaluate``, ``translator compare`` and ``translator score``."""

import json
import math
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from translator.base.errors import InputError
from translator.cli.doubts import say_that_confidence_is_missing
from translator.cli.options import (
    PATH,
    beam_option,
    engine_option,
    files_of,
    from_option,
    is_given,
    load,
    penalty_option,
    raw_option,
    report,
    require_both_files,
    run_option,
)
from translator.translation.options import TranslationOptions

if TYPE_CHECKING:
    from translator.evaluation.comparison import Comparison
    from translator.evaluation.run_evaluation import Evaluation
    from translator.evaluation.scores import Scores
    from translator.translation.results import Score
    from translator.translation.translator import Translator

CHUNK_SIZE = 1024  # pairs scored together; their scores are printed at once


split_option = click.option(
    "--split",
    type=click.Choice(["test", "validation"]),
    default="test",
    show_default=True,
    help="Split of the run's own corpus.",
)
source_option = click.option(
    "--source",
    type=PATH,
    help="A file of sentences, instead of the run's own corpus.",
)
reference_option = click.option(
    "--reference",
    "references",
    type=PATH,
    multiple=True,
    help="Their translations, line by line; repeatable.",
)


@click.command()
@run_option
@from_option
@engine_option
@split_option
@source_option
@reference_option
@click.option("--out", type=PATH, help="File to write the translations to.")
@click.option("--json", "as_json", is_flag=True, help="Print everything as one JSON object.")
@beam_option
@penalty_option
@raw_option
def evaluate(
    run_dir: Path | None,
    source_language: str | None,
    engine: str | None,
    split: str,
    source: Path | None,
    references: tuple[Path, ...],
    out: Path | None,
    as_json: bool,
    **options: Any,
) -> None:
    """Measure a run: BLEU, chrF, TER, perplexity, speed, and each phenomenon of the demo corpus."""
    from translator.base.files import check_output_path

    files = [path for path in (source, *references) if path is not None]
    refuse_split_with_files(files)
    if out is not None:
        check_output_path(out, inputs=files)
    translator = load(run_dir, engine, source_language)
    if out is not None:
        check_output_path(out, inputs=files_of(translator))
    from translator.evaluation.run_evaluation import (
        evaluate_files,
        evaluate_split,
        write_translations,
    )

    if files:
        result = evaluate_files(translator, source, references, TranslationOptions(**options))
    else:
        result = evaluate_split(translator, split, TranslationOptions(**options))
    if as_json:
        click.echo(json.dumps(result.to_json(), ensure_ascii=False))
    else:
        print_evaluation(result)
    if out is not None:
        write_translations(out, result.translations)


def refuse_split_with_files(files: list[Path]) -> None:
    """Refuses --split where sentences come from files."""
    if files and is_given("split"):
        raise InputError(
            "--split: expected sentences of the run's own corpus, found files with --source or"
            " --reference; leave out --split, or the files"
        )


def print_evaluation(result: "Evaluation") -> None:
    """Prints the results of an evaluation: phenomena first, all sentences last."""
    if result.phenomena:
        width = max(map(len, result.phenomena))
        click.echo(f"{'phenomenon':<{width}}  pairs   BLEU   chrF")
        for name, scores in result.phenomena.items():
            click.echo(
                f"{name:<{width}}  {scores.sentences:>5}  {scores.bleu:>5.1f}  {scores.chrf:>5.1f}"
            )
        click.echo()
    print_scores(result)


def print_scores(result: "Evaluation") -> None:
    """Prints the scores of all sentences, with signatures, perplexity and speed."""
    if result.corpus_changed:
        click.echo(
            "the corpus has changed since the run was trained; the run may have been trained on"
            " these sentences"
        )
    scores = result.scores
    print_metrics(scores)
    if result.uncased:
        click.echo("lowercased, with digits as 0:")
        print_metrics(result.uncased)
    click.echo(f"length ratio {scores.length_ratio:.3f}")
    if result.unusable:
        click.echo(f"{result.unusable:,} sentences that do not fit the model count as untranslated")
    left_out = result.pairs - result.perplexity_pairs
    note = f", {left_out:,} pairs left out: too long or empty" if left_out else ""
    click.echo(f"perplexity {result.perplexity:.3f} a target token{note}")
    sentences, tokens = (count / result.seconds for count in (scores.sentences, result.tokens))
    click.echo(
        f"{scores.sentences:,} sentences in {result.seconds:.1f} s:"
        f" {sentences:,.0f} sentences/s, {tokens:,.0f} tokens/s"
    )


def print_metrics(scores: "Scores") -> None:
    """Prints BLEU, chrF and TER with their signatures."""
    click.echo(f"BLEU {scores.bleu:.2f}  {scores.bleu_signature}")
    click.echo(f"chrF {scores.chrf:.2f}  {scores.chrf_signature}")
    click.echo(f"TER {scores.ter:.2f}  {scores.ter_signature}")


@click.command()
@click.argument("run_a", type=PATH)
@click.argument("run_b", type=PATH)
@engine_option
@split_option
@source_option
@reference_option
@click.option(
    "--samples",
    type=click.IntRange(min=1),
    default=1000,
    show_default=True,
    help="Number of bootstrap samples.",
)
@click.option(
    "--examples",
    type=click.IntRange(min=0),
    default=3,
    show_default=True,
    help="Number of sentences to show for each run that it translates better.",
)
@click.option(
    "--uncased",
    "is_uncased",
    is_flag=True,
    help="Lowercase both, and replace digits with 0, as BPEmb's models see text.",
)
@click.option("--json", "as_json", is_flag=True, help="Print everything as one JSON object.")
@beam_option
@penalty_option
@raw_option
def compare(
    run_a: Path,
    run_b: Path,
    engine: str | None,
    split: str,
    source: Path | None,
    references: tuple[Path, ...],
    samples: int,
    examples: int,
    is_uncased: bool,
    as_json: bool,
    **options: Any,
) -> None:
    """Tell whether RUN_B is better than RUN_A or the difference is chance (paired bootstrap)."""
    if as_json and is_given("examples"):
        raise InputError("expected --examples or --json, found both; the JSON has every difference")
    refuse_split_with_files([path for path in (source, *references) if path is not None])
    first, second = load(run_a, engine), load(run_b, engine)
    from translator.evaluation.run_comparison import compare_runs

    chosen = TranslationOptions(**options)
    found = compare_runs(
        first, second, split, source, references, chosen, samples, is_uncased, report
    )
    if as_json:
        rows = [row._asdict() for row in found.rows]
        differences = [difference._asdict() for difference in found.differences]
        click.echo(json.dumps({"rows": rows, "differences": differences}, ensure_ascii=False))
    else:
        print_comparison(found, (run_a, run_b), examples)


def print_comparison(found: "Comparison", runs: tuple[Path, Path], examples: int) -> None:
    """Prints a comparison: the table, then the sentences that differ most."""
    click.echo(f"{found.sentences:,} sentences, {len(found.differences):,} translated differently")
    click.echo(f"{'':<6} {runs[0]!s:>24} {runs[1]!s:>24}  p")
    for row in found.rows:
        cells = (f"{x:.2f} ± {y:.2f}" for x, y in zip(row.scores, row.intervals))
        click.echo(f"{row.metric:<6} {' '.join(f'{c:>24}' for c in cells)}  {row.p_value:.4f}")
    for row in found.rows:
        click.echo(row.signature)
    better = {
        runs[1]: [d for d in found.differences if d.chrf[1] > d.chrf[0]][:examples],
        runs[0]: [d for d in reversed(found.differences) if d.chrf[0] > d.chrf[1]][:examples],
    }
    for run, differences in better.items():
        for difference in differences:
            click.echo(f"\nbetter by {run}: {difference.source}")
            click.echo(f"  reference  {difference.references[0]}")
            for name, text, chrf in zip(runs, difference.translations, difference.chrf):
                click.echo(f"  chrF {chrf:>5.1f}  {text}  ({name})")


@click.command()
@run_option
@from_option
@engine_option
@click.option("--source", type=PATH, help="A file of sentences.")
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
    source_language: str | None,
    engine: str | None,
    source: Path | None,
    target: Path | None,
    with_tokens: bool,
) -> None:
    """Print the log probability of given translations, one line for each.

    They come from two files, or as source TAB target lines from standard input. The sum of the log
    probabilities and the perplexity per token go to standard error.
    """
    from translator.corpora.files import iterate_stream, read_parallel_files, read_tab_separated

    require_both_files(source, target)
    if source is not None and target is not None:
        all_pairs = list(read_parallel_files(source, target))
    else:
        name = "standard input"
        all_pairs = list(read_tab_separated(iterate_stream(sys.stdin.buffer, name), name))
    translator = load(run_dir, engine, source_language)
    if with_tokens and translator.assessor is None:
        say_that_confidence_is_missing(translator.run)
    scores: list[Score] = []
    for first in range(0, len(all_pairs), CHUNK_SIZE):
        for scored in _score(translator, all_pairs[first : first + CHUNK_SIZE], first + 1):
            for line in _token_lines(scored) if with_tokens else [f"{scored.log_probability:.4f}"]:
                click.echo(line)
            scores.append(scored)
    total = sum(scored.log_probability for scored in scores)
    tokens = sum(scored.tokens for scored in scores)
    perplexity = math.exp(-total / tokens)
    report(f"in all: {total:.4f}, {tokens:,} tokens, perplexity {perplexity:.3f} a token")


def _token_lines(scored: "Score") -> Iterator[str]:
    """A score with its tokens: the pair, then after a tab each token, its word at its first."""
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
) -> Iterator["Score"]:
    """Scores pairs together, or one by one up to a pair that cannot be scored."""
    sources, targets = zip(*pairs)
    try:
        yield from translator.score(sources, targets, first_line)
    except InputError:
        for line, (source, target) in enumerate(pairs, first_line):
            yield from translator.score([source], [target], line)
