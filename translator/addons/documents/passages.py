"""Texts of Markdown: what a model is shown of them, and what their translations become.

A text is shown in one line, with ``<br id="0"/>`` for a hard break in an element, ``<x id="0"/>``
for the mark of a footnote, ``{{0}}`` for a formula and for HTML that is not translated, and numbers
behind the names of links, as in ``[name][0]``; backslashes before signs are not shown. A
translation is taken if the parser finds the same elements in it, in one block.
"""

import functools
import itertools
import re
from collections import ChainMap, Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from translator.addons.documents.document import Lines, Place, has_words_or_amounts
from translator.addons.documents.markup import NAME, Kept, kept_spans, pieces_of
from translator.text.tags import VOID, pair_tags

BREAK, NOTE, NUMBER = '<br id="%d"/>', '<x id="%d"/>', "][%d]"
PARAGRAPH = ["paragraph_open", "inline", "paragraph_close"]
BROKEN, SOFT, ESCAPED = "hardbreak", "softbreak", "text_special"
HTML, FORMULA = "html_inline", "formula"
HEADING = "# "
FOOTNOTE = "[^"  # what begins a line with one
NUMBER_OF_ITEM = re.compile(r"\A(\d{1,9})([.)])(?=\s|\Z)")
SIGNS = "`*_[]<>~$|"
WORDS = ("text", SOFT, ESCAPED)
HIDDEN = "\0"  # for a backslash that is not shown
SIGN = re.compile(rf"({HIDDEN}?)([{re.escape(SIGNS)}])")
LONE_BACKSLASH = re.compile(r"\\(?![^\w\s])")


class Element(NamedTuple):
    """Where something stands in a text; markdown-it-py itself does not say so.

    Attributes:
        kind: the type of the last token that was made of it.
    """

    start: int
    end: int
    kind: str


class Around(NamedTuple):
    """What is around a text in its paragraph, which decides what it is.

    Attributes:
        before: on its first line, and lines.
    """

    before: str = ""
    after: str = ""


class Parser:
    """The parser of a page."""

    def __init__(self) -> None:
        from markdown_it.rules_inline import escape, html_inline, image, link, newline

        self._parser = _markdown()
        for rule in (escape, html_inline, image, link, newline, formula):
            self._parser.inline.ruler.at(rule.__name__, functools.partial(_seen, rule))
        self._blocks = _markdown(inline_definitions=True).disable("inline")
        self._references: dict[str, Any] = {}

    def blocks(self, page: str) -> Sequence[Any]:
        """The tokens of the blocks of a page, whose links' addresses are known from then on."""
        tokens: Sequence[Any] = self._blocks.parse(page, {"references": self._references})
        return tokens

    def is_address(self, line: str) -> bool:
        """Whether a line is the address of links; these, and marks of footnotes, are known then."""
        from markdown_it.common.utils import normalizeReference

        if line.startswith(FOOTNOTE):
            label = line[1 : line.find("]")]
            self._references.setdefault(normalizeReference(label), {"href": label, "title": ""})
        tokens = self.blocks(line) if line.startswith("[") else ()
        return [token.type for token in tokens] == ["definition"]

    def parts(
        self, text: str, around: Around | None, elements: list[Element] | None = None
    ) -> Sequence[Any] | None:
        """The tokens of a text and of what is around it; None if these are not one paragraph.

        Args:
            around: None for a text that is a line whatever it says.
        """
        references: ChainMap[str, Any] = ChainMap({}, self._references)
        known: list[Any] = []
        env = {"references": references, "duplicate_refs": known, "elements": elements}
        inline: Any
        if around is None:
            [inline] = self._parser.parseInline(text, env)
        else:
            tokens = self._parser.parse(around.before + text + around.after, env)
            if not _are_paragraphs(tokens, 1) or references.maps[0] or known:
                return None
            _, inline, _ = tokens
        children: Sequence[Any] = inline.children
        return children

    def are_paragraphs(self, lines: Sequence[str]) -> bool:
        """Whether no other block begins with any of some lines, wherever they stand."""
        return _are_paragraphs(self._blocks.parse("\n\n".join(lines)), len(lines))

    def breaks(self, text: str, around: Around, kind: str) -> list[int]:
        """The numbers of the lines of a text whose ends are breaks outside of its elements."""
        found: list[Element] = []
        parts = self.parts(text, around, found) or ()
        breaks = [part for part in parts if part.type in (BROKEN, SOFT)]
        within = _within(found, text, around)
        lines = _lines_at(text, [each.start for each in within if each.kind in (BROKEN, SOFT)])
        inside = {line for tags in _pairs(text, within) for line in range(*_lines_at(text, tags))}
        return [
            line
            for line, part in zip(lines, breaks[around.before.count("\n") :])
            if part.type == kind and part.level == 0 and line not in inside
        ]


def _are_paragraphs(tokens: Sequence[Any], count: int) -> bool:
    return [token.type for token in tokens] == PARAGRAPH * count


