"""Texts of Markdown: what a model is shown of them, and what their translations become.

A text is shown in one line, with ``<br id="0"/>`` for a hard break in an element, ``<x id="0"/>``
for the mark of a footnote, ``{{0}}`` for a formula and for HTML that is not translated, and numbers
behind the names of links, as in ``[name][0]``. A translation is taken if the parser finds the same
elements in it, in one block.
"""

import functools
import itertools
from collections import ChainMap, Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from translator.addons.documents.lines import Lines, Place
from translator.addons.documents.markup import NAME, Kept, is_kept, pieces_of

BREAK, NOTE, NUMBER = '<br id="%d"/>', '<x id="%d"/>', "][%d]"
BROKEN, FORMULA, HTML = "hardbreak", "formula", "html_inline"
SIGNS = "`*_[]<>~$|"
WORDS = ("text", "softbreak", "text_special")


class Element(NamedTuple):
    """Where something stands in a text; markdown-it-py itself does not say so.

    Attributes:
        start: its first character.
        end: behind its last one.
        kind: the type of the last token that was made of it.
    """

    start: int
    end: int
    kind: str


class Around(NamedTuple):
    """What is around a text in its block, which decides what it is.

    Attributes:
        before: in the same paragraph.
        after: lines of it, or that below a heading.
        block: ``paragraph`` or ``heading``.
    """

    before: str = ""
    after: str = ""
    block: str = "paragraph"


class Parser:
    """The parser of a page."""

    def __init__(self) -> None:
        from markdown_it.rules_inline import escape, html_inline, image, link, newline

        self._parser = _markdown()
        rules = {each.__name__: each for each in (escape, html_inline, image, link, newline)}
        for name, rule in {FORMULA: _formula, **rules}.items():
            self._parser.inline.ruler.at(name, functools.partial(_seen, rule))
        self._references: dict[str, Any] = {}

    def blocks(self, page: str) -> Sequence[Any]:
        """The tokens of the blocks of a page, whose links' addresses are known from then on."""
        tokens: Sequence[Any] = (
            _markdown().disable("inline").parse(page, {"references": self._references})
        )
        return tokens

    def add_label(self, label: str) -> None:
        """Adds the label of a footnote, whose marks are links then."""
        from markdown_it.common.utils import normalizeReference

        self._references.setdefault(normalizeReference(label), {"href": label, "title": ""})

    def parts(
        self, text: str, around: Around | None, elements: list[Element] | None = None
    ) -> Sequence[Any] | None:
        """The tokens of a text and of what is around it; None if these are not one block.

        Args:
            text: in lines.
            around: None for a text that is a line whatever it says.
            elements: those that are found are added to it.
        """
        env = {"references": ChainMap({}, self._references), "elements": elements}
        inline: Any
        if around is None:
            [inline] = self._parser.parseInline(text, env)
        else:
            tokens = self._parser.parse(around.before + text + around.after, env)
            block = around.block
            if [token.type for token in tokens] != [f"{block}_open", "inline", f"{block}_close"]:
                return None
            _, inline, _ = tokens
        children: Sequence[Any] = inline.children
        return children

    def breaks(self, text: str, around: Around) -> list[int]:
        """The numbers of the lines of a text that end with a hard break outside of its elements.

        Args:
            text: in lines.
            around: see `parts`.
        """
        found: list[Element] = []
        hard = [part for part in self.parts(text, around, found) or () if part.type == BROKEN]
        broken = [each.start for each in _within(found, text, around) if each.kind == BROKEN]
        lines = _lines_at(text, broken)
        return [line for line, part in zip(lines, hard) if part.level == 0]


def _within(elements: Sequence[Element], text: str, around: Around | None) -> list[Element]:
    """The elements of a text, without those of what is around it, in order."""
    size = len(around.before) if around else 0
    moved = (each._replace(start=each.start - size, end=each.end - size) for each in elements)
    return sorted(each for each in moved if each.start >= 0 and each.end <= len(text))


