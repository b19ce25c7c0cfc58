"""The common parts of all kinds of quantities: their meaning, and the search for them."""

import functools
import re
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple, Protocol

from translator.base.languages import language_facts, language_table

# What may be around a quantity: digits beside other characters belong to something else
BEFORE = r"(?<![\w.,:/)\]%$€£¥])(?<!\w['’])"
AFTER = r"(?!\w|/\d|[.,:]\d)"
DIGITS = tuple("0123456789½¼¾⅓⅔⅛")
JOINS = ("to", "and", "or")  # a range, both, one of them

compiled = functools.cache(re.compile)


class Meaning(Protocol):
    """The meaning of a quantity, with the details of its form that are needed to write it."""

    @property
    def key(self) -> str:
        """The kind and the values. Texts of all languages with the same meaning have one key."""

    def write(self, original: str, language: str) -> str:
        """Writes it in a language, with the capitals of the original."""


class Rule(NamedTuple):
    """One form of quantities. If two matches are equally long, the earlier rule wins.

    Attributes:
        pattern: a possible quantity, between `BEFORE` and `AFTER`.
        read: returns its meaning; None if it is no quantity.
        stems: beginnings of words. A text without these has no such quantity. The pattern is
            compiled when a text first has such a word.
    """

    pattern: str
    read: Callable[[re.Match[str]], Meaning | None]
    stems: tuple[str, ...] = DIGITS


class Quantity(NamedTuple):
    """A number, time, date or amount of a text.

    Attributes:
        start: its first character in the text.
        end: the character after its last one.
        has_noun_capital: whether it has a capital as a noun, which not every language writes.
    """

    start: int
    end: int
    text: str
    meaning: Meaning
    has_noun_capital: bool = False

    @property
    def key(self) -> str:
        """The key of its meaning, equal in all languages, such as ``number 38``."""
        return self.meaning.key

    @property
    def kind(self) -> str:
        """``number``, ``ordinal``, ``decade``, ``time``, ``date``, ``amount``, ``range``, ``code``.

        A code is written as it is in every language, such as a telephone number.
        """
        return self.key.partition(" ")[0]

    @property
    def in_words(self) -> bool:
        """Whether it is written in letters alone."""
        return not any(map(str.isnumeric, self.text))


def write(quantity: Quantity, language: str) -> str:
    """A quantity as another language writes it: thirty-eight is achtunddreißig."""
    original = quantity.text.lower() if quantity.has_noun_capital else quantity.text
    return quantity.meaning.write(original, language_facts(language).code)


class Range(NamedTuple):
    """Two times, dates or amounts with a word or a dash between them, as in "from 5 to 7 pm".

    If both end with the same word, such as a month, it is written once.

    Attributes:
        joint: the word or dash between them, with its spaces.
        join: its meaning, one of `JOINS`; empty for a dash.
    """

    first: Meaning
    last: Meaning
    joint: str
    join: str

    @property
    def key(self) -> str:
        return f"range {self.first.key} {self.join or 'to'} {self.last.key}"

    def write(self, original: str, language: str) -> str:
        words = language_table(language, "conjunctions")
        if self.join and not words:
            return original
        ends = original.partition(self.joint)
        first, last = self.first.write(ends[0], language), self.last.write(ends[2], language)
        *start, end = first.split(" ")
        if start and end in last.split(" ") and not any(map(str.isdigit, end)):
            first = " ".join(start)
        return first + (f" {words[self.join]} " if self.join else self.joint) + last


def any_of(words: Iterable[Any]) -> str:
    """A regular expression for one of these words. It prefers the longest."""
    return f"(?:{'|'.join(sorted(map(re.escape, map(str, words)), key=len, reverse=True))})"


def text_before(match: re.Match[str]) -> str:
    """The few words of a text before a match."""
    return match.string[max(0, match.start() - 40) : match.start()]


def follows(match: re.Match[str], words: str) -> bool:
    """Whether words are directly before a match. They are given as a regular expression."""
    pattern = rf"(?<!\w)(?:{words})\s\Z"
    return re.search(pattern, text_before(match), re.IGNORECASE) is not None


def with_capitals_of(original: str, written: str) -> str:
    """Gives a text the first capital of its source."""
    return written[:1].upper() + written[1:] if original[:1].isupper() else written
