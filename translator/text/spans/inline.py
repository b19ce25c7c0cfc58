"""Takes tags, emoji and marks of format out of a text, with what their places need."""

import itertools
import re
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from translator.text.punctuation import MARKS
from translator.text.spans.formats import (
    ASIDE,
    FOR_TAG,
    MAY_HAVE_FORMATS,
    find_formats,
    in_language,
)
from translator.text.spans.intervals import Intervals
from translator.text.spans.tags import Tag, find_emoji, find_tags, without_tags

CLOSING_QUOTES = tuple("\"'“”’»")  # where no space is before them


class InlineMark(NamedTuple):
    """A tag, an emoji or a mark of format that was taken out of a text.

    Attributes:
        offset: how many characters of the text without marks stand before it, not counting
            white space.
        name: of the element that it opens or closes.
        opens: whether it opens an element.
        closes: whether it closes one; a mark that does neither stands for itself.
        space_before: whether there was a space before it.
        space_after: whether there was a space after it.
    """

    offset: int
    text: str
    name: str
    opens: bool
    closes: bool
    space_before: bool
    space_after: bool

    @property
    def is_aside(self) -> bool:
        """Whether its text, with brackets, is translated as a sentence of its own."""
        return self.name == ASIDE

    @property
    def stands(self) -> bool:
        """Whether it neither opens nor closes an element, nor is an aside."""
        return not (self.opens or self.closes or self.is_aside)

    @property
    def joins(self) -> bool:
        """Whether it stands between two words without any space."""
        return not (self.opens or self.closes or self.space_before or self.space_after)

    @property
    def leans_right(self) -> bool:
        """Whether it belongs to what follows it."""
        return self.opens or self.space_before and not (self.closes or self.space_after)


class InlineText(NamedTuple):
    """A text without its inline marks.

    Attributes:
        plain: the text that is left.
        marks: what was taken out, in order.
    """

    plain: str
    marks: tuple[InlineMark, ...] = ()

    def with_plain(self, plain: str) -> "InlineText":
        """The same marks in a text whose words were respelt."""
        if plain == self.plain or not self.marks:
            return InlineText(plain, self.marks)
        old, new = self.plain.split(), plain.split()
        old_starts = list(itertools.accumulate(map(len, old), initial=0))
        new_starts = list(itertools.accumulate(map(len, new), initial=0))
        marks, word = [], 0
        for mark in self.marks:
            while word + 1 < len(old_starts) and old_starts[word + 1] <= mark.offset:
                word += 1
            inside = min(mark.offset - old_starts[word], len(new[word]) if word < len(new) else 0)
            marks.append(mark._replace(offset=new_starts[word] + inside))
        return InlineText(plain, tuple(marks))

    def joined(self) -> str:
        """The text with its marks where they were."""
        pieces: list[str] = []
        rest = list(self.marks[::-1])
        count = 0
        for character in self.plain:
            is_space = character.isspace()
            while rest and rest[-1].offset == count and not (is_space and rest[-1].leans_right):
                mark = rest.pop()
                pieces.append(_with_spaces(mark, pieces, mark.space_after and not is_space))
            pieces.append(character)
            count += not is_space
        pieces += (_with_spaces(mark, pieces, mark.space_after) for mark in reversed(rest))
        return "".join(pieces)


def find_marks(
    text: str,
    find_spans: Callable[[str], Iterable[tuple[int, int]]] = lambda text: (),
    is_spelt: Callable[[str], bool] | None = None,
) -> list[Tag]:
    """Finds tags, emoji and marks of format, in order.

    Args:
        find_spans: finds start and end of spans such as web addresses, whose marks stay.
    """
    tags = list(find_tags(text))
    emoji = list(map(Tag, find_emoji(text)))
    formats: list[Tag] = []
    if emoji or MAY_HAVE_FORMATS.search(text):
        taken = Intervals((tag.span.start, tag.span.end) for tag in tags)
        taken.add(find_spans(without_tags(text, tags=tags)))
        emoji = [one for one in emoji if taken.are_free(one.span.start, one.span.end)]
        taken.add((one.span.start, one.span.end) for one in emoji)
        formats = list(find_formats(without_tags(text, FOR_TAG, tags), taken.are_free, is_spelt))
    return sorted([*tags, *emoji, *formats], key=lambda one: one.span.start)


def take_out_marks(
    text: str,
    find_spans: Callable[[str], Iterable[tuple[int, int]]] = lambda text: (),
    is_spelt: Callable[[str], bool] | None = None,
) -> InlineText:
    """Takes what `find_marks` finds out of a text."""
    found = find_marks(text, find_spans, is_spelt)
    return _without(text, found) if found else InlineText(text)


def words_without_marks(text: str) -> list[str]:
    """The words of a text or its translation between spaces, without its marks and asides."""
    return take_out_marks(text).plain.split()


def written_in(marks: Iterable[InlineMark], language: str) -> list[InlineMark]:
    """Marks as a translation into a language has them."""
    return [
        mark._replace(text=in_language(mark.name, mark.text, mark.closes, language))
        for mark in marks
    ]


def _without(text: str, found: Sequence[Tag]) -> InlineText:
    pieces: list[str] = []
    marks: list[InlineMark] = []
    count = end = 0
    for one in found:
        start = one.span.start
        if start < end:  # in an aside, which is read by itself
            continue
        before, end = text[end:start], one.span.end
        space_before = text[start - 1 : start].isspace()
        space_after = text[end : end + 1].isspace()
        mark = InlineMark(count, text[start:end], *one[1:], space_before, space_after)
        if text[start] in "([" and not one.opens and text.startswith(CLOSING_QUOTES, end):
            before = before.rstrip()
        if before or not marks or not (mark.stands and marks[-1].stands):
            pieces.append(before)
            count += len("".join(before.split()))
            marks.append(mark._replace(offset=count))
        else:
            marks[-1] = marks[-1]._replace(text=marks[-1].text + mark.text, space_after=space_after)
        if one.separates and not space_before and not space_after:
            pieces.append(" ")
    plain = " ".join("".join([*pieces, text[end:]]).split())
    # A space that stood between a mark and punctuation would stand before the punctuation now
    plain = re.sub(rf"(?<!\s)\s+(?=[{re.escape(MARKS[:6])}](?:\s|$))", "", plain) if end else plain
    return InlineText(plain, tuple(marks))


def _with_spaces(mark: InlineMark, before: Sequence[str], space_after: bool) -> str:
    is_apart = not before or before[-1][-1:].isspace()
    return " " * (mark.space_before and not is_apart) + mark.text + " " * space_after
