"""``translator evaluate`` and ``translator compare``."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from translator.base.errors import InputError
from translator.base.languages import Direction
from translator.base.progress import progress
from translator.cli.options import (
    PATH,
    beam_option,
    engine_option,
    files_of,
    is_typed,
    load,
    model_options,
    penalty_option,
    raw_option,
)
from translator.cli.terminal import report
from translator.translation.options import TranslationOptions

if TYPE_CHECKING:
    from translator.evaluation.comparison import Comparison
    from translator.evaluation.run_evaluation import Evaluation
    from translator.evaluation.scores import Scores

EXAMPLES = 3  # how many sentences are shown that a run translates better

split_option = click.option(
    "--split",
    type=click.Choice(["test", "validation"]),
    default="test",
    show_default=True,
    help="Split of the run's own corpus.",
)
test_set_option = click.option(
    "--test-set",
    metavar="NAME",
    help="Use this test set instead of the run's own: the test split of a known corpus, such as"
    " phrasebook, or a test set of sacreBLEU, such as wmt14.",
)
source_option = click.option(
    "--source",
    type=PATH,
    help="File to use instead of the run's corpus; without --reference, file of pairs.",
)
reference_option = click.option(
    "--reference",
    "references",
    type=PATH,
    multiple=True,
    help="A file with the translation of each line of --source; repeatable.",
)


@click.command()
@model_options
@split_option
@test_set_option
@source_option
@reference_option
@click.option("--out", type=PATH, help="File to write the translations to.")
@click.option("--json", "as_json", is_flag=True, help="Print everything as one JSON object.")
@beam_option
@penalty_option
@raw_option
def evaluate(
    run_dir: Path | None,
    direction: Direction,
    engine: str | None,
    split: str,
    test_set: str | None,
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
    if test_set == "":
        raise InputError("--test-set: expected the name of a test set, such as wmt14, found none")
    if test_set is not None and (files or is_typed("split")):
        raise InputError("--test-set: expected no files and no --split, found one; leave one out")
    if out is not None:
        check_output_path(out, inputs=files)
    translator = load(run_dir, engine, direction)
    if out is not None:
        check_output_path(out, inputs=files_of(translator))
    from translator.evaluation.run_evaluation import (
        evaluate_files,
        evaluate_split,
        write_translations,
    )

    with progress("translating"):
        if files:
            result = evaluate_files(translator, source, references, TranslationOptions(**options))
        else:
            result = evaluate_split(translator, split, TranslationOptions(**options), test_set)
    if as_json:
        click.echo(json.dumps(result.to_json(), ensure_ascii=False))
    else:
        print_evaluation(result)
    if out is not None:
        write_translations(out, result.translations)


def refuse_split_with_files(files: list[Path]) -> None:
    """Refuses --split if sentences come from files."""
    if files and is_typed("split"):
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
    from translator.text.repetition import describe_alike

    scores = result.scores
    texts = {translation.source: translation.text for translation in result.translations}
    if alike := describe_alike(texts):
        click.echo(alike)
    print_metrics(scores)
    if result.uncased:
        click.echo("lowercased, with digits as 0:")
        print_metrics(result.uncased)
    click.echo(f"length ratio {scores.length_ratio:.3f}")
    if result.unusable:
        click.echo(f"{result.unusable:,} sentences do not fit the model; scored untranslated")
    left_out = result.pairs - result.perplexity_pairs
    note = f", {left_out:,} pairs left out: too long or empty" if left_out else ""
    click.echo(f"perplexity {result.perplexity:.3f} a target token{note}")
    sentences, tokens = (count / result.seconds for count in (scores.sentences, result.tokens))
    click.echo(
        f"{scores.sentences:,} sentences in {result.seconds:.1f} s:"
        f" {sentences:,.0f} sentences/s, {tokens:,.0f} tokens/s"
    )


def print_metrics(scores: "Scores") -> None:
    """Prints BLEU, chrF, chrF++ and TER with their signatures."""
    click.echo(f"BLEU {scores.bleu:.2f}  {scores.bleu_signature}")
    click.echo(f"chrF {scores.chrf:.2f}  {scores.chrf_signature}")
    click.echo(f"chrF++ {scores.chrf_with_words:.2f}  {scores.chrf_with_words_signature}")
    click.echo(f"TER {scores.ter:.2f}  {scores.ter_signature}")


@click.command()
@click.argument("run_a", type=PATH)
@click.argument("run_b", type=PATH)
@engine_option
@split_option
@source_option
@reference_option
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
    as_json: bool,
    **options: Any,
) -> None:
    """Test whether RUN_B is better than RUN_A, or the difference is chance (paired bootstrap), on
    the test split of RUN_B's corpus.
    """
    refuse_split_with_files([path for path in (source, *references) if path is not None])
    with progress("comparing"):
        first, second = load(run_a, engine), load(run_b, engine)
        from translator.evaluation.comparison import compare_runs

        typed_split = split if is_typed("split") else None
        search = TranslationOptions(**options)
        comparison = compare_runs(first, second, typed_split, source, references, search, report)
    if as_json:
        rows = [row._asdict() for row in comparison.rows]
        differences = [difference._asdict() for difference in comparison.differences]
        click.echo(json.dumps({"rows": rows, "differences": differences}, ensure_ascii=False))
    else:
        print_comparison(comparison, (run_a, run_b))


def print_comparison(comparison: "Comparison", runs: tuple[Path, Path]) -> None:
    """Prints a comparison: the table, then the sentences that differ most."""
    sentences, differences = comparison.sentences, comparison.differences
    click.echo(f"{sentences:,} sentences, {len(differences):,} translated differently")
    click.echo(f"{'':<7} {runs[0]!s:>24} {runs[1]!s:>24}  p")
    for row in comparison.rows:
        cells = (f"{x:.2f} ± {y:.2f}" for x, y in zip(row.scores, row.intervals))
        click.echo(f"{row.metric:<7} {' '.join(f'{c:>24}' for c in cells)}  {row.p_value:.4f}")
    for row in comparison.rows:
        click.echo(row.signature)
    better = {
        runs[1]: [d for d in differences if d.chrf[1] > d.chrf[0]][:EXAMPLES],
        runs[0]: [d for d in reversed(differences) if d.chrf[0] > d.chrf[1]][:EXAMPLES],
    }
    for run, examples in better.items():
        for difference in examples:
            click.echo(f"\ntranslated better by {run}: {difference.source}")
            click.echo(f"  reference  {difference.references[0]}")
            for name, text, chrf in zip(runs, difference.translations, difference.chrf):
                click.echo(f"  chrF {chrf:>5.1f}  {text}  ({name})")
