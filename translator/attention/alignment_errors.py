"""How often heads, layers and their means are wrong about words that people have linked."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from translator.attention.alignments import (
    READINGS,
    Links,
    Pointer,
    WordAttention,
    error_rate,
    point,
)


class AlignmentErrors(NamedTuple):
    """Alignment error rates against links by people, by each of `READINGS`.

    Attributes:
        sentences: how many pairs.
        heads: (L, N) of each head.
        layers: (L,) of the mean of each layer's heads.
        average: of the mean of all heads.
    """

    sentences: int
    heads: dict[str, np.ndarray]
    layers: dict[str, np.ndarray]
    average: dict[str, float]

    def best_head(self, readings: Sequence[str] = READINGS) -> tuple[Pointer, float]:
        """The head that errs least by one of the readings, and how often it errs."""
        reading = min(readings, key=lambda reading: self.heads[reading].min())
        rates = self.heads[reading]
        layer, head = divmod(int(rates.argmin()), rates.shape[1])
        return Pointer(reading, layer, (head,)), float(rates.min())

    def best_layer(self, readings: Sequence[str] = READINGS) -> tuple[Pointer, float]:
        """The layer whose mean errs least, likewise."""
        reading = min(readings, key=lambda reading: self.layers[reading].min())
        rates = self.layers[reading]
        return Pointer(reading, int(rates.argmin())), float(rates.min())

    def all_heads(self, readings: Sequence[str] = READINGS) -> tuple[Pointer, float]:
        """The mean of all heads, by the reading that errs less."""
        reading = min(readings, key=self.average.__getitem__)
        return Pointer(reading), self.average[reading]

    def to_json(self) -> dict[str, Any]:
        """Plain values; in ``best`` layers and heads are counted from 1."""
        best = {}
        for name in ("best_head", "best_layer", "all_heads"):
            pointer, rate = getattr(self, name)()
            best[name] = {
                "layer": None if pointer.layer is None else pointer.layer + 1,
                "head": None if pointer.heads is None else pointer.heads[0] + 1,
                "reading": pointer.reading,
                "aer": rate,
            }
        return {
            "sentences": self.sentences,
            "heads": {reading: rates.tolist() for reading, rates in self.heads.items()},
            "layers": {reading: rates.tolist() for reading, rates in self.layers.items()},
            "average": self.average,
            **best,
        }


class AlignmentCounter:
    """Counts the links of every head, every layer and all heads, pair by pair.

    Attributes:
        sentences: how many pairs were counted.
    """

    def __init__(self) -> None:
        self.sentences = 0
        self._sure = 0
        self._shape = (0, 0)
        self._counts: dict[str, np.ndarray] = {}

    def add(self, attention: WordAttention, gold: Links) -> None:
        """Counts a pair."""
        self.sentences += 1
        self._sure += len(gold.sure)
        for reading in READINGS:
            scores = getattr(attention, reading)
            self._shape = layers, heads = scores.shape[:2]
            words = scores.shape[2:]
            every = [scores.reshape(layers * heads, *words), scores.mean(axis=1)]
            pointed = point(np.concatenate([*every, scores.mean(axis=(0, 1))[None]]))
            counted = _count(pointed, gold, words)
            self._counts[reading] = self._counts.get(reading, 0) + counted

    def result(self) -> AlignmentErrors | None:
        """The error rates; None where no pair was counted."""
        if not self.sentences:
            return None
        layers, heads = self._shape
        rates = {}
        for reading, (links, sure_links, possible_links) in self._counts.items():
            rates[reading] = error_rate(links, self._sure, sure_links, possible_links)
        of_heads = {
            reading: its[: -layers - 1].reshape(layers, heads) for reading, its in rates.items()
        }
        of_layers = {reading: its[-layers - 1 : -1] for reading, its in rates.items()}
        average = {reading: float(its[-1]) for reading, its in rates.items()}
        return AlignmentErrors(self.sentences, of_heads, of_layers, average)


def _count(pointed: np.ndarray, gold: Links, words: tuple[int, int]) -> np.ndarray:
    """(3, K) of K alignments: how many links, how many are sure, how many possible.

    Args:
        pointed: (K, target words) from `point`.
        gold: what is right.
        words: how many target and source words there are.
    """
    linked = pointed >= 0
    counts = [linked.sum(axis=1)]
    for links in (gold.sure, gold.possible):
        right = np.zeros(words, bool)
        for source, target in links:
            right[target, source] = True
        counts.append((right[np.arange(words[0]), pointed] & linked).sum(axis=1))
    return np.stack(counts)
