"""Sentences over several lines: whether one goes on, and how its translation is divided again."""

import bisect
import itertools
import math
from collections.abc import Iterable, Sequence

from translator.addons.documents.markup import pieces_of
from translator.text.opening_marks import opening_mark

SHORTEST_WIDTH = 40  # characters of the longest line of a text that was wrapped
SHORTEST_LINE = 0.6  # of that width, of a line that goes on in the next one
ENDS = (".", "!", "?", ":", ";", "…", '"', "”", "“", "»", "*", "|")
STRICT = "de"  # its opening marks: a number with a point may be a date
FEWEST_WORDS = 3  # of a line that goes on in the next one, though it is short
MOST_LINES = 10  # among which the end of such a sentence is looked for
NEAR = 0.25  # of the length of a sentence, where a mark is looked for to divide it at
MARKS = ",;:!?–"


def goes_on(line: str, following: Iterable[str], width: float = math.inf) -> bool:
    """Whether a sentence goes on behind a line break, as where lines were broken by hand.

    A short line does if the sentence has an end in one of the next lines: items of a list that
    begin with small letters have none.

    Args:
        line: before the break.
        following: the lines behind it, at least one.
        width: characters of the longest line around; infinite if lines were not broken by width.
    """
    near = list(itertools.islice(following, MOST_LINES))
    if not line or line.endswith(ENDS) or opening_mark(near[0], STRICT):
        return False
    if len(line) >= max(SHORTEST_WIDTH, SHORTEST_LINE * width):
        return True
    rest = itertools.takewhile(lambda text: text[:1].islower(), near)
    is_long = line[:1].islower() or len(line.split()) >= FEWEST_WORDS
    return is_long and any(text.endswith(ENDS) for text in rest)


def divide(text: str, lengths: Sequence[int], divides_elements: bool = False) -> list[str]:
    """A text in as many parts as there are lengths, which are in the proportion of these.

    It is divided between words, if there is one near the place, behind a mark.

    Args:
        text: any text; tags stay whole, and near what they stand beside.
        lengths: of the parts.
        divides_elements: whether an element may go on in the next part, as it may where there
            are too few words outside of elements.
    """
    spaces = _spaces(text, divides_elements)
    if len(spaces) < len(lengths) - 1:
        spaces = _spaces(text, True)
    marks = [at for at in spaces if text[at - 1] in MARKS]
    parts: list[str] = []
    start, left = 0, sum(lengths)
    for i, length in enumerate(lengths[:-1]):
        first = bisect.bisect_left(spaces, start)
        if first == len(spaces):
            break
        last = max(first, len(spaces) - (len(lengths) - 1 - i))  # leaves one for each other part
        size = len(text) - start
        wanted = start + size * length / max(left, 1)
        place = _nearest(marks, wanted, spaces[first], spaces[last])
        if place is None or abs(place - wanted) > NEAR * size:
            place = _nearest(spaces, wanted, spaces[first], spaces[last]) or spaces[first]
        parts.append(text[start:place].strip())
        start, left = place + 1, left - length
    return [*parts, text[start:].strip(), *[""] * (len(lengths) - len(parts) - 1)]


def _nearest(places: Sequence[int], wanted: float, least: int, most: int) -> int | None:
    """The place of some in order that is nearest to one that is wanted; None if there is none."""
    start, end = bisect.bisect_left(places, least), bisect.bisect_right(places, most)
    found = bisect.bisect_left(places, wanted, start, end)
    near = places[max(found - 1, start) : min(found + 1, end)]
    return min(near, key=lambda at: abs(at - wanted), default=None)


def _spaces(text: str, divides_elements: bool) -> list[int]:
    """The first of the spaces between each two words, in elements, too, or outside of all."""
    found: list[int] = []
    start = depth = 0
    for piece in pieces_of(text):
        if piece.kind == "text" and (depth == 0 or divides_elements):
            found += (start + i for i, sign in enumerate(piece.raw) if sign == " ")
        depth += {"start": 1, "end": -1}.get(piece.kind, 0)
        start += len(piece.raw)
    return [at for at in found if 0 < at < len(text) - 1 and text[at - 1] != " "]
