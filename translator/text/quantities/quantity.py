"""What all kinds of quantities share: a meaning apart from any language, and forms of texts."""

import abc
import dataclasses
import re
from collections.abc import Callable, Iterable
from typing import NamedTuple

from translator.base.languages import language_facts, language_table

BEFORE = r"(?<![\w.,:/)\]%$€£¥])"  # digits after these are a part of something else
AFTER = r"(?!\w|/\d|[.,:]\d)"
BEFORE_WORD, AFTER_WORD = r"(?<!\w)(?<!\w['’])", r"(?!\w|-[^\W\d])"
JOINS = ("to", "and", "or")  # a range, both, one of them


class Meaning(abc.ABC):
    """What a quantity says, with as much of how it was said as writing it again needs."""

    @property
    @abc.abstractmethod
    def key(self) -> str:
        """The kind and the values, equal for texts of all languages that say the same."""

    @abc.abstractmethod
    def write(self, given: str, languages: tuple[str, str]) -> str:
        """The quantity as the second language writes it."""


class Rule(NamedTuple):
    """One form of quantities: of two that are equally long, the one of the earlier rule counts.

    Attributes:
        pattern: what may be a quantity.
        read: says what it means; None where it is none.
    """

    pattern: re.Pattern[str]
    read: Callable[[re.Match[str]], Meaning | None]


class Candidate(NamedTuple):
    """A place of a text that may be a quantity."""

    start: int
    end: int
    rank: int
    meaning: Meaning
    given: str


class Joint(NamedTuple):
    """What stands between the two ends of a range.

    Attributes:
        start: where it begins in the text.
        join: the place of its word in `JOINS`; None for a dash.
        text: as it was given, with its spaces.
    """

    start: int
    join: int | None
    text: str


class Quantity(NamedTuple):
    """A number, time, date or amount of a text.

    Attributes:
        start: its first character in the text.
        end: the character after its last one.
        kind: ``number``, ``ordinal``, ``decade``, ``time``, ``date``, ``amount``, ``range``, or
            ``code``, which is written as it is in every language, such as a telephone number.
        key: equal for texts of all languages that say the same, such as ``number 38``.
        in_words: whether it is written in letters alone.
        meaning: what `write` needs; without it the text stays as it is.
    """

    start: int
    end: int
    kind: str
    key: str
    given: str
    in_words: bool
    meaning: Meaning | None = None


def write(quantity: Quantity, source_language: str, target_language: str) -> str:
    """A quantity as another language writes it: thirty-eight is achtunddreißig.

    Args:
        quantity: as a `QuantityReader` of the source language has found it.
    """
    if quantity.meaning is None:
        return quantity.given
    languages = language_facts(source_language).code, language_facts(target_language).code
    return quantity.meaning.write(quantity.given, languages)


@dataclasses.dataclass(frozen=True)
class Range(Meaning):
    """Two times, dates or amounts with a word or a dash between them, as in "from 5 to 7 pm".

    Attributes:
        parts: the first and the last one.
        texts: what was given for them.
    """

    parts: tuple[Meaning, Meaning]
    texts: tuple[str, str]
    joint: Joint

    @property
    def key(self) -> str:
        """See `Meaning.key`."""
        return f"range {self.parts[0].key} {JOINS[self.joint.join or 0]} {self.parts[1].key}"

    def write(self, given: str, languages: tuple[str, str]) -> str:
        """See `Meaning.write`; a word that both end with, such as a month, is written once."""
        first, last = (part.write(text, languages) for part, text in zip(self.parts, self.texts))
        words, join = joins_of(languages[1]), self.joint.join
        if join is not None and not words:
            return given
        *start, end = first.split(" ")
        if start and end in last.split(" ") and not any(map(str.isdigit, end)):
            first = " ".join(start)
        return first + (self.joint.text if join is None else f" {words[join]} ") + last


def joins_of(language: str) -> tuple[str, ...]:
    """The words of a language for `JOINS`; none where they are not known."""
    table = language_table(language, "conjunctions")
    return tuple(table[join] for join in JOINS) if table else ()


def any_of(words: Iterable[str]) -> str:
    """A regular expression for one of these words, the longest one that fits."""
    return f"(?:{'|'.join(sorted(map(re.escape, words), key=len, reverse=True))})"


def text_before(text: str, place: int) -> str:
    """The few words of a text before a place."""
    return text[max(0, place - 40) : place]


def follows(text: str, place: int, words: str) -> bool:
    """Whether one of these words, a regular expression, stands before a place of a text."""
    return re.search(rf"(?<!\w)(?:{words})\s$", text_before(text, place), re.IGNORECASE) is not None


def with_capitals_of(given: str, written: str) -> str:
    """Writes capitals where the words of the source have them: all, or the first letter."""
    if given.isupper() and len(given) > 1:
        return written.upper()
    return written[:1].upper() + written[1:] if given[:1].isupper() else written
