"""Finds the parts of a text that a model is not shown, takes them out and keeps them.

These are tags, emoji and marks of format, such as ``**``, and brackets and quotation marks around
a word or a whole text. A translation has the same words with and without these marks.
`translator.text.placing` puts them into the translation.
"""

import itertools
import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from translator.base.languages import language_facts, language_table
from translator.base.late import np
from translator.text.punctuation import MARKS, is_plain
from translator.text.shown import ASIDE, END, MARK, Intervals, Span
from translator.text.tags import (
    find_emoji,
    find_tags,
    is_block,
    pair_tags,
    separates,
    without_tags,
)

DOUBLE, SINGLE, BRACKET, ALONE = "double", "single", "bracket", "alone"
BRACKETS = {")": "(", "]": "[", "}": "{"}
FOR_TAG = "\ufffc"  # replaces each character of a tag
EDGE = "[:;,–—|»]"
REST = rf"[\s*_~)\]}}\"“”»'‘’{FOR_TAG}]*$"  # what may follow the last mark of a text
SIGNS = {  # the first pattern that fits wins
    # a note, a time, a year; after a word; what a text begins or ends with
    ALONE: r"\[(?:\d{1,3}|\^[\w-]+)\](?![\w(])|^\[\d[\d:./ -]*\](?=\s)|(?<!\w)\(\d{1,4}\)(?!\w)"
    r"|[†‡™®©](?!\w)|(?<=[^\W\d_]{3})[¹²³⁴⁵⁶⁷⁸⁹]+(?!\w)"
    rf"|^[:;,–—«]+(?=\s)|^(?:…|\.{{3}})\s?(?=\w)|^\|+|(?<=\s)-+(?={REST})"
    rf"|(?<!{EDGE})(?<!{EDGE}\s){EDGE}(?:\s?{EDGE})*(?={REST})",
    "emphasis": r"(?<!\*)\*{1,3}(?!\*)|(?<!_)_{1,3}(?!_)|(?<!~)~~(?!~)",
    BRACKET: r"[()\[\]{}]",
    DOUBLE: '["“”„‟«»]',
    SINGLE: rf"(?<!\w)['‘’‚‹›`](?!n['’])(?=[\w*_{{$%{FOR_TAG}])"
    rf"|(?<=[\w*_.,!?}}{FOR_TAG}])['‘’‹›](?!\w)",
}
SIGN = "|".join(f"(?P<{kind}>{pattern})" for kind, pattern in SIGNS.items())
LONGEST_WORD = 60  # most characters of a word
AROUND = rf"[*_~\"“”„'‘’‚{FOR_TAG}]*"
WORD = rf"{AROUND}(?:\w(?:[\w'’.-]*\w)?[.,]?|[$%{{]+[\w.$}}]+){AROUND}"  # or a placeholder
NEXT_LETTER = r"\s+[^\w\s]*([^\W\d_])"  # the first letter after a space
SINGLE_QUOTES = {"en": ("'", "'"), "de": ("‚", "‘")}
BEFORE_PUNCTUATION = rf"(?<!\s)\s+(?=[{re.escape(MARKS[:6])}]+(?:\s|$))"
CELL, ROW = r"\t|(?<!\S)[|·](?!\S)", r"[\t|]"


class MarkedText(NamedTuple):
    """A text without its marks, and its marks.

    Attributes:
        plain: the text that is left.
        marks: the parts that were taken out, in order. `Span.start` and `end` of a mark count the
            characters of the plain text before it, without white space. Its `text` includes the
            space before it and the space after it, if there were any.
    """

    plain: str
    marks: tuple[Span, ...] = ()

    def with_plain(self, plain: str) -> "MarkedText":
        """The same marks in a text whose words were respelt."""
        if plain == self.plain or not self.marks:
            return MarkedText(plain, self.marks)
        texts = (self.plain, plain)
        old, new = ([0, *itertools.accumulate(map(len, text.split()))] for text in texts)
        count = min(len(old), len(new))
        offsets = [mark.start for mark in self.marks]
        places = np.interp(offsets, old[:count], new[:count]).round().astype(int)
        moved = (mark._replace(start=i, end=i) for mark, i in zip(self.marks, places.tolist()))
        return MarkedText(plain, tuple(moved))


