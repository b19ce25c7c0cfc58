"""HTML: the texts of its blocks, with inline elements as tags; all else stays byte for byte."""

from collections.abc import Iterator, Sequence

from translator.addons.documents.document import Document, Text, Written, decoded
from translator.addons.documents.markup import Kept, Piece, fit_markup, pieces_of
from translator.text.spans.tags import INLINE, VOID

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
        InputError: it is not UTF-8.
    """
    page = decoded(content, name)
    kept = Kept(page)
    parts = list(_blocks(pieces_of(page), kept))  # markup and texts by turns
    texts: list[Text] = []
    line = 1
    for i, part in enumerate(parts):
        if i % 2:
            texts.append(Text(" ".join(part.split()), f"line {line}", fit_markup))
        line += kept.put_back(part).count("\n")

    def write(written: Sequence[Written]) -> bytes:
        waiting = iter(written)
        found = (next(waiting).text if i % 2 else part for i, part in enumerate(parts))
        return kept.put_back("".join(found)).encode()

    return Document(texts, write)


def _blocks(pieces: Sequence[Piece], kept: Kept) -> Iterator[str]:
    """Markup, the text of a block, markup and so on; the last one is markup."""
    markup, block = "", ""
    for piece in _with_names(pieces, kept):
        is_inline = piece.kind == "text" or piece.name in INLINE or piece.name in INLINE_VOID
        if is_inline or piece.raw.startswith("<!--") and block:
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
    if not any(map(str.isalpha, words)):
        return block, "", ""
    start = block.index(text)
    return block[:start], text, block[start + len(text) :]


def _with_names(pieces: Sequence[Piece], kept: Kept) -> Iterator[Piece]:
    """The pieces, with one piece for each element that is not translated."""
    raw, name, depth = "", "", 0
    for piece in pieces:
        if depth:
            raw += piece.raw
            is_same = piece.name == name and piece.name not in VOID
            depth += is_same * {"start": 1, "end": -1}.get(piece.kind, 0)
            if not depth:
                yield _kept(raw, name, kept)
            continue
        is_kept = piece.name in KEPT_INLINE or piece.name in KEPT_BLOCKS
        is_kept |= ("translate", "no") in piece.attributes
        if is_kept and piece.kind == "start" and piece.name not in VOID:
            raw, name, depth = piece.raw, piece.name, 1
        else:
            yield piece
    if depth:  # it never ends
        yield Piece("other", raw)


def _kept(raw: str, name: str, kept: Kept) -> Piece:
    return Piece("text", kept.name(raw)) if name in INLINE else Piece("other", raw)
