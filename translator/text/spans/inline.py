"""Takes tags and emoji out of a text, which the model is not shown, and keeps their places."""

import enum
import itertools
import re
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from translator.text.punctuation import MARKS
from translator.text.spans.emoji import find_emoji
from translator.text.spans.intervals import Intervals
from translator.text.spans.kind import Span
from translator.text.spans.tags import find_tags, without_tags


class Role(enum.Enum):
    """What an inline mark does."""

    OPENS = "opens an element"
    CLOSES = "closes an element"
    STANDS = "stands for itself"


class InlineMark(NamedTuple):
    """A tag or emoji that was taken out of a text.

    Attributes:
        offset: how many characters of the text without marks stand before it, not counting
            white space.
        text: what was taken out.
        role: what it does.
        name: of the element that it opens or closes.
        space_before: whether there was a space before it.
        space_after: whether there was a space after it.
    """

    offset: int
    text: str
    role: Role
    name: str
    space_before: bool
    space_after: bool

    @property
    def joins(self) -> bool:
        """Whether it stands between two words without any space."""
        return self.role is Role.STANDS and not (self.space_before or self.space_after)

    @property
    def leans_right(self) -> bool:
        """Whether it belongs to what follows it."""
        is_apart = self.space_before and not self.space_after
        return self.role is Role.OPENS or self.role is Role.STANDS and is_apart


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


class _Found(NamedTuple):
    span: Span
    role: Role
    name: str = ""
    separates: bool = True


def take_out_marks(
    text: str, find_spans: Callable[[str], Iterable[tuple[int, int]]] = lambda text: ()
) -> InlineText:
    """Takes tags and emoji out of a text.

    Args:
        text: any text.
        find_spans: finds start and end of spans such as web addresses, whose emoji stay.
    """
    tags = [
        _Found(tag.span, _role(tag.opens, tag.closes), tag.name, tag.separates)
        for tag in find_tags(text)
    ]
    emoji = [_Found(span, Role.STANDS) for span in find_emoji(text)]
    if emoji:
        taken = Intervals((tag.span.start, tag.span.end) for tag in tags)
        taken.add(find_spans(without_tags(text)))
        emoji = [one for one in emoji if taken.are_free(one.span.start, one.span.end)]
    found = sorted([*tags, *emoji], key=lambda one: one.span.start)
    return _without(text, found) if found else InlineText(text)


def words_without_marks(text: str) -> list[str]:
    """The words of a text between spaces, without tags and emoji."""
    return take_out_marks(text).plain.split()


def _role(opens: bool, closes: bool) -> Role:
    if opens:
        return Role.OPENS
    return Role.CLOSES if closes else Role.STANDS


def _without(text: str, found: Sequence[_Found]) -> InlineText:
    pieces, marks, count, end = [], [], 0, 0
    for one in found:
        before = text[end : one.span.start]
        end = one.span.end
        space_before = text[one.span.start - 1 : one.span.start].isspace()
        space_after = text[end : end + 1].isspace()
        pieces.append(before)
        count += len("".join(before.split()))
        marks.append(
            InlineMark(count, one.span.text, one.role, one.name, space_before, space_after)
        )
        if one.separates and not space_before and not space_after:
            pieces.append(" ")
    plain = "".join([*pieces, text[end:]])
    # A space that stood between a mark and punctuation would stand before the punctuation now
    plain = re.sub(rf"(?<!\s)\s+(?=[{re.escape(MARKS[:6])}](?:\s|$))", "", plain) if end else plain
    return InlineText(plain, tuple(marks))


def _with_spaces(mark: InlineMark, before: Sequence[str], space_after: bool) -> str:
    is_apart = not before or before[-1][-1:].isspace()
    return " " * (mark.space_before and not is_apart) + mark.text + " " * space_after
