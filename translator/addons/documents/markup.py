"""Texts with inline elements as tags of HTML: only their words may change.

While a text is translated, placeholders in double braces replace parts that stay, such as code. So
these parts keep a place in the sentence, and the model reads a mask for them.
"""

import html
import itertools
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from html.parser import HTMLParser
from typing import Any, NamedTuple

from translator.addons.documents.document import UNPRINTABLE, Text, has_words_or_amounts
from translator.text.tags import VOID, pair_tags

ENTITY = re.compile(r"(&(?:#\d+|#[xX][\da-fA-F]+|\w+);?)")
UNTRANSLATED = frozenset((  # elements whose content is not translated
    "code", "kbd", "math", "picture", "pre", "samp", "script", "style", "svg", "textarea", "tt",
    "var",
))  # fmt: skip
BRACED = "{{%d}}"
BRACED_NUMBER = re.compile(r"\{\{\d+\}\}")


class Piece(NamedTuple):
    """A part of a text with markup.

    Attributes:
        kind: ``text``, ``start``, ``alone`` or ``end`` of an element, or ``other``: comments,
            declarations and the like.
        name: the name of the element, in lower case.
    """

    kind: str
    raw: str
    name: str = ""
    attributes: tuple[tuple[str, str | None], ...] = ()


class _Reader(HTMLParser):
    """Divides a text with markup into pieces. Joined, they are the text again."""

    def __init__(self, text: str, is_page: bool) -> None:
        super().__init__()
        self._is_page = is_page
        self.begins: list[tuple[int, Piece]] = []
        self._lines = [0]
        for line in text.split("\n"):
            self._lines.append(self._lines[-1] + len(line) + 1)
        self.feed(text)
        if self.rawdata:  # unfinished markup; `close` would search for its end again and again
            self._add("other" if self.rawdata[1:] and self.rawdata[0] == "<" else "text")

    def _add(
        self, kind: str, name: str = "", attributes: Sequence[tuple[str, str | None]] = ()
    ) -> None:
        line, column = self.getpos()
        if kind != "text" or not self.begins or self.begins[-1][1].kind != "text":
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

    def _add_other(self, *_: Any, **__: Any) -> None:
        self._add("other")

    handle_comment = handle_decl = handle_pi = unknown_decl = _add_other

    def set_cdata_mode(self, elem: str, **options: Any) -> None:
        """Reads the following text as in a script; only a whole page has scripts."""
        if self._is_page:
            super().set_cdata_mode(elem, **options)

    def parse_html_declaration(self, i: int) -> int:
        """The end of a declaration. As in a browser, ``<![if x]>`` and the like are comments."""
        is_bogus = self.rawdata.startswith("<![", i) and not self.rawdata.startswith("<![CDATA[", i)
        return self.parse_bogus_comment(i) if is_bogus else super().parse_html_declaration(i)


def pieces_of(text: str, is_page: bool = False) -> list[Piece]:
    """Divides a text with markup into pieces. Joined, they are the text again.

    Args:
        is_page: whether it may have scripts; there are no tags inside a script.
    """
    begins = _Reader(text, is_page).begins
    if text and (not begins or begins[0][0] > 0):  # the reader skips </>
        begins.insert(0, (0, Piece("other", "")))
    ends = [*(begin for begin, _ in begins[1:]), len(text)]
    return [piece._replace(raw=text[begin:end]) for (begin, piece), end in zip(begins, ends)]


def is_untranslated(piece: Piece) -> bool:
    """Whether a piece opens an element that is not translated."""
    values = dict(piece.attributes)
    return (
        piece.kind == "start"
        and piece.name not in VOID
        and (
            piece.name in UNTRANSLATED
            or (values.get("translate") or "").lower() == "no"
            or "notranslate" in (values.get("class") or "").split()
        )
    )


