"""Word alignments of cross-attention: of each head, each layer and the mean of all. NumPy only."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from translator.text.word_alignment import word_alignment
from translator.tokenizers.words import words_of_tokens
from translator.translation.records import AttentionRecord

Link = tuple[int, int]  # the numbers of a source word and a target word, from 0

READINGS = ("written", "read")  # the fields of `WordAttention`


class WordAttention(NamedTuple):
    """Cross-attention between words, without start and end, by two readings.

    The decoder step that writes a piece has the piece before it as its input. So a word's
    attention can be that of the steps that write it, or that of the steps that read it, one
    step later. The later ones often align better: Chen et al. (2020), "Accurate Word
    Alignment Induction from Neural Machine Translation",
    https://aclanthology.org/2020.emnlp-main.42, and Kobayashi et al. (2020),
    "Attention is Not Only a Weight", https://aclanthology.org/2020.emnlp-main.574

    Attributes:
        written: (L, N, target words, source words), of the steps that write the word.
        read: the same shape, of the steps that have the word as their input.
    """

    written: np.ndarray
    read: np.ndarray


def word_attention(
    record: AttentionRecord, source_words: Sequence[str], target_words: Sequence[str]
) -> WordAttention | None:
    """Cross-attention between the words that an alignment counts.

    Returns:
        The attention; None if a side has no words, or its pieces spell other words.
    """
    if not source_words or not target_words:
        return None
    source = words_of_tokens(record.source_tokens, source_words)
    target = words_of_tokens(record.target_tokens, target_words)
    if source is None or target is None:
        return None
    # Step i reads target token i and writes token i + 1.
    written = target._replace(numbers=target.numbers[1:])
    read = target._replace(numbers=target.numbers[:-1])
    return WordAttention(
        *(word_alignment(record.cross, words, source) for words in (written, read))
    )


def most_attended(scores: np.ndarray) -> np.ndarray:
    """The source word that each target word attends to most.

    Returns:
        (..., target words), word numbers; -1 for a target word whose scores are all 0, as
        those of a word without a piece of its own are.
    """
    return np.where(scores.max(axis=-1) > 0, scores.argmax(axis=-1), -1)


class AlignmentMethod(NamedTuple):
    """The heads and the reading that an alignment is derived from.

    Attributes:
        layer: from 0; None for all layers.
        head: from 0; None for the mean of all heads.
    """

    reading: str
    layer: int | None = None
    head: int | None = None

    def __str__(self) -> str:
        heads = "average of all heads" if self.head is None else f"head {self.head + 1}"
        where = "" if self.layer is None else f" of layer {self.layer + 1}"
        return f"{heads}{where}, {self.reading}"


class AlignmentErrors(NamedTuple):
    """Alignment error rates against gold alignments, by each of `READINGS`.

    Attributes:
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
        return AlignmentMethod(reading, layer, head), float(rates.min())

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
                "head": None if method.head is None else method.head + 1,
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


class LinkCounter:
    """Counts links for the alignment error rate of many pairs together."""

    def __init__(self) -> None:
        self.sentences = 0
        self._links = self._right = 0  # |A| + |S|, 2 |A ∩ S|

    def add(self, sources: Iterable[int], gold: frozenset[Link]) -> None:
        """Counts a pair.

        Args:
            sources: the source word that each target word is linked to; -1 for none.
        """
        links = {(source, target) for target, source in enumerate(sources) if source >= 0}
        self.sentences += 1
        self._links += len(links) + len(gold)
        self._right += 2 * len(links & gold)

    def rate(self) -> float:
        """The alignment error rate: 1 - 2 |A ∩ S| / (|A| + |S|).

        A are the links found and S the gold ones, all of them sure: Och and Ney (2003), "A
        Systematic Comparison of Various Statistical Alignment Models",
        https://aclanthology.org/J03-1002

        Returns:
            From 0, where all links and no others were found, to 1; also 0 where there are no links
            to find and none were found.
        """
        return 1 - self._right / self._links if self._links else 0.0


class AlignmentCounter:
    """Counts the links of every head, every layer and the mean of all heads, pair by pair."""

    def __init__(self) -> None:
        self._shape = (0, 0)
        self._counters: dict[str, list[LinkCounter]] = {}  # by reading: heads, layers, the mean

    def add(self, attention: WordAttention, gold: frozenset[Link]) -> None:
        """Counts a pair."""
        for reading in READINGS:
            scores = getattr(attention, reading)  # (L, N, target words, source words)
            self._shape = layers, heads = scores.shape[:2]
            means = scores.mean(axis=1), scores.mean(axis=(0, 1))[None]
            every = np.concatenate([scores.reshape(layers * heads, *scores.shape[2:]), *means])
            counters = self._counters.setdefault(reading, [LinkCounter() for _ in every])
            for counter, sources in zip(counters, most_attended(every).tolist()):
                counter.add(sources, gold)

    def result(self) -> AlignmentErrors | None:
        """The error rates; None where no pair was counted."""
        if not self._counters:
            return None
        layers, heads = self._shape
        rates = {
            reading: np.array([counter.rate() for counter in counters])
            for reading, counters in self._counters.items()
        }
        return AlignmentErrors(
            self._counters[READINGS[0]][0].sentences,
            {reading: row[: -layers - 1].reshape(layers, heads) for reading, row in rates.items()},
            {reading: row[-layers - 1 : -1] for reading, row in rates.items()},
            {reading: float(row[-1]) for reading, row in rates.items()},
        )
