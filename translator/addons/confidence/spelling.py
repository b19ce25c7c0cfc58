"""How likely the letters of a word are in a language, and whether a word has a typing error."""

import itertools
from collections import Counter
from collections.abc import Collection, Iterator

import numpy as np

MOST_LETTERS = 48  # letters that are told apart; all others count as one
SHORTEST = 3  # letters of a word with a letter too many, or with two that are swapped
SHORTEST_OTHER = 5  # of one with a wrong letter or one too few: more short words are that close
LONGEST = 30  # of a word that is looked up


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


def may_be_misspelt(word: str, known: Collection[str], letters: Collection[str]) -> bool:
    """Whether a word is one edit away from a known word.

    An edit is a letter too many, too few or wrong, or two neighbours that are swapped, as in
    Damerau (1964), "A technique for computer detection and correction of spelling errors". The
    edits of the word itself are looked up, so that the time does not depend on the known words.

    Args:
        word: in lower case.
        known: words in lower case, such as a set.
        letters: that the known words are written with.
    """
    if not SHORTEST <= len(word) <= LONGEST:
        return False
    if any(other in known for other in _without_or_swapped(word)):
        return True
    return len(word) >= SHORTEST_OTHER and any(o in known for o in _with_letters(word, letters))


def _without_or_swapped(word: str) -> Iterator[str]:
    """The word without each of its letters, and with each two neighbours swapped."""
    for i in range(len(word)):
        start, end = word[:i], word[i + 1 :]
        yield start + end
        yield start + end[:1] + word[i] + end[1:]


def _with_letters(word: str, letters: Collection[str]) -> Iterator[str]:
    """The word with each letter in place of one of its own, and between two of them."""
    for i in range(len(word) + 1):
        start, rest, end = word[:i], word[i:], word[i + 1 :]
        for letter in letters:
            yield start + letter + rest
            yield start + letter + end
