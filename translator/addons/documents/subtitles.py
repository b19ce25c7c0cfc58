"""Subtitles, SubRip (.srt) and WebVTT (.vtt): what is said; times, numbers and settings stay.

A sentence that goes on in the next subtitle is translated as one and divided again where its parts
are about as long as before.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from translator.addons.documents.document import Document, Text, Written, decoded
from translator.addons.documents.markup import fit_markup, pieces_of
from translator.base.errors import InputError

ARROW = "-->"
ENDS = (".", "!", "?", "…", '"', "”", "“", "♪", ":", ")", "]")
MOST_JOINED = 4  # subtitles of one sentence
DASHES = ("-", "–", "—", "‐")
NEAR = 0.25  # of the length of a sentence, where a mark is looked for to divide it at


class Cue(NamedTuple):
    """A subtitle.

    Attributes:
        first: the number of its first line of text, from 0.
        lines: its lines.
        start: when it is shown, in seconds.
        end: until when.
    """

    first: int
    lines: Sequence[str]
    start: float
    end: float


class Saying(NamedTuple):
    """What is translated as one: a subtitle, a line of a dialogue, or parts of a sentence.

    Attributes:
        places: the first line and the number of lines of each part.
        parts: the text of each, without what stands around it.
        around: what stands before and behind each part and stays, such as ``<i>`` and ``</i>``.
    """

    places: Sequence[tuple[int, int]]
    parts: Sequence[str]
    around: Sequence[tuple[str, str]]


def read_subtitles(content: bytes, name: str) -> Document:
    """Reads SubRip or WebVTT in UTF-8.

    Args:
        content: of the file.
        name: of the file, for errors.

    Raises:
        InputError: it is not UTF-8, has no subtitles, or a time that is none.
    """
    page = decoded(content, name)
    end = "\r\n" if "\r\n" in page else "\n"
    rows = page.split(end)
    cues = list(_cues(rows, name))
    if not cues:
        raise InputError(f"{name}: expected subtitles, found no line with {ARROW}")
    sayings = list(_joined(cues))
    texts = [
        Text(" ".join(each.parts), f"line {each.places[0][0] + 1}", fit_markup) for each in sayings
    ]

    def write(written: Sequence[Written]) -> bytes:
        made: list[list[str]] = [[row] for row in rows]
        for saying, each in zip(sayings, written):
            divided = divide(each.text, [len(part) for part in saying.parts])
            for (first, count), text, (before, after) in zip(saying.places, divided, saying.around):
                lines = divide(text, [1] * count)
                lines = [line for line in lines if line] or [""]
                lines[0] = before + lines[0]
                lines[-1] += after
                made[first] = lines
                for i in range(first + 1, first + count):
                    made[i] = []
        return end.join(line for lines in made for line in lines).encode()

    return Document(texts, write)


def _cues(rows: Sequence[str], name: str) -> Iterator[Cue]:
    line = 0
    while line < len(rows):
        if ARROW not in rows[line]:
            line += 1
            continue
        start, _, rest = rows[line].partition(ARROW)
        times = [_seconds(text, f"{name}, line {line + 1}") for text in (start, rest)]
        first = line = line + 1
        while line < len(rows) and rows[line].strip():
            line += 1
        if times[1] < times[0]:
            raise InputError(
                f"{name}, line {first}: expected a subtitle that ends after it begins, found"
                f" {rows[first - 1]!r}; correct it"
            )
        yield Cue(first, rows[first:line], *times)


def _seconds(text: str, place: str) -> float:
    """A time such as 00:01:02,500 or 01:02.500, which settings may follow.

    Raises:
        InputError: it is none.
    """
    given = (text.split() or [""])[0]
    *hours, minutes, seconds = ["0", *given.replace(",", ".").split(":")]
    try:
        if not all(part.isdigit() for part in (*hours, minutes)) or seconds.startswith("-"):
            raise ValueError
        return 3600.0 * int("".join(hours) or 0) + 60 * int(minutes) + float(seconds)
    except ValueError:
        raise InputError(
            f"{place}: expected a time such as 00:01:02,500, found {given!r}; correct it"
        ) from None


def _joined(cues: Sequence[Cue]) -> Iterator[Saying]:
    """What is translated as one, in order; subtitles without words are left out."""
    waiting: list[Saying] = []
    last = 0.0
    for cue in cues:
        sayings = [each for each in _sayings_of(cue) if any(map(str.isalpha, each.parts[0]))]
        goes_on = bool(waiting and sayings) and (
            0 <= cue.start - last < 2
            and len(waiting) < MOST_JOINED
            and not waiting[-1].parts[0].rstrip().endswith(ENDS)
            and sayings[0].parts[0][:1].islower()
        )
        if waiting and not goes_on:
            yield _as_one(waiting)
            waiting = []
        for saying in sayings[:-1]:
            yield _as_one([*waiting, saying])
            waiting = []
        waiting += sayings[-1:]
        last = cue.end
    if waiting:
        yield _as_one(waiting)


def _as_one(sayings: Sequence[Saying]) -> Saying:
    return Saying(
        [place for each in sayings for place in each.places],
        [part for each in sayings for part in each.parts],
        [around for each in sayings for around in each.around],
    )


def _sayings_of(cue: Cue) -> Iterator[Saying]:
    """A subtitle as one text, or each line of a dialogue."""
    is_dialogue = len(cue.lines) > 1 and all(
        _apart(line)[0].rstrip().endswith(DASHES) for line in cue.lines
    )
    groups = [[line] for line in cue.lines] if is_dialogue else [list(cue.lines)]
    first = cue.first
    for lines in groups:
        before, text, after = _apart(" ".join(line.strip() for line in lines))
        yield Saying([(first, len(lines))], [text], [(before, after)])
        first += len(lines)


def _apart(text: str) -> tuple[str, str, str]:
    """What stands before a text, the text, and what stands behind it, such as tags around it."""
    before = after = ""
    while text.startswith("{") and "}" in text:  # of the program that shows it: {\an8}
        part, _, text = text.partition("}")
        before += part + "}"
    pieces = pieces_of(text)
    while len(pieces) > 1 and pieces[0].kind == "start" and pieces[-1].kind == "end":
        opening, closing = pieces[0], pieces[-1]
        inner = [piece for piece in pieces[1:-1] if piece.name == opening.name]
        if opening.name != closing.name or inner:
            break
        before, after = before + opening.raw, closing.raw + after
        pieces = pieces[1:-1]
    while pieces and pieces[0].kind == "start" and pieces[0].name in ("v", "c", "lang"):
        before += pieces[0].raw  # WebVTT's, whose end may be left out
        pieces = pieces[1:]
    text = "".join(piece.raw for piece in pieces)
    dash = text[: len(text) - len(text.lstrip("".join(DASHES) + " "))]
    return before + dash, text[len(dash) :].strip(), after


def divide(text: str, lengths: Sequence[int]) -> list[str]:
    """A text in as many parts as there are lengths, which are in the proportion of these.

    It is divided between words, if there is one near the place, behind a mark.

    Args:
        text: any text; tags stay whole, and near what they stand beside.
        lengths: of the parts.
    """
    parts: list[str] = []
    left = text
    for i in range(len(lengths) - 1):
        share = lengths[i] / max(sum(lengths[i:]), 1)
        spaces = _spaces_outside_of_tags(left)
        if not spaces:
            break
        wanted = share * len(left)
        near = [at for at in spaces if abs(at - wanted) <= NEAR * len(left)]
        marks = [at for at in near if left[at - 1] in ",;:.!?–"]
        place = min(marks or spaces, key=lambda at: abs(at - wanted))
        parts.append(left[:place])
        left = left[place + 1 :]
    return [*parts, left, *[""] * (len(lengths) - len(parts) - 1)]


def _spaces_outside_of_tags(text: str) -> list[int]:
    found: list[int] = []
    start = depth = 0
    for piece in pieces_of(text):
        if piece.kind == "text" and depth == 0:
            found += (start + i for i, character in enumerate(piece.raw) if character == " ")
        depth += {"start": 1, "end": -1}.get(piece.kind, 0)
        start += len(piece.raw)
    return [at for at in found if 0 < at < len(text) - 1]
