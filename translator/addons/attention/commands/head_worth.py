"""What ``translator heads`` adds with ``--ablate`` and ``--prune-to``."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from translator.base.errors import InputError
from translator.base.progress import progress
from translator.cli.options import report

LOSS = "loss +"  # the column of it

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np

    from translator.addons.attention.ablation import Ablation, KindAblation
    from translator.addons.attention.alignment_errors import AlignmentErrors
    from translator.addons.attention.gold_alignments import SegmentedPair
    from translator.config.model import ModelConfig
    from translator.translation.translator import Translator


def measure_worth(translator: "Translator", pairs: "Sequence[SegmentedPair]") -> "Ablation":
    """Measures the model without each head, with a bar."""
    from translator.addons.attention.ablation import ablate_heads
    from translator.translation.records import KINDS

    sizes = translator.config.model
    count = sum(sizes.layers_of(kind) * (sizes.heads_of(kind) + 1) for kind in KINDS)
    with progress("leaving out heads", count, " heads") as advance:
        return ablate_heads(translator, pairs, advance)


def columns_of(found: "KindAblation", whole: "Ablation") -> "dict[str, np.ndarray]":
    """The columns of the table of heads: how the loss and BLEU change without each."""
    import numpy as np

    bleu = np.array([[each.bleu for each in layer] for layer in found.heads])
    return {LOSS: found.losses(whole.whole), "BLEU +": bleu - whole.whole.bleu}


def print_layers(found: "KindAblation", whole: "Ablation") -> None:
    """A line for each layer without all its heads."""
    for number, each in enumerate(found.layers, start=1):
        loss, bleu = each.loss - whole.whole.loss, each.bleu - whole.whole.bleu
        click.echo(f"without all heads of layer {number}: loss {loss:+z.3f}, BLEU {bleu:+z.2f}")


def print_worth(found: "Ablation", errors: "AlignmentErrors | None") -> None:
    """The quality of the whole model, and whether heads that align are worth more."""
    from translator.addons.attention.verdicts import rank_correlation

    whole = found.whole
    click.echo(
        f"whole model: loss {whole.loss:.3f} nats a token, BLEU {whole.bleu:.2f} with greedy search"
    )
    if errors is None:
        return
    losses = found.kinds["cross"].losses(whole).ravel()
    for reading, rates in errors.heads.items():
        correlation = rank_correlation(losses, rates.ravel())
        click.echo(
            f"rank correlation of the loss without a head with its alignment error rate, {reading}:"
            f" {correlation:+z.2f} over {len(losses)} heads of cross-attention"
        )


def heads_to_prune(sizes: "ModelConfig", share: float) -> int:
    """How many heads go if a share of them is kept.

    Raises:
        InputError: they are too few, or the model has no heads to spare.
    """
    from translator.addons.attention.pruning import smallest_round
    from translator.translation.records import KINDS

    total = sizes.num_layers * sum(sizes.heads_of(kind) for kind in KINDS)
    asked, least = round(total * (1 - share)), smallest_round(sizes)
    if least is None:
        raise InputError(
            "--prune-to: expected a model of several heads, found one in each attention"
        )
    if asked < least:
        raise InputError(
            f"--prune-to {share:g}: expected at least {least} heads to go, one of each layer, found"
            f" {asked}; every layer keeps as many as the others"
        )
    return asked


def prune(
    translator: "Translator",
    found: "Ablation",
    pairs: "Sequence[SegmentedPair]",
    count: int,
    out: Path,
) -> None:
    """Writes a run without the heads that are worth least, and measures it."""
    from translator.addons.attention.ablation import Bench
    from translator.addons.attention.pruning import choose_heads_to_keep, write_pruned_run
    from translator.runs.directory import RunDirectory
    from translator.runs.weights import model_weights
    from translator.translation.translator import Translator

    losses = {kind: of_kind.losses(found.whole) for kind, of_kind in found.kinds.items()}
    alignment = translator.restoration.alignment
    kept = choose_heads_to_keep(losses, count, alignment and (alignment.layer, alignment.heads))
    gone = sum(losses[kind].size - sum(map(len, kept[kind])) for kind in losses)
    write_pruned_run(translator.run, kept, RunDirectory(out))
    pruned = Translator(out, "keras")
    after = Bench(pruned, pairs).measure(model_weights(pruned.model))
    encoder, decoder = len(kept["encoder"][0]), len(kept["cross"][0])
    report(
        f"pruned: {out}: {gone} heads fewer, {encoder} in each layer of the encoder and {decoder}"
        " in each attention of the decoder"
    )
    report(f"loss {found.whole.loss:.3f} before, {after.loss:.3f} after")
    report(f"BLEU {found.whole.bleu:.2f} before, {after.bleu:.2f} after")
    sizes = [each.model.count_params() for each in (translator, pruned)]
    report(f"{sizes[0]:,} parameters before, {sizes[1]:,} after")
    report(
        f"to train it a little: translator train {out / 'config.yaml'} --init {out}"
        f" --run {out}-trained --set training.epochs=1"
    )
