"""Puts tags and emoji back into a translation, around the words that translate theirs.

Words and the marks around them are pieces of their own. A place in a translation is before or after
the space in the gap between two pieces: gap ``i`` is before piece ``i`` and has places 2i and 2i+1.
"""

import itertools
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from translator.text.marks import joins_words, leans_right
from translator.text.punctuation import split_marks
from translator.text.shown import Span
from translator.text.tags import pair_tags
from translator.text.word_table import WordTable

HALF = 0.5  # a piece belongs to an element that has at least this share of its attention
LITTLE = 0.05  # added to all attention
UNRELATED = 0.003  # added to the association of all words
STEEPNESS = 2.0  # how much less likely a word is that stands at the other end
ROUNDS = 2  # of normalising
LEAST = 0.1  # the least share that an element without better words takes
FORBIDDEN = -1e6  # pieces of other elements
ALIKE = str.maketrans("“”„!?", '"""..')  # marks that translate each other


class _Piece(NamedTuple):
    """A word or a mark; ``side`` is -1 for marks before their word, 0 for words, 1 behind them."""

    text: str
    word: int
    side: int


def place_marks(
    words: Sequence[str],
    marks: Sequence[Span],
    source: Sequence[str],
    alignment: np.ndarray,
    lexicon: WordTable,
) -> str:
    """Writes a translation with the inline marks of its source, each once and nested as there.

    Args:
        alignment: (words, source) how much each word attended to each source word.
    """
    if not words or not source:
        return " ".join([*(mark.given.strip() for mark in marks), *words])
    pieces, of_source = _pieces_of(words), _pieces_of(source)
    shares = agreed_shares(alignment, lexicon.associations(words, source))
    shares = _shares_of_pieces(pieces, of_source, shares)
    return _write(pieces, _Placer(pieces, of_source, shares, marks).find())


def _pieces_of(words: Sequence[str]) -> list[_Piece]:
    pieces = []
    for i, word in enumerate(words):
        before, core, after = split_marks("".join(word.split()))
        sides = ((before, -1), ([core] if core else (), 0), (after, 1))
        pieces += [_Piece(text, i, side) for texts, side in sides for text in texts]
    return pieces


