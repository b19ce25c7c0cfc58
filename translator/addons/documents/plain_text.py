"""Plain text: paragraphs that were wrapped are joined, translated, and wrapped again."""

import textwrap
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from translator.addons.documents.document import Document, Text, Written, decoded

SHORTEST_WIDTH = 40  # characters of the longest line of a text that was wrapped
SHORTEST_LINE = 0.6  # of that width, of a line that goes on in the next one
ENDS = (".", "!", "?", ":", ";", "…", '"', "”", "“", "»", "*", "|")


class Lines(NamedTuple):
    """Lines that are one text.

    Attributes:
        first: the number of the first, from 0.
        lines: as they are in the file, without their ends.
    """

    first: int
    lines: Sequence[str]


def read_plain_text(content: bytes, name: str) -> Document:
    """Reads plain text in UTF-8.

    Args:
        content: of the file.
        name: of the file, for errors.

    Raises:
        InputError: it is not UTF-8.
    """
    page = decoded(content, name)
    end = "\r\n" if "\r\n" in page else "\n"
    rows = page.split(end)
    found = list(_texts_of(rows))
    texts = [
        Text(" ".join(" ".join(each.lines).split()), f"line {each.first + 1}") for each in found
    ]

    def write(written: Sequence[Written]) -> bytes:
        made: list[str | None] = list(rows)
        for each, translated in zip(found, written):
            made[each.first] = end.join(wrapped(translated.text, each.lines))
            for i in range(each.first + 1, each.first + len(each.lines)):
                made[i] = None
        return end.join(row for row in made if row is not None).encode()

    return Document(texts, write)


def wrapped(text: str, lines: Sequence[str]) -> list[str]:
    """A text in lines that are as wide and as far to the right as other lines are."""
    first, rest = lines[0], lines[1] if len(lines) > 1 else lines[0]
    indents = [line[: len(line) - len(line.lstrip())] for line in (first, rest)]
    if len(lines) == 1:
        return [indents[0] + text]
    width = max(map(len, lines))
    return textwrap.wrap(
        text,
        width,
        initial_indent=indents[0],
        subsequent_indent=indents[1],
        break_long_words=False,
        break_on_hyphens=False,
    )


def _texts_of(rows: Sequence[str]) -> Iterator[Lines]:
    """The texts of some lines: paragraphs that were wrapped, and lines that were not."""
    block: list[str] = []
    for i, row in enumerate([*rows, ""]):
        if row.strip():
            block.append(row)
            continue
        yield from _texts_of_block(i - len(block), block)
        block = []


def _texts_of_block(first: int, block: list[str]) -> Iterator[Lines]:
    width = max(map(len, block), default=0)
    goes_on = [len(line) >= SHORTEST_LINE * width for line in block[:-1]]
    every_line_ends = all(line.rstrip().endswith(ENDS) for line in block)
    if len(block) > 1 and width >= SHORTEST_WIDTH and all(goes_on) and not every_line_ends:
        yield Lines(first, block)
        return
    for i, line in enumerate(block):
        yield Lines(first + i, [line])
