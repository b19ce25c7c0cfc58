"""Plain text: wrapped paragraphs are joined, translated, and wrapped again.

For other formats, this module tells whether a sentence continues after a line end, and divides
a translation into parts of wanted lengths.
"""

import bisect
import functools
import itertools
import math
import re
from collections.abc import Iterable, Iterator, Sequence

from translator.addons.documents.document import Document, Lines, Place, Text, has_words_or_amounts
from translator.addons.documents.markup import pieces_of
from translator.text.sentences import STAMP, opening_mark

SHORTEST_WIDTH = 40  # characters of the longest line of a text that was wrapped
SHORTEST_LINE = 0.6  # share of that width; lines that were wrapped are not shorter
ENDS = (".", "!", "?", ":", ";", "…", '"', "”", "“", "»", "*", "|")
STRICT = "de"  # opening marks of German are used: here "3." may begin a date
MOST_LINES = 10  # the end of a sentence is searched in this number of lines
NEAR = 0.25  # share of a sentence's length; a nearer mark is a place to divide
MARKS = ",;:!?–"
PICTURE = re.compile(  # an emoji or the name of one, such as :tada:, begins a new line
    "[•‣⁃·∙◦\u231a\u231b\u23e9-\u23fa\u2460-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff]|:\\w+: "
)
BEGINS = tuple(map(re.compile, (  # of the rows of a list
    r"[(\[]?\d",  # amounts and dates
    r"[A-Za-z][.)] ",
    r"\W{0,2}[A-ZÄÖÜ][^:.!?]{0,30}:(?!\w)",  # labels
    r"(?:TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR|FATAL|CRITICAL)\b",  # in log files
    "[\u2190-\u21ff]",  # arrows
    r"!\[|[^\[]*\]\Z",  # images and links of Markdown, as in ![one] and two]
)))  # fmt: skip
END_OF_SENTENCE = re.compile(r"[.!?:;…][\"”“»)*]*\Z|[*|]\Z")
NUMBER_AT_END = re.compile(r"\d\W*\Z")
MESSAGE = re.compile(rf"{STAMP}|<[^\W\d][^\s<>]*> ")  # of a chat
HEADER = re.compile(r"[A-Z][\w-]*: ")  # of a mail, such as "Subject: "
GAP = re.compile(  # between columns, or a blank to fill in; an ellipsis is not a gap
    r"\s*+(?:(?:\.\s){3,}\.?|\.{4,}|-{4,}|_{3,}+(?!\s*[a-z,;]))\s*|\s[.-]{3}$|\s{3,}| ?\t ?"
)
ANY = "en"  # the language whose opening marks begin any item


def was_wrapped(lines: Sequence[str], ends: Sequence[int]) -> bool:
    """Whether lines are one text broken by width, not rows of a list or whole sentences."""
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
    """Whether all lines begin like the rows of a list, or all end in a number."""
    begin_alike = any(all(map(form.match, lines)) for form in BEGINS)
    return begin_alike or all(map(NUMBER_AT_END.search, lines))


def goes_on(line: str, following: Iterable[str], width: float = math.inf) -> bool:
    """Whether a sentence continues after a line break, for example in lines broken by hand. After a
    short line, it continues if one of the next lines ends the sentence or is long. Items of a list
    may begin with small letters, too, but no mark ends their sentences.

    Args:
        width: characters of the longest line around; 0 if unknown; infinite if lines were not
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
    """Divides a text into parts with lengths in proportion to the given lengths.

    It divides between words, after a punctuation mark if such a mark is near the ideal place.

    Args:
        text: any text; tags stay whole, next to the same words.
        divides_elements: whether an element may go on in the next part. If too few
            words are outside of elements, it may in any case.
    """
    spaces = _spaces(text, divides_elements)
    if len(spaces) < len(lengths) - 1:
        spaces = _spaces(text, True)
    marks = [place for place in spaces if text[place - 1] in MARKS]
    parts: list[str] = []
    start, length_left = 0, sum(lengths)
    for i, length in enumerate(lengths[:-1]):
        first = bisect.bisect_left(spaces, start)
        if first == len(spaces):
            break
        last = max(first, len(spaces) - (len(lengths) - 1 - i))  # leaves a space for each part
        size = len(text) - start
        ideal = start + size * length / max(length_left, 1)
        place = _nearest(marks, ideal, spaces[first], spaces[last])
        if place is None or abs(place - ideal) > NEAR * size:
            place = _nearest(spaces, ideal, spaces[first], spaces[last]) or spaces[first]
        parts.append(text[start:place].strip())
        start, length_left = place + 1, length_left - length
    return [*parts, text[start:].strip(), *[""] * (len(lengths) - len(parts) - 1)]


def _nearest(places: Sequence[int], wanted: float, least: int, most: int) -> int | None:
    """The nearest place to ``wanted`` between ``least`` and ``most``; None if there is none."""
    start, end = bisect.bisect_left(places, least), bisect.bisect_right(places, most)
    index = bisect.bisect_left(places, wanted, start, end)
    candidates = places[max(index - 1, start) : min(index + 1, end)]
    return min(candidates, key=lambda place: abs(place - wanted), default=None)


def _spaces(text: str, divides_elements: bool) -> list[int]:
    """The first space between each two words; inside elements only if these may be divided."""
    places: list[int] = []
    offset = depth = 0
    for piece in pieces_of(text):
        if piece.kind == "text" and (depth == 0 or divides_elements):
            places += (offset + i for i, character in enumerate(piece.raw) if character == " ")
        depth += {"start": 1, "end": -1}.get(piece.kind, 0)
        offset += len(piece.raw)
    return [place for place in places if 0 < place < len(text) - 1 and text[place - 1] != " "]


def read_plain_text(content: bytes, name: str, is_folded: bool = False) -> Document:
    """Reads plain text in UTF-8. Marks that open a line, such as ``- `` or ``> ``, are not text.

    Args:
        is_folded: whether a line end within a paragraph always is a space.
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
    return file.wrap(place, translation)


def _groups(rows: Sequence[str]) -> Iterator[Place]:
    """Yields the lines of paragraphs, of items and of quotes, as places."""
    first, depth, is_item = 0, 0, False
    spans: list[tuple[int, int]] = []
    for i, row in enumerate([*rows, ""]):
        rest = row.lstrip("> \t\f").lstrip()
        quote = row[: len(row) - len(rest)]
        mark = opening_mark(rest, STRICT)
        has_letters = any(map(str.isalnum, rest))
        begins = mark or quote.count(">") != depth or is_item and opening_mark(rest, ANY)
        is_alike = HEADER.match(row) and HEADER.match(rows[first]) or MESSAGE.match(rest)
        if spans and (begins or is_alike or not has_letters):
            yield Place(first, spans)
            spans = []
        if has_letters:
            if not spans:
                first, depth, is_item = i, quote.count(">"), bool(opening_mark(rest, ANY))
            spans.append((len(quote) + len(mark), len(row.rstrip())))


def _places(group: Place, rows: Sequence[str], is_folded: bool) -> Iterator[Place]:
    """Yields the texts of lines: one text if they were wrapped; if not, lines cut at gaps."""
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
