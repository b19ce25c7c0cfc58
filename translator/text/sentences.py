"""Cuts lines into what a model takes: sentences, and parts of those that are too long."""

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

import sentencex

AFTER_MARK = re.compile(r"(?<=[,;:)\]}…–—])\s+|(?<=[、，；：])\s*|(?<!\s)\s+(?=[–—(\[{-])")
SPACE = re.compile(r"(?<=\s)(?=\S)")


class Part(NamedTuple):
    """A stretch of a line that is translated by itself.

    Attributes:
        text: without the white space around it.
        space: what stands after it in the line.
        begins: False where it goes on with a sentence that was too long.
    """

    text: str
    space: str
    begins: bool = True


def sentences_of(line: str, language: str) -> list[Part]:
    """Cuts a line into its sentences.

    Args:
        line: any text.
        language: its code; sentences end otherwise in others. An unknown one is
            taken for English.

    Returns:
        The sentences in order; their texts with their spaces are the line again,
        but for white space at its beginning. None for a line of white space.
    """
    parts = []
    for sentence in sentencex.segment(language, line):
        text = sentence.strip()
        if text:
            parts.append(Part(text, sentence[len(sentence.rstrip()) :]))
    return parts


def cut_to_fit(sentence: Part, fits: Callable[[str], bool]) -> list[Part]:
    """Cuts a sentence that does not fit at punctuation, or else between words or characters.

    Args:
        sentence: from `sentences_of`.
        fits: whether the model can take a text.

    Returns:
        The pieces in order, as long as may be.
    """
    parts: list[Part] = []
    for piece in _cut(sentence.text, fits, (AFTER_MARK, SPACE)):
        text = piece.rstrip()
        if text:
            parts.append(Part(text, piece[len(text) :], begins=not parts))
        else:  # white space alone
            parts[-1] = parts[-1]._replace(space=parts[-1].space + piece)
    return [*parts[:-1], parts[-1]._replace(space=sentence.space)]


def _cut(text: str, fits: Callable[[str], bool], places: Sequence[re.Pattern[str]]) -> list[str]:
    """Pieces that fit and are as long as may be, cut at the first kind of place that will do."""
    if not places:
        return _cut_characters(text, fits)
    pieces: list[str] = []
    for unit in _split_after(text, places[0]):
        if not fits(unit):
            pieces += _cut(unit, fits, places[1:])
        elif pieces and fits(pieces[-1] + unit):
            pieces[-1] += unit
        else:
            pieces.append(unit)
    return pieces


def _split_after(text: str, place: re.Pattern[str]) -> list[str]:
    """The text between the places; the white space there stays with what is before it."""
    ends = sorted({match.end() for match in place.finditer(text)} - {0, len(text)})
    return [text[a:b] for a, b in zip([0, *ends], [*ends, len(text)])]


def _cut_characters(text: str, fits: Callable[[str], bool]) -> list[str]:
    if len(text) <= 1 or fits(text):
        return [text]
    middle = len(text) // 2
    return _cut_characters(text[:middle], fits) + _cut_characters(text[middle:], fits)
