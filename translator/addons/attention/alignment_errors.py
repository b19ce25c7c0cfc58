"""Alignment error rates of single heads, of layers and of the mean of all heads. NumPy only."""

from typing import Any, NamedTuple

import numpy as np

from translator.addons.attention.alignments import (
    READINGS,
    AlignmentMethod,
    Links,
    WordAttention,
    error_rate,
    most_attended,
)


class AlignmentErrors(NamedTuple):
    """Alignment error rates against gold alignments, by each of `READINGS`.

    Attributes:
        sentences: number of pairs.
        heads: (L, N), of each head.
        layers: (L,), of the mean of each layer's heads.
        average: of the mean of all heads.
    """

    sentences: int
    heads: dict[str, np.ndarray]
    layers: dict[str, np.ndarray]
    average: dict[str, float]

    def best_head(self) -> tuple[AlignmentMethod, float]:
        """The head with the lowest error rate by any reading, and that rate."""
        reading = min(READINGS, key=lambda reading: self.heads[reading].min())
        rates = self.heads[reading]
        layer, head = divmod(int(rates.argmin()), rates.shape[1])
        return AlignmentMethod(reading, layer, (head,)), float(rates.min())

    def best_layer(self) -> tuple[AlignmentMethod, float]:
        """The layer whose mean has the lowest error rate, and that rate."""
        reading = min(READINGS, key=lambda reading: self.layers[reading].min())
        rates = self.layers[reading]
        return AlignmentMethod(reading, int(rates.argmin())), float(rates.min())

    def all_heads(self) -> tuple[AlignmentMethod, float]:
        """The mean of all heads by the reading with the lower error rate, and that rate."""
        reading = min(READINGS, key=self.average.__getitem__)
        return AlignmentMethod(reading), self.average[reading]

    def to_json(self) -> dict[str, Any]:
        """Plain values; the best layers and heads are counted from 1."""
        best = {}
        for name in ("best_head", "best_layer", "all_heads"):
            method, rate = getattr(self, name)()
            best[name] = {
                "layer": None if method.layer is None else method.layer + 1,
                "head": None if method.heads is None else method.heads[0] + 1,
                "reading": method.reading,
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
    """Counts the links of every head, every layer and the mean of all heads, pair by pair.

    Attributes:
        sentences: number of pairs counted.
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
            scores = getattr(attention, reading)  # (L, N, target words, source words)
            self._shape = layers, heads = scores.shape[:2]
            words = scores.shape[2:]
            every = [scores.reshape(layers * heads, *words), scores.mean(axis=1)]
            sources = most_attended(np.concatenate([*every, scores.mean(axis=(0, 1))[None]]))
            counts = _count(sources, gold, words)
            self._counts[reading] = self._counts.get(reading, 0) + counts

    def result(self) -> AlignmentErrors | None:
        """The error rates; None where no pair was counted."""
        if not self.sentences:
            return None
        layers, heads = self._shape
        rates = {}
        for reading, (links, sure_links, possible_links) in self._counts.items():
            rates[reading] = error_rate(links, self._sure, sure_links, possible_links)
        of_heads = {
            reading: row[: -layers - 1].reshape(layers, heads) for reading, row in rates.items()
        }
        of_layers = {reading: row[-layers - 1 : -1] for reading, row in rates.items()}
        average = {reading: float(row[-1]) for reading, row in rates.items()}
        return AlignmentErrors(self.sentences, of_heads, of_layers, average)


def _count(sources: np.ndarray, gold: Links, words: tuple[int, int]) -> np.ndarray:
    """Counts the links of several alignments: all, sure and possible ones.

    Args:
        sources: (alignments, target words) from `most_attended`.
        gold: the right links.
        words: the numbers of target and of source words.

    Returns:
        (3, alignments).
    """
    linked = sources >= 0
    counts = [linked.sum(axis=1)]
    for links in (gold.sure, gold.possible):
        right = np.zeros(words, bool)
        for source, target in links:
            right[target, source] = True
        counts.append((right[np.arange(words[0]), sources] & linked).sum(axis=1))
    return np.stack(counts)
