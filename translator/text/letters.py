"""How likely the letters of a word are in a language: a trigram model of the language's words."""

import itertools
from collections import Counter
from collections.abc import Collection

import numpy as np

MOST_LETTERS = 48  # letters that are told apart; all others count as one


class LetterModel:
    """Trigrams of letters, smoothed with bigrams and single letters.

    How much a shorter context counts is the choice of Witten and Bell (1991), "The
    zero-frequency problem", method C: as many times as different letters followed the longer one.

    Args:
        words: of the language, in lower case, each once; at least one.
    """

    def __init__(self, words: Collection[str]) -> None:
        counts = Counter("".join(words))
        known = sorted(counts, key=lambda letter: (-counts[letter], letter))[:MOST_LETTERS]
        self._numbers = {letter: number for number, letter in enumerate(known, start=1)}
        self._size = size = len(known) + 2  # 0 ends a word, the last number is any other letter
        codes = np.array([0, 0, *itertools.chain.from_iterable(map(self._codes, words))])
        first, second, third = codes[:-2], codes[1:-1], codes[2:]
        within = (second != 0) | (first == 0)  # does not begin in the word before
        trigrams = np.bincount(
            ((first * size + second) * size + third)[within], minlength=size**3
        ).reshape(size, size, size)
        letters = trigrams.sum(axis=(0, 1)) + 1
        pairs = _mixed(trigrams.sum(axis=0), letters / letters.sum())
        self._log_probabilities = np.log(_mixed(trigrams, pairs))

    def _codes(self, word: str) -> list[int]:
        """The numbers of a word's letters, and two zeros."""
        other = self._size - 1
        return [*(self._numbers.get(letter, other) for letter in word), 0, 0]

    def mean_log_probability(self, word: str) -> float:
        """The mean over a word's letters and its end, each given the two letters before it."""
        codes = np.array([0, 0, *self._codes(word)[:-1]])
        return float(self._log_probabilities[codes[:-2], codes[1:-1], codes[2:]].mean())


def _mixed(counts: np.ndarray, shorter: np.ndarray) -> np.ndarray:
    """Probabilities along the last axis, mixed with those after a shorter context."""
    total = counts.sum(axis=-1, keepdims=True)
    different = (counts > 0).sum(axis=-1, keepdims=True)
    mixed: np.ndarray = (counts + different * shorter) / np.maximum(total + different, 1)
    return np.where(total > 0, mixed, shorter)
