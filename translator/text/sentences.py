"""Splits lines into sentences, and cuts sentences that are too long for the model."""

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

import sentencex

AFTER_MARK = re.compile(r"(?<=[,;:)\]}…–—])\s+|(?<=[、，；：])\s*|(?<!\s)\s+(?=[–—(\[{-])")
SPACE = re.compile(r"(?<=\s)(?=\S)")


class Part(NamedTuple):
    """A part of a line that is translated by itself.

    Attributes:
        text: without the white space around it.
        space: the white space after it in the line.
        begins: whether it begins a sentence; False for the later parts of a cut one.
    """

    text: str
    space: str
    begins: bool = True


def sentences_of(line: str, language: str) -> list[Part]:
    """Splits a line into its sentences.

    Args:
        line: any text.
        language: its code, which decides how sentences end. An unknown language is
            treated as English.

    Returns:
        The sentences in order. Their texts and spaces joined are the line again,
        without white space at its beginning. A line of white space has none.
    """
    parts = []
    for sentence in sentencex.segment(language, line):
        text = sentence.strip()
        if text:
            parts.append(Part(text, sentence[len(sentence.rstrip()) :]))
    return parts


def cut_to_fit(sentence: Part, fits: Callable[[str], bool]) -> list[Part]:
    """Cuts a long sentence at punctuation, or if that is not enough between words or characters.

    Args:
        sentence: from `sentences_of`.
        fits: tells whether the model can take a text.

    Returns:
        The parts in order, each as long as possible.
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
    """Pieces that fit and are as long as possible, cut at the first kind of place that works."""
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
    """Splits a text after each place; white space stays with what is before it."""
    ends = sorted({match.end() for match in place.finditer(text)} - {0, len(text)})
    return [text[a:b] for a, b in zip([0, *ends], [*ends, len(text)])]


def _cut_characters(text: str, fits: Callable[[str], bool]) -> list[str]:
    if len(text) <= 1 or fits(text):
        return [text]
    middle = len(text) // 2
    return _cut_characters(text[:middle], fits) + _cut_characters(text[middle:], fits)
