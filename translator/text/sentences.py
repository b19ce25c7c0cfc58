"""Splits lines into openers and sentences, and cuts sentences that are too long."""

import bisect
import functools
import itertools
import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import sentencex

from translator.base.languages import language_facts, language_table
from translator.text.copied_spans import REPLY
from translator.text.punctuation import is_plain
from translator.text.quantities.reading import QuantityReader
from translator.text.shown import END, MARK, Span

BLANK = r"[^\S\n\x0b-\r\x1c-\x1f\x85\u2028\u2029]"  # white space that does not end a line
BULLET = r"[-+*¶§–—―•‣⁃·∙◦▪▫●○■□▶►▸☐☑✓✔]|-{2,}"
NUMBERED = r"\d{1,3}\.?\)|\(\d{1,3}\)|[A-Za-z]\)|\((?!I\))[A-Za-z]\)"  # "(I) think" has the pronoun
NOTE = r"\[(?:\^[\w-]+|\d{1,3})\]:"
HEADING = rf"#{{1,6}}(?:{BLANK}+\d{{1,2}}(?:\.\d{{1,2}})+\.?(?!\S))?"  # ## 1.2 Title
STAMP = rf"[\[(][\d/., T-]*\d:\d\d[\d:,.]*[\])](?:{BLANK}+<[^\s<>]+>)?"  # of a log or a chat
OPENING = rf"(?:{BULLET}|>+|{HEADING}|\[[ xX]\]|{NOTE}|{NUMBERED}|{STAMP}|{REPLY}){BLANK}+(?=\S)"
LIST_NUMBER = rf"\d{{1,3}}\.{BLANK}+(?=[*_\"„“»«'(\[]*(\w+)|\S)"  # with the word after it
AFTER_END = " *_\"“”»'’)]"  # what may follow the final mark
SECTION = rf"(?P<first>[1-9]\d?)\.(?!00)\d{{1,2}}(?P<point>\.?){BLANK}+(?=[A-ZÄÖÜ])"
FINAL = (".", "!", "?", ",", ";", "…")
HEADING_WORDS = 8  # most words, with the number
MOST_FIRST = 9  # largest first number of a section with two points, where 24.12. is a date
AFTER_MARK = r"(?<=[,;:)\]}…–—])\s+|(?<=[、，；：])\s*|(?<!\s)\s+(?=[–—(\[{-])"
BETWEEN_WORDS = r"(?<=\s)(?=\S)"
ORDINAL = r"(?<![^\s(])\d{1,3}\.\s+$"
TITLE = r"(?<!\w)Ms\.\s+$"  # sentencex knows the others
CLOSING = ")]},;）】」』》，；、。"  # no sentence begins with one of these
REST = r"[)\]}*_]*(?:\s+|$)"  # after a mark, what still belongs to the sentence
WITHOUT_SPACE = (  # the place between two sentences
    r"(?<=[。！？।؟။።])(?=\w)|(?<=[。！？।؟။።][」』”）])(?=[\w「『“（])"
)
STRETCH = 1000  # characters that are split together
FIRST_STEP = 64  # characters that a model usually takes
END_MARKS = ".!?…\"'“”’»)]"
WORD = r"[^\w\s)\]},;]*([^\W\d_])(?![A-Z])"  # no word in capitals
SEVERAL = r"[!?]+(?=[!?])"  # all but the last of several final marks
HIDDEN = "_"  # replaces each character of a web address, for example

_reader_of = functools.cache(QuantityReader)


class LinePart(NamedTuple):
    """A part of a line that is translated by itself.

    Attributes:
        text: without the white space around it.
        space: the white space after it in the line.
        begins: whether it begins a sentence. A long sentence may be cut into several parts.
        is_aside: whether it is an aside, brackets included, in the sentence before it. The
            translation of that sentence has the aside untranslated.
        tags: the ids of the tags at the beginning of its line. The model sees them first.
    """

    text: str
    space: str
    begins: bool = True
    is_aside: bool = False
    tags: tuple[int, ...] = ()


