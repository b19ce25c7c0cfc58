"""Splits lines into their sentences, and cuts sentences that are too long."""

import bisect
import itertools
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import sentencex

from translator.base.languages import language_facts, language_table
from translator.text.shown import END, Span

AFTER_MARK = re.compile(r"(?<=[,;:)\]}…–—])\s+|(?<=[、，；：])\s*|(?<!\s)\s+(?=[–—(\[{-])")
ORDINAL = re.compile(r"(?<![^\s(])\d{1,3}\.\s+$")
TITLE = re.compile(r"(?<!\w)Ms\.\s+$")  # sentencex knows the others
SPACE = re.compile(r"(?<=\s)(?=\S)")
CLOSING = re.compile(r"[)\]},;）】」』》，；、。]")  # no sentence begins with one of these
REST = re.compile(r"[)\]}*_]*(?:\s+|$)")  # after a mark, what still belongs to the sentence
WITHOUT_SPACE = re.compile(  # between two sentences
    r"(?<=[。！？।؟។။])(?=\w)|(?<=[。！？।؟។။][」』”）])(?=[\w「『“（])"
)
STRETCH = 1000  # characters
END_MARKS = ".!?…\"'“”’»)]"
WORD = re.compile(r"[^\w\s)\]},;]*([^\W\d_])(?![A-Z])")  # but for one in capitals


class LinePart(NamedTuple):
    """A part of a line that is translated by itself.

    Attributes:
        text: without the white space around it.
        space: the white space after it in the line.
        begins: whether it begins a sentence; False for the later parts of a cut one.
        is_aside: whether it is an aside, brackets included, in the sentence before it; the
            translation of that one has the aside as it was given.
        tags: the ids of those that its line begins with, which the model is shown first.
    """

    text: str
    space: str
    begins: bool = True
    is_aside: bool = False
    tags: tuple[int, ...] = ()


def sentences_of(line: str, language: str, hidden: Sequence[Span] = ()) -> list[LinePart]:
    """Splits a line into its sentences.

    Args:
        language: its code, which decides how sentences end. An unknown language is
            treated as English.
        hidden: parts of the line that no sentence ends in, such as tags and web addresses, in
            order; one that opens something belongs to what follows it.

    Returns:
        The sentences in order. Their texts and spaces joined are the line again,
        without white space at its beginning. A line of white space has none.
    """
    pieces: list[str] = []
    places = [(0, 0)]  # in the text that is split, and in the line
    for one in hidden:
        pieces += (line[places[-1][1] : one.start], one.written)
        places.append((places[-1][0] + len(pieces[-2]) + len(pieces[-1]), one.end))
    seen = "".join([*pieces, line[places[-1][1] :]])
    cuts, length = [0], 0
    segments = (sentencex.segment(language, stretch) for stretch in _stretches(seen))
    for sentence, following in itertools.pairwise(itertools.chain.from_iterable(segments)):
        length += len(sentence)
        rest = _rest_of(sentence, following, language)
        if rest is not None:
            cuts.append(_place_in_line(length + rest, places, hidden))
    ends = {
        one.start if one.opens else _after_spaces(line, one.end)
        for one in hidden
        if one.kind == END
    }
    parts = []
    for start, end in itertools.pairwise(sorted({0, *cuts, *ends, len(line)})):
        sentence = line[start:end]
        text = sentence.strip()
        if text:
            parts.append(LinePart(text, sentence[len(sentence.rstrip()) :]))
    return parts


def _stretches(text: str) -> Iterator[str]:
    """A text in parts that end with a sentence; of many without spaces sentencex takes too long."""
    start = 0
    while found := WITHOUT_SPACE.search(text, start + STRETCH):
        yield text[start : found.start()]
        start = found.start()
    yield text[start:]


def _after_spaces(line: str, place: int) -> int:
    while line[place : place + 1].isspace():
        place += 1
    return place


def _rest_of(sentence: str, following: str, language: str) -> int | None:
    """How many characters after a sentence belong to it; None if it does not end there.

    Where no space follows, it ends only if one seems to be lost, as in "He came.She went", but
    not in ASP.NET or before .NET.
    """
    if not following.strip() or _ends_in_ordinal(sentence, following, language):
        return None
    if TITLE.search(sentence):
        return None
    if sentence[-1].isspace() or not language_facts(language).has_spaces:
        return None if CLOSING.match(following) else 0
    if rest := REST.match(following):
        begins_upper = following[rest.end() : rest.end() + 1].isupper()
        return rest.end() if begins_upper and any(map(str.isalpha, sentence)) else None
    word = sentence.rstrip(END_MARKS)[-1:]
    begun = WORD.match(following)
    return 0 if begun and begun[1].isupper() and (word.islower() or word.isdigit()) else None


