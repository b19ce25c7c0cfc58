"""Translates the speech of subtitles in SubRip (.srt) or WebVTT (.vtt); the rest stays unchanged.

A sentence over several subtitles is translated as one text, and then divided again into parts that
are about as long as before.
"""

import functools
import itertools
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from translator.addons.documents.document import SPACES, Document, Lines, Place, Text, WrittenText
from translator.addons.documents.markup import (
    Placeholders,
    fit_markup,
    has_same_markup,
    has_words,
    pieces_of,
    split_surroundings,
)
from translator.addons.documents.plain_text import divide
from translator.base.errors import InputError
from translator.text.copied_spans import WEB_ADDRESS

ARROW = "-->"
END = re.compile(rf"(?:[.!?…\"”“♪)\]]|{WEB_ADDRESS})\Z")
MOST_JOINED = 4  # subtitles of one sentence
DASHES = ("-", "–", "—", "‐")
OTHER_TAG = re.compile(r"\{\\[^}]*\}|<[\d:.]+>")  # of SubStation Alpha, such as {\an8}, or a time
TIMES = re.compile(r"\s*\d[\d:.,]*[.,]\d{3}\W+\d[\d:.,]*[.,]\d{3}")  # of a subtitle
TAG = '<x id="%d"/>'  # the model sees it in place of a tag


class Cue(NamedTuple):
    """A subtitle.

    Attributes:
        first: the number of its first line of text, from 0.
        start: the time when it appears, in seconds.
    """

    first: int
    lines: Sequence[str]
    start: float
    end: float


class Segment(NamedTuple):
    """One text to translate: a subtitle, a speaker's turn in it, or a sentence over several.

    Attributes:
        parts: the text at each place.
        surroundings: untranslated text before and after each part, such as ``<i>`` and ``</i>``.
    """

    places: Sequence[Place]
    parts: Sequence[str]
    surroundings: Sequence[tuple[str, str]]


def read_subtitles(content: bytes, name: str, languages: Sequence[str] = ("",)) -> Document:
    """Reads SubRip or WebVTT in UTF-8; `read_web_page` describes ``languages``."""
    file = Lines(content, name)
    has_entities = any(row.startswith("WEBVTT") for row in file.rows[:1])
    language = re.compile(rf"Language:\s*({languages[0] or '(?!)'}\S*)\s*", re.IGNORECASE)
    matches = enumerate(map(language.fullmatch, itertools.takewhile(bool, file.rows)))
    codes = [Place(i, [match.span(1)]) for i, match in matches if match and has_entities]
    cues = list(_cues(file.rows, name, has_entities))
    if not cues and not has_entities:
        raise InputError(f"{name}: expected subtitles, found no line with {ARROW}")
    placeholders = Placeholders("\n".join(file.rows), TAG)
    segments = list(_join_segments(cues, placeholders))
    texts = [
        Text(
            " ".join(segment.parts),
            f"line {segment.places[0].line + 1}",
            functools.partial(_fit, segment, placeholders, has_entities),
        )
        for segment in segments
    ]

    def write(written_texts: Sequence[WrittenText]) -> bytes:
        new_texts = [
            written._replace(text=placeholders.put_back(before + _in_lines(text, place) + after))
            for segment, written in zip(segments, written_texts)
            for text, place, (before, after) in zip(
                written.text.split("\n") if written.is_translated else segment.parts,
                segment.places,
                segment.surroundings,
            )
        ]
        places = [*codes, *(place for segment in segments for place in segment.places)]
        return file.write(places, [*[WrittenText(languages[-1], True)] * len(codes), *new_texts])

    return Document(texts, write)


def _fit(
    segment: Segment, placeholders: Placeholders, has_entities: bool, source: str, translation: str
) -> str | None:
    """A translation with a line for each part; None if a part is empty, or its tags are wrong."""
    if OTHER_TAG.search(translation) or ARROW in translation and not has_entities:
        return None
    fitted: str | None = translation
    if has_entities:
        fitted = fit_markup(source, translation)
    elif not has_same_markup(source, translation):
        fitted = None
    if fitted is None:
        return None
    parts = divide(placeholders.reorder(fitted, source), list(map(len, segment.parts)))
    return "\n".join(parts) if all(parts) else None


def _in_lines(text: str, place: Place) -> str:
    """A text in the same number of lines as a place."""
    lines = divide(text, [1] * len(place.spans), divides_elements=True)
    return "\n".join(line for line in lines if line)


def _cues(rows: Sequence[str], name: str, ends_at_gaps: bool) -> Iterator[Cue]:
    """Yields the subtitles. Without ``ends_at_gaps`` they may have empty lines."""
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
    """Checks that a line without an arrow does not have the times of a subtitle."""
    if TIMES.match(row):
        raise InputError(
            f"{place}: expected {ARROW} between two times, found {row[:60]!r}; correct it"
        )


