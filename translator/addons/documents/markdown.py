"""Translates paragraphs, headings, items and cells of Markdown; the rest stays unchanged."""

import functools
import itertools
import math
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from translator.addons.documents.document import Document, Lines, Place, Text
from translator.addons.documents.passages import BROKEN, FOOTNOTE, SOFT, Around, Parser, Passage
from translator.addons.documents.plain_text import MOST_LINES, are_rows, goes_on, was_wrapped

CELLS = ("td_open", "th_open")
FORMULA = "$$"  # before and after a formula on separate lines
ADDRESS_OF_LINK = re.compile(r"(?<=\])\([^()\s]*\)")
UNBROKEN = re.compile(  # elements that have spaces but are not broken into lines
    r"!?\[[^\[\]]*\](?:\([^()\s]*\)|\[[^\[\]]*\])\S*|(?:\{[\w:-]+\})?`[^`]+`\S*"
)
EMPHASIS = re.compile(r"[*_].*[*_]")  # of a whole line
CALLOUT = "[!"  # begins a line with one
BREAKS = ("  ", "\\")  # at the end of a line
LINE_OF_TABLE = "x | x\n"  # shows whether a text would make a table of the line above it
TASKS = ("[ ] ", "[x] ", "[X] ")
OTHER_SYNTAX = (":::", "!!!", "{%", "{{")  # begins a line that is for another program


class Block(NamedTuple):
    """A paragraph, a heading or a cell.

    Attributes:
        kind: the type of the token that opens it.
        lines: its lines for the parser, without the spaces before them.
        is_line: whether it is always one line; no other block can begin in it.
    """

    kind: str
    place: Place
    lines: Sequence[str]
    is_line: bool


class ParagraphPart(NamedTuple):
    """A part of a paragraph.

    Attributes:
        begin: the number of its first line, from 0.
        end: the number of the line after its last line.
        column: the column where it begins in its first line.
        is_broken: whether a hard break ends it.
    """

    begin: int
    end: int
    column: int = 0
    is_broken: bool = False

    def lines_of(self, block: Block) -> list[str]:
        """The lines of the part."""
        return [block.lines[self.begin][self.column :], *block.lines[self.begin + 1 : self.end]]

    def around(self, block: Block) -> Around:
        """The text around the part, which the parser needs."""
        before = LINE_OF_TABLE * (self.begin > 0) + block.lines[self.begin][: self.column]
        after = "".join(f"\n{line.rstrip()}" for line in block.lines[self.end : self.end + 1])
        return Around(before, after)

    def divided(self, line_numbers: Sequence[int], is_broken: bool) -> Iterator["ParagraphPart"]:
        """Divides the part after lines with given numbers."""
        begin, column = self.begin, self.column
        for line in line_numbers:
            end = self.begin + line + 1
            yield ParagraphPart(begin, end, column, is_broken=is_broken)
            begin, column = end, 0
        yield ParagraphPart(begin, self.end, column, self.is_broken)


def read_markdown(content: bytes, name: str) -> Document:
    """Reads Markdown in UTF-8: CommonMark with GitHub's tables, strikethrough and footnotes.

    Code, HTML blocks, and settings between ``---`` at the beginning, are not translated.
    """
    file = Lines(content, name)
    rows = [row.replace("\0", "\ufffd") for row in file.rows]  # as the parser reads it
    first = _end_of_front_matter(rows)
    parser = Parser()
    blocks = list(_blocks(parser.blocks("\n".join(rows[first:])), rows, first))
    for line in itertools.chain.from_iterable(block.lines for block in blocks):
        parser.is_address(line)
    passages = itertools.chain.from_iterable(_passages(block, file, parser) for block in blocks)
    with_words = [passage for passage in passages if passage.has_words]
    texts = [
        Text(passage.source, f"line {passage.place.line + 1}", passage.fit)
        for passage in with_words
    ]
    return Document(texts, functools.partial(file.write, [passage.place for passage in with_words]))


def _end_of_front_matter(rows: Sequence[str]) -> int:
    """The number of the first line after the settings that a file may begin with."""
    fence = rows[0].rstrip() if len(rows) > 1 and rows[1].strip() else ""
    ends = (i for i, row in enumerate(rows, 1) if i > 1 and row.rstrip() == fence)
    return next(ends, 0) if fence in ("---", "+++") else 0


def _blocks(tokens: Sequence[Any], rows: Sequence[str], first: int) -> Iterator[Block]:
    """Yields the blocks with text, in order."""
    row, column = -1, 0  # after the last cell of a table
    for opening, token in itertools.pairwise(tokens):
        if token.type != "inline":
            continue
        is_cell = opening.type in CELLS
        line = first + token.map[0]
        if line != row:
            row, column = line, 0
        lines = [part.lstrip() for part in token.content.split("\n")]
        texts = [part.rstrip().replace("|", "\\|") if is_cell else part.rstrip() for part in lines]
        starts = [rows[i].find(text, column) for i, text in enumerate(texts, line)]
        if min(starts) < 0:
            continue
        spans = [(start, start + len(text)) for start, text in zip(starts, texts)]
        is_line = opening.markup.startswith("#") or column > 0
        if is_cell:
            is_line |= "|" in rows[line][: starts[0]]
            column = spans[0][1]
        yield Block(opening.type, Place(line, spans), lines, is_line)