def _within(elements: Sequence[Element], text: str, around: Around | None) -> list[Element]:
    """The elements of a text, without those of what is around it, in order."""
    size = len(around.before) if around else 0
    moved = (each._replace(start=each.start - size, end=each.end - size) for each in elements)
    return sorted(each for each in moved if each.start >= 0 and each.end <= len(text))


def _kept_in(text: str, elements: Sequence[Element]) -> Iterator[tuple[int, int]]:
    """Start and end of the elements of HTML in a text that are not translated."""
    tags = [each for each in elements if each.kind == HTML]
    pieces = [pieces_of(text[each.start : each.end])[0] for each in tags]
    for begin, behind, is_closed in kept_spans(pieces):
        if is_closed:
            yield tags[begin].start, tags[behind - 1].end


def _pairs(text: str, elements: Sequence[Element]) -> Iterator[tuple[int, int]]:
    """Where the tags are of each element of HTML in a text."""
    tags = [each for each in elements if each.kind == HTML]
    pieces = [pieces_of(text[each.start : each.end])[0] for each in tags]
    kinds = [
        (piece.name, piece.kind == "start" and piece.name not in VOID, piece.kind == "end")
        for piece in pieces
    ]
    for end, begin in pair_tags(kinds).items():
        if begin is not None and begin < end:
            yield tags[begin].start, tags[end].start


def _lines_at(text: str, places: Sequence[int]) -> list[int]:
    """The numbers of the lines that have some places, which are in order."""
    pairs = itertools.pairwise([0, *places])
    return list(itertools.accumulate(text.count("\n", start, end) for start, end in pairs))


def _markdown(**options: bool) -> Any:
    from markdown_it import MarkdownIt

    markdown = MarkdownIt("commonmark", options).enable(["table", "strikethrough"])
    markdown.inline.ruler.after("backticks", FORMULA, formula)
    markdown.block.ruler.at("reference", _address)
    return markdown


def _address(state: Any, first: int, last: int, silent: bool) -> bool:
    """The rule of the parser for addresses of links, which those of footnotes are not."""
    from markdown_it.rules_block import reference

    is_footnote = state.src.startswith(FOOTNOTE, state.bMarks[first] + state.tShift[first])
    return not is_footnote and bool(reference(state, first, last, silent))


def formula(state: Any, silent: bool) -> bool:
    """A rule for GitHub's formulas, such as ``$a_1$``; amounts such as $5 or $6 are none."""
    if state.src[state.pos] != "$":
        return False
    end = state.src.find("$", state.pos + 1, state.posMax)
    text = state.src[state.pos + 1 : max(end, 0)]
    if not text or text != text.strip() or state.src[end + 1 : end + 2].isdigit():
        return False
    if not silent:
        state.push(FORMULA, "", 0).content = text
    state.pos = end + 1
    return True


def _seen(rule: Callable[[Any, bool], bool], state: Any, silent: bool) -> bool:
    """A rule of the parser that tells where it found something."""
    start, elements = state.pos, state.env["elements"]
    if state.src[start] == "!":
        state.env["elements"] = None  # the description of an image is another text
    found = rule(state, silent)
    state.env["elements"] = elements
    if found and not silent and elements is not None:
        elements.append(Element(start, state.pos, state.tokens[-1].type))
    return found


