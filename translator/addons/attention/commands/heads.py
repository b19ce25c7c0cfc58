"""``translator heads`` and ``translator align``."""

import itertools
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from translator.addons.attention.commands.head_worth import (
    LOSS,
    columns_of,
    heads_to_prune,
    measure_worth,
    print_layers,
    print_worth,
    prune,
)
from translator.base.errors import InputError
from translator.base.languages import Direction
from translator.base.progress import progress
from translator.cli.given_lines import standard_input
from translator.cli.options import (
    PATH,
    PICTURE_HELP,
    direction_options,
    files_of,
    load,
    open_run,
    report,
    require_both_files,
    run_option,
    source_files,
)

if TYPE_CHECKING:
    from translator.addons.attention.ablation import Ablation
    from translator.addons.attention.gold_alignments import SegmentedPair
    from translator.addons.attention.head_analysis import HeadAnalysis, SkippedPair

CHOOSING_PAIRS = 500  # `align` chooses heads by the gold alignments of the first pairs

source_option = click.option("--source", type=PATH, help="A file of sentences, plain or .gz.")
target_option = click.option("--target", type=PATH, help="Their translations, line by line.")
gold_option = click.option(
    "--gold",
    type=PATH,
    help="File of their gold word alignments, with lines such as 0-0 1?2, where ? marks a possible"
    " link; spaces separate the words, which are counted from 0.",
)


@click.command(short_help="Measure what each head of a run attends to.")
@click.argument("run_dir", metavar="[RUN]", required=False, type=PATH)
@direction_options
@source_option
@target_option
@gold_option
@click.option(
    "--limit",
    type=click.IntRange(min=1),
    default=500,
    show_default=True,
    help="Number of pairs to measure, from the first.",
)
@click.option(
    "--ablate",
    is_flag=True,
    help="Also measure loss and BLEU without each head, and without all heads of each layer; --out"
    " then shows what each head is worth.",
)
@click.option(
    "--prune-to",
    "share",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    metavar="SHARE",
    help="Write a run that keeps this share of the heads, such as 0.5, without those that are worth"
    " least, and measure it. Each layer of the encoder keeps as many as the others, and each of the"
    " decoder.",
)
@click.option("--pruned", type=PATH, help="The run that --prune-to writes.")
@click.option("--json", "as_json", is_flag=True, help="Print everything as one JSON object.")
@click.option("--out", type=PATH, help=PICTURE_HELP)
def heads(
    run_dir: Path | None,
    direction: Direction,
    source: Path | None,
    target: Path | None,
    gold: Path | None,
    limit: int,
    ablate: bool,
    share: float | None,
    pruned: Path | None,
    as_json: bool,
    out: Path | None,
) -> None:
    """Measure what each head of RUN, or of the model that is chosen without it, attends to.

    A line for each head: the entropy of its attention in bits, how many pieces ahead it looks on
    average, and its shares of attention on the previous, the same and the next position, on start,
    end and punctuation. Measured on the test split of the run's own corpus, or on --source and
    --target.

    With gold word alignments, from the demo corpus or from --gold, also the alignment error rate of
    each head. "AER written" takes the attention of the step that writes a word, "AER read" that of
    the next step, which has the word as its input.
    """
    from translator.addons.attention.gold_alignments import (
        read_segmented_files,
        read_test_split,
    )
    from translator.base.figures import FILE_ENDINGS, save_figure
    from translator.base.files import check_output_path

    if out is not None:
        check_output_path(out, FILE_ENDINGS, filter(None, (source, target, gold)))
    require_both_files(source, target)
    _check_pruning(share, pruned)
    if source is None and gold is not None:
        raise InputError(
            "--gold: expected --source and --target, whose words it aligns, found neither; name"
            " them"
        )
    pairs = None
    if source and target:  # all are read, so that errors in any line are found
        pairs = list(read_segmented_files((source, target), gold))[:limit]
    run = open_run(run_dir, direction)
    if pairs is None:
        pairs = read_test_split(run, report)[:limit]
    translator = load(run.path, "keras")
    if out is not None:
        check_output_path(out, inputs=files_of(translator))
    count = None if share is None else heads_to_prune(translator.config.model, share)
    from translator.addons.attention.drawing.head_maps import plot_measures, plot_worth
    from translator.addons.attention.head_analysis import analyse_heads
    from translator.addons.attention.verdicts import head_verdicts

    with progress("measuring heads", len(pairs), " pairs") as advance:
        found = analyse_heads(translator, pairs, advance)
    report_skipped("left out", found.skipped)
    report_skipped("left out of the alignment error rate", found.unaligned)
    worth = measure_worth(translator, pairs) if ablate or pruned else None
    verdicts = head_verdicts(found.measures, found.errors)
    if out is not None:
        title = f"{translator.run.path.resolve().name}, {found.measures.sentences:,} sentence pairs"
        if worth is None:
            figure = plot_measures(found.measures, found.errors, title)
        else:
            losses = {kind: each.losses(worth.whole) for kind, each in worth.kinds.items()}
            figure = plot_worth(losses, verdicts, title)
        save_figure(figure, out)
        report(f"heat maps: {out}")
    if as_json:
        values = {**found.to_json(), "verdicts": verdicts, "worth": worth and worth.to_json()}
        click.echo(json.dumps({"run": str(translator.run.path), **values}))
    else:
        print_analysis(found, verdicts, worth)
    if pruned is not None and worth is not None and count is not None:
        prune(translator, worth, pairs, count, pruned)


def _check_pruning(share: float | None, pruned: Path | None) -> None:
    """Refuses --prune-to without --pruned and the reverse, and a folder without room for a run."""
    from translator.runs.directory import RunDirectory

    if (share is None) != (pruned is None):
        raise InputError("expected --pruned RUN with --prune-to, found one without the other")
    if pruned is not None:
        RunDirectory(pruned).check_free("name another with --pruned")


