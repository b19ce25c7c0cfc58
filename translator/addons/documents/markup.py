"""Texts with inline elements as tags of HTML: nothing but their words may change.

What is not translated at all, such as code, is a name in double braces while the rest is
translated: it has a place in the sentence, and the model is shown a mask for it.
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
KEPT = frozenset((  # elements whose content is not translated
    "code", "kbd", "math", "picture", "pre", "samp", "script", "style", "svg", "textarea", "tt",
    "var",
))  # fmt: skip
NAME = "{{%d}}"
NAMES = re.compile(r"\{\{\d+\}\}")


class Piece(NamedTuple):
    """A part of a text with markup.

    Attributes:
        kind: ``text``, ``start``, ``alone`` or ``end`` of an element, or ``other``: comments,
            declarations and the like.
        name: of the element, in lower case.
    """

    kind: str
    raw: str
    name: str = ""
    attributes: tuple[tuple[str, str | None], ...] = ()


class _Reader(HTMLParser):
    """Divides a text with markup, whose pieces together are the text again."""

    def __init__(self, text: str, is_page: bool) -> None:
        super().__init__()
        self._is_page = is_page
        self.begins: list[tuple[int, Piece]] = []
        self._lines = [0]
        for line in text.split("\n"):
            self._lines.append(self._lines[-1] + len(line) + 1)
        self.feed(text)
        if self.rawdata:  # what never ends: `close` would look for its end again and again
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
        """Reads what follows as text, as in scripts; a text that is no page has none."""
        if self._is_page:
            super().set_cdata_mode(elem, **options)

    def parse_html_declaration(self, i: int) -> int:
        """The end of a declaration; ``<![if x]>`` and the like are comments, as in a browser."""
        is_other = self.rawdata.startswith("<![", i) and not self.rawdata.startswith("<![CDATA[", i)
        return self.parse_bogus_comment(i) if is_other else super().parse_html_declaration(i)


def pieces_of(text: str, is_page: bool = False) -> list[Piece]:
    """The pieces of a text with markup; together they are the text.

    Args:
        is_page: whether it may have scripts, in which there are no tags.
    """
    begins = _Reader(text, is_page).begins
    if text and (not begins or begins[0][0] > 0):  # </> is nothing to the reader
        begins.insert(0, (0, Piece("other", "")))
    ends = [*(begin for begin, _ in begins[1:]), len(text)]
    return [piece._replace(raw=text[begin:end]) for (begin, piece), end in zip(begins, ends)]


def is_kept(piece: Piece) -> bool:
    """Whether an element that is not translated begins with a piece."""
    values = dict(piece.attributes)
    return (
        piece.kind == "start"
        and piece.name not in VOID
        and (
            piece.name in KEPT
            or (values.get("translate") or "").lower() == "no"
            or "notranslate" in (values.get("class") or "").split()
        )
    )


def kept_spans(pieces: Sequence[Piece]) -> Iterator[tuple[int, int, bool]]:
    """The elements that are not translated: first piece, that behind the last, and if it is closed.

    One that is not ends where an element around it does, or with the pieces.
    """
    partners = _partners(pieces).items()
    begins = {end: begin for end, begin in partners if begin is not None and begin < end}
    count = len(pieces)
    behind = 0
    for i, piece in enumerate(pieces):
        if i >= behind and is_kept(piece):
            end = next((j for j in range(i, count) if begins.get(j, count) <= i), count)
            is_closed = begins.get(end) == i
            behind = end + is_closed
            yield i, behind, is_closed


def _partners(pieces: Iterable[Piece]) -> dict[int, int | None]:
    """See `pair_tags`."""
    return pair_tags(
        [
            (_name(each), each.kind == "start" and each.name not in VOID, each.kind == "end")
            for each in pieces
        ]
    )


def apart(pieces: Sequence[Piece]) -> tuple[str, list[Piece], str]:
    """Divides pieces into a text and what stands around it, such as elements around all of it.

    Returns:
        What stands before the text, the text, and what stands behind it.
    """
    kinds = [piece.kind for piece in pieces]
    partners = _partners(pieces)
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
    """The text of some pieces, without markup."""
    return html.unescape("".join(piece.raw for piece in pieces if piece.kind == "text"))


def with_characters(text: Text) -> Text:
    """A text that is shown with characters for its entities, which its translation has again.

    An entity stays whose character is markup, or stands in the text itself, too. What no text may
    have, such as NUL, is shown as a space.
    """
    words = "\n".join(piece.raw for piece in pieces_of(text.source) if piece.kind == "text")
    rest = ENTITY.sub(lambda match: "" if _is_entity(match[0]) else match[0], words)
    entities = {html.unescape(entity): entity for entity in ENTITY.findall(words)}
    known = {
        entity: sign for sign, entity in entities.items() if _is_sign(sign) and sign not in rest
    }
    signs = str.maketrans({sign: entity for entity, sign in known.items()})

    def read(words: str) -> str:
        return UNPRINTABLE.sub(" ", ENTITY.sub(lambda match: known.get(match[0], match[0]), words))

    def write(words: str) -> str:
        parts = ENTITY.split(words)
        return "".join(part if _is_entity(part) else part.translate(signs) for part in parts)

    source = _with_words(text.source, read)
    if html.unescape(source) != html.unescape(UNPRINTABLE.sub(" ", text.source)):
        return text  # as &amp;lt; is not &lt;
    return text._replace(
        source=source,
        fit=lambda _, translation: text.fit(text.source, _with_words(translation, write)),
    )


def _is_entity(text: str) -> bool:
    return ENTITY.fullmatch(text) is not None and html.unescape(text) != text


def _is_sign(text: str) -> bool:
    """Whether a character of an entity is neither markup nor a plain letter or digit."""
    is_plain = text.isascii() and text.isalnum()
    return len(text) == 1 and not is_plain and text not in "<>" and not UNPRINTABLE.match(text)


def _with_words(text: str, change: Callable[[str], str]) -> str:
    """A text whose words are changed, but for its markup."""
    return "".join(
        change(piece.raw) if piece.kind == "text" else piece.raw for piece in pieces_of(text)
    )


def fit_markup(source: str, translation: str) -> str | None:
    """Makes the signs of a translation entities, but for the markup of its source.

    Returns:
        The translation; None if its markup is not that of the source, as `has_same_markup` says.
    """
    ours = pieces_of(source)
    known = {piece.raw for piece in ours if piece.kind != "text"}
    entities = set(ENTITY.findall(source))
    theirs: list[Piece] = []
    for piece in pieces_of(translation):
        if piece.raw in known:
            theirs.append(piece)
            continue
        parts = ENTITY.split(piece.raw) if piece.kind == "text" else [piece.raw]
        escaped = (part if part in entities else html.escape(part, quote=False) for part in parts)
        theirs.append(Piece("text", "".join(escaped)))
    if _structure(ours) != _structure(theirs):
        return None
    return "".join(piece.raw for piece in theirs)


def has_same_markup(source: str, translation: str) -> bool:
    """Whether a translation has each piece of markup of its source as often, in the same elements.

    What is no pair in the source, such as tags that cross, is none there, and in the same order.
    """
    return _structure(pieces_of(source)) == _structure(pieces_of(translation))


def _structure(pieces: Iterable[Piece]) -> tuple[Counter[tuple[str, str, int]], list[str]]:
    """The markup of pieces, each with that around it, and the starts and ends that are no pair."""
    found: Counter[tuple[str, str, int]] = Counter()
    left: list[tuple[str, str]] = []  # names of those that wait for an end, and all as they are
    for piece in pieces:
        waiting, around = left[-1] if left else ("", "")
        if piece.kind == "text":
            found.update((name, around, len(left)) for name in NAMES.findall(piece.raw))
            continue
        found[piece.raw, around, len(left)] += 1
        name = _name(piece)
        if piece.kind == "end" and waiting == name:
            left.pop()
        elif piece.kind in ("start", "end") and name not in VOID:
            left.append((name if piece.kind == "start" else "", piece.raw))
    return found, [raw for _, raw in left]


def _name(piece: Piece) -> str:
    """The name of an element, without the classes of WebVTT."""
    return piece.name.partition(".")[0]


class Kept:
    """Parts of a text that are not translated, by the names that stand for them meanwhile.

    Args:
        text: the whole text, so that no name is in it already.
        forms: of names, with their number as ``%d``.
    """

    def __init__(self, text: str, *forms: str) -> None:
        forms = forms or (NAME,)
        pattern = "|".join(re.escape(form).replace("%d", r"\d+") for form in forms)
        self._pattern = re.compile(pattern)
        self._taken = set(self._pattern.findall(text))
        self._numbers = itertools.count()
        self._parts: dict[str, str] = {}

    def name(self, part: str, form: str = NAME) -> str:
        """A name for a part, of one of the forms."""
        name = next(name for number in self._numbers if (name := form % number) not in self._taken)
        self._parts[name] = part
        return name

    def put_back(self, text: str) -> str:
        """A text with the parts in the places of their names."""
        return self._pattern.sub(lambda found: self._parts.get(found[0], found[0]), text)

    def names_in(self, text: str) -> list[str]:
        """The names in a text, in order."""
        return [name for name in self._pattern.findall(text) if name in self._parts]

    def in_order(self, text: str, other: str) -> str:
        """A text whose names are in the order of another text, which has the same ones."""
        names = iter(self.names_in(other))
        return self._pattern.sub(
            lambda found: next(names) if found[0] in self._parts else found[0], text
        )
