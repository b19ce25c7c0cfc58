"""Attention between words instead of pieces. NumPy only."""

from collections.abc import Sequence

import numpy as np

from translator.attention.records import AttentionMaps
from translator.text.word_alignment import word_alignment
from translator.tokenizers.special_tokens import END, START
from translator.tokenizers.words import SPECIAL, Words, words_of


def with_ends(pieces: Sequence[str]) -> Words:
    """The words of pieces, punctuation apart, start and end being words too."""
    inner = words_of(pieces, marks_apart=True)
    numbers, texts = [], []
    for piece, number in zip(pieces, inner.numbers.tolist()):
        if piece in SPECIAL or not numbers or number != numbers[-1][0]:
            texts.append(piece if piece in SPECIAL else inner.texts[number])
        numbers.append((number, len(texts) - 1))
    return Words(tuple(texts), np.array([number for _, number in numbers], int))


def merge_words(maps: AttentionMaps) -> AttentionMaps:
    """Attention between words instead of pieces.

    Weights into a word's pieces are summed, weights out of them averaged, so a
    row still sums to 1: Clark et al. (2019), "What Does BERT Look At?", section
    4.1, https://arxiv.org/abs/1906.04341
    """
    queries, keys = with_ends(maps.queries), with_ends(maps.keys)
    return AttentionMaps(queries.texts, keys.texts, word_alignment(maps.scores, queries, keys))


def _is_end(labels: Sequence[str], i: int) -> bool:
    """Whether a label is start or end, and no word of the text that looks like them."""
    return labels[i] == START and i == 0 or labels[i] == END and i == len(labels) - 1


def hide_ends(maps: AttentionMaps) -> AttentionMaps:
    """Leaves out start and end, and scales the rest of each row to sum to 1.

    A row that looked at nothing else stays 0 throughout.
    """
    rows, columns = (
        [i for i in range(len(labels)) if not _is_end(labels, i)]
        for labels in (maps.queries, maps.keys)
    )
    scores = maps.scores[:, :, rows][:, :, :, columns]
    total = scores.sum(axis=-1, keepdims=True)
    shares = np.divide(scores, total, out=np.zeros_like(scores), where=total > 0)
    return AttentionMaps(
        tuple(maps.queries[i] for i in rows), tuple(maps.keys[i] for i in columns), shares
    )