def find_untranslated(pieces: Sequence[Piece]) -> Iterator[tuple[int, int, bool]]:
    """Yields untranslated elements: index of the first piece, index after the last, if closed.

    An unclosed element ends with an element around it, or with the pieces.
    """
    partners = _pair_pieces(pieces).items()
    begins = {end: begin for end, begin in partners if begin is not None and begin < end}
    count = len(pieces)
    stop = 0
    for i, piece in enumerate(pieces):
        if i >= stop and is_untranslated(piece):
            end = next((j for j in range(i, count) if begins.get(j, count) <= i), count)
            is_closed = begins.get(end) == i
            stop = end + is_closed
            yield i, stop, is_closed


def _pair_pieces(pieces: Iterable[Piece]) -> dict[int, int | None]:
    """See `pair_tags`."""
    return pair_tags(
        [
            (_name(piece), piece.kind == "start" and piece.name not in VOID, piece.kind == "end")
            for piece in pieces
        ]
    )


def split_surroundings(pieces: Sequence[Piece]) -> tuple[str, list[Piece], str]:
    """Divides pieces into a text and its surroundings, such as elements around all of it.

    Returns:
        The pieces before the text, the pieces of the text, and the pieces after it.
    """
    kinds = [piece.kind for piece in pieces]
    partners = _pair_pieces(pieces)
    begin, end = 0, len(pieces)

    def says_nothing(i: int) -> bool:
        return pieces[i].raw.isspace() if kinds[i] == "text" else partners.get(i) is None

    while begin < end:
        if says_nothing(begin):
            begin += 1
        elif says_nothing(end - 1):
            end -= 1
        elif kinds[begin] == "start" and partners[begin] == end - 1:
            begin, end = begin + 1, end - 1
        else:
            break
    before, after = (
        "".join(piece.raw for piece in part) for part in (pieces[:begin], pieces[end:])
    )
    text = list(pieces[begin:end])
    if text and text[0].kind == "text":
        raw = text[0].raw.lstrip()
        before += text[0].raw[: len(text[0].raw) - len(raw)]
        text[0] = Piece("text", raw)
    if text and text[-1].kind == "text":
        raw = text[-1].raw.rstrip()
        after = text[-1].raw[len(raw) :] + after
        text[-1] = Piece("text", raw)
    return before, text, after


def has_words(pieces: Iterable[Piece]) -> bool:
    """Whether there is anything to translate."""
    return has_words_or_amounts(text_of(pieces))


def text_of(pieces: Iterable[Piece]) -> str:
    """The text of pieces, without markup."""
    return html.unescape("".join(piece.raw for piece in pieces if piece.kind == "text"))


def decode_entities(text: Text) -> Text:
    """Shows characters in place of a text's entities; `fit` writes the entities again.

    An entity stays if its character is markup, or if the text also has this character unescaped.
    Characters that no text may have, such as NUL, are shown as a space.
    """
    words = "\n".join(piece.raw for piece in pieces_of(text.source) if piece.kind == "text")
    rest = ENTITY.sub(lambda match: "" if _is_entity(match[0]) else match[0], words)
    entities = {html.unescape(entity): entity for entity in ENTITY.findall(words)}
    escapes = {char: entities[char] for char in entities if _is_special(char) and char not in rest}
    to_character = {entity: char for char, entity in escapes.items()}
    table = str.maketrans(escapes)

    def read(words: str) -> str:
        words = ENTITY.sub(lambda match: to_character.get(match[0], match[0]), words)
        return UNPRINTABLE.sub(" ", words)

    def write(words: str) -> str:
        parts = ENTITY.split(words)
        return "".join(part if _is_entity(part) else part.translate(table) for part in parts)

    source = _with_words(text.source, read)
    if html.unescape(source) != html.unescape(UNPRINTABLE.sub(" ", text.source)):
        return text  # &amp;lt; must not become &lt;
    return text._replace(
        source=source,
        fit=lambda _, translation: text.fit(text.source, _with_words(translation, write)),
    )


def _is_entity(text: str) -> bool:
    return ENTITY.fullmatch(text) is not None and html.unescape(text) != text


def _is_special(text: str) -> bool:
    """Whether a text is one character that is neither markup nor a plain letter or digit."""
    is_plain = text.isascii() and text.isalnum()
    return len(text) == 1 and not is_plain and text not in "<>" and not UNPRINTABLE.match(text)