def find_marks(text: str, whole: Sequence[tuple[int, int]] = ()) -> list[Span]:
    """Finds tags, emoji and marks of format, in order.

    Args:
        whole: start and end of parts that have no emoji or marks of format, such as web addresses.
    """
    if is_plain(text):
        return []
    tags = find_tags(text)
    taken = Intervals([*tags, *whole])
    emoji = [span for span in find_emoji(text) if taken.are_free(span.start, span.end)]
    taken.add(emoji)
    signs = [  # each with its tags
        sign._replace(text=text[sign.start : sign.end])
        for sign in _find_signs(without_tags(text, FOR_TAG, tags), taken)
    ]
    return sorted([*tags, *emoji, *signs])


def _find_signs(text: str, taken: Intervals) -> Iterator[Span]:
    """Finds marks of format, brackets and quotation marks.

    Emphasis counts around any words; brackets and quotation marks around one word or a whole text.
    Other words in brackets are an aside, which is one span with its brackets. A pair without words
    inside is one mark.
    """
    signs = [sign for match in re.finditer(SIGN, text) if (sign := _read_sign(match, taken))]
    partner = pair_tags([(sign.key, sign.opens, sign.closes) for sign in signs])
    letters = [i for i, character in enumerate(text) if character.isalnum()]
    begin, end = (letters[0], letters[-1]) if letters else (len(text), -1)
    closings: set[int] = set()  # numbers of signs whose partners are taken out
    aside_end = 0
    for i, sign in enumerate(signs):
        j = partner.get(i)
        if sign.start < aside_end:
            continue
        if i in closings or not (sign.opens or sign.closes):
            yield sign._replace(opens=False)
        elif j is None:
            yield from _read_loose(text, sign, sign.start < begin, sign.start > end)
        elif j > i:
            last = signs[j]
            is_bracket, is_apart = sign.key in "([{", not _is_glued(text, sign.start, last.end)
            has_words = bisect_left(letters, sign.start) < bisect_left(letters, last.end)
            is_whole = sign.end <= begin and end < last.start
            is_whole |= _is_around_word(text, sign, last, is_bracket, sign.end <= begin)
            if is_apart and is_whole or not is_bracket and sign.key not in (DOUBLE, SINGLE):
                closings.add(j)
                yield sign._replace(closes=False)
            elif not has_words or is_bracket and is_apart:
                aside_end = last.end
                yield Span(sign.start, aside_end, "", ASIDE if has_words else MARK)


def _read_sign(match: re.Match[str], taken: Intervals) -> Span | None:
    """A sign that may open or close something; None if it is within a word or another part."""
    text, kind, characters = match.string, match.lastgroup or "", match[0]
    start, end = match.span()
    if not (taken.are_free(start, start + 1) and taken.are_free(end - 1, end)):  # (1999) passes
        return None
    if kind == ALONE:
        return Span(start, end, characters, MARK)
    if kind == BRACKET:
        closes = characters in BRACKETS
        name = BRACKETS.get(characters, characters)
        return Span(start, end, characters, MARK, name, opens=not closes, closes=closes)
    before, after = text[:start].rstrip(FOR_TAG)[-1:], text[end:].lstrip(FOR_TAG)[:1]
    opens = not (after or " ").isspace() and not text[start - 1 : start].isalnum()
    closes = not (before or " ").isspace() and not text[end : end + 1].isalnum()
    name = characters if kind == "emphasis" else kind
    sign = Span(start, end, characters, MARK, name, opens=opens, closes=closes)
    return sign if opens or closes else None


def _is_glued(text: str, start: int, end: int) -> bool:
    """Whether a part of a text touches a word before or after it: "colour(s)", "a[0][1]"."""
    before = text[max(start - 1, 0) : start]
    return before.isalnum() or before == "]" or text[end : end + 1].isalnum()


def _is_around_word(text: str, sign: Span, last: Span, is_bracket: bool, begins: bool) -> bool:
    """Whether brackets or quotation marks are around one word.

    A word with a capital in brackets is an aside, as in "He (Tom) sleeps." Brackets at the start
    of a text are no aside if a small letter follows them, as in "(Tom and Mary) left."
    """
    if is_bracket and begins and (following := re.compile(NEXT_LETTER).match(text, last.end)):
        return following[1].islower()
    inside = text[sign.end : min(last.start, sign.end + LONGEST_WORD)]
    is_word = re.fullmatch(WORD, inside) is not None and sign.end + len(inside) == last.start
    return is_word and not (is_bracket and inside[0].isupper())


