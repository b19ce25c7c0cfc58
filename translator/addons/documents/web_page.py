"""HTML: the texts of its blocks, with inline elements as tags; all else stays byte for byte."""

import html
import re
from collections.abc import Iterator, Sequence

from translator.addons.documents.document import Document, Text, Written, decoded
from translator.addons.documents.markup import Kept, Piece, fit_markup, pieces_of
from translator.base.errors import InputError
from translator.text.spans.tags import INLINE, VOID

SPACES = re.compile(r"\s+")
INLINE_VOID = frozenset(("img", "input", "wbr"))
KEPT_INLINE = frozenset(("code", "kbd", "samp", "tt", "var"))
KEPT_BLOCKS = frozenset(("math", "pre", "script", "style", "svg", "textarea"))


def read_web_page(content: bytes, name: str) -> Document:
    """Reads HTML in UTF-8.

    The content of elements such as ``code``, ``pre`` and ``kbd``, and of those with
    ``translate="no"``, is not translated.

    Args:
        content: of the file.
        name: of the file, for errors.

    Raises:
        InputError: it is not UTF-8, or no HTML.
    """
    page = decoded(content, name)
    kept = Kept(page)
    try:
        parts = list(_blocks(pieces_of(page), kept))  # markup and texts by turns
    except InputError as error:
        raise InputError(f"{name}: {error}") from None
    texts: list[Text] = []
    originals: dict[str, str] = {}  # of tags that are in one line while they are translated
    line = 1
    for i, part in enumerate(parts):
        if i % 2:
            text = "".join(_in_one_line(pieces_of(part), originals))
            texts.append(Text(text, f"line {line}", fit_markup))
        line += kept.put_back(part).count("\n")

    def write(written: Sequence[Written]) -> bytes:
        waiting = iter(written)
        found = (
            "".join(originals.get(piece.raw, piece.raw) for piece in pieces_of(next(waiting).text))
            if i % 2
            else part
            for i, part in enumerate(parts)
        )
        return kept.put_back("".join(found)).encode()

    return Document(texts, write)


def _in_one_line(pieces: Sequence[Piece], originals: dict[str, str]) -> Iterator[str]:
    """Pieces with one space for each white space; how tags were is kept."""
    for piece in pieces:
        joined = SPACES.sub(" ", piece.raw)
        if piece.kind != "text" and joined != piece.raw:
            originals[joined] = piece.raw
        yield joined


def _blocks(pieces: Sequence[Piece], kept: Kept) -> Iterator[str]:
    """Markup, the text of a block, markup and so on; the last one is markup."""
    markup, block = "", ""
    for piece in _with_names(pieces, kept):
        if piece.kind == "text" or piece.name in INLINE or piece.name in INLINE_VOID:
            block += piece.raw
            continue
        before, text, after = _apart(block)
        if text:
            yield markup + before
            yield text
            markup = ""
        else:
            after = before
        markup, block = markup + after + piece.raw, ""
    before, text, after = _apart(block)
    if text:
        yield markup + before
        yield text
        markup, before = "", after
    yield markup + before


def _apart(block: str) -> tuple[str, str, str]:
    """The spaces around the text of a block, and the text; all is space where nothing is said."""
    words = "".join(piece.raw for piece in pieces_of(block) if piece.kind == "text")
    text = block.strip()
    if not any(map(str.isalpha, html.unescape(words))):
        return block, "", ""
    start = block.index(text)
    return block[:start], text, block[start + len(text) :]


def _with_names(pieces: Sequence[Piece], kept: Kept) -> Iterator[Piece]:
    """The pieces, with one piece for each element that is not translated."""
    raw = ""
    waiting: list[str] = []  # elements that have begun: that which is not translated, and in it
    for piece in pieces:
        if waiting and piece.kind == "end" and piece.name not in waiting:
            yield _kept(raw, waiting.pop(0), kept)  # an element around it ends
            waiting.clear()
        if not waiting:
            is_kept = piece.name in KEPT_INLINE or piece.name in KEPT_BLOCKS
            is_kept |= ("translate", "no") in piece.attributes
            if not (is_kept and piece.kind == "start") or piece.name in VOID:
                yield piece
                continue
            raw = ""
        raw += piece.raw
        if piece.kind == "start" and piece.name not in VOID:
            waiting.append(piece.name)
        elif piece.kind == "end":
            first = waiting[0]
            del waiting[len(waiting) - 1 - waiting[::-1].index(piece.name) :]
            if not waiting:
                yield _kept(raw, first, kept)
    if waiting:  # it never ends
        yield Piece("other", raw)


def _kept(raw: str, name: str, kept: Kept) -> Piece:
    return Piece("text", kept.name(raw)) if name in INLINE else Piece("other", raw)
