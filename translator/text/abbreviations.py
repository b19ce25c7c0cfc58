"""Abbreviations are written out as the corpora write them, before a line is split into sentences.

A model has hardly seen "z. B." or "approx.", and their points look like ends of sentences. The
table ``abbreviations`` of a language has the words for each: "Nr. 0" is only before a number, "0
Std." after a number, "Hr. A" before a capital, "Mo. *" before a time or another day, "-str." at the
end of a word, "usw ." often at the end of a sentence. A text may have points that the table lacks,
and may lack spaces. Words for counted things have a singular and a plural, divided by ``|``.
"""

import functools
import re
from collections.abc import Callable, Iterable

from translator.base.languages import language_facts, language_table
from translator.base.late import late_pattern
from translator.text.sentences import words_that_begin
from translator.text.shown import Intervals

PLACES = {"0 ": r"(?<=\d)\s?", "-": r"(?<=[^\W\d_])", "": r"(?<![\w.@/&-])"}  # what is before them
LAST = " ."
FOLLOWING = {
    " 0": r"(?=\s?\d)",
    " A": r"(?=\s[A-ZÄÖÜ])",
    " *": r"(?=,? ?\d|,? (?:and|bis|to|und|through)\s| ?[-–]\s?[A-Z\d]|\)?:)",
    LAST: r"(?!\w)",
    "": r"(?!\.?\w)",
}
END = late_pattern(r"(?:<[^<>]*>|[\"'“”»«*_)])*\s*$")
NEXT = late_pattern(r"\s+[\"'“„»«(\[*_]*([A-ZÄÖÜ]\w*)")
START = late_pattern(r"(?:^|[.!?:]\s+)[\"'“„»«(\[*_]*$")
ONE = late_pattern(r"(?<![\d.,])1$")
JOINED = late_pattern(  # numbers with their nouns: 2-Liter-Flasche, 19th-century
    r"((?<=\d)(?:-[A-ZÄÖÜ][a-zäöüß]+|st|nd|rd|th))-(?=[A-ZÄÖÜ]|century\b)"
)
LOOKED_AT = 40  # characters before an abbreviation


def with_written_abbreviations(
    text: str,
    language: str,
    find_fixed: Callable[[str], Iterable[tuple[int, int]]] = lambda text: (),
) -> str:
    """A text with its abbreviations written out; the point that ends a sentence stays.

    If a noun is joined with a number and its unit, it becomes a separate word: 2-Liter Flasche.

    Args:
        find_fixed: finds start and end of each part that stays, such as a web address.
    """
    code = language_facts(language).code
    pattern, meanings = _abbreviations(code)
    if pattern is None or not (pattern.search(text) or "-" in text and JOINED.search(text)):
        return text
    fixed_parts = Intervals(find_fixed(text))

    def write_out(match: re.Match[str]) -> str:
        key, meaning = meanings[(match.lastindex or 1) - 1]
        singular, _, plural = meaning.partition("|")
        before = text[max(0, match.start() - LOOKED_AT) : match.start()]
        meaning = plural if plural and not ONE.search(before) else singular
        if not fixed_parts.are_free(*match.span()):
            return match[0]
        following = NEXT.match(text, match.end())
        ends_sentence = END.match(text, match.end()) is not None
        if following is not None:
            ends_sentence = key.endswith(LAST) or following[1] in words_that_begin(code)
        if match[0][0].isupper() and START.search(before):
            meaning = meaning[0].upper() + meaning[1:]
        return " " * bool(plural) + meaning + "." * (ends_sentence and match[0][-1] == ".")

    def separate(match: re.Match[str]) -> str:
        return f"{match[1]} " if fixed_parts.are_free(match.end() - 1, match.end()) else match[0]

    return pattern.sub(write_out, JOINED.sub(separate, text))


@functools.cache
def _abbreviations(code: str) -> tuple[re.Pattern[str] | None, list[tuple[str, str]]]:
    """A regular expression with a group for each abbreviation of a language, and the table."""
    table: dict[str, str] = language_table(code, "abbreviations")
    return re.compile("|".join(map(_pattern, table))) if table else None, list(table.items())


def _pattern(key: str) -> str:
    before = next(place for place in PLACES if key.startswith(place))
    after = next(place for place in FOLLOWING if key.endswith(place))
    word = key[len(before) : len(key) - len(after)]
    ending = re.escape(word[1:]).replace(r"\.\ ", r"\.\s?").replace(r"\-", "[-–—]")
    point = "" if word.endswith(".") and word.count(".") == 1 else r"\.?"
    ending = ending.removesuffix(r"\.") if point else ending
    return f"({PLACES[before]}[{word[0]}{word[0].upper()}]{ending}{point}{FOLLOWING[after]})"
