"""Plain text: paragraphs that were wrapped are joined, translated, and wrapped again."""

import functools
import re
from collections.abc import Iterator, Sequence

from translator.addons.documents.document import Document, Text, has_words_or_amounts
from translator.addons.documents.line_breaks import ENDS, SHORTEST_LINE, SHORTEST_WIDTH, STRICT
from translator.addons.documents.lines import Lines, Place
from translator.text.opening_marks import opening_mark

HEADER = re.compile(r"[A-Z][\w-]*: ")  # of a mail, such as "Subject: "
GAP = re.compile(r"\s{3,}| ?\t ?")  # between the columns of a table
ANY = "en"  # its opening marks: those of any item


def read_plain_text(content: bytes, name: str, is_folded: bool = False) -> Document:
    """Reads plain text in UTF-8.

    What opens a line, such as ``- `` or ``> ``, and rulers are no text.

    Args:
        content: of the file.
        name: of the file, for errors.
        is_folded: whether a line end within a paragraph is a space, however long the line is.

    Raises:
        InputError: it is not UTF-8.
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
    width = max(end for _, end in group.spans)
    was_wrapped = (
        len(lines) > 1
        and width >= SHORTEST_WIDTH
        and all(end >= SHORTEST_LINE * width for _, end in group.spans[:-1])
        and not all(line.rstrip().endswith(ENDS) for line in lines)
        and not any(GAP.search(line, *span) for line, span in zip(lines, group.spans))
    )
    if was_wrapped or is_folded and len({start for start, _ in group.spans}) == 1:
        yield group
        return
    for i, (start, end) in enumerate(group.spans):
        for gap in GAP.finditer(lines[i], start, end):
            yield Place(group.line + i, [(start, gap.start())])
            start = gap.end()
        yield Place(group.line + i, [(start, end)])
