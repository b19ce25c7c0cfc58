"""Puts tags and emoji back into a translation, around the words that translate theirs.

A translation of T words has 4 T slots, four for each word: before it, after the punctuation
that it begins with, before the punctuation that it ends with, after it.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from translator.text.lexicon import Lexicon
from translator.text.punctuation import split_marks
from translator.text.spans.elements import Element, SourceWords, build_tree
from translator.text.spans.inline import InlineMark

BEFORE, AFTER_OPENING, BEFORE_CLOSING, AFTER = range(4)
HALF = 0.5  # a word belongs to an element that has at least this share of its attention
LITTLE = 0.05  # added to all attention
UNRELATED = 0.003  # added to the association of all words
STEEPNESS = 2.0  # how much less likely a word is that stands at the other end
ROUNDS = 2  # of normalising
LEAST = 0.1  # the least share that an element without better words takes
TINY = 1e-6
FORBIDDEN = -1e6  # words of other elements
BEFORE_ASIDE = re.compile(r"[\"'“”’»]*(?:,(?=[.!?]))?")  # of the marks behind a sentence


class _Placed(NamedTuple):
    slot: int
    mark: InlineMark


def place_marks(
    words: Sequence[str],
    marks: Sequence[InlineMark],
    source: Sequence[str],
    alignment: np.ndarray,
    lexicon: Lexicon,
) -> str:
    """Writes a translation with the inline marks of its source, each once and nested as there.

    Args:
        alignment: (words, source) how much each word attended to each source word.
    """
    if not words or not source:
        return " ".join([*(mark.text for mark in marks), *words])
    shares = agreed_shares(alignment, lexicon.associations(words, source))
    placer = _Placer(words, SourceWords(source), shares)
    return _write(words, list(placer.place(build_tree(marks))))


class _Region(NamedTuple):
    """A part of a translation in which an element is placed: slots, the last one included."""

    first: int
    last: int


class _Placer:
    def __init__(self, words: Sequence[str], source: SourceWords, shares: np.ndarray) -> None:
        self.words = words
        self.source = source
        self.shares = shares
        self.cumulated = np.concatenate(
            [np.zeros((len(words), 1)), np.cumsum(self.shares, axis=1)], axis=1
        )
        self.last_slot = 4 * len(words) - 1

    def place(self, root: Element) -> Iterator[_Placed]:
        """Places all marks, in the order of the translation."""
        agenda: list[tuple[Element, _Region] | _Placed] = [(root, _Region(0, self.last_slot))]
        while agenda:
            item = agenda.pop()
            if isinstance(item, _Placed):
                yield item
                continue
            element, region = item
            if element.opening is not None:
                yield _Placed(region.first, element.opening)
            if element.stands:
                continue
            if element.closing is not None:
                agenda.append(_Placed(region.last, element.closing))
            agenda += reversed(self._place_children(element.children, region))

    def _place_children(
        self, children: Sequence[Element], region: _Region
    ) -> list[tuple[Element, _Region]]:
        """The regions of an element's children, in the order of the translation.

        The children have no words in common. So each word is most of all of one child, and
        their regions do not overlap.
        """
        regions: dict[int, _Region] = {}
        spans = {i: self._source_words(child) for i, child in enumerate(children)}
        weights = {
            i: self._weights(first, last) for i, (first, last) in spans.items() if first <= last
        }
        free = _words_in(region)
        for i in sorted(weights, key=lambda i: children[i].is_whole):  # open ends first
            others = [row > 0 for j, row in weights.items() if j != i]
            own = np.where(np.any(others, axis=0), FORBIDDEN, weights[i]) if others else weights[i]
            own = own[free.start : free.stop]
            found = _best_run(own) if children[i].is_whole else _best_end(own, children[i])
            if found is not None:
                words = range(free.start + found.start, free.start + found.stop)
                regions[i] = self._region(children[i], words, region)
                if children[i].opening is None:
                    free = range(words.stop, free.stop)
                elif children[i].closing is None:
                    free = range(free.start, words.start)
        for i, (first, last) in spans.items():
            if i in weights and i not in regions:
                likely = self._likeliest(weights[i], free, regions.values(), first < last)
                if likely is not None:
                    regions[i] = self._region(children[i], likely, region)
        around_words = list(regions.items())
        for i, child in enumerate(children):
            if i not in regions:
                slot = self._slot(child, region)
                for j, (first, last) in around_words:
                    if first < slot < last or first == slot and j < i:
                        slot = last if j < i else first
                regions[i] = _Region(slot, slot)
        return [(children[i], regions[i]) for i in sorted(regions, key=lambda i: (regions[i], i))]

    def _weights(self, first: int, last: int) -> np.ndarray:
        """How much more than half of each word comes from some source words."""
        weights: np.ndarray = self.cumulated[:, last + 1] - self.cumulated[:, first] - HALF
        return weights

    def _source_words(self, element: Element) -> tuple[int, int]:
        """The first and the last source word in an element; the last is smaller if it has none."""
        begin = element.opening.offset if element.opening else 0
        end = element.closing.offset if element.closing else self.source.length
        if element.stands or begin >= end:
            return 1, 0
        return self.source.begins(begin), self.source.ends_before(end)

    def _region(self, element: Element, words: range, region: _Region) -> _Region:
        """The slots around some words, within those of the parent."""
        first, last = region
        if element.opening is not None:
            with_marks = self.source.opens_before_marks(element.opening.offset)
            first = max(first, 4 * words.start + (BEFORE if with_marks else AFTER_OPENING))
        if element.closing is not None:
            with_marks = self.source.closes_after_marks(element.closing.offset)
            last = min(last, 4 * words.stop - 4 + (AFTER if with_marks else BEFORE_CLOSING))
        return _Region(first, last)

    def _likeliest(
        self, weights: np.ndarray, free: range, taken: Iterable[_Region], several: bool
    ) -> range | None:
        """The free words with the most attention to an element's words; None if all have little."""
        used = [t for region in taken for t in _words_in(region)]
        shares = weights + HALF
        shares[used] = FORBIDDEN
        shares = shares[free.start : free.stop]
        most = shares.max(initial=0)
        limit = most * HALF if several else most - TINY
        found = _best_run(shares - limit) if most > LEAST else None
        return found and range(free.start + found.start, free.start + found.stop)

    def _slot(self, element: Element, region: _Region) -> int:
        """The slot of an element without words."""
        mark = element.opening or element.closing
        first, last = region
        if mark is None or last <= first:
            return first
        return min(max(self._slot_in_sentence(mark), first), last)

    def _slot_in_sentence(self, mark: InlineMark) -> int:
        source = self.source
        before, after = source.ends_before(mark.offset), source.begins(mark.offset)
        if before < 0:
            return 0
        if mark.offset == source.length:
            return self.last_slot
        is_within = before == after
        if is_within and before == source.count - 1:  # before the final mark
            return self.last_slot - AFTER + BEFORE_CLOSING
        if not is_within and mark.space_before and not mark.space_after:
            return 4 * self._last_of(after, first=True) + AFTER_OPENING
        with_marks = source.closes_after_marks(mark.offset) or mark.joins and not is_within
        return 4 * self._last_of(before) + (AFTER if with_marks else BEFORE_CLOSING)

    def _last_of(self, source_word: int, first: bool = False) -> int:
        """The last or first word of the translation that comes from a source word."""
        column = self.shares[:, source_word]
        found = np.flatnonzero(column > HALF)
        if not len(found):
            return int(column.argmax())
        return int(found[0] if first else found[-1])


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


