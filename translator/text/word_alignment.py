"""How much words look at each other, and the heads whose attention says it. NumPy only."""

from typing import Any, NamedTuple

import numpy as np

from translator.base.errors import InputError
from translator.tokenizers.words import Words


class AlignmentHeads(NamedTuple):
    """Heads whose mean points best.

    Attributes:
        layer: from 0.
        heads: from 0, the best one first.
        accuracy: the share of `words` from which they point to the right one;
            0 where there were none to find them by.
        words: how many words they were found by.
    """

    layer: int
    heads: tuple[int, ...]
    accuracy: float
    words: int

    @classmethod
    def from_json(cls, values: dict[str, Any]) -> "AlignmentHeads":
        """Reads what `_asdict` gave.

        Raises:
            ValueError: these are no heads.
        """
        found = cls(**{**values, "heads": tuple(values["heads"])})
        numbers = [found.layer, *found.heads]
        if not found.heads or not all(type(n) is int and n >= 0 for n in numbers):
            raise ValueError
        return found


class PointingHeads(NamedTuple):
    """Heads of one layer, from 0."""

    layer: int
    heads: tuple[int, ...]


def pointing_heads(found: AlignmentHeads | None, num_layers: int, num_heads: int) -> PointingHeads:
    """The heads to go by: those that were found, else all of the layer before the last.

    That layer is where alignment is usually found: Garg et al. (2019), "Jointly
    Learning to Align and Translate", https://aclanthology.org/D19-1453

    Raises:
        InputError: the model has no such heads.
    """
    if found is not None:
        if not (found.layer in range(num_layers) and set(found.heads) <= set(range(num_heads))):
            raise InputError(
                f"restoration.json: expected heads of a model of {num_layers} layers and"
                f" {num_heads} heads, found {list(found.heads)} of layer {found.layer}, counted"
                " from 0; train again, or remove it and do without"
            )
        return PointingHeads(found.layer, found.heads)
    return PointingHeads(max(num_layers - 2, 0), tuple(range(num_heads)))


def word_alignment(scores: np.ndarray, target: Words, source: Words) -> np.ndarray:
    """How much each target word looked at each source word.

    Args:
        scores: (..., T, S) of pieces.
        target: the words of the T pieces.
        source: the words of the S pieces.

    Returns:
        (..., target words, source words): the mean over a target word's pieces of
        the sum over a source word's pieces.
    """
    into = _membership(target)
    into /= np.maximum(into.sum(axis=1, keepdims=True), 1)
    return into @ scores @ _membership(source).T


def _membership(words: Words) -> np.ndarray:
    """(words, pieces), 1 where a piece belongs to a word."""
    belongs = np.zeros((len(words.texts), len(words.numbers)), "float32")
    places = np.flatnonzero(words.numbers >= 0)
    belongs[words.numbers[places], places] = 1
    return belongs
