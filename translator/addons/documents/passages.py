"""Texts of Markdown: makes the text for the model, and writes its translation to the file.

A text is shown in one line, with ``<br id="0"/>`` for a hard break in an element, ``<x id="0"/>``
for the mark of a footnote, ``{{0}}`` for a formula and for HTML that is not translated, and numbers
after the names of links, as in ``[name][0]``. Backslashes before characters of markup are not
shown. A translation is taken if the parser finds the same elements in it, in one block.
"""

import functools
import itertools
import re
from collections import ChainMap, Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from translator.addons.documents.document import Lines, Place, has_words_or_amounts
from translator.addons.documents.markup import BRACED, Placeholders, find_untranslated, pieces_of
from translator.text.tags import VOID, pair_tags

BREAK, NOTE, LINK_NUMBER = '<br id="%d"/>', '<x id="%d"/>', "][%d]"
PARAGRAPH = ["paragraph_open", "inline", "paragraph_close"]
BROKEN, SOFT, ESCAPED = "hardbreak", "softbreak", "text_special"
HTML, FORMULA = "html_inline", "formula"
HEADING = "# "
FOOTNOTE = "[^"  # begins a line with one
NUMBER_OF_ITEM = re.compile(r"\A(\d{1,9})([.)])(?=\s|\Z)")
MARKUP = "`*_[]<>~$|"
WORDS = ("text", SOFT, ESCAPED)
HIDDEN = "\0"  # in place of a backslash that is not shown
MARKUP_CHARACTER = re.compile(rf"({HIDDEN}?)([{re.escape(MARKUP)}])")
LONE_BACKSLASH = re.compile(r"\\(?![^\w\s])")


class Element(NamedTuple):
    """The place of an element of markup in a text; markdown-it-py does not report it.

    Attributes:
        kind: the type of the element's last token.
    """

    start: int
    end: int
    kind: str


class Around(NamedTuple):
    """The rest of a paragraph around a text; the parser may read the text differently without it.

    Attributes:
        before: the lines before, and the beginning of the text's first line.
    """

    before: str = ""
    after: str = ""


class Parser:
    """The parser of a page."""

    def __init__(self) -> None:
        from markdown_it.rules_inline import escape, html_inline, image, link, newline

        self._parser = _markdown()
        for rule in (escape, html_inline, image, link, newline, formula):
            self._parser.inline.ruler.at(rule.__name__, functools.partial(_record, rule))
        self._blocks = _markdown(inline_definitions=True).disable("inline")
        self._references: dict[str, Any] = {}

    def blocks(self, page: str) -> Sequence[Any]:
        """Parses the blocks of a page into tokens; the parser remembers addresses of links."""
        tokens: Sequence[Any] = self._blocks.parse(page, {"references": self._references})
        return tokens

    def is_address(self, line: str) -> bool:
        """Whether a line is the address of a link; the parser remembers addresses and footnotes."""
        from markdown_it.common.utils import normalizeReference

        if line.startswith(FOOTNOTE):
            label = line[1 : line.find("]")]
            self._references.setdefault(normalizeReference(label), {"href": label, "title": ""})
        tokens = self.blocks(line) if line.startswith("[") else ()
        return [token.type for token in tokens] == ["definition"]

    def parts(
        self, text: str, around: Around | None, elements: list[Element] | None = None
    ) -> Sequence[Any] | None:
        """The tokens of a text with the text around it; None if both are not one paragraph.

        Args:
            around: None for a text that is always one line, such as a heading.
        """
        references: ChainMap[str, Any] = ChainMap({}, self._references)
        duplicates: list[Any] = []
        env = {"references": references, "duplicate_refs": duplicates, "elements": elements}
        inline: Any
        if around is None:
            [inline] = self._parser.parseInline(text, env)
        else:
            tokens = self._parser.parse(around.before + text + around.after, env)
            if not _are_paragraphs(tokens, 1) or references.maps[0] or duplicates:
                return None
            _, inline, _ = tokens
        children: Sequence[Any] = inline.children
        return children

    def are_paragraphs(self, lines: Sequence[str]) -> bool:
        """Whether each line would be a paragraph without the other lines."""
        return _are_paragraphs(self._blocks.parse("\n\n".join(lines)), len(lines))

    def breaks(self, text: str, around: Around, kind: str) -> list[int]:
        """The numbers of the lines that end in a break of a kind; not those inside elements."""
        elements: list[Element] = []
        parts = self.parts(text, around, elements) or ()
        breaks = [part for part in parts if part.type in (BROKEN, SOFT)]
        within = _within(elements, text, around)
        lines = _lines_at(text, [start for start, _, kind in within if kind in (BROKEN, SOFT)])
        inside = {line for tags in _pairs(text, within) for line in range(*_lines_at(text, tags))}
        return [
            line
            for line, part in zip(lines, breaks[around.before.count("\n") :])
            if part.type == kind and part.level == 0 and line not in inside
        ]


