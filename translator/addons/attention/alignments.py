"""Word alignments by the heads of cross-attention. NumPy only."""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import Any, NamedTuple

import numpy as np

from translator.text.word_alignment import word_alignment
from translator.tokenizers.special_tokens import WORD_START
from translator.tokenizers.words import BYTE, Words, places_of_tags, words_of
from translator.translation.records import AttentionRecord

Link = tuple[int, int]  # the numbers of a source word and a target word, from 0

READINGS = ("written", "read")  # the fields of `WordAttention`


class WordAttention(NamedTuple):
    """Cross-attention between words, without start and end, taken in two ways.

    The decoder step that writes a piece reads the piece before it. So a word's attention can be
    taken from the steps that write the word, or from the steps that read it, one step later.
    The later steps often align better: Chen et al. (2020), "Accurate Word
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
        (..., target words), word numbers; -1 for a target word whose scores are all 0, such as a
        word without a piece of its own.
    """
    return np.where(scores.max(axis=-1) > 0, scores.argmax(axis=-1), -1)


class BestHead(NamedTuple):
    """The head with the lowest alignment error rate.

    Attributes:
        layer: the number of its layer. The numbers of layers and heads count from 1.
        reading: the entry of `READINGS` with the lowest rate.
        aer: the rate.
    """

    layer: int
    head: int
    reading: str
    aer: float


class AlignmentErrors(NamedTuple):
    """Alignment error rates against gold alignments.

    Attributes:
        heads: (L, N), of each head, by each of `READINGS`.
    """

    sentences: int
    heads: dict[str, np.ndarray]

    def best_head(self) -> BestHead:
        """The head with the lowest error rate by any reading."""
        reading = min(READINGS, key=lambda reading: self.heads[reading].min())
        rates = self.heads[reading]
        layer, head = divmod(int(rates.argmin()), rates.shape[1])
        return BestHead(layer + 1, head + 1, reading, float(rates.min()))

    def to_json(self) -> dict[str, Any]:
        """Plain values."""
        return {
            "sentences": self.sentences,
            "heads": {reading: rates.tolist() for reading, rates in self.heads.items()},
            "best_head": self.best_head()._asdict(),
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

        A is the set of links found. S is the set of gold links, which are all sure: Och and Ney
        (2003), "A Systematic Comparison of Various Statistical Alignment Models",
        https://aclanthology.org/J03-1002

        Returns:
            From 0, if A and S are the same, to 1; also 0 if both are empty.
        """
        return 1 - self._right / self._links if self._links else 0.0


class AlignmentCounter:
    """Counts the links of every head, pair by pair."""

    def __init__(self) -> None:
        self._shape = (0, 0)
        self._counters: dict[str, list[LinkCounter]] = {}  # by reading, of each head

    def add(self, attention: WordAttention, gold: frozenset[Link]) -> None:
        """Counts a pair."""
        for reading in READINGS:
            scores = getattr(attention, reading)  # (L, N, target words, source words)
            self._shape = scores.shape[:2]
            sources = most_attended(scores).reshape(-1, scores.shape[2])
            counters = self._counters.setdefault(reading, [LinkCounter() for _ in sources])
            for counter, links in zip(counters, sources.tolist()):
                counter.add(links, gold)

    def result(self) -> AlignmentErrors | None:
        """The error rates; None if no pair was counted."""
        if not self._counters:
            return None
        rates = {
            reading: np.array([counter.rate() for counter in counters]).reshape(self._shape)
            for reading, counters in self._counters.items()
        }
        return AlignmentErrors(self._counters[READINGS[0]][0].sentences, rates)


def words_of_tokens(pieces: Sequence[str], tokens: Sequence[str]) -> Words | None:
    """Assigns pieces to the words of a given tokenization, such as a gold alignment's.

    Args:
        tokens: the words and punctuation marks of the same text, without spaces; the tokenizer
            may have changed their letters and digits. Tags may be among them; they get no piece.

    Returns:
        The tokens with their pieces. A piece that spans two tokens belongs to the first one. None
        if the pieces spell a different number of characters.
    """
    tags = [pieces[i] for i in places_of_tags(pieces)]
    before = len(tags) if list(tokens[: len(tags)]) == tags else 0
    numbers = _numbers_of_tokens(pieces, tokens[before:])
    if numbers is None:
        return None
    return Words(tuple(tokens), tuple(n + before if n >= 0 else -1 for n in numbers))


def _numbers_of_tokens(pieces: Sequence[str], tokens: Sequence[str]) -> Sequence[int] | None:
    """The token of each piece, -1 for none; see `words_of_tokens`."""
    words = words_of(pieces)
    in_bytes = any(map(BYTE.fullmatch, pieces))
    lengths = [
        _length(piece, in_bytes) if number >= 0 else 0
        for piece, number in zip(pieces, words.numbers)
    ]
    ends = list(accumulate(len(token.encode() if in_bytes else token) for token in tokens))
    if tokens and sum(lengths) == ends[-1]:
        begins = accumulate([0, *lengths[:-1]])
        places = (min(bisect_right(ends, begin), len(tokens) - 1) for begin in begins)
        return [place if n >= 0 else -1 for place, n in zip(places, words.numbers)]
    return words.numbers if len(words.texts) == len(tokens) else None


def _length(piece: str, in_bytes: bool) -> int:
    """Characters or bytes of the text that a piece spells."""
    if BYTE.fullmatch(piece):
        return 1
    text = piece.removeprefix(WORD_START)
    return len(text.encode() if in_bytes else text)
