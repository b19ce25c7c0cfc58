"""Digits that every language writes alike: telephone numbers, versions, sections, IBANs."""

import dataclasses
import re

from translator.base.languages import language_facts, language_table
from translator.text.quantities.amounts import UNITS, unit_words, units_of
from translator.text.quantities.numbers import NumberReader
from translator.text.quantities.quantity import AFTER, BEFORE, Meaning, Rule, any_of, text_before

TELEPHONE = (  # +1 650 253-4000, with a country code and groups; +10 000 000 is a number
    r"(?<![\w/)+-])(?=\+(?:[ ()/-]{0,3}\d){8})\+\d{1,3}(?:[ ()/-]{1,3}\d+){2,}(?<! 000)(?![\w/-])"
)
CODE = (
    r"[A-Z]{2}\d\d(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?"  # an IBAN
    r"|\+\d[\d ()/-]*\d\d(?!\d)|(?:\(0\d*\) ?|0\d{2,5}[ /-])\d[\d -]*\d"  # telephone numbers
    r"|\(\d{3}\) ?\d{3}[- ]\d{4}"
    rf"|(?:(?<!{BEFORE}\d{{3}} )\d{{3}}(?: \d{{3}}){{2,}}"  # looked for from the first group alone
    rf"|(?<!{BEFORE}\d{{4}} )\d{{4}}(?: \d{{4}}){{2,}})(?!\d| \d)"
    r"|[1-9]\d? [1-9]/[2-9](?!\d)|\d+ : \d+|\d+(?:[.,:/–-]\d+)*|\d*[½¼¾⅓⅔⅛]"
)
# After a name, whose capital is not that of a sentence: with Python 3.11, iOS 17.1, USB 3.0
VERSION = rf"{BEFORE}\d+(?:\.\d{{1,2}}\+?|\+){AFTER}"
NAME = r"[\w,;)] [a-z]*[A-Z]\w+|(?<![\w.-])(?:[A-Z]?[a-z]+[A-Z]\w*|[A-Z]{2,5})"
SECTION = re.compile(
    r"(?P<first>[1-9]\d?)\.(?!00)\d{1,2}(?P<point>\.?)(?=\s+(?P<word>[A-ZÄÖÜ]\w*))"
)
AFTER_HEADING = " *_\"“”»'’)]:"  # what may stand at the end of one
HEADING_WORDS = 8  # at most, with the number
MOST_FIRST = 9  # the first number of a section with two points where 24.12. is a date


@dataclasses.dataclass(frozen=True)
class Code(Meaning):
    """Digits that are the same in every language, such as a telephone number."""

    text: str

    @property
    def key(self) -> str:
        """See `Meaning.key`; spaces make no difference."""
        return f"code {''.join(self.text.split())}"

    def write(self, given: str, languages: tuple[str, str]) -> str:
        """See `Meaning.write`."""
        return given


def code_rules(language: str) -> tuple[Rule, Rule, Rule]:
    """Those of telephone numbers and versions count before all quantities, the last one after."""
    labels = language_table(language, "codes").get("labels", ())
    before = re.compile(rf"(?:\b(?i:{any_of(labels)})|{NAME}) $" if labels else "(?!)")

    def read(match: re.Match[str]) -> Code:
        return Code(match[0])

    def read_version(match: re.Match[str]) -> Code | None:
        is_version = before.search(text_before(match.string, match.start()))
        return Code(match[0]) if is_version else None

    return (
        Rule(re.compile(TELEPHONE), read),
        Rule(re.compile(VERSION), read_version),
        Rule(re.compile(rf"{BEFORE}(?:{CODE})(?!\w|[.,:/–-]\d)"), read),
    )


def section_number(text: str, language: str, start: int = 0) -> re.Match[str] | None:
    """The number of a section that a heading begins with, as in "2.1 Budget".

    A heading is a short text without a final mark. "2.5 Stars" is no section.
    """
    section = SECTION.match(text, start)
    body = text[start:].rstrip(AFTER_HEADING) if section else ""
    if section is None or body.endswith((".", "!", "?", ",", ";", "…")):
        return None
    facts, numbers = language_facts(language), NumberReader(language)
    is_date = (
        facts.ordinal_form == "21." and section["point"] and int(section["first"]) > MOST_FIRST
    )
    is_long = len(body.split()) > HEADING_WORDS
    units = {*numbers.scales, *unit_words(language), *units_of(language)}
    word = section["word"]
    is_amount = word.lower().rstrip("s") in units or re.fullmatch(UNITS, word) is not None
    return None if is_date or is_long or is_amount else section