class _Placer:
    """Finds the places of marks; the mark that opens an element stands for it."""

    def __init__(
        self,
        pieces: Sequence[_Piece],
        source: Sequence[_Piece],
        shares: np.ndarray,
        marks: Sequence[Span],
    ) -> None:
        self.pieces, self.source, self.marks = pieces, source, marks
        self.shares = shares
        self.cumulated = np.pad(shares.cumsum(axis=1), ((0, 0), (1, 0)))
        # Marks that the source lacks cost nothing
        self.limits = np.where(shares.any(axis=1), HALF, 0)
        ends = [0, *itertools.accumulate(len(piece.text) for piece in source)]
        offsets = [mark.start for mark in marks]
        # The pieces of the source before and behind each mark; both are the one that it stands in
        self.before = (np.searchsorted(ends[:-1], offsets, "left") - 1).tolist()
        self.behind = np.searchsorted(ends[1:], offsets, "right").tolist()
        partner = pair_tags([(mark.key, mark.opens, mark.closes) for mark in marks])
        self.closings = {i: j for i, j in partner.items() if j is not None and i < j}
        self.places: dict[int, int] = {}

    def find(self) -> list[tuple[int, Span]]:
        """All marks with their places, in the order of the translation."""
        whole, end = -1, len(self.marks)
        closings = self.closings | {whole: end}
        inner: dict[int, list[int]] = defaultdict(list)  # what elements have, outer ones first
        elements = [whole]
        for i in range(end):
            if i == closings[elements[-1]]:
                elements.pop()
                continue
            inner[elements[-1]].append(i)
            if i in closings:
                elements.append(i)
        self.places = {whole: 1, end: 2 * len(self.pieces)}
        for element, marks in inner.items():
            self._place(marks, self.places[element], self.places[closings[element]])
        order = sorted((self.places[i], i) for i in range(end))
        return [(place, self.marks[i]) for place, i in order]

    def _place(self, marks: Sequence[int], first: int, last: int) -> None:
        """Places what stands in an element between its own places.

        A piece is most of all of one inner element, and none has pieces of another. So they do not
        overlap.
        """
        free = slice(first // 2, last // 2)
        limits = self.limits[free]
        weights: dict[int, np.ndarray] = {}  # how much more than half of each piece is an element's
        for i in (i for i in marks if i in self.closings):
            start, end = self.behind[i], self.before[self.closings[i]] + 1
            if start < end:
                weights[i] = self.cumulated[free, end] - self.cumulated[free, start] - limits
        owners = np.argmax([np.zeros_like(limits), *weights.values()], axis=0)
        regions: list[tuple[int, int, int]] = []
        for number, (i, row) in enumerate(weights.items(), 1):
            own = np.where((owners == 0) | (owners == number), row, FORBIDDEN)
            shares = own + limits
            if shares.max(initial=0) > LEAST:
                likeliest = int(shares.argmax())
                run = _best_run(own) if own.max() > 0 else slice(likeliest, likeliest + 1)
                owners[run] = number
                start, end = 2 * (free.start + run.start), 2 * (free.start + run.stop)
                regions.append((start + 1, end, i))
                self.places |= {i: start + 1, self.closings[i]: end}
        least = first
        for i in (i for i in marks if i not in self.places):
            place = min(max(self._place_alone(i), least), last)
            for start, end, element in regions:
                if start <= place <= end:
                    place = start if i < element else end
            self.places |= {i: place, self.closings.get(i, i): place}
            if self.marks[i].opens or self.marks[i].closes:
                least = place  # elements of several sentences are nested too

    def _place_alone(self, i: int) -> int:
        """The place of a mark without words: beside the translation of the piece beside it."""
        mark, before, behind = self.marks[i], self.before[i], self.behind[i]
        if before < 0:
            return 1
        if behind == len(self.source):
            return 2 * len(self.pieces)
        piece, translations = self.source[behind], self._translations(behind)
        is_final = piece.side > 0 and piece.word == self.source[-1].word
        if translations and (is_final or leans_right(mark) and piece.side <= 0):
            return 2 * translations[0] + (not is_final)
        while before and not self._translations(before):
            before -= 1
        end = (self._translations(before) or [0])[-1] + 1
        joins = joins_words(mark) and self.source[before].word < piece.word
        while joins and end < len(self.pieces) and self.pieces[end].side > 0:
            end += 1
        return 2 * end

    def _translations(self, source_piece: int) -> list[int]:
        """The pieces that come from one of the source, or the likeliest one."""
        column = self.shares[:, source_piece]
        likely: list[int] = np.flatnonzero(column > HALF).tolist()
        return likely or [int(column.argmax())] * bool(column.any())


def _shares_of_pieces(
    pieces: Sequence[_Piece], source: Sequence[_Piece], word_shares: np.ndarray
) -> np.ndarray:
    """How much of each piece comes from each one of the source: a mark from the nearest like it."""
    shares = np.zeros((len(pieces), len(source)))
    alike: dict[tuple[str, int], list[int]] = defaultdict(list)
    for s, piece in enumerate(source):
        alike[piece.text.translate(ALIKE) * bool(piece.side), piece.side].append(s)
    for t, (text, word, side) in enumerate(pieces):
        places = alike[text.translate(ALIKE) * bool(side), side]
        if side == 0:
            shares[t, places] = word_shares[word, [source[s].word for s in places]]
        elif places:
            target = (t + HALF) / len(pieces) * len(source) - HALF
            shares[t, min(places, key=lambda s: abs(s - target))] = 1
    return shares


def agreed_shares(alignment: np.ndarray, associations: np.ndarray) -> np.ndarray:
    """How much of each word comes from each source word, by attention and lexicon.

    A word that attends to several source words belongs to the one that no other word
    attends to. Rows and columns are normalised in turn, after Sinkhorn and Knopp (1967),
    "Concerning nonnegative matrices and doubly stochastic matrices".

    Args:
        alignment: (words, source) how much each word attended to each source word.
        associations: (words, source) how much they are associated, from 0 to 1.

    Returns:
        (words, source): rows that sum to 1.
    """
    count, length = alignment.shape
    places = np.abs(
        (np.arange(count)[:, None] + HALF) / count - (np.arange(length)[None] + HALF) / length
    )
    likely = (alignment + LITTLE) * (associations + UNRELATED)
    shares: np.ndarray = likely * np.exp(-STEEPNESS * places)
    for _ in range(ROUNDS):
        shares = shares / shares.sum(axis=0, keepdims=True)
        shares = shares / shares.sum(axis=1, keepdims=True)
    return shares


def _best_run(weights: np.ndarray) -> slice:
    """The consecutive pieces with the largest sum of weights."""
    sums = np.pad(weights.cumsum(), (1, 0))
    end = int((sums - np.minimum.accumulate(sums)).argmax())
    return slice(end - 1 - int(sums[:end][::-1].argmin()), end)


def _write(pieces: Sequence[_Piece], placed: Iterable[tuple[int, Span]]) -> str:
    marks: dict[int, list[Span]] = defaultdict(list)
    for place, mark in placed:
        marks[place].append(mark)
    text = ""
    for gap in range(len(pieces) + 1):
        begins = gap < len(pieces) and gap > 0 and pieces[gap].word != pieces[gap - 1].word
        glues = False
        for mark in marks[2 * gap]:
            glues = joins_words(mark) or mark.closes and mark.given == f" {mark.given.strip()}"
            text += mark.given.rstrip() if not text.endswith(" ") else mark.given.strip()
        text += " " * (begins and not glues)
        for mark in marks[2 * gap + 1]:
            text += mark.given.strip() if text.endswith(" ") else mark.given.lstrip()
        text += pieces[gap].text if gap < len(pieces) else ""
    return text
