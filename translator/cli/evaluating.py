"""``translator evaluate``."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from translator.cli.options import beam_option, load, penalty_option, run_option

if TYPE_CHECKING:
    from translator.evaluation import Evaluation


@click.command()
@run_option
@click.option(
    "--split",
    type=click.Choice(["test", "validation"]),
    default="test",
    show_default=True,
    help="Which split of the run's own corpus.",
)
@click.option("--source", type=click.Path(path_type=Path), help="A file of sentences instead.")
@click.option(
    "--reference",
    "references",
    type=click.Path(path_type=Path),
    multiple=True,
    help="Their translations, line by line; repeatable.",
)
@click.option("--out", type=click.Path(path_type=Path), help="Write the translations there.")
@beam_option
@penalty_option
def evaluate(
    run_dir: Path | None,
    split: str,
    source: Path | None,
    references: tuple[Path, ...],
    out: Path | None,
    **options: Any,
) -> None:
    """Measure a run: BLEU, chrF, perplexity, speed, and each phenomenon of the demo corpus."""
    from translator.writing import check_output_path

    if out is not None:
        check_output_path(out)
    loaded = load(run_dir)
    from translator.evaluation import evaluate_files, evaluate_split, write_translations

    if source or references:
        result = evaluate_files(loaded, source, references, **options)
    else:
        result = evaluate_split(loaded, split, **options)
    print_evaluation(result)
    if out is not None:
        write_translations(out, result.translations)


def print_evaluation(result: "Evaluation") -> None:
    """Prints an evaluation for a reader: phenomena first, the whole last."""
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
    """Prints the scores of the whole, with signatures, perplexity and speed."""
    if result.corpus_changed:
        click.echo(
            "the corpus has changed since the run was trained, which may know these sentences"
        )
    scores = result.scores
    click.echo(f"BLEU {scores.bleu:.2f}  {scores.bleu_signature}")
    click.echo(f"chrF {scores.chrf:.2f}  {scores.chrf_signature}")
    if result.lowercased:
        lower = result.lowercased
        click.echo(f"BLEU {lower.bleu:.2f}  {lower.bleu_signature}")
        click.echo(f"chrF {lower.chrf:.2f}  {lower.chrf_signature}")
    if result.unusable:
        click.echo(
            f"{result.unusable:,} sentences that the model cannot take count as untranslated"
        )
    left_out = result.pairs - result.perplexity_pairs
    note = f", {left_out:,} pairs left out: too long or empty" if left_out else ""
    click.echo(f"perplexity {result.perplexity:.3f} a target token{note}")
    sentences, tokens = (count / result.seconds for count in (scores.sentences, result.tokens))
    click.echo(
        f"{scores.sentences:,} sentences in {result.seconds:.1f} s:"
        f" {sentences:,.0f} sentences/s, {tokens:,.0f} tokens/s"
    )
