"""HTML: the texts of its blocks, with inline elements as tags; all else stays byte for byte."""

import itertools
import re
from collections.abc import Iterable, Iterator, Sequence

from translator.addons.documents.document import SPACES, Document, Text, Written, decoded, encoded
from translator.addons.documents.markup import (
    Kept,
    Piece,
    apart,
    fit_markup,
    has_words,
    kept_spans,
    pieces_of,
    text_of,
)
from translator.addons.documents.plain_text import goes_on
from translator.text.tags import INLINE, LONGEST_COMMENT

INLINE_VOID = frozenset(("img", "input", "wbr"))
PICTURES = frozenset(("picture", "svg"))
IN_SENTENCES = INLINE | INLINE_VOID | PICTURES | {"data", "math", "nobr", "output", "time"}
BREAK = "br"
CONTROLS = frozenset(("a", "button", "label"))
STEP = re.compile(  # what is between the links of a path or a row, and before one that is none
    r"\s*(?:[>›»/|→·•]|&(?:gt|rsaquo|raquo|rarr|middot|bull);)+\s*"
)
TEMPLATE = re.compile(r"<%.*?%>", re.DOTALL)  # of a program that makes the page
LANGUAGE = re.compile(r"(?<=[\s:]lang=)([\"']?)[\w-]+", re.IGNORECASE)  # of a page
OTHER_ENCODING = re.compile(r"<meta\s[^<>]*charset=[\"']?+\s*+(?!utf-?8)\w", re.IGNORECASE)


def read_web_page(content: bytes, name: str, languages: Sequence[str] = ("",)) -> Document:
    """Reads HTML in UTF-8.

    The content of elements such as ``code``, ``pre`` and ``kbd``, and of those with
    ``translate="no"`` or the class ``notranslate``, is not translated.

    Args:
        languages: the last is the code of the target, which the page then says if it says one.
    """
    page = decoded(content, name)
    kept = Kept(page)
    page = TEMPLATE.sub(lambda template: kept.name(template[0]), page)
    language = rf"\1{languages[-1]}" if languages[-1] else r"\g<0>"
    pieces = [
        piece._replace(raw=LANGUAGE.sub(language, piece.raw)) if piece.name == "html" else piece
        for piece in pieces_of(page, is_page=True)
    ]
    blocks = list(_blocks(pieces, kept))
    is_utf_8 = not OTHER_ENCODING.search(page)
    texts: list[Text] = []
    line = 1
    for markup, text in blocks[:-1]:
        line += kept.put_back(markup).count("\n")
        texts.append(Text("".join(map(_in_one_line, text)), f"line {line}", fit_markup))
        line += sum(kept.put_back(piece.raw).count("\n") for piece in text)

    def write(written: Sequence[Written]) -> bytes:
        found: list[str] = []
        for (markup, text), each in zip(blocks, written):
            made = _with_tags(each.text, text) if each.is_translated else _raw(text)
            if each.is_translated and not is_utf_8:  # ASCII is right in every encoding
                made = made.encode("ascii", "xmlcharrefreplace").decode()
            found += (markup, made)
        return encoded(kept.put_back("".join([*found, blocks[-1][0]])), content)

    return Document(texts, write)


def _in_one_line(piece: Piece) -> str:
    """A piece with one space for each white space."""
    return SPACES.sub(" ", piece.raw)


def _with_tags(translation: str, text: Sequence[Piece]) -> str:
    """A translation with the tags of its text as they were, in one line or not."""
    tags: dict[str, list[str]] = {}
    for piece in (each for each in reversed(text) if each.kind != "text"):
        tags.setdefault(_in_one_line(piece), []).append(piece.raw)
    return "".join(
        waiting.pop() if (waiting := tags.get(piece.raw)) else piece.raw
        for piece in pieces_of(translation)
    )


def _raw(pieces: Iterable[Piece]) -> str:
    return "".join(piece.raw for piece in pieces)


def _blocks(pieces: Sequence[Piece], kept: Kept) -> Iterator[tuple[str, list[Piece]]]:
    """Markup and the text of a block behind it; behind the last markup there is none."""
    markup: list[str] = []
    block: list[Piece] = []
    named = [*_with_names(pieces, kept), Piece("other", "")]
    for i, piece in enumerate(named):
        if _is_in_sentence(piece) or piece.name == BREAK and _goes_on(block, named, i):
            block.append(piece)
            continue
        for part in _controls_apart(block):
            if has_words(part):
                before, text, after = apart(part)
                yield "".join([*markup, before]), text
                markup = [after]
            else:
                markup.append(_raw(part))
        markup.append(piece.raw)
        block = []
    yield "".join(markup), []


def _goes_on(block: Sequence[Piece], pieces: Sequence[Piece], i: int) -> bool:
    """Whether a sentence of a block goes on behind a line break, which is the piece of a number."""
    line = itertools.takewhile(lambda piece: piece.name != BREAK, reversed(block))
    rest = itertools.takewhile(
        lambda piece: _is_in_sentence(piece) or piece.name == BREAK,
        itertools.islice(pieces, i, None),
    )
    lines = itertools.groupby(rest, lambda piece: piece.name == BREAK)
    following = (text_of(line).strip() for is_break, line in lines if not is_break)
    return goes_on(text_of([*line][::-1]).strip(), itertools.chain(following, [""]))


def _controls_apart(block: Sequence[Piece]) -> Iterator[Sequence[Piece]]:
    """A block, divided into its links, buttons and labels if all of its words are theirs.

    The last step of a path may be no link.
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


def _with_names(pieces: Sequence[Piece], kept: Kept) -> Iterator[Piece]:
    """The pieces, with one piece for each element that is not translated."""
    end = 0
    for begin, behind, is_closed in kept_spans(pieces):
        yield from pieces[end:begin]
        raw, name = _raw(pieces[begin:behind]), pieces[begin].name
        if is_closed and name in IN_SENTENCES:
            yield Piece("alone" if name in PICTURES else "text", kept.name(raw), name)
        else:
            yield Piece("other", raw)
        end = behind
    yield from pieces[end:]
