"""What the model may write next, at each position. NumPy only."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

TOP_TOKENS = 10
EXPLAINED = (
    "One number for each piece of the vocabulary, and again shares that sum to 1: how probable each"
    " piece is as the next one."
)
WITHOUT = (
    "What may be written at each position if this head added nothing, with the same beginning of"
    " the translation: where little changes, the other heads know it too."
)


class NextTokens(NamedTuple):
    """What may follow at a position, the most probable first."""

    tokens: tuple[str, ...]
    probabilities: tuple[float, ...]


def next_tokens(logits: np.ndarray, pieces: Sequence[str]) -> list[NextTokens]:
    """The most probable next tokens at each position.

    Args:
        logits: (T, V).
    """
    likely = np.exp(logits.astype("float64") - logits.max(axis=1, keepdims=True))
    likely /= likely.sum(axis=1, keepdims=True)
    found = []
    for row in likely:
        best = np.argsort(-row, kind="stable")[:TOP_TOKENS]
        found.append(NextTokens(tuple(pieces[i] for i in best), tuple(map(float, row[best]))))
    return found


def output_formula(is_tied: bool, has_bias: bool) -> str:
    """How the decoder's output becomes probabilities.

    Args:
        is_tied: whether the output's matrix is the embedding table E itself.
        has_bias: whether each piece has a number of its own that is added.
    """
    matrix = "Eᵀ" if is_tied else "W"
    return f"softmax(output · {matrix}{' + b' if has_bias else ''})"
