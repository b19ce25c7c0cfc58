"""Takes tags, emoji and marks of format out of texts, which a model is not shown, and keeps them.

`translator.text.placing` puts them into a translation.
"""

import functools
import itertools
import re
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import numpy as np

from translator.text.formats import FOR_TAG, MAY_HAVE_MARKS, find_formats
from translator.text.punctuation import MARKS
from translator.text.shown import ASIDE, END, MARK, Intervals, Span
from translator.text.tags import find_emoji, find_tags, is_block, separates, without_tags
from translator.tokenizers.subword import Tokenizer

TAGS = "<!"  # what tags and pictures begin with
CELL, ROW = re.compile(r"\t|(?<!\S)\|(?!\S)"), re.compile(r"[\t|]")


class MarkedText(NamedTuple):
    """A text without its marks, and these.

    Attributes:
        plain: the text that is left.
        marks: what was taken out, in order. `Span.start` of each, and `end`, is how many characters
            of the text that is left stand before it, not counting white space. Its `given` has the
            space before it and the one after it, where there were such.
    """

    plain: str
    marks: tuple[Span, ...] = ()

    def with_plain(self, plain: str) -> "MarkedText":
        """The same marks in a text whose words were respelt."""
        if plain == self.plain or not self.marks:
            return MarkedText(plain, self.marks)
        texts = (self.plain, plain)
        old, new = ([0, *itertools.accumulate(map(len, text.split()))] for text in texts)
        count = min(len(old), len(new))
        offsets = [mark.start for mark in self.marks]
        places = np.interp(offsets, old[:count], new[:count]).round().astype(int)
        moved = (mark._replace(start=i, end=i) for mark, i in zip(self.marks, places.tolist()))
        return MarkedText(plain, tuple(moved))


def stands_alone(mark: Span) -> bool:
    """Whether a mark neither opens nor closes an element, nor is an aside."""
    return not (mark.opens or mark.closes or mark.kind == ASIDE)


def joins_words(mark: Span) -> bool:
    """Whether a mark stands between two words without any space."""
    return not (mark.opens or mark.closes) and mark.given == mark.given.strip()


def leans_right(mark: Span) -> bool:
    """Whether a mark belongs to what follows it."""
    follows_space, space_follows = mark.given[0].isspace(), mark.given[-1].isspace()
    return mark.opens or follows_space and not (mark.closes or space_follows)


def find_marks(
    text: str,
    whole: Sequence[tuple[int, int]] = (),
    is_spelt: Callable[[str], bool] = lambda sign: False,
) -> list[Span]:
    """Finds tags, emoji and marks of format, in order.

    Args:
        whole: start and end of what has no emoji and no marks of format, such as web addresses.
        is_spelt: see `find_formats`.
    """
    if MAY_HAVE_MARKS.search(text) is None:
        return []
    tags = find_tags(text)
    taken = Intervals([*tags, *whole])
    emoji = [one for one in find_emoji(text) if taken.are_free(one.start, one.end)]
    taken.add(emoji)
    formats = [  # with the tags in them
        mark._replace(given=text[mark.start : mark.end])
        for mark in find_formats(without_tags(text, FOR_TAG, tags), taken, is_spelt)
    ]
    return sorted([*tags, *emoji, *formats])


def take_out_marks(
    text: str,
    whole: Sequence[tuple[int, int]] = (),
    is_spelt: Callable[[str], bool] = lambda sign: False,
) -> MarkedText:
    """Takes what `find_marks` finds out of a text."""
    found = find_marks(text, whole, is_spelt)
    if not found:
        return MarkedText(text)
    pieces: list[str] = []
    marks: list[Span] = []
    count = end = 0
    for mark in found:
        if mark.start < end:  # in an aside, which is read by itself
            continue
        before, end = text[end : mark.start], mark.end
        is_apart = text[mark.start - 1 : mark.start].isspace(), text[end : end + 1].isspace()
        given = " " * is_apart[0] + mark.given + " " * is_apart[1]
        if before or not marks or not (stands_alone(mark) and stands_alone(marks[-1])):
            pieces.append(before)
            count += len("".join(before.split()))
            marks.append(mark._replace(start=count, end=count, given=given))
        else:
            marks[-1] = marks[-1]._replace(given=marks[-1].given + given)
        if separates(mark) and not any(is_apart):
            pieces.append(" ")
    plain = " ".join("".join([*pieces, text[end:]]).split())
    # A space that stood between a mark and punctuation would stand before the punctuation now
    plain = re.sub(rf"(?<!\s)\s+(?=[{re.escape(MARKS[:6])}](?:\s|$))", "", plain)
    return MarkedText(plain, tuple(marks))


def words_without_marks(text: str) -> list[str]:
    """The words of a text or its translation between spaces, without its marks and asides."""
    return take_out_marks(text).plain.split()


class LineMarks:
    """Finds the marks of lines for a reader.

    Args:
        find_spans: finds start and end of what is copied, such as web addresses; it has no marks.
    """

    def __init__(
        self, tokenizer: Tokenizer, find_spans: Callable[[str], Iterable[tuple[int, int]]]
    ) -> None:
        self.tokenizer = tokenizer
        self.find_spans = find_spans
        self._spells = functools.cache(self._has_pieces_for)

    def find_whole(self, text: str) -> list[tuple[int, int]]:
        """The parts of a text that are not cut or rewritten, in order."""
        tags = find_tags(text)
        spans = self.find_spans(without_tags(text, tags=tags))
        return sorted([*((tag.start, tag.end) for tag in tags), *spans])

    def take_out(self, text: str) -> MarkedText:
        """A text without its marks."""
        if MAY_HAVE_MARKS.search(text) is None:
            return MarkedText(text)
        return take_out_marks(text, self.find_whole(text), self._spells)

    def hidden(self, line: str) -> list[Span]:
        """The marks that do not decide where sentences end, and cells, which end one."""
        if MAY_HAVE_MARKS.search(line) is None and "\t" not in line:
            return []
        whole = self.find_whole(line)
        spans: list[Span] = []
        for mark in find_marks(line, whole, self._spells):
            if mark.opens or mark.closes or mark.given[0] in TAGS:
                kind = END if is_block(mark) else MARK
                spans.append(mark._replace(kind=kind, written=" " * separates(mark)))
        is_row = line.startswith("|") and line.rstrip().endswith("|")
        taken = Intervals(whole)
        for cell in (ROW if is_row else CELL).finditer(line):
            if taken.are_free(*cell.span()):
                spans.append(Span(*cell.span(), cell[0], END, written=" " * cell[0].isspace()))
        return spans

    def _has_pieces_for(self, symbol: str) -> bool:
        """Whether the tokenizer spells all of some characters."""
        return all(map(self.tokenizer.spells, self.tokenizer.encode(list(symbol), False)))
