"""Measures of each head's attention: how sharp it is, how far it looks, and at which kind of piece.

NumPy only. Such measures compare heads in Clark et al. (2019), "What Does BERT Look At?",
https://aclanthology.org/W19-4828, and Voita et al. (2019), "Analyzing Multi-Head Self-Attention",
https://aclanthology.org/P19-1580

A row of self-attention belongs to a piece and has the position of that piece. A row of
cross-attention belongs to a step of the decoder, which reads one target piece and writes the
next. It has the position of the piece that it writes; start has position 0 on both sides. If the
source has no start, positions count from its first piece, and from the first that is written.
The decoder's first row can attend to start only; it says nothing about a head and is left out
of the decoder's self-attention.
"""

import unicodedata
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from translator.addons.attention.alignments import AlignmentErrors
from translator.base.errors import InputError
from translator.tokenizers.special_tokens import END, START, WORD_START
from translator.translation.records import KINDS, AttentionRecord

OFFSETS = {"previous": -1, "same": 0, "next": 1}  # position of the key minus the row's position
SHARES = (*OFFSETS, "start", "end", "punctuation")
MEASURES = ("entropy", "offset", *SHARES)


class KindMeasures(NamedTuple):
    """The measures of one kind of attention, each an array of (L, N), layers by heads.

    All are means over the rows of all sentences; measures of a position are means
    over the rows that have a key there. Every share is between 0 and 1.

    Attributes:
        entropy: in bits; 0 for a row that attends to one piece, log2 of the number of keys for
            a row that attends to all keys equally.
        evenness: the entropy as a share of the highest that its row could have; 1 for a row that
            attends to all keys that it sees equally.
        offset: the key's position minus the row's, weighted by the scores, in pieces. None for
            cross-attention: its positions are in two sentences, so the offset would measure
            the difference of their lengths.
        previous: share of attention on the position before the row's. In cross-attention it
            shows heads that attend by position alone.
        same: share on the row's own position.
        next: share on the position after the row's; 0 in the decoder's self-attention, which
            cannot see later pieces.
        start: share on the start token.
        end: share on the end token.
        punctuation: share on pieces that are punctuation only.
    """

    rows: int
    entropy: np.ndarray
    evenness: np.ndarray
    offset: np.ndarray | None
    previous: np.ndarray
    same: np.ndarray
    next: np.ndarray
    start: np.ndarray
    end: np.ndarray
    punctuation: np.ndarray