def _are_paragraphs(tokens: Sequence[Any], count: int) -> bool:
    return [token.type for token in tokens] == PARAGRAPH * count


def _within(elements: Sequence[Element], text: str, around: Around | None) -> list[Element]:
    """The elements of a text in order, without elements around the text."""
    size = len(around.before) if around else 0
    moved = (Element(start - size, end - size, kind) for start, end, kind in elements)
    return sorted(element for element in moved if element.start >= 0 and element.end <= len(text))


def _find_untranslated(text: str, elements: Sequence[Element]) -> Iterator[tuple[int, int]]:
    """Yields start and end of the HTML elements in a text that are not translated."""
    tags = [element for element in elements if element.kind == HTML]
    pieces = [pieces_of(text[tag.start : tag.end])[0] for tag in tags]
    for begin, stop, is_closed in find_untranslated(pieces):
        if is_closed:
            yield tags[begin].start, tags[stop - 1].end


def _pairs(text: str, elements: Sequence[Element]) -> Iterator[tuple[int, int]]:
    """Yields, for each HTML element in a text, the places where its start and end tag begin."""
    tags = [element for element in elements if element.kind == HTML]
    pieces = [pieces_of(text[tag.start : tag.end])[0] for tag in tags]
    kinds = [
        (piece.name, piece.kind == "start" and piece.name not in VOID, piece.kind == "end")
        for piece in pieces
    ]
    for end, begin in pair_tags(kinds).items():
        if begin is not None and begin < end:
            yield tags[begin].start, tags[end].start


def _lines_at(text: str, places: Sequence[int]) -> list[int]:
    """The numbers of the lines that have given places of a text; the places are in order."""
    pairs = itertools.pairwise([0, *places])
    return list(itertools.accumulate(text.count("\n", start, end) for start, end in pairs))


def _markdown(**options: bool) -> Any:
    from markdown_it import MarkdownIt

    markdown = MarkdownIt("commonmark", options).enable(["table", "strikethrough"])
    markdown.inline.ruler.after("backticks", FORMULA, formula)
    markdown.block.ruler.at("reference", _address)
    return markdown


def _address(state: Any, first: int, last: int, silent: bool) -> bool:
    """The parser's rule for addresses of links; a footnote is not one."""
    from markdown_it.rules_block import reference

    is_footnote = state.src.startswith(FOOTNOTE, state.bMarks[first] + state.tShift[first])
    return not is_footnote and bool(reference(state, first, last, silent))


def formula(state: Any, silent: bool) -> bool:
    """A rule for GitHub's formulas, such as ``$a_1$``; $5 or $6 is an amount instead."""
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


def _record(rule: Callable[[Any, bool], bool], state: Any, silent: bool) -> bool:
    """Runs a rule of the parser, and records the place of the element that it found."""
    start, elements = state.pos, state.env["elements"]
    if state.src[start] == "!":
        state.env["elements"] = None  # the description of an image is another text
    is_match = rule(state, silent)
    state.env["elements"] = elements
    if is_match and not silent and elements is not None:
        elements.append(Element(start, state.pos, state.tokens[-1].type))
    return is_match


