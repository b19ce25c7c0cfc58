"""Attention between words, and the heads of cross-attention that align words. NumPy only.

Numbers of layers, heads and words count from 0.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from translator.base.late import np
from translator.text.alignment_heads import AlignmentHeads
from translator.text.word_table import WordTable
from translator.tokenizers.words import Words


def word_alignment(scores: np.ndarray, target: Words, source: Words) -> np.ndarray:
    """Computes how much each target word attended to each source word.

    Returns:
        (..., target words, source words): the mean over a target word's pieces of
        the sum over a source word's pieces.
    """
    into = _membership(target)
    into /= np.maximum(into.sum(axis=1, keepdims=True), 1)
    attention: np.ndarray = into @ scores @ _membership(source).T
    return attention


def aligning_head(
    scores: np.ndarray, target: Words, source: Words, lexicon: WordTable
) -> tuple[int, int] | None:
    """The head of cross-attention that attends most from words to the words that they translate.

    Args:
        scores: (L, N, T, S) of pieces. A row belongs to the piece that it predicts.

    Returns:
        The layer and the head, from 0; None if the lexicon knows none of the words.
    """
    associations = lexicon.associations(target.texts, source.texts)
    fits = (word_alignment(scores, target, source) * associations).sum(axis=(-2, -1))  # (L, N)
    if not fits.any():
        return None
    layer, head = np.unravel_index(fits.argmax(), fits.shape)
    return int(layer), int(head)


def _membership(words: Words) -> np.ndarray:
    """(words, pieces), 1 where a piece belongs to a word."""
    belongs = np.zeros((len(words.texts), len(words.numbers)), "float32")
    numbers = np.array(words.numbers, int)
    places = np.flatnonzero(numbers >= 0)
    belongs[numbers[places], places] = 1
    return belongs


class PairCrossAttention(NamedTuple):
    """A sentence pair with its cross-attention.

    Attributes:
        source: the words of its source.
        target: the words of its target. Rows of ``scores`` predict their pieces.
        scores: (L, N, T, S).
    """

    source: Words
    target: Words
    scores: np.ndarray


def find_alignment_heads(pairs: Iterable[PairCrossAttention]) -> AlignmentHeads | None:
    """Finds the heads of one layer that align best, judged by words that stay the same.

    A name or a number that occurs once in a sentence and once in its translation shows which
    source word a head should find, without any gold alignment.

    Returns:
        The heads, or None if no pair has such a word.
    """
    rows: list[np.ndarray] = []  # (L, N, source words), one for each such word
    correct: list[int] = []  # the source word that each should attend to
    for pair in pairs:
        for source, target in _find_shared_words(pair):
            word = pair.target._replace(
                texts=("",), numbers=tuple(0 if n == target else -1 for n in pair.target.numbers)
            )
            rows.append(_attention_of_word(pair.scores, word, pair.source))
            correct.append(source)
    if not rows:
        return None
    layers, heads, _ = rows[0].shape
    best = AlignmentHeads(0, (0,), -1.0, len(rows))
    for layer in range(layers):
        single = [_accuracy([row[layer, [head]] for row in rows], correct) for head in range(heads)]
        order = sorted(range(heads), key=lambda head: -single[head])
        for count in range(1, heads + 1):
            accuracy = _accuracy([row[layer, order[:count]] for row in rows], correct)
            if accuracy > best.accuracy:
                best = AlignmentHeads(layer, tuple(order[:count]), accuracy, len(rows))
    return best


def _find_shared_words(pair: PairCrossAttention) -> list[tuple[int, int]]:
    """Numbers of the words that occur once on each side and have a letter or a digit."""
    counts = [Counter(side.texts) for side in (pair.source, pair.target)]
    return [
        (pair.source.texts.index(word), pair.target.texts.index(word))
        for word, count in counts[0].items()
        if count == 1 and counts[1][word] == 1 and any(map(str.isalnum, word))
    ]


def _attention_of_word(scores: np.ndarray, target: Words, source: Words) -> np.ndarray:
    """The attention of each head from one target word, (L, N, source words)."""
    return np.stack(
        [[word_alignment(head, target, source)[0] for head in layer] for layer in scores]
    )


def _accuracy(rows: list[np.ndarray], correct: list[int]) -> float:
    """The share of rows, (heads, source words), whose mean over heads finds the right word."""
    right = [row.mean(axis=0).argmax() == word for row, word in zip(rows, correct)]
    return float(np.mean(right))