def _with_words(text: str, change: Callable[[str], str]) -> str:
    """Changes the words of a text, but not its markup."""
    return "".join(
        change(piece.raw) if piece.kind == "text" else piece.raw for piece in pieces_of(text)
    )


def fit_markup(source: str, translation: str) -> str | None:
    """Escapes the characters of a translation, except in the markup of its source.

    Returns:
        The translation; None if its markup differs from the source, see `has_same_markup`.
    """
    source_pieces = pieces_of(source)
    source_markup = {piece.raw for piece in source_pieces if piece.kind != "text"}
    entities = set(ENTITY.findall(source))
    new_pieces: list[Piece] = []
    for piece in pieces_of(translation):
        if piece.raw in source_markup:
            new_pieces.append(piece)
            continue
        parts = ENTITY.split(piece.raw) if piece.kind == "text" else [piece.raw]
        escaped = (part if part in entities else html.escape(part, quote=False) for part in parts)
        new_pieces.append(Piece("text", "".join(escaped)))
    if _structure(source_pieces) != _structure(new_pieces):
        return None
    return "".join(piece.raw for piece in new_pieces)


def has_same_markup(source: str, translation: str) -> bool:
    """Whether a translation has each piece of markup as often as its source, in the same elements.

    Tags without a partner in the source, and crossing tags, must keep their order.
    """
    return _structure(pieces_of(source)) == _structure(pieces_of(translation))


def _structure(pieces: Iterable[Piece]) -> tuple[Counter[tuple[str, str, int]], list[str]]:
    """Counts markup, each with the markup around it; lists starts and ends without a partner."""
    counts: Counter[tuple[str, str, int]] = Counter()
    unpaired: list[tuple[str, str]] = []  # the name if it may still be closed, and the raw tag
    for piece in pieces:
        depth = len(unpaired)
        open_name, parent = unpaired[-1] if unpaired else ("", "")
        if piece.kind == "text":
            counts.update((name, parent, depth) for name in BRACED_NUMBER.findall(piece.raw))
            continue
        counts[piece.raw, parent, depth] += 1
        name = _name(piece)
        if piece.kind == "end" and open_name == name:
            unpaired.pop()
        elif piece.kind in ("start", "end") and name not in VOID:
            unpaired.append((name if piece.kind == "start" else "", piece.raw))
    return counts, [raw for _, raw in unpaired]


def _name(piece: Piece) -> str:
    """The name of an element, without the classes of WebVTT."""
    return piece.name.partition(".")[0]


class Placeholders:
    """Placeholders replace parts of a text that are not translated, until these are put back.

    Args:
        text: the whole text; placeholders differ from every string in it.
        forms: the forms of placeholders, with ``%d`` for their number.
    """

    def __init__(self, text: str, *forms: str) -> None:
        forms = forms or (BRACED,)
        pattern = "|".join(re.escape(form).replace("%d", r"\d+") for form in forms)
        self._pattern = re.compile(pattern)
        self._taken = set(self._pattern.findall(text))
        self._numbers = itertools.count()
        self._parts: dict[str, str] = {}

    def hide(self, part: str, form: str = BRACED) -> str:
        """Returns a new placeholder of a form for a part."""
        name = next(name for number in self._numbers if (name := form % number) not in self._taken)
        self._parts[name] = part
        return name

    def put_back(self, text: str) -> str:
        """Returns a text with the parts in place of their placeholders."""
        return self._pattern.sub(lambda match: self._parts.get(match[0], match[0]), text)

    def find(self, text: str) -> list[str]:
        """Returns the placeholders in a text, in order."""
        return [name for name in self._pattern.findall(text) if name in self._parts]

    def reorder(self, text: str, source: str) -> str:
        """Returns a text with placeholders in the order of a source with the same placeholders."""
        ordered = iter(self.find(source))
        return self._pattern.sub(
            lambda match: next(ordered) if match[0] in self._parts else match[0], text
        )
