"""From subword pieces to words, and where attention points from word to word. NumPy only."""

import re
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

SPACE = "▁"  # begins a piece that begins a word
BYTE = re.compile("<0x([0-9A-F]{2})>")  # a piece for a part of a character never seen
SPECIAL = ("<s>", "</s>", "<pad>")


class Words(NamedTuple):
    """The words of a tokenized sentence.

    Attributes:
        texts: each word, without the space before it.
        numbers: (S,) the word of each piece; -1 for start, end and padding.
    """

    texts: tuple[str, ...]
    numbers: np.ndarray


def words_of(pieces: Sequence[str]) -> Words:
    """Joins pieces to words.

    Args:
        pieces: as `SubwordTokenizer.pieces` gives them.

    Returns:
        The words between spaces; punctuation stays with its word, bytes become characters.
    """
    texts: list[bytes] = []
    numbers = np.full(len(pieces), -1)
    for i, piece in enumerate(pieces):
        if piece in SPECIAL:
            continue
        if piece.startswith(SPACE) or not texts:
            texts.append(b"")
        byte = BYTE.fullmatch(piece)
        texts[-1] += bytes.fromhex(byte[1]) if byte else piece.removeprefix(SPACE).encode()
        numbers[i] = len(texts) - 1
    spelt = (text.decode("utf-8", "replace").replace(SPACE, " ") for text in texts)
    return Words(tuple(spelt), numbers)


def word_alignment(scores: np.ndarray, target: Words, source: Words) -> np.ndarray:
    """How much each target word looked at each source word.

    Args:
        scores: (T, S) of pieces.
        target: the words of the T pieces.
        source: the words of the S pieces.

    Returns:
        (target words, source words): the mean over a target word's pieces of
        the sum over a source word's pieces.
    """
    into = np.zeros((len(target.texts), len(target.numbers)), "float32")
    into[target.numbers[target.numbers >= 0], np.flatnonzero(target.numbers >= 0)] = 1
    into /= np.maximum(into.sum(axis=1, keepdims=True), 1)
    out = np.zeros((len(source.numbers), len(source.texts)), "float32")
    out[np.flatnonzero(source.numbers >= 0), source.numbers[source.numbers >= 0]] = 1
    return into @ scores @ out
