"""What ``translator heads`` adds with ``--ablate``."""

from typing import TYPE_CHECKING

import click

from translator.base.progress import progress

LOSS = "loss +"  # the column of it

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np

    from translator.addons.attention.ablation import Ablation, KindAblation
    from translator.addons.attention.alignment_errors import AlignmentErrors
    from translator.addons.attention.measured_pairs import MeasuredPair
    from translator.translation.translator import Translator


def measure_worth(translator: "Translator", pairs: "Sequence[MeasuredPair]") -> "Ablation":
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
