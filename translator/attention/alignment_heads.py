"""Finds the heads of cross-attention that point from a word to its translation. NumPy only."""

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from translator.text.word_alignment import AlignmentHeads, word_alignment
from translator.tokenizers.words import Words


class AlignedSentence(NamedTuple):
    """A sentence pair with its cross-attention.

    Attributes:
        source: its words.
        target: its words, of the pieces that the rows of ``scores`` produce.
        scores: (L, N, T, S).
    """

    source: Words
    target: Words
    scores: np.ndarray


def find_alignment_heads(sentences: Iterable[AlignedSentence]) -> AlignmentHeads | None:
    """Looks for one layer's heads that point best, by words that stay the same.

    A name or a number that stands once in a sentence and once in its
    translation says without any annotation where a head should point.

    Args:
        sentences: of a split that was not trained on.

    Returns:
        The heads, or None where no sentence has such a word.
    """
    rows: list[np.ndarray] = []  # (L, N, source words) of each such word
    wanted: list[int] = []
    for sentence in sentences:
        for source, target in _same_words(sentence):
            chosen = sentence.target._replace(
                texts=("",), numbers=np.where(sentence.target.numbers == target, 0, -1)
            )
            rows.append(_point(sentence.scores, chosen, sentence.source))
            wanted.append(source)
    if not rows:
        return None
    layers, heads, _ = rows[0].shape
    best = AlignmentHeads(0, (0,), -1.0, len(rows))
    for layer in range(layers):
        single = [_accuracy([row[layer, [head]] for row in rows], wanted) for head in range(heads)]
        order = sorted(range(heads), key=lambda head: -single[head])
        for count in range(1, heads + 1):
            accuracy = _accuracy([row[layer, order[:count]] for row in rows], wanted)
            if accuracy > best.accuracy:
                best = AlignmentHeads(layer, tuple(order[:count]), accuracy, len(rows))
    return best


def _same_words(sentence: AlignedSentence) -> list[tuple[int, int]]:
    """Numbers of the words that stand once on each side and hold a letter or a digit."""
    counts = [Counter(side.texts) for side in (sentence.source, sentence.target)]
    return [
        (sentence.source.texts.index(word), sentence.target.texts.index(word))
        for word, count in counts[0].items()
        if count == 1 and counts[1][word] == 1 and any(map(str.isalnum, word))
    ]


def _point(scores: np.ndarray, target: Words, source: Words) -> np.ndarray:
    """(L, N, source words) where each head points from one target word."""
    return np.stack(
        [[word_alignment(head, target, source)[0] for head in layer] for layer in scores]
    )


def _accuracy(rows: list[np.ndarray], wanted: list[int]) -> float:
    """The share of words from which the mean of some heads (heads, source words) points right."""
    right = [row.mean(axis=0).argmax() == word for row, word in zip(rows, wanted)]
    return float(np.mean(right))
