"""Subtitles, SubRip (.srt) and WebVTT (.vtt): what is said; times, numbers and settings stay.

A sentence that goes on in the next subtitle is translated as one and divided again where its parts
are about as long as before.
"""

import functools
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from translator.addons.documents.document import SPACES, Document, Lines, Place, Text, Written
from translator.addons.documents.markup import (
    Kept,
    apart,
    fit_markup,
    has_same_markup,
    has_words,
    pieces_of,
)
from translator.addons.documents.plain_text import divide
from translator.base.errors import InputError

ARROW = "-->"
ENDS = (".", "!", "?", "…", '"', "”", "“", "♪", ")", "]")
MOST_JOINED = 4  # subtitles of one sentence
DASHES = ("-", "–", "—", "‐")
OTHER_TAG = re.compile(r"\{\\[^}]*\}|<[\d:.]+>")  # of SubStation Alpha, such as {\an8}, or a time
TIMES = re.compile(r"\s*\d[\d:.,]*[.,]\d{3}\W+\d[\d:.,]*[.,]\d{3}")  # of a subtitle
TAG = '<x id="%d"/>'  # shown to a model in its place


class Cue(NamedTuple):
    """A subtitle.

    Attributes:
        first: the number of its first line of text, from 0.
        start: when it is shown, in seconds.
    """

    first: int
    lines: Sequence[str]
    start: float
    end: float


class Saying(NamedTuple):
    """What is translated as one: a subtitle, what one says in a dialogue, or parts of a sentence.

    Attributes:
        parts: the text of each, without what stands around it.
        around: what stands before and behind each part and stays, such as ``<i>`` and ``</i>``.
    """

    places: Sequence[Place]
    parts: Sequence[str]
    around: Sequence[tuple[str, str]]


def read_subtitles(content: bytes, name: str) -> Document:
    """Reads SubRip or WebVTT in UTF-8."""
    file = Lines(content, name)
    has_entities = any(row.startswith("WEBVTT") for row in file.rows[:1])
    cues = list(_cues(file.rows, name, has_entities))
    if not cues and not has_entities:
        raise InputError(f"{name}: expected subtitles, found no line with {ARROW}")
    kept = Kept("\n".join(file.rows), TAG)
    sayings = list(_joined(cues, kept))
    texts = [
        Text(
            " ".join(each.parts),
            f"line {each.places[0].line + 1}",
            functools.partial(_fit, each, kept, has_entities),
        )
        for each in sayings
    ]

    def write(written: Sequence[Written]) -> bytes:
        made = [
            each._replace(text=kept.put_back(before + _in_lines(text, place) + after))
            for saying, each in zip(sayings, written)
            for text, place, (before, after) in zip(
                each.text.split("\n") if each.is_translated else saying.parts,
                saying.places,
                saying.around,
            )
        ]
        return file.write([place for each in sayings for place in each.places], made)

    return Document(texts, write)


def _fit(
    saying: Saying, kept: Kept, has_entities: bool, source: str, translation: str
) -> str | None:
    """The parts of a translation, in lines; None if one has no words, or other tags are in it."""
    if OTHER_TAG.search(translation) or ARROW in translation and not has_entities:
        return None
    found: str | None = translation
    if has_entities:
        found = fit_markup(source, translation)
    elif not has_same_markup(source, translation):
        found = None
    if found is None:
        return None
    parts = divide(kept.in_order(found, source), list(map(len, saying.parts)))
    return "\n".join(parts) if all(parts) else None


def _in_lines(text: str, place: Place) -> str:
    """A text in as many lines as a place has."""
    lines = divide(text, [1] * len(place.spans), divides_elements=True)
    return "\n".join(line for line in lines if line)


def _cues(rows: Sequence[str], name: str, ends_at_gaps: bool) -> Iterator[Cue]:
    """The subtitles; empty lines end them, or may be in them, as people have them in SubRip."""
    line = 0
    while line < len(rows):
        line += 1
        if ARROW not in rows[line - 1]:
            _check_no_times(rows[line - 1], f"{name}, line {line}")
            continue
        times = []
        for text in rows[line - 1].split(ARROW, 1):
            times.append(_seconds(text))
            if times[-1] < 0:
                raise InputError(
                    f"{name}, line {line}: expected a time such as 00:01:02,500, found"
                    f" {text.strip()[:40]!r}; correct it"
                )
        first = line
        while (
            line < len(rows)
            and (rows[line] or not ends_at_gaps)
            and not _is_timing(rows[line], rows[line - 1])
        ):
            line += 1
            _check_no_times(rows[line - 1], f"{name}, line {line}")
        is_number_of_next = line < len(rows) and rows[line] and rows[line - 1].strip().isdecimal()
        yield Cue(first, rows[first : line - bool(is_number_of_next)], *times)


