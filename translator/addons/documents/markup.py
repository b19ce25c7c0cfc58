"""Texts with inline elements as tags of HTML: nothing but their words may change.

What is not translated at all, such as code, is a name in double braces while the rest is
translated: it has a place in the sentence, and the model is shown a mask for it.
"""

import html
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from html.parser import HTMLParser
from typing import NamedTuple

from translator.base.errors import InputError

ENTITY = re.compile(r"&(?:#\d+|#[xX][\da-fA-F]+|\w+);")


class Piece(NamedTuple):
    """A part of a text with markup.

    Attributes:
        kind: ``text``, ``start``, ``alone`` or ``end`` of an element, or ``other``: comments,
            declarations and the like.
        raw: as it is written.
        name: of the element, in lower case.
        attributes: of a start.
    """

    kind: str
    raw: str
    name: str = ""
    attributes: tuple[tuple[str, str | None], ...] = ()


class _Reader(HTMLParser):
    """Divides a text with markup, whose pieces together are the text again."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=False)
        self.begins: list[tuple[int, Piece]] = []
        self._lines = [0]
        for line in text.split("\n"):
            self._lines.append(self._lines[-1] + len(line) + 1)
        try:
            self.feed(text)
            self.close()
        except AssertionError:  # as html.parser says it
            raise InputError(
                "expected HTML, found <![ or <! and no declaration after it; write &lt;"
            ) from None

    def _add(
        self, kind: str, name: str = "", attributes: Sequence[tuple[str, str | None]] = ()
    ) -> None:
        line, column = self.getpos()
        piece = Piece(kind, "", name, tuple(attributes))
        self.begins.append((self._lines[line - 1] + column, piece))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """See `HTMLParser`."""
        self._add("start", tag, attrs)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """See `HTMLParser`."""
        self._add("alone", tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        """See `HTMLParser`."""
        self._add("end", tag)

    def handle_data(self, data: str) -> None:
        """See `HTMLParser`."""
        self._add("text")

    def handle_entityref(self, name: str) -> None:
        """See `HTMLParser`."""
        self._add("text")

    def handle_charref(self, name: str) -> None:
        """See `HTMLParser`."""
        self._add("text")

    def handle_comment(self, data: str) -> None:
        """See `HTMLParser`."""
        self._add("other")

    def handle_decl(self, decl: str) -> None:
        """See `HTMLParser`."""
        self._add("other")

    def handle_pi(self, data: str) -> None:
        """See `HTMLParser`."""
        self._add("other")

    def unknown_decl(self, data: str) -> None:
        """See `HTMLParser`."""
        self._add("other")


def pieces_of(text: str) -> list[Piece]:
    """The pieces of a text with markup; together they are the text.

    Raises:
        InputError: it is no markup.
    """
    begins = _Reader(text).begins
    ends = [*(begin for begin, _ in begins[1:]), len(text)]
    found: list[Piece] = []
    for (begin, piece), end in zip(begins, ends):
        raw = text[begin:end]
        if piece.kind == "text" and found and found[-1].kind == "text":
            found[-1] = found[-1]._replace(raw=found[-1].raw + raw)
        else:
            found.append(piece._replace(raw=raw))
    return found


def escape_texts(source: str, translation: str) -> str:
    """A translation with its signs that are no markup as entities.

    Args:
        source: with markup; what it has is markup in the translation too.
        translation: of it.
    """
    known = {piece.raw for piece in pieces_of(source) if piece.kind != "text"}
    known |= set(ENTITY.findall(source))
    if not known:
        return html.escape(translation, quote=False)
    pattern = "|".join(map(re.escape, sorted(known, key=len, reverse=True)))
    parts = re.split(f"({pattern})", translation)
    return "".join(
        part if i % 2 else html.escape(part, quote=False) for i, part in enumerate(parts)
    )


def fit_markup(source: str, translation: str) -> str | None:
    """A translation with its signs as entities; None if its markup is not that of its source."""
    escaped = escape_texts(source, translation)
    try:
        return escaped if has_same_markup(source, escaped) else None
    except InputError:
        return None


def has_same_markup(source: str, translation: str) -> bool:
    """Whether a translation has each piece of markup of its source as often, none of which cross.

    Where those of the source cross, theirs may, too.
    """
    ours, theirs = (
        [piece for piece in pieces_of(text) if piece.kind != "text"]
        for text in (source, translation)
    )
    return Counter(ours) == Counter(theirs) and (not _is_nested(ours) or _is_nested(theirs))


def _is_nested(pieces: Sequence[Piece]) -> bool:
    """Whether every element ends before the one around it."""
    waiting: list[str] = []
    for piece in pieces:
        if piece.kind == "start":
            waiting.append(piece.name)
        elif piece.kind == "end" and (not waiting or waiting.pop() != piece.name):
            return False
    return True


class Kept:
    """Parts of a text that are not translated, by the names that stand for them meanwhile.

    Args:
        text: the whole text, so that no name is in it already.
    """

    def __init__(self, text: str) -> None:
        self._parts: dict[str, str] = {}
        self._names: Iterator[str] = (
            name for number in range(len(text) + 2) if (name := f"{{{{{number}}}}}") not in text
        )

    def name(self, part: str) -> str:
        """A name for a part."""
        name = next(self._names)
        self._parts[name] = part
        return name

    def put_back(self, text: str) -> str:
        """A text with the parts in the places of their names."""
        for name, part in self._parts.items():
            text = text.replace(name, part)
        return text