def _passages(block: Block, file: Lines, parser: Parser) -> Iterator[Passage]:
    """Yields the texts of a block."""
    parts: Iterable[ParagraphPart] = [ParagraphPart(0, len(block.lines))]
    if block.kind == "paragraph_open":
        whole = _parts(block.lines, parser)
        broken = (piece for part in whole for piece in _unbroken(part, block, parser))
        parts = (piece for part in broken for piece in _unwrapped(part, block, parser))
    for part in parts:
        *lines, last = part.lines_of(block)
        end = last.rstrip()
        if part.is_broken:
            end = end.removesuffix("\\")
        spans = list(block.place.spans[part.begin : part.end])
        spans[-1] = (spans[-1][0], spans[-1][1] - (len(last.rstrip()) - len(end)))
        spans[0] = (spans[0][0] + part.column, spans[0][1])
        yield Passage(
            file,
            parser,
            Place(block.place.line + part.begin, spans),
            "\n".join([*lines, end]),
            None if block.is_line else part.around(block),
            block.kind in CELLS,
        )


def _parts(lines: Sequence[str], parser: Parser) -> Iterator[ParagraphPart]:
    """Yields the parts of a paragraph between lines and marks that are not text."""
    begin, column, in_formula = 0, 0, False
    for i, line in enumerate(lines):
        label = _label(line, i == 0)
        is_formula = line.startswith(FORMULA)
        is_skipped = in_formula or is_formula or line.startswith(OTHER_SYNTAX) or label == len(line)
        is_skipped |= parser.is_address(line)
        in_formula ^= is_formula and line.count(FORMULA) == 1
        follows_callout = i == 1 and lines[0].startswith(CALLOUT) and _label(lines[0], True) > 0
        if is_skipped or label or follows_callout:
            if begin < i:
                yield ParagraphPart(begin, i, column)
            begin, column = (i + 1, 0) if is_skipped else (i, label)
    if begin < len(lines):
        yield ParagraphPart(begin, len(lines), column)


def _unbroken(part: ParagraphPart, block: Block, parser: Parser) -> Iterator[ParagraphPart]:
    """Divides a part at hard breaks, but not within a sentence or an element."""
    lines = part.lines_of(block)
    broken: Sequence[int] = ()
    if any(line.endswith(BREAKS) for line in lines[:-1]):
        visible = [_visible_text(line.removesuffix("\\")) for line in lines]
        breaks = parser.breaks("\n".join(lines), part.around(block), BROKEN)
        broken = [i for i in breaks if not goes_on(visible[i], visible[i + 1 :])]
    return part.divided(broken, is_broken=True)


def _unwrapped(part: ParagraphPart, block: Block, parser: Parser) -> Iterator[ParagraphPart]:
    """Divides a part that was not broken by width, after each line that is a separate text."""
    lines = [_visible_text(line) for line in part.lines_of(block)]
    break_lines: Sequence[int] = ()
    if len(lines) > 1 and not was_wrapped(lines, _ends(part, block)):
        following = (lines[i : i + MOST_LINES] for i in range(1, len(lines)))
        width = math.inf if are_rows(lines) else 0
        ending = {i for i, rest in enumerate(following) if not goes_on(lines[i], rest, width)}
        if ending:
            breaks = parser.breaks("\n".join(part.lines_of(block)), part.around(block), SOFT)
            break_lines = [i for i in breaks if i in ending]
    return part.divided(break_lines, is_broken=False)


def _ends(part: ParagraphPart, block: Block) -> list[int]:
    """The end columns of a part's lines; a line counts as full if the next word did not fit."""
    lines = part.lines_of(block)
    ends = [end for _, end in block.place.spans[part.begin : part.end]]
    wrapped = [end for end, line in zip(ends, lines) if "](" not in line]
    width = max(wrapped or ends)
    if UNBROKEN.match(lines[0]) is None:  # rows of links all begin with one
        for i, line in enumerate(lines[1:]):
            unbroken = UNBROKEN.match(line)
            if unbroken and ends[i] + 1 + unbroken.end() > width:
                ends[i] = width
    return [min(end, width) for end in ends]


def _visible_text(line: str) -> str:
    """A line without addresses and without marks around it; the marks of ``**A title**`` stay."""
    text = ADDRESS_OF_LINK.sub("", line).strip()
    return text if EMPHASIS.fullmatch(text) else text.strip("*_~`[")


def _label(line: str, is_first: bool) -> int:
    """The number of characters before the text of a line; ``[ ]`` is such characters."""
    mark = line.partition("]")[0] + "]"
    if line.startswith(FOOTNOTE) and line.startswith(":", len(mark)):
        end = len(mark) + len(":")
    elif is_first and line.startswith(CALLOUT) and mark[2:-1].replace("-", "").isalnum():
        end = len(mark) + line.startswith(("+", "-"), len(mark))
    elif is_first and line.startswith(TASKS):
        end = len(mark)
    else:
        return 0
    return len(line) - len(line[end:].lstrip())