def _check_no_times(row: str, place: str) -> None:
    """Checks that a line without an arrow does not say when a subtitle is shown."""
    if TIMES.match(row):
        raise InputError(
            f"{place}: expected {ARROW} between two times, found {row[:60]!r}; correct it"
        )


def _is_timing(row: str, before: str) -> bool:
    """Whether a line begins a subtitle, right or wrong, also where no empty line is before it."""
    start, arrow, _ = row.partition(ARROW)
    is_first = not before.strip("0123456789 \t")  # behind an empty line or a number
    return bool(arrow) and (is_first or _seconds(start) >= 0 or not any(map(str.isalpha, row)))


def _seconds(text: str) -> float:
    """A time such as 00:01:02,500 or 01:02.500, which settings may follow; -1 if it is none."""
    given = (text.split(maxsplit=1) or [""])[0].replace(",", ".")
    *others, seconds = given.split(":")
    is_time = 1 <= len(others) <= 3 and all(map(str.isdecimal, others))
    if not is_time or not seconds.replace(".", "", 1).isdecimal():
        return -1
    return sum(60.0**i * float(part) for i, part in enumerate([seconds, *others[::-1]]))


def _joined(cues: Sequence[Cue], kept: Kept) -> Iterator[Saying]:
    """What is translated as one, in order; subtitles without words are left out."""
    found = [
        (cue, saying)
        for cue in cues
        for saying in _sayings_of(cue, kept)
        if has_words(pieces_of(saying.parts[0]))
    ]
    ends = [_said(saying.parts[0]).endswith(ENDS) for _, saying in found]
    has_marks = 2 * sum(ends) >= len(ends)  # so that a text without one goes on
    capitals = sum(_said(saying.parts[0])[:1].isupper() for _, saying in found)
    tells_ends = has_marks or 4 * capitals >= len(found)  # of sentences
    waiting: list[Saying] = []
    last = Cue(0, (), 0.0, 0.0)
    for cue, saying in found:
        goes_on = bool(waiting) and (
            (cue is last or tells_ends and 0 <= cue.start - last.end < 2)
            and len(waiting) < MOST_JOINED
            and _goes_on(waiting[-1], saying, has_marks)
            and not kept.names_in(waiting[-1].parts[0] + saying.parts[0])
        )
        if waiting and not goes_on:
            yield _as_one(waiting)
            waiting = []
        waiting.append(saying)
        last = cue
    if waiting:
        yield _as_one(waiting)


def _goes_on(saying: Saying, following: Saying, has_marks: bool) -> bool:
    """Whether a sentence goes on in the next subtitle, which may begin with a name or a noun."""
    said, begin = _said(saying.parts[0]), _said(following.parts[0])[:1]
    if following.around[0][0].rstrip().endswith(DASHES):
        return False
    if said.endswith((*ENDS, ":")):
        return False
    is_open = has_marks and (said.endswith(",") or said[-1:].islower())
    return begin.islower() or is_open and begin.isalnum()


def _said(text: str) -> str:
    """A text without its tags."""
    return "".join(piece.raw for piece in pieces_of(text) if piece.kind == "text")


def _as_one(sayings: Sequence[Saying]) -> Saying:
    return Saying(
        [place for each in sayings for place in each.places],
        [part for each in sayings for part in each.parts],
        [around for each in sayings for around in each.around],
    )


def _sayings_of(cue: Cue, kept: Kept) -> Iterator[Saying]:
    """A subtitle as one text, or what each says in a dialogue."""
    group: list[str] = []  # lines
    text = ""  # of the last one
    is_dialogue = False
    for i, line in enumerate([*cue.lines, ""]):
        shown = OTHER_TAG.sub(lambda found: kept.name(found[0], TAG), line)
        shown = SPACES.sub(" ", shown.strip())
        before, words, _ = _apart(shown)
        has_dash = before.rstrip().endswith(DASHES)
        is_dialogue |= has_dash and _said(words)[:1].isupper()
        begins = text.endswith(ENDS) and not _said(words)[:1].islower()
        if group and (not shown or begins or has_dash and is_dialogue):
            rows = cue.lines[i - len(group) : i]
            spans = [(len(row) - len(row.lstrip()), len(row.rstrip())) for row in rows]
            around, joined, behind = _apart(" ".join(group))
            yield Saying([Place(cue.first + i - len(group), spans)], [joined], [(around, behind)])
            group = []
        if shown:
            is_dialogue |= has_dash and not group
            group.append(shown)
            text = _said(words)


def _apart(text: str) -> tuple[str, str, str]:
    """What stands before a text, a dash included, the text, and what stands behind it."""
    before, pieces, after = apart(pieces_of(text))
    text = "".join(piece.raw for piece in pieces)
    said = text.lstrip("".join(DASHES) + " ")
    return before + text[: len(text) - len(said)], said, after
