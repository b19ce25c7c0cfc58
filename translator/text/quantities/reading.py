"""Finds the quantities of a text."""

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from translator.base.languages import language_facts
from translator.text.quantities.numbers import SIGN, SPACE, Code, Numerals
from translator.text.quantities.quantity import Meaning, Quantity
from translator.text.quantities.vocabulary import any_of, vocabulary_of

BEFORE = r"(?<![\w.,:/)\]%-])"  # digits after these are a part of something else
AFTER = r"(?![\w/])(?![-–]\d)(?![.,:]\d)"
BEFORE_WORD, AFTER_WORD = r"(?<![\w-])(?<!\w['’])", r"(?![\w-])"
CODE = (
    rf"[A-Z]{{2}}\d\d(?:{SPACE}?[A-Z0-9]{{4}}){{2,7}}(?:{SPACE}?[A-Z0-9]{{1,3}})?"  # an IBAN
    rf"|\+\d[\d ()/-]*\d\d(?!\d)|0\d{{2,5}}[ /-]\d[\d -]*\d"  # telephone numbers
    rf"|\d{{3}}(?:{SPACE}\d{{3}}){{2,}}(?!\d|{SPACE}\d)|\d+(?:[.,:/–-]\d+)*"
)
SENTENCE_START = re.compile(r"(?:^|[.!?:…])[\"'“”„‘’»«()\[\]*_\s]*$")


class Rule(NamedTuple):
    """One form of quantities: where two have found equally much, the earlier rule counts."""

    pattern: re.Pattern[str]
    read: Callable[[re.Match[str]], Meaning | None]


class QuantityReader:
    """Finds the quantities in texts of a language.

    Args:
        language: its code. Where its words are not known, only digits are read.
    """

    def __init__(self, language: str) -> None:
        self.language = language_facts(language).code
        self._has_capital_nouns = language_facts(language).capitalizes_nouns
        self._numerals = Numerals(self.language)
        words = vocabulary_of(self.language)
        self._after_vague = re.compile(rf"\b{any_of(words.vague if words else ())} $")
        self._rules = list(self._make_rules())

    def find(self, text: str) -> list[Quantity]:
        """The quantities of a text, in order; of those that overlap, the longest one."""
        found: list[tuple[int, int, int, Meaning]] = []
        for rank, rule in enumerate(self._rules):
            for match in rule.pattern.finditer(text):
                if (meaning := rule.read(match)) is not None:
                    found.append((match.start(), -match.end(), rank, meaning))
        quantities: list[Quantity] = []
        for start, end, _, meaning in sorted(found, key=lambda each: each[:3]):
            if not quantities or quantities[-1].end <= start:
                given = text[start:-end]
                in_words = not any(map(str.isdigit, given))
                quantity = Quantity(
                    start, -end, meaning.kind, meaning.key, given, in_words, meaning
                )
                quantities.append(quantity)
        return quantities

    def _make_rules(self) -> Iterator[Rule]:
        digits, words = self._numerals.digits, self._numerals.words
        yield Rule(re.compile(rf"{BEFORE}{SIGN}{digits}{AFTER}"), self._read_number)
        yield Rule(re.compile(rf"{BEFORE_WORD}{words}{AFTER_WORD}"), self._read_words)
        yield Rule(re.compile(rf"{BEFORE}(?:{CODE})(?!\w)"), lambda match: Code(match[0]))

    def _read_number(self, match: re.Match[str]) -> Meaning | None:
        return self._numerals.read(match[0])

    def _read_words(self, match: re.Match[str]) -> Meaning | None:
        """A number in words, unless it is a noun, such as "eine Drei", or vague."""
        before = match.string[: match.start()]
        is_noun = self._has_capital_nouns and match[0][0].isupper() and not match[0].isupper()
        if is_noun and not SENTENCE_START.search(before) or self._after_vague.search(before):
            return None
        return self._numerals.read(match[0])
