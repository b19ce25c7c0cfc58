"""Translates the blocks of HTML, with inline elements as tags; the other bytes stay."""

import itertools
import re
from collections.abc import Iterable, Iterator, Sequence

from translator.addons.documents.document import SPACES, Document, Text, WrittenText, decode, encode
from translator.addons.documents.markup import (
    Piece,
    Placeholders,
    find_untranslated,
    fit_markup,
    has_words,
    pieces_of,
    split_surroundings,
    text_of,
)
from translator.addons.documents.plain_text import goes_on
from translator.text.tags import INLINE, LONGEST_COMMENT

INLINE_VOID = frozenset(("img", "input", "wbr"))
PICTURES = frozenset(("picture", "svg"))
IN_SENTENCES = INLINE | INLINE_VOID | PICTURES | {"data", "math", "nobr", "output", "time"}
BREAK = "br"
CONTROLS = frozenset(("a", "button", "label"))
STEP = re.compile(  # the text between links of a path or a row; the last step may be plain text
    r"\s*(?:[>›»/|→·•]|&(?:gt|rsaquo|raquo|rarr|middot|bull);)+\s*"
)
TEMPLATE = re.compile(r"<%.*?%>", re.DOTALL)  # a command for the program that makes the page
LANGUAGE = r"(?i)(?<=[\s:]lang=)([\"']?){}(?:-\w+)*+(?![\w-])"  # of a page or a part
OTHER_ENCODING = re.compile(r"<meta\s[^<>]*charset=[\"']?+\s*+(?!utf-?8)\w", re.IGNORECASE)


def read_web_page(content: bytes, name: str, languages: Sequence[str] = ("",)) -> Document:
    """Reads HTML in UTF-8.

    The content of elements such as ``code``, ``pre`` and ``kbd``, and of those with
    ``translate="no"`` or the class ``notranslate``, is not translated.

    Args:
        languages: codes of source and target; the target replaces the source in ``lang``.
    """
    page = decode(content, name)
    placeholders = Placeholders(page)
    page = TEMPLATE.sub(lambda template: placeholders.hide(template[0]), page)
    source = re.compile(LANGUAGE.format(languages[0] or "(?!)"))
    pieces = [
        piece._replace(raw=source.sub(rf"\1{languages[-1]}", piece.raw)) if piece.name else piece
        for piece in pieces_of(page, is_page=True)
    ]
    blocks = list(_blocks(pieces, placeholders))
    is_utf_8 = not OTHER_ENCODING.search(page)
    texts: list[Text] = []
    line = 1
    for markup, text in blocks[:-1]:
        line += placeholders.put_back(markup).count("\n")
        texts.append(Text("".join(map(_in_one_line, text)), f"line {line}", fit_markup))
        line += sum(placeholders.put_back(piece.raw).count("\n") for piece in text)

    def write(written_texts: Sequence[WrittenText]) -> bytes:
        new_pieces: list[str] = []
        for (markup, text), written in zip(blocks, written_texts):
            new_text = _with_tags(written.text, text) if written.is_translated else _raw(text)
            if written.is_translated and not is_utf_8:  # ASCII is valid in every encoding
                new_text = new_text.encode("ascii", "xmlcharrefreplace").decode()
            new_pieces += (markup, new_text)
        return encode(placeholders.put_back("".join([*new_pieces, blocks[-1][0]])), content)

    return Document(texts, write)


def _in_one_line(piece: Piece) -> str:
    """A piece in which each white space is one space."""
    return SPACES.sub(" ", piece.raw)


def _with_tags(translation: str, text: Sequence[Piece]) -> str:
    """A translation with the line breaks that the tags had in the source text."""
    tags: dict[str, list[str]] = {}
    for piece in (piece for piece in reversed(text) if piece.kind != "text"):
        tags.setdefault(_in_one_line(piece), []).append(piece.raw)
    return "".join(
        raw_tags.pop() if (raw_tags := tags.get(piece.raw)) else piece.raw
        for piece in pieces_of(translation)
    )


def _raw(pieces: Iterable[Piece]) -> str:
    return "".join(piece.raw for piece in pieces)


def _blocks(
    pieces: Sequence[Piece], placeholders: Placeholders
) -> Iterator[tuple[str, list[Piece]]]:
    """Yields markup with the text of the block after it; the last markup has no text after it."""
    markup: list[str] = []
    block: list[Piece] = []
    named = [*_with_names(pieces, placeholders), Piece("other", "")]
    for i, piece in enumerate(named):
        if _is_in_sentence(piece) or piece.name == BREAK and _goes_on(block, named, i):
            block.append(piece)
            continue
        for part in _controls_apart(block):
            if has_words(part):
                before, text, after = split_surroundings(part)
                yield "".join([*markup, before]), text
                markup = [after]
            else:
                markup.append(_raw(part))
        markup.append(piece.raw)
        block = []
    yield "".join(markup), []


def _goes_on(block: Sequence[Piece], pieces: Sequence[Piece], i: int) -> bool:
    """Whether a sentence of a block continues after a line break, which is piece number ``i``."""
    line = itertools.takewhile(lambda piece: piece.name != BREAK, reversed(block))
    rest = itertools.takewhile(
        lambda piece: _is_in_sentence(piece) or piece.name == BREAK,
        itertools.islice(pieces, i, None),
    )
    lines = itertools.groupby(rest, lambda piece: piece.name == BREAK)
    following = (text_of(line).strip() for is_break, line in lines if not is_break)
    return goes_on(text_of([*line][::-1]).strip(), itertools.chain(following, [""]))


def _controls_apart(block: Sequence[Piece]) -> Iterator[Sequence[Piece]]:
    """Divides a block into its links, buttons and labels if no word is outside of them.

    The last step of a path may be plain text.
    """
    pieces: list[Piece] = []
    begins = [0]
    depth = 0
    for piece in block:
        step = STEP.match(piece.raw) if piece.kind == "text" and not depth else None
        if step and len(begins) > 1:
            pieces.append(Piece("other", step[0]))
            piece = Piece("text", piece.raw[step.end() :])
        elif piece.name in CONTROLS:
            if piece.kind == "start" and not depth:
                begins.append(len(pieces))
            depth += {"start": 1, "end": -1}.get(piece.kind, 0)
            if not depth:
                begins.append(len(pieces) + 1)
        elif not depth and has_words([piece]):
            yield block
            return
        pieces.append(piece)
    yield from (pieces[begin:end] for begin, end in zip(begins, [*begins[1:], len(pieces)]))


def _is_in_sentence(piece: Piece) -> bool:
    is_comment = piece.raw.startswith("<!--") and len(piece.raw) <= LONGEST_COMMENT
    return piece.kind == "text" or piece.name in IN_SENTENCES or is_comment


def _with_names(pieces: Sequence[Piece], placeholders: Placeholders) -> Iterator[Piece]:
    """Yields the pieces, with one piece for each element that is not translated."""
    end = 0
    for begin, stop, is_closed in find_untranslated(pieces):
        yield from pieces[end:begin]
        raw, name = _raw(pieces[begin:stop]), pieces[begin].name
        if is_closed and name in IN_SENTENCES:
            yield Piece("alone" if name in PICTURES else "text", placeholders.hide(raw), name)
        else:
            yield Piece("other", raw)
        end = stop
    yield from pieces[end:]
