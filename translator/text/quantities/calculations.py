"""Calculations with numbers alone, and comparisons: 10 - 20 = -10, 2 x 3 < 7."""

import dataclasses
import re

from translator.text.quantities.forms import AFTER, BEFORE, Rule
from translator.text.quantities.numbers import (
    SIGN,
    digits_pattern,
    plain,
    read_digits,
    write_digits,
)
from translator.text.quantities.quantity import Meaning

OPERATION = " ?[-−–+*/x×·÷] ?"
MOST = 20  # operations before and after a comparison, as longer ones would take too long
COMPARISON = " ?(?:[<>=]=?|[≤≥≠≈]) ?"


@dataclasses.dataclass(frozen=True)
class Calculation(Meaning):
    """Numbers with signs between them.

    Attributes:
        values: the numbers as keys have them, and the signs.
    """

    values: str

    @property
    def key(self) -> str:
        """See `Meaning.key`."""
        return f"calculation {self.values}"

    def write(self, given: str, languages: tuple[str, str]) -> str:
        """See `Meaning.write`; the signs stay."""
        digits = digits_pattern(languages[0])
        return re.sub(digits, lambda number: write_digits(number[0], languages), given)


def calculations_of(language: str) -> Rule:
    """The form of the calculations of a language."""
    digits = digits_pattern(language)
    side = rf"{SIGN}{digits}(?:{OPERATION}{SIGN}{digits}){{0,{MOST}}}"

    def value(number: re.Match[str]) -> str:
        found = read_digits(number[0], language)
        return number[0] if found is None else plain(found)

    def read(match: re.Match[str]) -> Calculation:
        return Calculation(re.sub(digits, value, match[0].replace(" ", "")))

    return Rule(re.compile(rf"{BEFORE}{side}(?:{COMPARISON}{side})+{AFTER}"), read)
