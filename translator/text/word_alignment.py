"""Attention between words, and the heads that align words. NumPy only."""

from typing import Any, NamedTuple

import numpy as np

from translator.base.errors import InputError
from translator.config.model import ModelConfig
from translator.tokenizers.words import Words


class AlignmentHeads(NamedTuple):
    """Heads of one layer whose mean attention aligns words best.

    Attributes:
        layer: from 0.
        heads: from 0, the best one first.
        accuracy: the share of `words` whose source word they find; 0 if there were none.
        words: how many words they were measured on.
    """

    layer: int
    heads: tuple[int, ...]
    accuracy: float
    words: int

    @classmethod
    def from_json(cls, values: dict[str, Any]) -> "AlignmentHeads":
        """Reads what `_asdict` returned.

        Raises:
            ValueError: the values do not describe heads.
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


def pointing_heads(found: AlignmentHeads | None, model: ModelConfig) -> PointingHeads:
    """The heads to align words by: those that were found, or all of the layer before the last.

    Alignment is usually found in that layer: Garg et al. (2019), "Jointly
    Learning to Align and Translate", https://aclanthology.org/D19-1453

    Raises:
        InputError: the model does not have these heads.
    """
    num_layers, num_heads = model.num_layers, model.heads_of("cross")
    if found is not None:
        if not (found.layer in range(num_layers) and set(found.heads) <= set(range(num_heads))):
            raise InputError(
                f"restoration.json: expected heads of a model of {num_layers} layers and"
                f" {num_heads} heads, found {list(found.heads)} of layer {found.layer}, counted"
                " from 0; train again, or remove the file to translate without it"
            )
        return PointingHeads(found.layer, found.heads)
    return PointingHeads(max(num_layers - 2, 0), tuple(range(num_heads)))


def word_alignment(scores: np.ndarray, target: Words, source: Words) -> np.ndarray:
    """How much each target word attended to each source word.

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
    attention: np.ndarray = into @ scores @ _membership(source).T
    return attention


def _membership(words: Words) -> np.ndarray:
    """(words, pieces), 1 where a piece belongs to a word."""
    belongs = np.zeros((len(words.texts), len(words.numbers)), "float32")
    places = np.flatnonzero(words.numbers >= 0)
    belongs[words.numbers[places], places] = 1
    return belongs
