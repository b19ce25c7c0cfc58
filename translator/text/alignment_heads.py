"""The heads of cross-attention that align words. Layers and heads count from 0."""

from typing import TYPE_CHECKING, NamedTuple

from translator.base.errors import InputError

if TYPE_CHECKING:
    from translator.config.model import ModelConfig


class AlignmentHeads(NamedTuple):
    """Heads of one layer whose mean attention aligns words best.

    Attributes:
        layer: from 0.
        heads: from 0, the best one first.
        accuracy: the share of `words` for which they find the source word; 0 without words.
        words: how many words they were measured on.
    """

    layer: int
    heads: tuple[int, ...]
    accuracy: float
    words: int


class PointingHeads(NamedTuple):
    """Heads of one layer, from 0."""

    layer: int
    heads: tuple[int, ...]


def pointing_heads(alignment: AlignmentHeads | None, model: "ModelConfig") -> PointingHeads:
    """The heads of the alignment; without an alignment, all heads of the layer before last.

    Alignment is usually found in that layer: Garg et al. (2019), "Jointly
    Learning to Align and Translate", https://aclanthology.org/D19-1453
    """
    num_layers, num_heads = model.layers_of("cross"), model.heads_of("cross")
    if alignment is not None:
        layer, heads = alignment.layer, alignment.heads
        is_known = layer in range(num_layers) and set(heads) <= set(range(num_heads))
        if not (is_known and heads):
            raise InputError(
                f"run.json: expected an alignment for {num_layers} layers of {num_heads} heads,"
                f" found heads {list(heads)} of layer {layer}, counted from 0; train again, or"
                " remove the alignment"
            )
        return PointingHeads(layer, heads)
    return PointingHeads(max(num_layers - 2, 0), tuple(range(num_heads)))
