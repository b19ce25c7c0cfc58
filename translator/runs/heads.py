"""Where the weights of each head are. NumPy only."""

from collections.abc import Iterable

import numpy as np

# By kind of attention: its stack, and its name in a layer of it.
_ATTENTIONS = {
    "encoder": ("encoder", "self_attention"),
    "decoder": ("decoder", "self_attention"),
    "cross": ("decoder", "cross_attention"),
}


def attention_name(kind: str, layer: int) -> str:
    """What the names of the weights of one attention begin with.

    Args:
        layer: from 0.
    """
    stack, attention = _ATTENTIONS[kind]
    return f"{stack}/layer_{layer + 1}/{attention}"


def places_of_heads(heads: Iterable[int], width: int) -> np.ndarray:
    """The columns of some heads in the projections, which are their rows in the output matrix.

    Args:
        heads: from 0.
    """
    return (np.array(list(heads), int)[:, None] * width + np.arange(width)).ravel()