def _kept_in(text: str, elements: Sequence[Element]) -> Iterator[tuple[int, int]]:
    """Start and end of the elements of HTML in a text that are not translated."""
    begin, name, depth = 0, "", 0
    for start, end, _ in (each for each in elements if each.kind == HTML):
        piece = pieces_of(text[start:end])[0]
        if depth == 0 and is_kept(piece):
            begin, name, depth = start, piece.name, 1
        elif depth and piece.name == name:
            depth += {"start": 1, "end": -1}.get(piece.kind, 0)
            if depth == 0:
                yield begin, end


def _lines_at(text: str, places: Sequence[int]) -> list[int]:
    """The numbers of the lines that have some places, which are in order."""
    pairs = itertools.pairwise([0, *places])
    return list(itertools.accumulate(text.count("\n", start, end) for start, end in pairs))


def _markdown() -> Any:
    from markdown_it import MarkdownIt

    markdown = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    markdown.inline.ruler.after("backticks", FORMULA, _formula)
    return markdown


def _formula(state: Any, silent: bool) -> bool:
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

    Args:
        file: that has it.
        parser: of the page.
        place: in the file.
        content: the text, in lines.
        around: see `Parser.parts`.
        is_cell: whether it is one of a table.

    Attributes:
        source: what a model is shown.
        has_words: whether there is anything to translate.
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
        self._around = around
        self._is_cell = is_cell
        self._kept = Kept(content, NAME, BREAK, NOTE, NUMBER)
        self._begins = [0]  # the first line, and those behind hard breaks
        elements: list[Element] = []
        parts = parser.parts(content, around, elements)
        self._marks = _marks(parts)
        self.has_words = any(map(str.isalpha, "".join(_words(parts or ()))))
        pieces: list[str] = []
        end = 0
        for start, stop, name in sorted(self._changes(content, elements)):
            if start >= end:
                pieces += (content[end:start], name)
                end = stop
        lines = "".join([*pieces, content[end:]]).split("\n")
        self.source = " ".join(line.strip() for line in lines)

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
            elif kind == FORMULA:
                yield start, end, self._kept.name(content[start:end])
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
        lines = [line.lstrip(" ") for line in self._kept.put_back(translation).split("\n")]
        around = self._around
        is_part = around and (around.before or around.after or self._is_cell)
        if self._marks is None or is_part and _signs(source) != _signs(translation):
            return None
        if _end(source) != _end(translation):
            return None
        for text in (self._wrapped(lines), "\n".join(lines)):
            if _marks(self._parser.parts(text, self._around)) == self._marks:
                return text.replace("|", "\\|") if self._is_cell else text
        return None

    def _wrapped(self, lines: Sequence[str]) -> str:
        """Lines with hard breaks between them, each of them as wide as it was."""
        ends = [*self._begins[1:], len(self.place.spans)]
        found: list[str] = []
        for line, begin, end in zip(lines, self._begins, ends):
            place = Place(self.place.line + begin, self.place.spans[begin:end])
            text = line.rstrip(" ")
            found.append(self._file.wrapped(place, text) + line[len(text) :])
        return "\n".join([*found, *lines[len(found) :]])


def _signs(text: str) -> Counter[str]:
    """What a text has of signs that may form an element together with those of another one."""
    return Counter(sign for sign in text if sign in SIGNS)


def _end(text: str) -> str:
    """The backslashes at the end of a text, the last of which may be one with what follows."""
    return text[len(text.rstrip("\\")) :]


def _words(parts: Sequence[Any]) -> Iterator[str]:
    """What a text says, without addresses."""
    for i, part in enumerate(parts):
        if part.type == "image" or part.type == "text" and not (i and parts[i - 1].info == "auto"):
            yield part.content


def _marks(parts: Sequence[Any] | None) -> Counter[str] | None:
    """The elements of a text, such as links, code and emphasis, with those around each counted."""
    if parts is None:
        return None
    return Counter(
        f"{part.level} {part.type} {sorted(part.attrs.items())}"
        + (part.content if part.type in ("code_inline", HTML, FORMULA) else "")
        for part in parts
        if part.type not in WORDS
    )
