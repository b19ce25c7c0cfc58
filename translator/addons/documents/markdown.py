"""Markdown: the texts of its paragraphs, headings, items and cells; all else stays as it is."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from translator.addons.documents.document import Document, Text, Written, decoded
from translator.addons.documents.plain_text import wrapped

HARD_BREAKS = ("  ", "\\")  # at the end of a line


class Place(NamedTuple):
    """Where a text stands.

    Attributes:
        line: the number of its first line, from 0.
        spans: of each of its lines, the start and the end of the text in it, in characters.
    """

    line: int
    spans: Sequence[tuple[int, int]]


def read_markdown(content: bytes, name: str) -> Document:
    """Reads Markdown in UTF-8: CommonMark with GitHub's tables and strikethrough.

    Code, HTML blocks and what is between ``---`` at the beginning are not translated.

    Args:
        content: of the file.
        name: of the file, for errors.

    Raises:
        InputError: it is not UTF-8.
    """
    from markdown_it import MarkdownIt

    page = decoded(content, name)
    end = "\r\n" if "\r\n" in page else "\n"
    rows = page.split(end)
    first = _end_of_front_matter(rows)
    parser = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    places = list(_places(parser.parse("\n".join(rows[first:])), rows, first))

    def fit(source: str, translation: str) -> str | None:
        ours, theirs = (_marks(parser.parse(text)) for text in (source, translation))
        has_other_cells = "|" in translation and "|" not in source
        return translation if ours == theirs and not has_other_cells else None

    texts = [Text(_text_at(place, rows), f"line {place.line + 1}", fit) for place in places]

    def write(written: Sequence[Written]) -> bytes:
        made: list[list[str]] = [[row] for row in rows]
        # from the last one on, as cells of one row move those after them
        for place, each in zip(reversed(places), reversed(written)):
            lines = _lines_with(place, rows, made, each.text)
            made[place.line] = lines
            for i in range(1, len(place.spans)):
                made[place.line + i] = []
        return end.join(line for lines in made for line in lines).encode()

    return Document(texts, write)


def _end_of_front_matter(rows: Sequence[str]) -> int:
    """The number of the first line behind the settings that a file may begin with."""
    if rows[0].rstrip() in ("---", "+++") and rows[0].rstrip() in rows[1:]:
        return rows.index(rows[0].rstrip(), 1) + 1
    return 0


def _places(tokens: Sequence[Any], rows: Sequence[str], first: int) -> Iterator[Place]:
    """The places of all texts that have letters, in order."""
    row, column = -1, 0  # behind the last cell of a table
    for token in tokens:
        if token.type != "inline" or token.map is None:
            continue
        line = first + token.map[0]
        if line != row:
            row, column = line, 0
        spans: list[tuple[int, int]] = []
        for i, part in enumerate(token.content.split("\n")):
            text = part.strip()
            start = rows[line + i].find(text, column if i == 0 else 0)
            if start < 0:
                break
            spans.append((start, start + len(text)))
            column = start + len(text)
        else:
            yield from _without_breaks(Place(line, spans), rows)


def _without_breaks(place: Place, rows: Sequence[str]) -> Iterator[Place]:
    """The texts between the hard breaks of a text, if they have letters."""
    begin = 0
    for i in range(len(place.spans)):
        is_last = i == len(place.spans) - 1
        if is_last or rows[place.line + i].endswith(HARD_BREAKS):
            found = Place(place.line + begin, place.spans[begin : i + 1])
            if any(map(str.isalpha, _text_at(found, rows))):
                yield found
            begin = i + 1


def _text_at(place: Place, rows: Sequence[str]) -> str:
    parts = [rows[place.line + i][start:end] for i, (start, end) in enumerate(place.spans)]
    return " ".join(" ".join(parts).removesuffix("\\").split())


def _lines_with(
    place: Place, rows: Sequence[str], made: Sequence[Sequence[str]], text: str
) -> list[str]:
    """The lines of a place with another text in it, as wide as they were."""
    (start, end), *others = place.spans
    if not others:
        row = made[place.line][0]  # cells behind this one are written already
        return [row[:start] + text + row[end:]]
    lines = [rows[place.line + i] for i in range(len(place.spans))]
    prefixes = [lines[0][:start], lines[1][: others[0][0]]]
    after = lines[-1][others[-1][1] :]
    spaced = [" " * len(prefix) + "x" for prefix in prefixes]
    width = max(end for _, end in place.spans)
    filled = wrapped(text, [spaced[0], spaced[1].ljust(width, "x")])
    found = [
        prefixes[min(i, 1)] + line[len(prefixes[min(i, 1)]) :] for i, line in enumerate(filled)
    ]
    found[-1] += after
    return found


def _marks(tokens: Sequence[Any]) -> Counter[str]:
    """The elements of a text: paragraph or heading, links, code, emphasis."""
    found = Counter(token.type for token in tokens)
    for token in tokens:
        for child in token.children or ():
            if child.type in ("text", "softbreak", "text_special"):
                continue
            code = child.content if child.type in ("code_inline", "html_inline") else ""
            found[f"{child.type} {sorted(child.attrs.items())} {code}"] += 1
    return found
