"""``translator heads``."""

import itertools
import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from translator.base.languages import Direction
from translator.base.progress import progress
from translator.cli.options import (
    PATH,
    PICTURE_HELP,
    direction_options,
    files_of,
    load,
    open_run,
    require_both_files,
)
from translator.cli.terminal import report

if TYPE_CHECKING:
    from collections.abc import Sequence

    from translator.addons.attention.ablation import Ablation
    from translator.addons.attention.head_analysis import HeadAnalysis, MeasuredPair, SkippedPair
    from translator.translation.translator import Translator

LOSS = "loss +"  # name of a column


@click.command()
@click.argument("run_dir", metavar="[RUN]", required=False, type=PATH)
@direction_options
@click.option("--source", type=PATH, help="A file of sentences, plain or .gz.")
@click.option("--target", type=PATH, help="Their translations, line by line.")
@click.option(
    "--limit",
    type=click.IntRange(min=1),
    default=500,
    show_default=True,
    help="Number of pairs to measure, counted from the first.",
)
@click.option(
    "--ablate",
    is_flag=True,
    help="Also measure loss and BLEU without each head, and without all heads of each layer; --out"
    " then shows each head's worth.",
)
@click.option("--json", "as_json", is_flag=True, help="Print everything as one JSON object.")
@click.option("--out", type=PATH, help=PICTURE_HELP)
def heads(
    run_dir: Path | None,
    direction: Direction,
    source: Path | None,
    target: Path | None,
    limit: int,
    ablate: bool,
    as_json: bool,
    out: Path | None,
) -> None:
    """Measure what each head of RUN attends to. Without RUN, measure the model that translate uses.

    A line for each head has the entropy of its attention in bits, and how many pieces ahead it
    looks on average. Then come its shares of attention: on the previous, the same and the next
    position, on start, end and punctuation. The pairs come from --source and --target, or else from
    the test split of the run's corpus.

    The demo corpus has word alignments, so there the line has also the alignment error rate. "AER
    written" takes the attention of the step that writes a word. "AER read" takes it from the next
    step, which reads the word.
    """
    from translator.addons.attention.head_analysis import read_pair_files, read_test_split
    from translator.addons.page.offline_page import FILE_ENDINGS, save_figure
    from translator.base.files import check_output_path

    if out is not None:
        check_output_path(out, FILE_ENDINGS, filter(None, (source, target)))
    require_both_files(source, target)
    pairs = None
    if source and target:  # all are read, so that errors in any line are found
        pairs = list(read_pair_files(source, target))[:limit]
    run = open_run(run_dir, direction)
    if pairs is None:
        pairs = read_test_split(run, report)[:limit]
    translator = load(run.path, "keras")
    if out is not None:
        check_output_path(out, inputs=files_of(translator))
    from translator.addons.attention.head_analysis import analyse_heads
    from translator.addons.attention.head_maps import plot_measures, plot_worth
    from translator.addons.attention.measures import head_verdicts

    with progress("measuring heads", len(pairs), " pairs") as advance:
        analysis = analyse_heads(translator, pairs, advance)
    report_skipped("left out", analysis.skipped)
    report_skipped("left out of the alignment error rate", analysis.unaligned)
    worth = measure_worth(translator, pairs) if ablate else None
    verdicts = head_verdicts(analysis.measures, analysis.errors)
    if out is not None:
        title = f"{run.path.resolve().name}, {analysis.measures.sentences:,} sentence pairs"
        if worth is None:
            figure = plot_measures(analysis.measures, analysis.errors, title)
        else:
            losses = {kind: ablation.losses(worth.whole) for kind, ablation in worth.kinds.items()}
            figure = plot_worth(losses, verdicts, title)
        save_figure(figure, out)
        report(f"heat maps: {out}")
    if as_json:
        values = {**analysis.to_json(), "verdicts": verdicts, "worth": worth and worth.to_json()}
        click.echo(json.dumps({"run": str(translator.run.path), **values}))
    else:
        print_analysis(analysis, verdicts, worth)


def measure_worth(translator: "Translator", pairs: "Sequence[MeasuredPair]") -> "Ablation":
    """Measures the model without each head, with a bar."""
    from translator.addons.attention.ablation import ablate_heads
    from translator.translation.records import KINDS

    sizes = translator.config.model
    count = sum(sizes.layers_of(kind) * (sizes.heads_of(kind) + 1) for kind in KINDS)
    with progress("leaving out heads", count, " heads") as advance:
        return ablate_heads(translator, pairs, advance)


def report_skipped(label: str, pairs: list["SkippedPair"]) -> None:
    """Reports which pairs were left out, one line for each reason."""
    for reason in dict.fromkeys(pair.reason for pair in pairs):
        numbers = [pair.number for pair in pairs if pair.reason == reason]
        listed = ", ".join(map(str, numbers[:10])) + ", …" * (len(numbers) > 10)
        report(f"{label}: {len(numbers):,} (line {listed}): {reason}")


def print_analysis(
    analysis: "HeadAnalysis", verdicts: dict[str, list[list[str]]], worth: "Ablation | None"
) -> None:
    """Prints an analysis: a section for each kind of attention, then the heads that align best."""
    from translator.addons.attention.measures import MEASURES
    from translator.translation.records import KINDS

    for kind in ("cross", "encoder", "decoder"):
        measures = analysis.measures.kinds[kind]
        columns = {name: getattr(measures, name) for name in MEASURES}
        if kind == "cross" and analysis.errors is not None:
            columns |= {f"AER {reading}": rates for reading, rates in analysis.errors.heads.items()}
        if worth is not None:
            whole, without = worth.whole, worth.kinds[kind]
            columns |= {LOSS: without.losses(whole), "BLEU +": without.bleu(whole)}
        columns = {name: values for name, values in columns.items() if values is not None}
        click.echo(f"{KINDS[kind]}, {measures.rows:,} rows")
        click.echo("  ".join(["layer", "head", *(f"{name:>7}" for name in columns)]))
        layers, heads = measures.entropy.shape
        for layer, head in itertools.product(range(layers), range(heads)):
            cells = (
                f"{values[layer, head]:>z{max(7, len(name))}.{3 if name == LOSS else 2}f}"
                for name, values in columns.items()
            )
            words = verdicts[kind][layer][head]
            click.echo("  ".join([f"{layer + 1:>5}", f"{head + 1:>4}", *cells, words]))
        if worth is not None:
            for number, quality in enumerate(without.layers, start=1):
                loss, bleu = quality.loss - whole.loss, quality.bleu - whole.bleu
                text = f"without all heads of layer {number}"
                click.echo(f"{text}: loss {loss:+z.3f}, BLEU {bleu:+z.2f}")
        click.echo()
    count, skipped = analysis.measures.sentences, len(analysis.skipped)
    plural = "s" * (count > 1)
    click.echo(f"{count:,} sentence pair{plural}" + f", {skipped:,} left out" * bool(skipped))
    if analysis.errors is not None:
        errors = analysis.errors
        click.echo(f"alignment error rate over {errors.sentences:,} of them")
        best = errors.best_head()
        name = f"head {best.head} of layer {best.layer}, {best.reading}"
        click.echo(f"  best head   {best.aer:z.3f}  {name}")
    if worth is not None:
        text = f"loss {worth.whole.loss:.3f} nats a token, BLEU {worth.whole.bleu:.2f}"
        click.echo(f"whole model: {text} with greedy search")
