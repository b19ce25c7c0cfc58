"""Digits that every language writes alike: telephone numbers, versions, sections, IBANs.

The table ``codes`` of a language has the words that a short telephone number follows (calling), and
what is measured, besides the units of other tables (measures).
"""

import functools
import re
from collections.abc import Iterator

from translator.base.languages import language_facts, language_table
from translator.text.quantities.amounts import CODES, MORE, UNITS
from translator.text.quantities.compounds import units_of
from translator.text.quantities.forms import AFTER, BEFORE, Rule, text_before
from translator.text.quantities.numbers import Code
from translator.text.quantities.vocabulary import any_of, vocabulary_of

TELEPHONE = (  # +1 650 253-4000, with a country code and groups; +10 000 000 is a number
    r"(?<![\w/)+-])(?=\+(?:[ ()/-]{0,3}\d){8})\+\d{1,3}(?:[ ()/-]{1,3}\d+){2,}(?<! 000)(?![\w/-])"
)
SHORT_TELEPHONE = r"(?<![\w/)+-])\+\d{1,3}(?:[ ()/-]{1,3}\d+)+(?![\w/-]|[.,]\d)"
CODE = (
    r"[A-Z]{2}\d\d(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?"  # an IBAN
    r"|\+\d[\d ()/-]*\d\d(?!\d)|(?:\(0\d*\) ?|0\d{2,5}[ /-])\d[\d -]*\d"  # telephone numbers
    r"|\(\d{3}\) ?\d{3}[- ]\d{4}"
    rf"|(?:(?<!{BEFORE}\d{{3}} )\d{{3}}(?: \d{{3}}){{2,}}"  # looked for from the first group alone
    rf"|(?<!{BEFORE}\d{{4}} )\d{{4}}(?: \d{{4}}){{2,}})(?!\d| \d)"
    r"|[1-9]\d? [1-9]/[2-9](?!\d)|\d+ : \d+|\d+(?:[.,:/–-]\d+)*|\d*[½¼¾⅓⅔⅛]"
)
VERSION = rf"{BEFORE}\d+(?:\.\d{{1,2}}(?:{MORE})?|{MORE}){AFTER}"
AFTER_NAME = re.compile(r"[\w,;] [a-z]*[A-Z]\w+ $")  # no capital of a sentence
# With a capital within; in capitals alone it may be a currency or a price with two decimals
AFTER_OWN_NAME = re.compile(r"(?<![\w.-])[A-Z]?[a-z]+[A-Z]\w* $")
AFTER_CAPITALS = re.compile(r"(?<![\w.-])[A-Z]{2,5} $")
NOUN = re.compile(r"(?<![^\W_])[A-ZÄÖÜ]\w+ $")
SECTION = re.compile(
    r"(?P<first>[1-9]\d?)\.(?!00)\d{1,2}(?P<point>\.?)(?=\s+(?P<word>[A-ZÄÖÜ]\w*))"
)
AFTER_HEADING = " *_\"“”»'’)]:"  # what may stand at the end of one
HEADING_WORDS = 8  # at most, with the number
MOST_FIRST = 9  # the first number of a section with two points where 24.12. is a date
NEXT_WORD = re.compile(r" ?([^\W\d_]+|[%°$€£¥‰])")


def section_number(text: str, language: str, start: int = 0) -> re.Match[str] | None:
    """The number of a section that a heading begins with, as in "2.1 Budget".

    A heading is a short text without a final mark. "2.5 Cups" has an amount.
    """
    found = SECTION.match(text, start)
    if found is None or counts(text, found.end(), language):
        return None
    body = text[start:].rstrip(AFTER_HEADING)
    if len(body.split()) > HEADING_WORDS or body.endswith((".", "!", "?", ",", ";", "…")):
        return None
    has_dates = language_facts(language).ordinal_form == "21."
    is_date = has_dates and found["point"] and int(found["first"]) > MOST_FIRST
    return None if is_date else found


def counts(text: str, place: int, language: str) -> bool:
    """Whether a unit, or a part of a number such as "million", stands at a place of a text."""
    word = NEXT_WORD.match(text, place)
    return bool(word and _measures(language_facts(language).code).fullmatch(word[1]))


@functools.cache
def _measures(code: str) -> re.Pattern[str]:
    """What numbers count, as a regular expression."""
    words, amounts = vocabulary_of(code), language_table(code, "amounts").get("units", {})
    named = {re.escape(form) for forms in amounts.values() for form in forms}
    named |= {*units_of(code).values(), *language_table(code, "codes").get("measures", ())}
    if words:
        scales = (form for forms in words.scales.values() for form in forms)
        named |= {*map(re.escape, scales), words.hundred, words.thousand, words.dozen}
    plural = "" if language_facts(code).capitalizes_nouns else "(?:e?s)?"
    any_word = "|".join(sorted(named, key=len, reverse=True))
    return re.compile(rf"(?i:(?:{any_word}){plural})|{UNITS}|{any_of(CODES)}|[%°$€£¥‰]")


class CodeReader:
    """Reads the digits of a language that are the same in every other one."""

    def __init__(self, language: str) -> None:
        facts = language_facts(language)
        self._language = facts.code
        self._has_capital_nouns = facts.capitalizes_nouns
        words = vocabulary_of(facts.code)
        self.after_label = re.compile(rf"\b(?i:{any_of(words.labels)}) $" if words else "(?!)")
        calling = language_table(facts.code, "codes").get("calling", ())
        self._calling = re.compile(rf"(?i:\b(?:{'|'.join(calling)})\b)" if calling else "(?!)")

    def rules(self) -> Iterator[Rule]:
        """The forms that count before those of other quantities."""
        yield Rule(re.compile(TELEPHONE), _read)
        yield Rule(re.compile(SHORT_TELEPHONE), self._read_telephone)
        yield Rule(re.compile(rf"\A{SECTION.pattern}"), self._read_section)
        yield Rule(re.compile(VERSION), self._read_version)

    def last_rules(self) -> Iterator[Rule]:
        """The forms of what is nothing else."""
        yield Rule(re.compile(rf"{BEFORE}(?:{CODE})(?!\w|[.,:/–-]\d)"), _read)

    def _read_telephone(self, match: re.Match[str]) -> Code | None:
        """A short number with a country code, near a word such as "call"; else it is a number."""
        is_called = self._calling.search(text_before(match))
        return Code(match[0]) if is_called else None

    def _read_section(self, match: re.Match[str]) -> Code | None:
        is_one = section_number(match.string, self._language) is not None
        return Code(match[0]) if is_one else None

    def _read_version(self, match: re.Match[str]) -> Code | None:
        """As in "version 2.0", "with Python 3.11", "iOS 17.1"; digits with a unit are none."""
        before = text_before(match)
        is_version = self.after_label.search(before) or AFTER_OWN_NAME.search(before)
        is_version = is_version or (NOUN if self._has_capital_nouns else AFTER_NAME).search(before)
        if not is_version and re.fullmatch(r"\d+\.\d\+?", match[0]):
            is_version = AFTER_CAPITALS.search(before)
        is_unit = counts(match.string, match.end(), self._language)
        return Code(match[0]) if is_version and not is_unit else None


def _read(match: re.Match[str]) -> Code:
    return Code(match[0])