def report_skipped(what: str, pairs: list["SkippedPair"]) -> None:
    """Says on standard error which pairs were left out, one line for each reason."""
    for reason in dict.fromkeys(pair.reason for pair in pairs):
        numbers = [pair.number for pair in pairs if pair.reason == reason]
        shown = ", ".join(map(str, numbers[:10])) + ", …" * (len(numbers) > 10)
        report(f"{what}: {len(numbers):,} (line {shown}): {reason}")


def print_analysis(
    found: "HeadAnalysis",
    verdicts: dict[str, list[list[str]]],
    worth: "Ablation | None" = None,
) -> None:
    """Prints an analysis: a section for each kind of attention, then the heads that align best."""
    from translator.addons.attention.measures import MEASURES
    from translator.translation.records import KINDS

    for kind in ("cross", "encoder", "decoder"):
        measures = found.measures.kinds[kind]
        columns = {name: getattr(measures, name) for name in MEASURES}
        if kind == "cross" and found.errors is not None:
            columns |= {f"AER {reading}": rates for reading, rates in found.errors.heads.items()}
        if worth is not None:
            columns |= columns_of(worth.kinds[kind], worth)
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
            print_layers(worth.kinds[kind], worth)
        click.echo()
    count, skipped = found.measures.sentences, len(found.skipped)
    plural = "s" * (count > 1)
    click.echo(f"{count:,} sentence pair{plural}" + f", {skipped:,} left out" * bool(skipped))
    if found.errors is not None:
        errors = found.errors
        click.echo(f"alignment error rate over {errors.sentences:,} of them")
        rows = {"head": errors.best_head(), "layer": errors.best_layer()}
        for name, (method, rate) in rows.items():
            click.echo(f"  best {name:<6} {rate:z.3f}  {method}")
        method, rate = errors.all_heads()
        click.echo(f"  all heads   {rate:z.3f}  {method}")
    if worth is not None:
        print_worth(worth, found.errors)


@click.command(short_help="Print word alignments of sentence pairs.")
@run_option
@direction_options
@source_option
@target_option
@gold_option
@click.option(
    "--heads",
    "which",
    type=click.Choice(["best", "layer", "average"]),
    help="best: the best head. layer: the mean of the best layer's heads. average: the mean of all"
    " heads. If left out, the one of these with the lowest error rate on --gold. Without"
    " --gold, the few heads that training found, also for best.",
)
@click.option(
    "--layer",
    type=int,
    help="Number of a layer, from 1: the mean of its heads, instead of --heads.",
)
@click.option("--head", type=int, help="Number of a head of that layer, from 1: this head alone.")
def align(
    run_dir: Path | None,
    direction: Direction,
    source: Path | None,
    target: Path | None,
    gold: Path | None,
    which: str | None,
    layer: int | None,
    head: int | None,
) -> None:
    """Print word alignments of sentence pairs, one line for each pair, such as 0-0 1-2.

    Pairs come from files, or as source TAB target lines from standard input. Each target word is
    aligned with the source word that cross-attention attends to most. Spaces separate the words,
    which are counted from 0. A pair that cannot be aligned has an empty line, and standard error
    says why.

    With --gold, the heads are those with the lowest error rate on the first 500 pairs, and the
    alignment error rate over all pairs goes to standard error; a pair that cannot be aligned counts
    as one without links. Without --gold, the heads are those that training found with words that
    are the same in both languages, such as names, and wrote into restoration.json.
    """
    files = source_files(source, target)
    if layer is not None and which is not None:
        raise InputError("expected --heads or --layer, found both; name one of them")
    if head is not None and layer is None:
        raise InputError("--head: expected --layer with it, found none; name the head's layer")
    run = open_run(run_dir, direction)
    languages = run.read_config().corpus.languages if len(files) == 1 else None
    pairs = open_pairs(files, gold, languages)
    first = list(itertools.islice(pairs, CHOOSING_PAIRS))
    translator = load(run.path, "keras")
    from translator.addons.attention.alignment_errors import LinkCounter
    from translator.addons.attention.alignments import format_links
    from translator.addons.attention.head_analysis import (
        align_pairs,
        analyse_heads,
        choose_heads,
        heads_by_number,
    )

    if layer is not None:
        method = heads_by_number(translator, layer, head)
    else:
        with progress("choosing heads", len(first), " pairs") as advance:
            errors = None if gold is None else analyse_heads(translator, first, advance).errors
        method = choose_heads(translator, which, errors)
    report(f"aligned by: {method}")
    counter = LinkCounter()
    for aligned in align_pairs(translator, itertools.chain(first, pairs), method):
        sys.stdout.write(format_links(aligned.links) + "\n")
        if aligned.skipped:
            report(f"line {aligned.skipped.number}: not aligned: {aligned.skipped.reason}")
        if aligned.pair.gold is not None:
            counter.add(aligned.links, aligned.pair.gold)
    if gold is not None:
        report(f"alignment error rate: {counter.rate():.3f} over {counter.sentences:,} pairs")


def open_pairs(
    files: tuple[Path, ...], gold: Path | None, languages: tuple[str, str] | None = None
) -> Iterator["SegmentedPair"]:
    """Opens the pairs of files, or of standard input."""
    from translator.addons.attention.gold_alignments import (
        read_segmented_files,
        read_segmented_lines,
    )
    from translator.corpora.files import iterate_stream
    from translator.corpora.pair_files import Wanted

    if files:
        return read_segmented_files(files, gold, Wanted(languages, tell=report))
    name = "standard input"
    return read_segmented_lines(iterate_stream(standard_input(), name), name, gold)