class HeadMeasures(NamedTuple):
    """The results of `measure_heads`.

    Attributes:
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
    """Adds up the measures of one kind of attention, record by record."""

    def __init__(self) -> None:
        self.rows = 0
        self.totals: dict[str, np.ndarray] = {}
        self.counts: dict[str, int] = {}

    def add(self, record: AttentionRecord, kind: str) -> None:
        queries, keys, scores = record.maps(kind)
        first = 1 if kind == "decoder" else 0
        scores = scores[:, :, first:].astype(float)  # (L, N, rows, keys)
        has_start = keys[:1] == (START,)  # of a source without it, the first piece has position 0
        positions = np.arange(first, len(queries)) + (1 if kind == "cross" and has_start else 0)
        offsets = np.arange(len(keys)) - positions[:, None]  # (rows, keys)
        self.rows += len(positions)
        logs = np.log2(scores, out=np.zeros_like(scores), where=scores > 0)
        self._add("entropy", -scores * logs, len(positions))
        visible = positions + 1 if kind == "decoder" else np.full(len(positions), len(keys))
        highest = np.log2(np.maximum(visible, 2))[:, None]  # a row that sees one key has entropy 0
        self._add("evenness", -scores * logs / highest, len(positions))
        if kind != "cross":
            self._add("offset", scores * offsets, len(positions))
        for name, distance in OFFSETS.items():
            is_there = offsets == distance
            self._add(name, scores * is_there, int(is_there.any(axis=1).sum()))
        columns = {
            "start": [key == START for key in keys],
            "end": [key == END for key in keys],
            "punctuation": [is_punctuation(key) for key in keys],
        }
        for name, column in columns.items():
            self._add(name, scores * np.array(column), len(positions))

    def _add(self, name: str, values: np.ndarray, count: int) -> None:
        total = values.sum(axis=(2, 3))  # (L, N)
        self.totals[name] = self.totals.get(name, 0) + total
        self.counts[name] = self.counts.get(name, 0) + count

    def result(self) -> KindMeasures:
        means = {name: self.totals[name] / max(self.counts[name], 1) + 0.0 for name in self.totals}
        offset = means.pop("offset", None)
        return KindMeasures(rows=self.rows, offset=offset, **means)


def measure_heads(records: Iterable[AttentionRecord]) -> HeadMeasures:
    """Measures every head of every kind of attention.

    Args:
        records: of one model; only one at a time has to be in memory.

    Returns:
        The measures. A measure that no row has is 0, such as ``next`` for sentences without pieces.
    """
    sums = {kind: _Sums() for kind in KINDS}
    sentences = 0
    for record in records:
        sentences += 1
        for kind in KINDS:
            sums[kind].add(record, kind)
    if not sentences:
        raise InputError("heads: expected sentence pairs to measure the heads on, found none")
    return HeadMeasures(sentences, {kind: total.result() for kind, total in sums.items()})


def is_punctuation(piece: str) -> bool:
    """Whether a piece is punctuation only (Unicode category P), apart from its leading space.

    Unknown pieces and pieces for single bytes, such as ``<0x2C>``, are not.
    """
    text = piece.removeprefix(WORD_START)
    return bool(text) and all(unicodedata.category(c).startswith("P") for c in text)


ALIGNS_BELOW = 0.4  # alignment error rate of a head that aligns
LEANS = 0.35  # least share of a head's attention on the place in its verdict
MOST = 0.5  # least share on start, end and punctuation together
EVEN = 0.8  # least share of the highest entropy, for a head that looks everywhere
SHARP = 0.4  # highest share of the highest entropy, for a head that picks few pieces

ALIGNS = "aligns"
EVERYWHERE = "looks everywhere"
PICKS = "picks a few pieces"
SPREADS = "looks at several pieces"
# The shares that a verdict may name. Source and translation differ in their order, so `PLACES` say
# nothing about cross-attention.
RESTS = {"start": "rests on the start", "end": "rests on the end"}
PLACES = {
    "previous": "looks at the piece before",
    "same": "looks at its own place",
    "next": "looks at the piece after",
}
MARKS = "rests on marks"


def head_verdicts(
    measures: HeadMeasures, errors: AlignmentErrors | None = None
) -> dict[str, list[list[str]]]:
    """A verdict in words for each head, by the first rule that holds.

    1. Of cross-attention, with gold alignments: the alignment error rate is below `ALIGNS_BELOW`.
    2. The entropy is above `EVEN` of the highest.
    3. One place has more of the attention than the others, and more than `LEANS`: the start, the
       end or, in self-attention, the piece before, the same place or the piece after.
    4. Start, end and punctuation have more than `MOST` together.
    5. The entropy is below `SHARP` of the highest.
    6. None of these.

    Returns:
        By kind, for each layer and head.
    """
    return {
        kind: [
            [
                _verdict(kind_measures, layer, head, kind, errors)
                for head in range(kind_measures.entropy.shape[1])
            ]
            for layer in range(len(kind_measures.entropy))
        ]
        for kind, kind_measures in measures.kinds.items()
    }


def _verdict(
    measures: KindMeasures, layer: int, head: int, kind: str, errors: AlignmentErrors | None
) -> str:
    def share(*names: str) -> float:
        return float(sum(getattr(measures, name)[layer, head] for name in names))

    is_cross = kind == "cross"
    if is_cross and errors is not None:
        rates = [float(rates[layer, head]) for rates in errors.heads.values()]
        if min(rates) < ALIGNS_BELOW:
            return ALIGNS
    if share("evenness") > EVEN:
        return EVERYWHERE
    verdicts = RESTS if is_cross else RESTS | PLACES
    largest = max(verdicts, key=share)
    if share(largest) > LEANS:
        return verdicts[largest]
    if share("start", "end", "punctuation") > MOST:
        return MARKS
    return PICKS if share("evenness") < SHARP else SPREADS