class Passage:
    """A text of a page.

    Attributes:
        source: the text that is shown to a model.
        has_words: whether there is anything to translate.
        is_part: whether its paragraph has other texts, too.
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
        self._placeholders = Placeholders(content, BRACED, BREAK, NOTE, LINK_NUMBER)
        self._begins = [0]  # the first line, and lines after hard breaks
        elements: list[Element] = []
        parts = parser.parts(content, around, elements)
        self._element_counts = _count_elements(parts)
        if parts is None:  # not a paragraph without the other lines
            elements = []
        words = content if parts is None else "".join(_words(parts))
        self.has_words = has_words_or_amounts(words)
        # Whole elements may change places, but not lone characters of markup
        self._order = list if set(MARKUP) & set(words) else sorted
        pieces: list[str] = []
        end = 0
        for start, stop, replacement in sorted(self._changes(content, elements)):
            if start >= end:
                pieces += (content[end:start], replacement)
                end = stop
        lines = "".join([*pieces, content[end:]]).split("\n")
        shown = " ".join(line.strip() for line in lines)
        self.source = shown.replace(HIDDEN, "")
        matches = MARKUP_CHARACTER.findall(shown)
        self._escapes = [(mark, sign) for mark, sign in matches if HIDDEN + sign in shown]

    def _changes(self, content: str, elements: list[Element]) -> Iterator[tuple[int, int, str]]:
        """Yields each part that is shown differently: its begin, its end and the replacement."""
        inner_elements = _within(elements, content, self._around)
        breaks = [start for start, _, kind in inner_elements if kind == BROKEN]
        self._begins = [0, *(line + 1 for line in _lines_at(content, breaks))]
        for start, end in _find_untranslated(content, inner_elements):
            yield start, end, self._placeholders.hide(content[start:end].replace("\n", " "))
        for start, end, kind in inner_elements:
            if kind == BROKEN:
                stop = content.index("\n", start) + 1
                while content[start - 1] == " ":
                    start -= 1
                yield start, end, self._placeholders.hide(content[start:stop], BREAK)
            elif kind == ESCAPED and content[start + 1] in MARKUP:
                yield start, start + 1, HIDDEN
            elif kind == FORMULA:
                yield start, end, self._placeholders.hide(content[start:end].replace("\n", " "))
            elif kind in ("link_close", "image") and content[end - 1] == "]":
                yield from self._reference(content, start, end)

    def _reference(self, content: str, start: int, end: int) -> Iterator[tuple[int, int, str]]:
        """Shows a number instead of the target of a link or an image, if the target is its text."""
        text, divided, label = content[start:end].rpartition("][")
        if divided and label != "]":
            return
        text = text if divided else content[start : end - 1]
        text = " ".join(text[text.index("[") + 1 :].split())
        if text.startswith("^"):
            yield start, end, self._placeholders.hide(content[start:end], NOTE)
        else:
            begin = end - len("][]") if divided else end - 1
            yield begin, end, self._placeholders.hide(f"][{text}]", LINK_NUMBER)

    def fit(self, source: str, translation: str) -> str | None:
        """A translation in lines for the file; None if its elements differ from the source's."""
        escaped_text = self._with_backslashes(translation)
        may_change_others = self.is_part or self._is_cell and self._around
        if (
            self._element_counts is None
            or escaped_text is None
            or not any(map(str.isalnum, translation))
            or may_change_others
            and self._markup_in(source) != self._markup_in(translation)
            or _backslashes(source) != _backslashes(translation)
            or source.count("\\") < translation.count("\\")
            or source.count("|") < translation.count("|")
            and not self._is_cell
        ):
            return None
        lines = [line.lstrip(" ") for line in self._placeholders.put_back(escaped_text).split("\n")]
        escaped = [NUMBER_OF_ITEM.sub(r"\1\\\2", lines[0]), *lines[1:]]
        for rows in (lines, escaped):
            for text in (self._wrap(rows), "\n".join(rows)):
                counts = _count_elements(self._parser.parts(text, self._around))
                is_block = not self._around or self._parser.are_paragraphs(text.split("\n"))
                if counts == self._element_counts and is_block:
                    return text.replace("|", "\\|") if self._is_cell else text
        return None

    def _with_backslashes(self, translation: str) -> str | None:
        """Puts hidden backslashes back; None if there are fewer or more characters to escape."""
        marks = {sign: [m for m, escaped in self._escapes if escaped == sign] for sign in MARKUP}
        if any(marks[sign] and len(marks[sign]) != translation.count(sign) for sign in MARKUP):
            return None
        next_marks = {sign: iter(marks[sign]) for sign in MARKUP}
        return MARKUP_CHARACTER.sub(
            lambda match: "\\" * (next(next_marks[match[2]], "") == HIDDEN) + match[2], translation
        )

    def _markup_in(self, text: str) -> list[str]:
        """The characters of a text that may form an element together with other texts."""
        return self._order(sign for sign in text if sign in MARKUP)

    def _wrap(self, lines: Sequence[str]) -> str:
        """Wraps lines to their former width; there are hard breaks between these lines."""
        ends = [*self._begins[1:], len(self.place.spans)]
        wrapped: list[str] = []
        for line, begin, end in zip(lines, self._begins, ends):
            place = Place(self.place.line + begin, self.place.spans[begin:end])
            text = line.rstrip(" ")
            wrapped.append(self._file.wrap(place, text) + line[len(text) :])
        return "\n".join([*wrapped, *lines[len(wrapped) :]])


def _backslashes(text: str) -> tuple[int, int]:
    """The number of backslashes that escape nothing, and of backslashes at the text's end."""
    return len(LONE_BACKSLASH.findall(text)), len(text) - len(text.rstrip("\\"))


def _words(parts: Sequence[Any]) -> Iterator[str]:
    """The words of a text, without addresses."""
    for i, part in enumerate(parts):
        if part.type == "image" or part.type == "text" and not (i and parts[i - 1].info == "auto"):
            yield part.content


def _count_elements(parts: Sequence[Any] | None) -> Counter[tuple[int, str, str, str]] | None:
    """Counts the elements of a text, such as links, code and emphasis, with their depth."""
    if parts is None:
        return None
    return Counter(
        (part.level, part.type, str(sorted(part.attrs.items())), _content_of(part))
        for part in parts
        if part.type not in WORDS
    )


def _content_of(part: Any) -> str:
    """The content of an element that must not change; a tag may have several lines."""
    if part.type not in ("code_inline", HTML, FORMULA):
        return ""
    content: str = part.content
    return " ".join(content.split()) if part.type == HTML else content