class Passage:
    """A text of a page.

    Attributes:
        source: what a model is shown.
        has_words: whether there is anything to translate.
        is_part: whether other texts are in its paragraph.
    """

    def __init__(
        self,
        file: Lines,
        parser: Parser,
        place: Place,
        content: str,
        around: Around | None,
        is_cell: bool,
    ) -> None:
        self.place = place
        self._file = file
        self._parser = parser
        self.is_part = bool(around and (around.before or around.after))
        self._around = around
        self._is_cell = is_cell
        self._kept = Kept(content, NAME, BREAK, NOTE, NUMBER)
        self._begins = [0]  # the first line, and those behind hard breaks
        elements: list[Element] = []
        parts = parser.parts(content, around, elements)
        self._marks = _marks(parts)
        if parts is None:  # it is no paragraph where it stands alone
            elements = []
        words = content if parts is None else "".join(_words(parts))
        self.has_words = has_words_or_amounts(words)
        self._order = list if set(SIGNS) & set(words) else sorted  # of signs; of whole elements any
        pieces: list[str] = []
        end = 0
        for start, stop, name in sorted(self._changes(content, elements)):
            if start >= end:
                pieces += (content[end:start], name)
                end = stop
        lines = "".join([*pieces, content[end:]]).split("\n")
        shown = " ".join(line.strip() for line in lines)
        self.source = shown.replace(HIDDEN, "")
        self._escapes = [each for each in SIGN.findall(shown) if HIDDEN + each[1] in shown]

    def _changes(self, content: str, elements: list[Element]) -> Iterator[tuple[int, int, str]]:
        """What is shown in another way: where it begins and ends, and the name for it."""
        found = _within(elements, content, self._around)
        breaks = [start for start, _, kind in found if kind == BROKEN]
        self._begins = [0, *(line + 1 for line in _lines_at(content, breaks))]
        for start, end in _kept_in(content, found):
            yield start, end, self._kept.name(content[start:end].replace("\n", " "))
        for start, end, kind in found:
            if kind == BROKEN:
                behind = content.index("\n", start) + 1
                while content[start - 1] == " ":
                    start -= 1
                yield start, end, self._kept.name(content[start:behind], BREAK)
            elif kind == ESCAPED and content[start + 1] in SIGNS:
                yield start, start + 1, HIDDEN
            elif kind == FORMULA:
                yield start, end, self._kept.name(content[start:end].replace("\n", " "))
            elif kind in ("link_close", "image") and content[end - 1] == "]":
                yield from self._reference(content, start, end)

    def _reference(self, content: str, start: int, end: int) -> Iterator[tuple[int, int, str]]:
        """A number for what a link or an image refers to, if that is its own text."""
        text, divided, label = content[start:end].rpartition("][")
        if divided and label != "]":
            return
        text = text if divided else content[start : end - 1]
        text = " ".join(text[text.index("[") + 1 :].split())
        if text.startswith("^"):
            yield start, end, self._kept.name(content[start:end], NOTE)
        else:
            begin = end - len("][]") if divided else end - 1
            yield begin, end, self._kept.name(f"][{text}]", NUMBER)

    def fit(self, source: str, translation: str) -> str | None:
        """A translation in the lines of the file; None if it has other elements than the text."""
        escaped_text = self._with_backslashes(translation)
        may_change_others = self.is_part or self._is_cell and self._around
        if (
            self._marks is None
            or escaped_text is None
            or not any(map(str.isalnum, translation))
            or (may_change_others and self._signs(source) != self._signs(translation))
            or _backslashes(source) != _backslashes(translation)
            or source.count("\\") < translation.count("\\")
            or source.count("|") < translation.count("|")
            and not self._is_cell
        ):
            return None
        lines = [line.lstrip(" ") for line in self._kept.put_back(escaped_text).split("\n")]
        escaped = [NUMBER_OF_ITEM.sub(r"\1\\\2", lines[0]), *lines[1:]]
        for rows in (lines, escaped):
            for text in (self._wrapped(rows), "\n".join(rows)):
                marks = _marks(self._parser.parts(text, self._around))
                is_block = not self._around or self._parser.are_paragraphs(text.split("\n"))
                if marks == self._marks and is_block:
                    return text.replace("|", "\\|") if self._is_cell else text
        return None

    def _with_backslashes(self, translation: str) -> str | None:
        """A translation with those that were not shown; None if it has fewer or more signs."""
        hidden = {sign: [mark for mark, each in self._escapes if each == sign] for sign in SIGNS}
        if any(each and len(each) != translation.count(sign) for sign, each in hidden.items()):
            return None
        marks = {sign: iter(each) for sign, each in hidden.items()}
        return SIGN.sub(
            lambda found: "\\" * (next(marks[found[2]], "") == HIDDEN) + found[2], translation
        )

    def _signs(self, text: str) -> list[str]:
        """Those of a text that may form an element together with those of another one."""
        return self._order(sign for sign in text if sign in SIGNS)

    def _wrapped(self, lines: Sequence[str]) -> str:
        """Lines with hard breaks between them, each of them as wide as it was."""
        ends = [*self._begins[1:], len(self.place.spans)]
        found: list[str] = []
        for line, begin, end in zip(lines, self._begins, ends):
            place = Place(self.place.line + begin, self.place.spans[begin:end])
            text = line.rstrip(" ")
            found.append(self._file.wrapped(place, text) + line[len(text) :])
        return "\n".join([*found, *lines[len(found) :]])


def _backslashes(text: str) -> tuple[int, int]:
    """How many backslashes do nothing, and how many end a text, where one may with what follows."""
    return len(LONE_BACKSLASH.findall(text)), len(text) - len(text.rstrip("\\"))


def _words(parts: Sequence[Any]) -> Iterator[str]:
    """What a text says, without addresses."""
    for i, part in enumerate(parts):
        if part.type == "image" or part.type == "text" and not (i and parts[i - 1].info == "auto"):
            yield part.content


def _marks(parts: Sequence[Any] | None) -> Counter[tuple[int, str, str, str]] | None:
    """The elements of a text, such as links, code and emphasis, with those around each counted."""
    if parts is None:
        return None
    return Counter(
        (part.level, part.type, str(sorted(part.attrs.items())), _kept_content(part))
        for part in parts
        if part.type not in WORDS
    )


def _kept_content(part: Any) -> str:
    """What is in an element and stays; a tag may be on several lines."""
    if part.type not in ("code_inline", HTML, FORMULA):
        return ""
    content: str = part.content
    return " ".join(content.split()) if part.type == HTML else content
