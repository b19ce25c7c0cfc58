"""What each head looks at, in numbers: how sharply, how far away, at what kind of piece.

NumPy only. The measures are those by which Clark et al. (2019), "What Does BERT Look At?",
https://aclanthology.org/W19-4828, and Voita et al. (2019), "Analyzing Multi-Head
Self-Attention", https://aclanthology.org/P19-1580, tell heads apart.

A row of self-attention stands on a piece, and its place is that piece's. A row of
cross-attention is a step of the decoder: it stands on one target piece and writes the next;
its place is that of the piece it writes, start being 0, as it is for the source pieces that it
looks at. The decoder's first row can look at nothing but start; it says nothing about a head
and is left out of the decoder's self-attention.
"""

import unicodedata
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from translator.attention.records import KINDS, AttentionRecord
from translator.base.errors import InputError
from translator.tokenizers.special_tokens import END, START
from translator.tokenizers.words import SPACE

PLACES = {"previous": -1, "same": 0, "next": 1}  # of the key, seen from the row
SHARES = (*PLACES, "start", "end", "punctuation")
MEASURES = ("entropy", "offset", *SHARES)


class KindMeasures(NamedTuple):
    """The measures of one kind of attention, each (L, N): layers, heads.

    All but ``offset`` and the places are means over all rows of all sentences; every
    share is between 0 and 1.

    Attributes:
        rows: how many there were.
        entropy: in bits; 0 looks at one piece, log2 of the keys at all alike.
        offset: the key's place less the row's, weighted by the scores, in pieces;
            None for cross-attention, whose places are in different sentences: it
            would tell their lengths apart rather than heads.
        previous: the share on the place before the row's, over the rows that have such a
            key. Of cross-attention as of self-attention: it shows heads that go by
            places alone.
        same: the share on the row's own place, likewise.
        next: the share on the place after the row's, likewise; nothing in the
            decoder's self-attention, which sees no later piece.
        start: the share on start.
        end: the share on end.
        punctuation: the share on pieces of nothing but punctuation.
    """

    rows: int
    entropy: np.ndarray
    offset: np.ndarray | None
    previous: np.ndarray
    same: np.ndarray
    next: np.ndarray
    start: np.ndarray
    end: np.ndarray
    punctuation: np.ndarray


class HeadMeasures(NamedTuple):
    """What `measure_heads` found.

    Attributes:
        sentences: how many pairs it saw.
        kinds: the measures of each of `KINDS`.
    """

    sentences: int
    kinds: dict[str, KindMeasures]

    def to_json(self) -> dict[str, Any]:
        """Plain values: for each kind lists of layers, each a list of heads."""
        return {
            kind: {
                name: value.tolist() if isinstance(value, np.ndarray) else value
                for name, value in measures._asdict().items()
            }
            for kind, measures in self.kinds.items()
        }


class _Sums:
    """Adds up the measures of one kind, record by record."""

    def __init__(self) -> None:
        self.rows = 0
        self.totals: dict[str, np.ndarray] = {}
        self.counts: dict[str, int] = {}

    def add(self, record: AttentionRecord, kind: str) -> None:
        queries, keys, scores = record.maps(kind)
        first = 1 if kind == "decoder" else 0
        scores = scores[:, :, first:].astype(float)  # (L, N, rows, keys)
        places = np.arange(first, len(queries)) + (1 if kind == "cross" else 0)
        offsets = np.arange(len(keys)) - places[:, None]  # (rows, keys)
        self.rows += len(places)
        logs = np.log2(scores, out=np.zeros_like(scores), where=scores > 0)
        self._add("entropy", -scores * logs, len(places))
        if kind != "cross":
            self._add("offset", scores * offsets, len(places))
        for name, wanted in PLACES.items():
            there = offsets == wanted
            self._add(name, scores * there, int(there.any(axis=1).sum()))
        columns = {
            "start": [key == START for key in keys],
            "end": [key == END for key in keys],
            "punctuation": [is_punctuation(key) for key in keys],
        }
        for name, chosen in columns.items():
            self._add(name, scores * np.array(chosen), len(places))

    def _add(self, name: str, values: np.ndarray, count: int) -> None:
        total = values.sum(axis=(2, 3))  # (L, N)
        known = self.totals.get(name)
        if known is not None and known.shape != total.shape:
            raise InputError(
                f"records: expected all of a model of {known.shape[0]} layers and"
                f" {known.shape[1]} heads, found one of {total.shape[0]} and {total.shape[1]};"
                " measure each model apart"
            )
        self.totals[name] = total if known is None else known + total
        self.counts[name] = self.counts.get(name, 0) + count

    def result(self) -> KindMeasures:
        means = {name: self.totals[name] / max(self.counts[name], 1) + 0.0 for name in self.totals}
        return KindMeasures(rows=self.rows, **{"offset": None, **means})


def measure_heads(records: Iterable[AttentionRecord]) -> HeadMeasures:
    """Measures every head of every kind of attention.

    Args:
        records: of one model; each is let go before the next is asked for.

    Returns:
        The measures; what no row could tell, such as ``next`` of sentences without
        any, is 0.

    Raises:
        InputError: there are none, or they are of models of different sizes.
    """
    sums = {kind: _Sums() for kind in KINDS}
    sentences = 0
    for record in records:
        sentences += 1
        for kind in KINDS:
            sums[kind].add(record, kind)
    if not sentences:
        raise InputError("heads: expected sentence pairs to measure them by, found none")
    return HeadMeasures(sentences, {kind: its.result() for kind, its in sums.items()})


def is_punctuation(piece: str) -> bool:
    """Whether a piece is of nothing but punctuation (Unicode category P), the space before aside.

    Unknown pieces and single bytes, such as ``<0x2C>``, are not.
    """
    text = piece.removeprefix(SPACE)
    return bool(text) and all(unicodedata.category(c).startswith("P") for c in text)