def _is_timing(row: str, before: str) -> bool:
    """Whether a line has the times of a subtitle, even if these are wrong."""
    start, arrow, _ = row.partition(ARROW)
    is_first = not before.strip("0123456789 \t")  # after an empty line or a number
    return bool(arrow) and (is_first or _seconds(start) >= 0 or not any(map(str.isalpha, row)))


def _seconds(text: str) -> float:
    """The seconds of a time such as 00:01:02,500 or 01:02.500; -1 if a text begins with none."""
    time = (text.split(maxsplit=1) or [""])[0].replace(",", ".")
    *larger_units, seconds = time.split(":")
    is_time = 1 <= len(larger_units) <= 3 and all(map(str.isdecimal, larger_units))
    if not is_time or not seconds.replace(".", "", 1).isdecimal():
        return -1
    return sum(60.0**i * float(part) for i, part in enumerate([seconds, *larger_units[::-1]]))


def _join_segments(cues: Sequence[Cue], placeholders: Placeholders) -> Iterator[Segment]:
    """Yields the segments to translate as one text each, in order; each of them has words."""
    cue_segments = [
        (cue, segment)
        for cue in cues
        for segment in _segments_of(cue, placeholders)
        if has_words(pieces_of(segment.parts[0]))
    ]
    ends = [bool(END.search(_without_tags(segment.parts[0]))) for _, segment in cue_segments]
    has_marks = 2 * sum(ends) >= len(ends)  # then a text without a mark continues
    capitals = sum(_without_tags(segment.parts[0])[:1].isupper() for _, segment in cue_segments)
    shows_ends = has_marks or 4 * capitals >= len(cue_segments)  # of sentences
    pending: list[Segment] = []
    last = Cue(0, (), 0.0, 0.0)
    for cue, segment in cue_segments:
        goes_on = bool(pending) and (
            (cue is last or shows_ends and 0 <= cue.start - last.end < 2)
            and len(pending) < MOST_JOINED
            and _goes_on(pending[-1], segment, has_marks)
            and not placeholders.find(pending[-1].parts[0] + segment.parts[0])
        )
        if pending and not goes_on:
            yield _merge(pending)
            pending = []
        pending.append(segment)
        last = cue
    if pending:
        yield _merge(pending)


def _goes_on(segment: Segment, following: Segment, has_marks: bool) -> bool:
    """Whether a sentence continues in the next subtitle, which may begin with a name or a noun."""
    text, next_character = _without_tags(segment.parts[0]), _without_tags(following.parts[0])[:1]
    if following.surroundings[0][0].rstrip().endswith(DASHES):
        return False
    if END.search(text) or text.endswith(":"):
        return False
    is_open = has_marks and (text.endswith(",") or text[-1:].islower())
    return next_character.islower() or is_open and next_character.isalnum()


def _without_tags(text: str) -> str:
    """A text without its tags."""
    return "".join(piece.raw for piece in pieces_of(text) if piece.kind == "text")


def _merge(segments: Sequence[Segment]) -> Segment:
    return Segment(
        [place for segment in segments for place in segment.places],
        [part for segment in segments for part in segment.parts],
        [surroundings for segment in segments for surroundings in segment.surroundings],
    )


def _segments_of(cue: Cue, placeholders: Placeholders) -> Iterator[Segment]:
    """Yields a subtitle as one text, or the turns of its speakers."""
    group: list[str] = []  # lines of one segment
    last_text = ""  # of its last line
    is_dialogue = False
    for i, line in enumerate([*cue.lines, ""]):
        visible = OTHER_TAG.sub(lambda match: placeholders.hide(match[0], TAG), line)
        visible = SPACES.sub(" ", visible.strip())
        before, words, _ = _split_surroundings(visible)
        has_dash = before.rstrip().endswith(DASHES)
        is_dialogue |= has_dash and _without_tags(words)[:1].isupper()
        begins = END.search(last_text) and not _without_tags(words)[:1].islower()
        if group and (not visible or begins or has_dash and is_dialogue):
            rows = cue.lines[i - len(group) : i]
            spans = [(len(row) - len(row.lstrip()), len(row.rstrip())) for row in rows]
            prefix, text, suffix = _split_surroundings(" ".join(group))
            yield Segment([Place(cue.first + i - len(group), spans)], [text], [(prefix, suffix)])
            group = []
        if visible:
            is_dialogue |= has_dash and not group
            group.append(visible)
            last_text = _without_tags(words)


def _split_surroundings(text: str) -> tuple[str, str, str]:
    """Divides a text into the part before it with its dash, the text itself, and the part after."""
    before, pieces, after = split_surroundings(pieces_of(text))
    text = "".join(piece.raw for piece in pieces)
    words = text.lstrip("".join(DASHES) + " ")
    return before + text[: len(text) - len(words)], words, after
