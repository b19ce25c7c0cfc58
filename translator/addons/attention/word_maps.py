"""Attention between words instead of pieces, as numbers and as lines of text. NumPy only."""

from collections.abc import Sequence

import numpy as np

from translator.text.word_alignment import PointingHeads, word_alignment
from translator.tokenizers.special_tokens import END, START
from translator.tokenizers.words import Words, words_of
from translator.translation.records import AttentionMaps, AttentionRecord

LEAST_SHARE = 0.1  # of a word's attention, for a source word to be named
MOST_WORDS = 3  # source words that are named for a target word
BLOCKS = " ▏▎▍▌▋▊▉█"  # eighths of a bar of one character
WIDTH = 8  # characters of a whole bar


def words_with_ends(pieces: Sequence[str]) -> Words:
    """Joins pieces to words, with punctuation, tags, start and end as words of their own."""
    inner = words_of(pieces, marks_apart=True)
    texts: list[str] = []
    numbers: list[int] = []
    previous = -1
    for piece, number in zip(pieces, inner.numbers.tolist()):
        if number < 0 or not numbers or number != previous:
            texts.append(piece if number < 0 else inner.texts[number])
        numbers.append(len(texts) - 1)
        previous = number
    return Words(tuple(texts), np.array(numbers, int))


def merge_words(maps: AttentionMaps) -> AttentionMaps:
    """Turns attention between pieces into attention between words.

    The weights to the pieces of a word are summed and the weights from them are averaged, so
    that a row still sums to 1: Clark et al. (2019), "What Does BERT Look At?", section
    4.1, https://arxiv.org/abs/1906.04341
    """
    queries, keys = words_with_ends(maps.queries), words_with_ends(maps.keys)
    return AttentionMaps(queries.texts, keys.texts, word_alignment(maps.scores, queries, keys))


def hide_ends(maps: AttentionMaps) -> AttentionMaps:
    """Removes start and end, and scales the rest of each row to sum to 1.

    A row that attended to nothing else stays all 0.
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


def _is_end(labels: Sequence[str], i: int) -> bool:
    """Whether a label is the start or end token, and not a word of the text that looks like it."""
    return labels[i] == START and i == 0 or labels[i] == END and i == len(labels) - 1


def strongest_words(record: AttentionRecord, heads: PointingHeads) -> list[str]:
    """A line for each word of a translation, with the source words that it looked at most.

    Args:
        heads: the mean of their cross-attention is shown, without start and end.

    Returns:
        Lines such as ``Hund  ███████▍ dog 93 %``, with the bars below one another.
    """
    maps = merge_words(hide_ends(record.maps("cross")))
    weights = maps.scores[heads.layer, list(heads.heads)].mean(axis=0)
    width = max(map(len, maps.queries), default=0)
    rows = []
    for word, row in zip(maps.queries, weights):
        order = [i for i in row.argsort()[::-1][:MOST_WORDS] if row[i] >= LEAST_SHARE]
        named = [f"{maps.keys[i]} {row[i]:.0%}" for i in order]
        drawn = bar(float(row[order[0]])) if order else ""
        rows.append(f"{word:<{width}}  {drawn:<{WIDTH}} {', '.join(named)}".rstrip())
    return rows


def bar(share: float) -> str:
    """A bar of at most `WIDTH` characters for a share from 0 to 1."""
    whole, eighths = divmod(round(share * WIDTH * 8), 8)
    return "█" * whole + BLOCKS[eighths].strip()
