"""Plain text: paragraphs that were wrapped are joined, translated, and wrapped again.

Other formats ask here, too, whether a sentence goes on behind the end of a line, and have its
translation divided.
"""

import bisect
import functools
import itertools
import math
import re
from collections.abc import Iterable, Iterator, Sequence

from translator.addons.documents.document import Document, Lines, Place, Text, has_words_or_amounts
from translator.addons.documents.markup import pieces_of
from translator.text.sentences import opening_mark

SHORTEST_WIDTH = 40  # characters of the longest line of a text that was wrapped
SHORTEST_LINE = 0.6  # of that width, of a line that goes on in the next one
ENDS = (".", "!", "?", ":", ";", "…", '"', "”", "“", "»", "*", "|")
STRICT = "de"  # its opening marks: a number with a point may be a date
MOST_LINES = 10  # among which the end of such a sentence is looked for
NEAR = 0.25  # of the length of a sentence, where a mark is looked for to divide it at
MARKS = ",;:!?–"
PICTURE = re.compile(  # begins a line of its own, as does the name of one, such as :tada:
    "[•‣⁃·∙◦\u231a\u231b\u23e9-\u23fa\u2460-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff]|:\\w+: "
)
BEGINS = tuple(map(re.compile, (  # of the rows of a list
    r"[(\[]?\d",  # amounts and dates
    r"[A-Za-z][.)] ",
    r"\W{0,2}[A-ZÄÖÜ][^:.!?]{0,30}:(?!\w)",  # labels
    r"(?:TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR|FATAL|CRITICAL)\b",  # in records of programs
    "[\u2190-\u21ff]",  # arrows
    r"!\[|[^\[]*\]\Z",  # images and links of Markdown, as in ![one] and two]
)))  # fmt: skip
END_OF_SENTENCE = re.compile(r"[.!?:;…][\"”“»)*]*\Z|[*|]\Z")
NUMBER_AT_END = re.compile(r"\d\W*\Z")
HEADER = re.compile(r"[A-Z][\w-]*: ")  # of a mail, such as "Subject: "
GAP = re.compile(  # between the columns of a table, or to write on; no ellipsis is one
    r"\s*+(?:(?:\.\s){3,}\.?|\.{4,}|-{4,}|_{3,}+(?!\s*[a-z,;]))\s*|\s[.-]{3}$|\s{3,}| ?\t ?"
)
ANY = "en"  # its opening marks: those of any item


def was_wrapped(lines: Sequence[str], ends: Sequence[int]) -> bool:
    """Whether lines are a text that was broken by width, and neither rows nor whole sentences."""
    width = max(ends)
    return (
        len(lines) > 1
        and width >= SHORTEST_WIDTH
        and all(end >= SHORTEST_LINE * width for end in ends[:-1])
        and not all(map(END_OF_SENTENCE.search, lines))
        and not any(map(PICTURE.match, lines[1:]))
        and not are_rows(lines)
    )


def are_rows(lines: Sequence[str]) -> bool:
    """Whether lines begin as the rows of a list do, or end in a number each."""
    begin_alike = any(all(map(form.match, lines)) for form in BEGINS)
    return begin_alike or all(map(NUMBER_AT_END.search, lines))


def goes_on(line: str, following: Iterable[str], width: float = math.inf) -> bool:
    """Whether a sentence goes on behind a line break, as where lines were broken by hand.

    A short line does if the sentence has an end in one of the next lines, or one of these is long:
    items of a list that begin with small letters have no end.

    Args:
        width: characters of the longest line around, 0 if unknown; infinite if lines were not
            broken by width.
    """
    near = list(itertools.islice(following, MOST_LINES))
    if not line or line.endswith(ENDS) or opening_mark(near[0], STRICT):
        return False
    if PICTURE.match(near[0]) or are_rows([line, near[0]]):
        return False
    least = max(SHORTEST_WIDTH, SHORTEST_LINE * width)
    if len(line) >= least:
        return True
    rest = itertools.takewhile(lambda text: text[:1].islower(), near)
    return any(text.endswith(ENDS) or len(text) >= least for text in rest)


def divide(text: str, lengths: Sequence[int], divides_elements: bool = False) -> list[str]:
    """A text in as many parts as there are lengths, which are in the proportion of these.

    It is divided between words, if there is one near the place, behind a mark.

    Args:
        text: any text; tags stay whole, and near what they stand beside.
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


def read_plain_text(content: bytes, name: str, is_folded: bool = False) -> Document:
    """Reads plain text in UTF-8.

    What opens a line, such as ``- `` or ``> ``, and rulers are no text.

    Args:
        is_folded: whether a line end within a paragraph is a space, however long the line is.
    """
    file = Lines(content, name)
    places = [
        place
        for group in _groups(file.rows)
        for place in _places(group, file.rows, is_folded)
        if has_words_or_amounts(file.text_at(place))
    ]
    texts = [
        Text(file.text_at(place), f"line {place.line + 1}", functools.partial(_fit, file, place))
        for place in places
    ]
    return Document(texts, functools.partial(file.write, places))


def _fit(file: Lines, place: Place, source: str, translation: str) -> str | None:
    return file.wrapped(place, translation)


def _groups(rows: Sequence[str]) -> Iterator[Place]:
    """The lines of paragraphs, of items and of quotes, as places."""
    first, depth, is_item = 0, 0, False
    spans: list[tuple[int, int]] = []
    for i, row in enumerate([*rows, ""]):
        rest = row.lstrip("> \t\f").lstrip()
        quote = row[: len(row) - len(rest)]
        mark = opening_mark(rest, STRICT)
        says_something = any(map(str.isalnum, rest))
        begins = mark or quote.count(">") != depth or is_item and opening_mark(rest, ANY)
        begins = begins or bool(spans and HEADER.match(row) and HEADER.match(rows[first]))
        if spans and (begins or not says_something):
            yield Place(first, spans)
            spans = []
        if says_something:
            if not spans:
                first, depth, is_item = i, quote.count(">"), bool(opening_mark(rest, ANY))
            spans.append((len(quote) + len(mark), len(row.rstrip())))


def _places(group: Place, rows: Sequence[str], is_folded: bool) -> Iterator[Place]:
    """The texts of some lines: one if they were wrapped, or those between the gaps of each."""
    lines = rows[group.line : group.line + len(group.spans)]
    texts = [line[start:end] for line, (start, end) in zip(lines, group.spans)]
    is_whole = was_wrapped(texts, [end for _, end in group.spans])
    is_whole = is_whole and not any(map(GAP.search, texts))
    if is_whole or is_folded and len({start for start, _ in group.spans}) == 1:
        yield group
        return
    for i, (start, end) in enumerate(group.spans):
        for gap in GAP.finditer(lines[i], start, end):
            yield Place(group.line + i, [(start, gap.start())])
            start = gap.end()
        yield Place(group.line + i, [(start, end)])