def opening_mark(line: str, language: str) -> str:
    """The opener of a line, which is in no sentence: ``- ``, ``> > `` or ``2) ``, with spaces.

    The number of a section, as in "2.1 Budget", opens a line too.

    A number with a point, such as ``1.``, opens a line in languages that write ordinal numbers
    otherwise. In other languages a word must follow that never follows an ordinal number, or a
    whole sentence that does not begin with a month: "3. Mai" is a date.

    Returns:
        The beginning of the line; empty if no mark opens it, or no word or number follows.
    """
    if is_plain(line):
        return ""
    opening = re.compile(OPENING)
    indentation = re.match(f"{BLANK}*", line)
    start = end = indentation.end() if indentation else 0
    while match := opening.match(line, end) or _list_number(line, end, language):
        end = match.end()
    end = _end_of_section(line, end, language)
    return line[:end] if end > start and any(map(str.isalnum, line[end:])) else ""


def _end_of_section(line: str, start: int, language: str) -> int:
    """The end of a section's number at the beginning of a short text without a final mark."""
    if not line[start : start + 1].isdigit():
        return start
    text = line[start:]
    number, body = re.match(SECTION, text), text.rstrip(AFTER_END + ":")
    if number is None or body.endswith(FINAL) or len(body.split()) > HEADING_WORDS:
        return start
    is_date = bool(number["point"]) and int(number["first"]) > MOST_FIRST
    quantities = _reader_of(language).find(text)
    goes_on = bool(quantities) and quantities[0].end > number.end()  # 2.5 Million, 2.4 GHz
    return start if is_date or goes_on else start + number.end()


def _list_number(line: str, start: int, language: str) -> re.Match[str] | None:
    facts = language_facts(language)
    match = re.compile(LIST_NUMBER).match(line, start)
    if match is None or facts.ordinal_form == "21st" or match[1] in words_that_begin(language):
        return match
    calendar = language_table(facts.code, "calendar")
    if not calendar or not line.rstrip(AFTER_END).endswith((".", "!", "?")):
        return None
    months = (*calendar["months"], *calendar["short"])
    return None if any(re.fullmatch(month, match[1] or "") for month in months) else match


def words_that_begin(language: str) -> frozenset[str]:
    """Words that begin sentences but follow no ordinal number, if nouns have capitals."""
    return frozenset(language_table(language, "sentences").get("beginnings", ()))


def sentences_of(line: str, language: str, hidden: Sequence[Span] = ()) -> list[LinePart]:
    """Splits a line into its sentences.

    Args:
        language: its code, which decides how sentences end. An unknown language is
            treated as English.
        hidden: parts of the line that no sentence ends in, such as tags and web addresses, in
            order. A part that opens something belongs to the text after it.

    Returns:
        The sentences in order. Joined, their texts and spaces are the line,
        without white space at its beginning. A line of white space has none.
    """
    if is_plain(line):
        return [LinePart(line, "")] if line else []
    pieces, end = [], 0
    for span in hidden:
        filling = " " if span.kind in (MARK, END) else HIDDEN
        pieces += [line[end : span.start], filling * (span.end - span.start)]
        end = span.end
    seen = "".join([*pieces, line[end:]])
    if "!" in seen or "?" in seen:
        seen = re.sub(SEVERAL, lambda marks: HIDDEN * len(marks[0]), seen)
    edges: dict[int, int] = {}  # for each place within a part, the place where it may be cut
    for span in hidden:
        edge = span.start if span.opens else _after_spaces(line, span.end)
        edges |= dict.fromkeys(range(span.start + 1, span.end + span.opens), edge)
    cuts, place = {0, len(line)}, 0
    segments = (sentencex.segment(language, stretch) for stretch in _stretches(seen))
    for sentence, following in itertools.pairwise(itertools.chain.from_iterable(segments)):
        place += len(sentence)
        rest = _rest_of(sentence, following, language)
        is_ordinal = _ends_in_ordinal(line[place - len(sentence) : place], following, language)
        if rest is not None and not is_ordinal:
            cut = place + rest
            while cut in edges:
                cut = edges[cut]
            cuts.add(cut)
    for span in hidden:
        if span.kind == END:
            cuts.add(span.start if span.opens else _after_spaces(line, span.end))
    sentences = (line[start:end] for start, end in itertools.pairwise(sorted(cuts)))
    return [
        LinePart(text, sentence[len(sentence.rstrip()) :])
        for sentence in sentences
        if (text := sentence.strip())
    ]


