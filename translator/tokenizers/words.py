"""Joins subword pieces to words."""

import unicodedata
from collections.abc import Sequence
from typing import NamedTuple

from translator.base.late import late_pattern
from translator.tokenizers.special_tokens import OPENING_MARKS, START, WORD_START, is_tag, is_text

BYTE = late_pattern("<0x([0-9A-F]{2})>")  # a piece for one byte of an unseen character
BYTES_OF_CHARACTER = 4  # most bytes of a character in UTF-8
# Thai, Lao, Tibetan, Burmese, Khmer, Chinese and Japanese: no spaces between words.
UNSPACED = late_pattern("[\u0e00-\u0fff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]")


class Words(NamedTuple):
    """The words of a tokenized sentence.

    Attributes:
        texts: each word, without the space before it.
        numbers: (S,) each piece's word; -1 for start, end, padding and tags.
    """

    texts: tuple[str, ...]
    numbers: tuple[int, ...]


def words_of(pieces: Sequence[str], marks_apart: bool = False) -> Words:
    """Joins pieces to words.

    Args:
        marks_apart: whether pieces of punctuation before and after a word count as separate
            words. Each piece of a script without spaces then is a word, too.

    Returns:
        The words between spaces, with bytes decoded to characters.
    """
    texts: list[list[bytes]] = []
    numbers = [-1] * len(pieces)
    begins = _begin_apart(pieces) if marks_apart else set()
    is_open = False  # whether the last word is nothing but opening marks; see `opening_marks`
    after_marks = b""  # the first bytes of the last word after its opening marks
    for i in _places_of_text(pieces):
        piece = pieces[i]
        is_apart = piece.startswith(WORD_START) and not is_open
        if is_apart or not texts or i in begins:
            texts.append([])
            after_marks = b""
        byte = BYTE.fullmatch(piece) if piece[:1] == "<" else None
        spelt = bytes.fromhex(byte[1]) if byte else piece.removeprefix(WORD_START).encode()
        texts[-1].append(spelt)
        numbers[i] = len(texts) - 1
        if len(after_marks) < BYTES_OF_CHARACTER:
            after_marks += spelt
            after_marks *= bool(after_marks.decode("utf-8", "replace").strip(OPENING_MARKS))
        is_open = not (marks_apart or byte or after_marks) and any(texts[-1])
    words = (b"".join(text).decode("utf-8", "replace") for text in texts)
    return Words(tuple(word.replace(WORD_START, " ") for word in words), tuple(numbers))


def _begin_apart(pieces: Sequence[str]) -> set[int]:
    """The places of pieces that begin a word without a space before it."""
    begins: set[int] = set()
    for word in _places_by_space(pieces):
        spelt = [i for i in word if pieces[i] != WORD_START]
        inside = [i for i in spelt if not _is_mark(pieces[i])]
        if not inside:
            continue
        begins |= {i for i in spelt[1:] if i <= inside[0] or i > inside[-1]}
        begins |= {i for i in spelt[1:] if UNSPACED.match(pieces[i])}
    return begins


def _places_by_space(pieces: Sequence[str]) -> list[list[int]]:
    """The places of the pieces of each word between spaces."""
    words: list[list[int]] = []
    for i in _places_of_text(pieces):
        if pieces[i].startswith(WORD_START) or not words:
            words.append([])
        words[-1].append(i)
    return words


def places_of_tags(pieces: Sequence[str]) -> range:
    """The places of tags at the beginning of a text, such as ``<bt>`` or ``>>deu<<``."""
    begin = end = int(bool(pieces) and pieces[0] == START)
    while end < len(pieces) and is_tag(pieces[end]):
        end += 1
    return range(begin, end)


def _places_of_text(pieces: Sequence[str]) -> list[int]:
    tags = places_of_tags(pieces)
    return [i for i, piece in enumerate(pieces) if is_text(piece) and i not in tags]


def _is_mark(piece: str) -> bool:
    """Whether a piece has only punctuation and symbols."""
    text = piece.removeprefix(WORD_START)
    is_byte_or_unknown = piece.startswith("<") and piece.endswith(">") and len(piece) > 2
    return not is_byte_or_unknown and all(unicodedata.category(c)[0] in "PS" for c in text)
