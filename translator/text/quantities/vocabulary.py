"""What each language calls numbers."""

import functools
import re
from collections.abc import Iterable
from typing import NamedTuple

from translator.base.languages import language_table


class Vocabulary(NamedTuple):
    """The words of a language for quantities. A language without one is read in digits alone.

    Attributes:
        is_joined: whether numbers below a million are one word, with the ones before the tens.
        small: the numbers from 0 to 19.
        tens: those from 20 to 90.
        hundred: the word, also where it is part of a longer one.
        scales: larger ones by their value, each in the singular, the plural and as an abbreviation.
        articles: what stands for 1 before a scale, such as "a" in "a million".
        point: what separates decimals that are said one by one.
        halves: what stands for 0.5, before a scale or after a number.
        vague: words after which "hundred" and "thousand" are no number, such as "several".
        other_nouns: numbers that are other words with a capital, such as "Elf".
        labels: words after which digits with marks are a name, such as a version.
        phrases: a regular expression of phrases whose number words say no number.
    """

    is_joined: bool
    small: tuple[str, ...]
    tens: tuple[str, ...]
    hundred: str
    thousand: str
    scales: dict[int, tuple[str, str, str]]
    dozen: str
    articles: tuple[str, ...]
    point: str
    halves: tuple[str, ...]
    one_and_a_half: str
    vague: tuple[str, ...]
    other_nouns: tuple[str, ...]
    labels: tuple[str, ...]
    phrases: str


@functools.cache
def vocabulary_of(language: str) -> Vocabulary | None:
    """The words of a language, by its code; None where they are not known."""
    table = language_table(language, "numbers")
    if not table:
        return None
    scales = {int(value): forms for value, forms in table["scales"].items()}
    phrases = "|".join(table["phrases"]) or "(?!)"
    return Vocabulary(**{**table, "scales": scales, "phrases": phrases})


def any_of(words: Iterable[str]) -> str:
    """A regular expression for one of these words, the longest one that fits."""
    return f"(?:{'|'.join(sorted(map(re.escape, words), key=len, reverse=True))})"
