"""Finds the text of an HTML document that is to be translated; everything else stays as it is.

Inline elements, such as ``<b>``, stay in the text, because the program carries tags over into
the translation. Every other tag ends a text.
"""

import html
import re
from collections.abc import Sequence
from html.parser import HTMLParser

INLINE = frozenset(
    ("a", "abbr", "b", "bdi", "bdo", "cite", "code", "data", "del", "dfn", "em", "font", "i", "ins")
    + ("kbd", "mark", "q", "s", "samp", "small", "span", "strong", "sub", "sup", "time", "u", "var")
)
UNTRANSLATED = frozenset(("script", "style", "pre", "textarea", "title", "template", "noscript"))
KEPT_REFERENCES = re.compile(
    r"&(?!(?:lt|gt|amp|#0*60|#0*62|#0*38|#[xX]0*3[ceCE]|#[xX]0*26);)[^;\s&]+;"
)


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
        self._closed: list[str] = []  # the elements around that are not translated
        self.feed(document)
        self.close()

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
        if tag in UNTRANSLATED or dict(attrs).get("translate") == "no":
            self._closed.append(tag)
        self._mark(tag in INLINE)

    def handle_startendtag(self, tag: str, attrs: Sequence[tuple[str, str | None]]) -> None:
        """An empty element."""
        self._mark(tag in INLINE)

    def handle_endtag(self, tag: str) -> None:
        """An element ends."""
        self._mark(tag in INLINE)
        if self._closed and self._closed[-1] == tag:
            self._closed.pop()

    def handle_data(self, data: str) -> None:
        """Text."""
        self._mark(True)

    def handle_entityref(self, name: str) -> None:
        """A character by its name, which is text."""
        self._mark(True)

    def handle_charref(self, name: str) -> None:
        """A character by its number."""
        self._mark(True)

    def handle_comment(self, data: str) -> None:
        """A comment, which is no text, as what follows here."""
        self._mark(False)

    def handle_decl(self, decl: str) -> None:
        """A declaration."""
        self._mark(False)

    def handle_pi(self, data: str) -> None:
        """An instruction."""
        self._mark(False)

    def unknown_decl(self, data: str) -> None:
        """Another declaration."""
        self._mark(False)


class HtmlText:
    """A document with places for the translations of its texts.

    Args:
        document: HTML, or a part of it.

    Attributes:
        texts: what is to be translated, in one line each, with inline tags.
    """

    def __init__(self, document: str) -> None:
        self._parts = _Segmenter(document).parts()
        self._numbers: dict[int, int] = {}
        self.texts: list[str] = []
        for i, (is_text, part) in enumerate(self._parts):
            text = " ".join(
                KEPT_REFERENCES.sub(lambda found: html.unescape(found[0]), part).split()
            )
            if is_text and re.sub(r"<[^>]*>", "", text).strip():
                self._numbers[i] = len(self.texts)
                self.texts.append(text)

    def with_translations(self, translations: Sequence[str]) -> str:
        """The document with a translation of each text."""
        return "".join(
            _between_spaces(part, translations[self._numbers[i]]) if i in self._numbers else part
            for i, (_, part) in enumerate(self._parts)
        )


def _between_spaces(part: str, translation: str) -> str:
    """A translation with the white space that its text had around it."""
    before, after = part[: len(part) - len(part.lstrip())], part[len(part.rstrip()) :]
    return f"{before}{translation}{after}"
