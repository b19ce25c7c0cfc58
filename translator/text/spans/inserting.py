"""Inserts spans that the model dropped into a translation."""

from collections.abc import Collection, Sequence
from typing import NamedTuple

import numpy as np

CLEAR = 0.5  # attention from which a word clearly translates another
SAME_LETTERS = 3  # at the beginning of a stand-in and of a misspelt one
FINAL_MARKS = ".!?…"


class RestoredWords(NamedTuple):
    """The words of a translation with its spans.

    Attributes:
        words: of the translation.
        alignment: (words, source) with a row for each word; that of a span has its source word.
    """

    words: list[str]
    alignment: np.ndarray


class Missing(NamedTuple):
    """A span that has no stand-in in a translation.

    Attributes:
        source_word: which word of the source has it.
        text: what is inserted.
        shown: what the model was shown; empty if that was the span itself.
        follows_mark: whether the word before it in the source ends with punctuation.
        follows_name: whether the word before it has a capital, as a title or first name has.
        mark: the punctuation after it in the source.
    """

    source_word: int
    text: str
    shown: str
    follows_mark: bool = False
    follows_name: bool = False
    mark: str = ""


def insert_spans(
    missing: Sequence[Missing],
    words: Sequence[str],
    alignment: np.ndarray,
    filled: Collection[int],
    prefix: int,
) -> RestoredWords:
    """Inserts spans next to the words that translate their neighbours.

    A misspelt stand-in is replaced.

    Args:
        missing: in the order of the source.
        words: of the translation.
        alignment: (words, source) how much each word attended to each source word.
        filled: the words that have a span already.
        prefix: how many words at the beginning were given.
    """
    found = list(words)
    filled = {*filled, *range(prefix)}
    places: list[tuple[int, Missing]] = []
    for span in missing:
        t = _misspelt(span, found, alignment, filled)
        if t is not None:
            core = found[t].rstrip(FINAL_MARKS + ",;:")
            found[t] = span.text + found[t][len(core) :]
            filled.add(t)
        else:
            places.append((max(_place(span, alignment), prefix), span))
    for place, span in sorted(places, key=lambda pair: pair[0])[::-1]:
        row = np.zeros((1, alignment.shape[1]), alignment.dtype)
        row[0, span.source_word] = 1
        alignment = np.insert(alignment, place, row, axis=0)
        moved = FINAL_MARKS if place == len(found) else span.mark
        marks = ""
        if place > prefix and moved:  # the mark stays behind the span
            core = found[place - 1].rstrip(moved)
            marks, found[place - 1] = found[place - 1][len(core) :], core
        found.insert(place, span.text + marks)
    return RestoredWords(found, alignment)


def _misspelt(
    span: Missing, words: Sequence[str], alignment: np.ndarray, filled: Collection[int]
) -> int | None:
    """The word that misspells what was shown for a span; None if there is none."""
    beginning = span.shown[:SAME_LETTERS].lower()
    for t in np.argsort(-alignment[: len(words), span.source_word]):
        if not beginning or alignment[t, span.source_word] < CLEAR:
            return None
        if t not in filled and words[t].lower().startswith(beginning):
            return int(t)
    return None


def _place(span: Missing, alignment: np.ndarray) -> int:
    """The place of a span next to the translation of the word before it or after it."""
    s, count, length = span.source_word, len(alignment), alignment.shape[1]
    if not count or length == 1:
        return count
    before: tuple[float, int] = (-1.0, 0) if s == 0 else _best(alignment[:, s - 1], 1)
    after: tuple[float, int] = (-1.0, count) if s == length - 1 else _best(alignment[:, s + 1], 0)
    if s > 0 and (span.mark or span.follows_name) and not span.follows_mark:
        return before[1]
    if s < length - 1 and span.follows_mark and not span.mark:
        return after[1]
    return after[1] if after[0] > before[0] else before[1]


def _best(column: np.ndarray, step: int) -> tuple[float, int]:
    t = int(column.argmax())
    return float(column[t]), t + step