def words_that_begin(language: str) -> frozenset[str]:
    """Words that begin a sentence and follow no ordinal number, where nouns have capitals."""
    return frozenset(language_table(language, "sentences").get("beginnings", ()))


def _ends_in_ordinal(sentence: str, following: str, language: str) -> bool:
    """Whether a sentence was ended at an ordinal number before a noun, as in "im 3. Stock"."""
    begins = words_that_begin(language)
    word = re.match(r"\w+", following)
    return bool(begins and word and word[0] not in begins and ORDINAL.search(sentence))


def _place_in_line(length: int, places: Sequence[tuple[int, int]], hidden: Sequence[Span]) -> int:
    """The place in a line where a sentence of the text that is split ends."""
    i = bisect.bisect_right(places, (length, sys.maxsize)) - 1
    place = places[i][1] + length - places[i][0]
    while i > 0 and hidden[i - 1].opens and hidden[i - 1].end == place:
        i -= 1
        place = hidden[i].start
    return place


def cut_to_fit(
    sentence: LinePart,
    fits: Callable[[str], bool],
    whole: Sequence[tuple[int, int]] = (),
) -> list[LinePart]:
    """Cuts a long sentence at punctuation, or if that is not enough between words or characters.

    Args:
        whole: start and end of what is not cut, such as web addresses, in order.

    Returns:
        The parts in order, each as long as possible.
    """
    parts: list[LinePart] = []
    text = sentence.text
    for start, end in itertools.pairwise([0, *_Cutter(text, fits, whole).cut(0, len(text))]):
        piece = text[start:end]
        part = piece.rstrip()
        if part:
            rest = piece[len(part) :]
            parts.append(sentence._replace(text=part, space=rest, begins=not parts))
        else:  # white space alone
            parts[-1] = parts[-1]._replace(space=parts[-1].space + piece)
    return [*parts[:-1], parts[-1]._replace(space=sentence.space)]


class _Cutter:
    """Cuts a text into pieces that fit, but not within some parts of it."""

    def __init__(
        self, text: str, fits: Callable[[str], bool], whole: Sequence[tuple[int, int]]
    ) -> None:
        self.text = text
        self.fits = fits
        inside = {i for start, end in whole for i in range(start + 1, end)}
        self.places = [  # where it may be cut, the best kind first
            sorted({found.end() for found in kind.finditer(text)} - inside - {0})
            for kind in (AFTER_MARK, SPACE)
        ]
        self.places.append([i for i in range(1, len(text)) if i not in inside])
        self.usual = 1  # places in a piece

    def cut(self, start: int, end: int, kind: int = 0) -> list[int]:
        """The ends of pieces of a part of the text, as long as possible.

        What no place of a kind makes short enough is cut at places of the next kind.
        """
        if kind == len(self.places):
            return [end]
        of_kind = self.places[kind]
        first, last = bisect.bisect_right(of_kind, start), bisect.bisect_left(of_kind, end)
        places = [*of_kind[first:last], end]
        ends: list[int] = []
        i = 0  # the number of the next place
        while i < len(places):
            i = self._after_fitting(start, places, i)
            reached = places[i - 1] if i else start
            if reached > start:
                ends.append(reached)
            else:
                *inner, _ = self.cut(start, places[i], kind + 1)
                ends += inner
                i += 1
            start = ends[-1] if ends else start
        return ends if ends[-1:] == [end] else [*ends, end]

    def _after_fitting(self, start: int, places: Sequence[int], first: int) -> int:
        """The number of the first place up to which a piece does not fit.

        It is looked for around where the last piece of as many places would end, in steps that
        double, then between the last one that fits and the first one that does not.
        """
        fitting, failing = first, len(places) + 1
        end, step = min(first + self.usual, len(places)), 1
        while failing - fitting > 1:
            if self.fits(self.text[start : places[end - 1]]):
                fitting, end = end, end + step
            else:
                failing, end = end, end - step
            step *= 2
            if not fitting < end < failing:
                end = (fitting + failing) // 2
        self.usual = max(fitting - first, 1)
        return fitting
