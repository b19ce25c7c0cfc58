"""Finds the text of an HTML document that is to be translated; everything else stays as it is.

Inline elements, such as ``<b>``, stay in the text, because the program carries tags over into
the translation. Every other tag ends a text. What comes back has no tags but those that the text
had; all else is escaped.
"""

import html
import re
from collections.abc import Sequence
from html.parser import HTMLParser

from translator.addons.serving.limits import RequestError

INLINE = frozenset(
    ("a", "abbr", "b", "bdi", "bdo", "cite", "code", "data", "del", "dfn", "em", "font", "i", "ins")
    + ("kbd", "mark", "q", "s", "samp", "small", "span", "strong", "sub", "sup", "time", "u", "var")
)
UNTRANSLATED = frozenset(("script", "style", "pre", "textarea", "title", "template", "noscript"))
VOID = frozenset(  # elements without an end
    ("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track")
    + ("wbr",)
)
TAG = re.compile(r"(<(?:[^<>\"']|\"[^\"]*\"|'[^']*')*>)")


class _Segmenter(HTMLParser):
    """Divides a document into markup and texts, by turns, without changing a character.

    Args:
        document: all of it.
    """

    def __init__(self, document: str) -> None:
        super().__init__(convert_charrefs=False)
        self._document = document
        self._lines = [0, *(found.end() for found in re.finditer("\n", document))]
        self._marks: list[tuple[int, bool]] = []  # where a part begins, and whether it is text
        # An element that is not translated, and the open ones inside it.
        self._closed: list[str] = []
        try:
            self.feed(document)
            self.close()
        except AssertionError:  # as html.parser says it
            raise RequestError(
                400, "q: expected HTML, found <![ or <! and no declaration after it; write &lt;"
            ) from None

    def parts(self) -> list[tuple[bool, str]]:
        """Whether each part is text, and the part."""
        ends = [*(start for start, _ in self._marks[1:]), len(self._document)]
        found: list[tuple[bool, str]] = []
        for (start, is_text), end in zip(self._marks, ends):
            part = self._document[start:end]
            if found and found[-1][0] == is_text:
                found[-1] = (is_text, found[-1][1] + part)
            else:
                found.append((is_text, part))
        return found

    def _mark(self, is_text: bool) -> None:
        line, column = self.getpos()
        self._marks.append((self._lines[line - 1] + column, is_text and not self._closed))

    def handle_starttag(self, tag: str, attrs: Sequence[tuple[str, str | None]]) -> None:
        """An element begins."""
        is_closed = tag in UNTRANSLATED or dict(attrs).get("translate") == "no"
        if (self._closed or is_closed) and tag not in VOID:
            self._closed.append(tag)
        self._mark(tag in INLINE)

    def handle_startendtag(self, tag: str, attrs: Sequence[tuple[str, str | None]]) -> None:
        """An empty element."""
        self._mark(tag in INLINE)

    def handle_endtag(self, tag: str) -> None:
        """An element ends."""
        self._mark(tag in INLINE)
        if tag in self._closed:
            last = len(self._closed) - 1 - self._closed[::-1].index(tag)
            del self._closed[last:]
        else:  # of an element around, which ends what is inside
            self._closed.clear()

    def handle_data(self, data: str) -> None:
        """Text, or a character by its name or number."""
        self._mark(True)

    handle_entityref = handle_charref = handle_data  # type: ignore[assignment]

    def handle_comment(self, data: str) -> None:
        """A comment, a declaration or an instruction, which is no text."""
        self._mark(False)

    handle_decl = handle_pi = unknown_decl = handle_comment  # type: ignore[assignment]


class HtmlText:
    """A document with places for the translations of its texts.

    Args:
        document: HTML, or a part of it.

    Raises:
        RequestError: it cannot be read.

    Attributes:
        texts: what is to be translated, in one line each, with inline tags.
    """

    def __init__(self, document: str) -> None:
        self._parts = _Segmenter(document).parts()
        self._numbers: dict[int, int] = {}
        self._tags: list[dict[str, str]] = []  # of each text: a tag in one line, and as it was
        self.texts: list[str] = []
        for i, (is_text, part) in enumerate(self._parts):
            pieces = TAG.split(part)  # text and tags, by turns
            if not is_text or not html.unescape("".join(pieces[::2])).strip():
                continue
            tags = {" ".join(tag.split()): tag for tag in pieces[1::2]}
            pieces[::2] = [re.sub(r"\s+", " ", html.unescape(text)) for text in pieces[::2]]
            pieces[1::2] = [" ".join(tag.split()) for tag in pieces[1::2]]
            self._numbers[i] = len(self.texts)
            self._tags.append(tags)
            self.texts.append("".join(pieces).strip())

    def with_translations(self, translations: Sequence[str]) -> str:
        """The document with a translation of each text."""
        return "".join(
            self._place(part, self._numbers[i], translations) if i in self._numbers else part
            for i, (_, part) in enumerate(self._parts)
        )

    def _place(self, part: str, number: int, translations: Sequence[str]) -> str:
        """A translation with the white space that its text had around it."""
        tags = self._tags[number]
        written = "".join(
            tags.get(piece) or html.escape(piece, quote=False)
            for piece in TAG.split(translations[number])
        )
        before, after = part[: len(part) - len(part.lstrip())], part[len(part.rstrip()) :]
        return f"{before}{written}{after}"


class PlainText:
    """A text without markup, of which each line is translated; see `HtmlText`.

    Args:
        text: one or more lines.
    """

    def __init__(self, text: str) -> None:
        self.texts = text.split("\n")

    def with_translations(self, translations: Sequence[str]) -> str:
        """The text with a translation of each line."""
        return "\n".join(translations)