def _after_spaces(line: str, place: int) -> int:
    while line[place : place + 1].isspace():
        place += 1
    return place


def _stretches(text: str) -> Iterator[str]:
    """Parts of a text that end with a sentence, because sentencex is slow without spaces."""
    start, boundary = 0, re.compile(WITHOUT_SPACE)
    while len(text) > STRETCH and (match := boundary.search(text, start + STRETCH)):
        yield text[start : match.start()]
        start = match.start()
    yield text[start:]


def _rest_of(sentence: str, following: str, language: str) -> int | None:
    """The number of characters after a sentence that belong to it; None if it does not end.

    If no space follows, a sentence ends only where a space seems to be lost, as in "He came.She
    went", but not in ASP.NET or before .NET.
    """
    if not following.strip():
        return None
    if sentence[-1].isspace() or not language_facts(language).has_spaces:
        return None if following[0] in CLOSING or re.search(TITLE, sentence) else 0
    if closing := re.match(REST, following):
        begins_upper = following[closing.end() : closing.end() + 1].isupper()
        return closing.end() if begins_upper and any(map(str.isalpha, sentence)) else None
    word = sentence.rstrip(END_MARKS)[-1:]
    begin = re.match(WORD, following)
    return 0 if begin and begin[1].isupper() and (word.islower() or word.isdigit()) else None


def _ends_in_ordinal(sentence: str, following: str, language: str) -> bool:
    """Whether a sentence was split after an ordinal number before a noun: "im 3. Stock"."""
    begins = words_that_begin(language)
    word = re.match(r"\w+", following)
    return bool(begins and word and word[0] not in begins and re.search(ORDINAL, sentence))


def cut_to_fit(
    sentence: LinePart,
    fits: Callable[[str], bool],
    whole: Sequence[tuple[int, int]] = (),
) -> list[LinePart]:
    """Cuts a long sentence at punctuation. If that is not enough, between words or characters.

    Args:
        whole: start and end of parts that are not cut, such as web addresses, in order.

    Returns:
        The parts in order, each as long as possible.
    """
    text, start = sentence.text, 0
    inside = {place for first, end in whole for place in range(first + 1, end)}
    anywhere = [place for place in range(1, len(text) + 1) if place not in inside]
    preferred = [
        sorted({match.end() for match in re.finditer(kind, text)} - inside)
        for kind in (AFTER_MARK, BETWEEN_WORDS)
    ]
    parts: list[LinePart] = []
    while start < len(text):
        end = _end_of_fitting(text, start, anywhere, fits)
        for places in preferred if end < len(text) else ():
            place = places[bisect.bisect(places, end) - 1] if places else 0
            if start < place <= end:
                end = place
                break
        piece = text[start:end]
        if piece.strip():
            part = piece.rstrip()
            space = piece[len(part) :]
            parts.append(sentence._replace(text=part, space=space, begins=not parts))
        else:
            parts[-1] = parts[-1]._replace(space=parts[-1].space + piece)
        start = end
    return [*parts[:-1], parts[-1]._replace(space=sentence.space)]


def _end_of_fitting(
    text: str, start: int, places: Sequence[int], fits: Callable[[str], bool]
) -> int:
    """The last place before which the text from ``start`` fits, otherwise the first place."""
    first = bisect.bisect(places, start)
    step = FIRST_STEP
    while first + step < len(places) and fits(text[start : places[first + step]]):
        step *= 2
    range_ = range(first, min(first + step, len(places)))
    fitting = bisect.bisect(range_, False, key=lambda i: not fits(text[start : places[i]]))
    return places[max(first + fitting - 1, first)]