def _read_loose(text: str, sign: Span, begins: bool, ends: bool) -> Iterator[Span]:
    """A sign without a partner, which may be in another sentence.

    Quotation marks count only at the beginning and at the end of a text.
    """
    if sign.key in (DOUBLE, SINGLE):
        if sign.key == DOUBLE and (begins or ends):
            yield sign._replace(opens=begins, closes=not begins)
    elif not (_is_glued(text, sign.start, sign.start) and _is_glued(text, sign.end, sign.end)):
        yield sign if sign.key in "([{" else Span(*sign[:3], MARK)


def take_out_marks(text: str, whole: Sequence[tuple[int, int]] = ()) -> MarkedText:
    """Removes from a text everything that `find_marks` finds."""
    spans = find_marks(text, whole)
    if not spans:
        return MarkedText(text)
    pieces: list[str] = []
    marks: list[Span] = []
    count = end = 0
    for mark in spans:
        if mark.start < end:  # this mark is in an aside, which is read by itself
            continue
        before, end = text[end : mark.start], mark.end
        is_apart = text[mark.start - 1 : mark.start].isspace(), text[end : end + 1].isspace()
        mark_text = " " * is_apart[0] + mark.text + " " * is_apart[1]
        pieces.append(before)
        count += len("".join(before.split()))
        marks.append(mark._replace(start=count, end=count, text=mark_text))
        if separates(mark) and not any(is_apart):
            pieces.append(" ")
    plain = " ".join("".join([*pieces, text[end:]]).split())
    return MarkedText(re.sub(BEFORE_PUNCTUATION, "", plain), tuple(marks))


def words_without_marks(text: str) -> list[str]:
    """The words of a text or its translation between spaces, without its marks and asides."""
    return take_out_marks(text).plain.split()


def in_language(mark: Span, language: str) -> Span:
    """A mark in the form of a language: each language has its own quotation marks."""
    facts = language_facts(language)
    forms = {DOUBLE: facts.quotation_marks, SINGLE: SINGLE_QUOTES.get(facts.code)}.get(mark.key)
    if not forms:
        return mark
    return mark._replace(text=mark.text.replace(mark.text.strip(), forms[mark.closes]))


def with_relative_clauses(text: str, language: str) -> str:
    """A text with commas, not brackets, around relative clauses: (who lives in Berlin)."""
    clause = language_table(language, "clauses").get("relative")
    if clause is None or "(" not in text:
        return text
    text = re.sub(rf"(?<=\w) \(({clause})\)(?= \w)", r", \1,", text)
    return re.sub(rf"(?<=\w) \(({clause})\)(?=[.,!?])", r", \1", text)


class LineMarks:
    """Finds the marks of lines for a reader.

    Args:
        find_spans: finds start and end of copied parts, such as web addresses, which have no marks.
    """

    def __init__(self, find_spans: Callable[[str], Iterable[tuple[int, int]]]) -> None:
        self.find_spans = find_spans

    def find_whole(self, text: str) -> list[tuple[int, int]]:
        """The parts of a text that are not cut or rewritten, in order."""
        tags = find_tags(text)
        spans = self.find_spans(without_tags(text, tags=tags))
        return sorted([*((tag.start, tag.end) for tag in tags), *spans])

    def find_hidden(self, line: str) -> list[Span]:
        """The marks that do not decide where sentences end, and table cells, which end one."""
        if is_plain(line):
            return []
        whole = self.find_whole(line)
        is_row = line.startswith("|") and line.rstrip().endswith("|")
        cells = [match.span() for match in re.finditer(ROW if is_row else CELL, line)]
        taken = Intervals(whole)
        ends = [Span(*cell, "", END) for cell in cells if taken.are_free(*cell)]
        taken = Intervals(ends)
        marks = (
            mark._replace(kind=END) if is_block(mark) else mark
            for mark in find_marks(line, whole)
            if mark.kind != ASIDE and taken.are_free(mark.start, mark.end)
        )
        return [*ends, *marks]