def _words_in(region: _Region) -> range:
    """The words whose letters are in a region."""
    first, last = region
    return range(-(-(first - AFTER_OPENING) // 4), (last - BEFORE_CLOSING) // 4 + 1)


def _best_run(weights: np.ndarray) -> range | None:
    """The consecutive words with the largest sum of weights; None if no sum is positive."""
    best, found = 0.0, None
    total, begin = 0.0, 0
    for t, weight in enumerate(weights):
        if total <= 0:
            total, begin = 0.0, t
        total += weight
        if total > best:
            best, found = total, range(begin, t + 1)
    return found


def _best_end(weights: np.ndarray, element: Element) -> range | None:
    """The words of an element that reaches the end of a text, or its beginning."""
    if not len(weights):
        return None
    likely = np.maximum(weights, -1)
    if element.closing is None:
        sums = likely[::-1].cumsum()[::-1]
        return range(int((sums if sums.max() > 0 else likely).argmax()), len(weights))
    sums = likely.cumsum()
    return range(int((sums if sums.max() > 0 else likely).argmax()) + 1)


def _write(words: Sequence[str], placed: Sequence[_Placed]) -> str:
    """Writes words with marks at slots, which are in order."""
    pieces: list[str] = []
    rest = list(placed[::-1])
    for t, word in enumerate(words):
        before, core, after = split_marks(word)
        is_glued = False
        for place, text in enumerate((before, core, after, "")):
            while rest and rest[-1].slot <= 4 * t + place:
                mark = rest.pop().mark
                if place == BEFORE_CLOSING and mark.space_before and not mark.closes:
                    head = BEFORE_ASIDE.match(text)
                    pieces.append(head[0] if head else "")
                    text = text.removeprefix(pieces[-1])
                pieces.append(_with_spaces(mark, pieces, place))
                is_last = place == AFTER or place == BEFORE_CLOSING and not after
                is_glued |= is_last and (mark.joins or mark.closes and mark.space_before)
                is_glued &= not mark.space_after
            pieces.append(text)
        if t < len(words) - 1 and not is_glued:
            pieces.append(" ")
    return "".join(pieces)


def _with_spaces(mark: InlineMark, pieces: Sequence[str], place: int) -> str:
    written = "".join(pieces[-8:])
    space_before = mark.space_before and place >= BEFORE_CLOSING and not written.endswith(" ")
    space_after = mark.space_after and place <= AFTER_OPENING and not written.endswith(" ")
    return " " * space_before + mark.text + " " * space_after
