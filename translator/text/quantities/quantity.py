"""A quantity that stands in a text, and what it means apart from the language."""

import abc
from typing import NamedTuple

from translator.base.languages import language_facts


class Meaning(abc.ABC):
    """What a quantity says, with as much of how it was said as writing it again needs."""

    @property
    @abc.abstractmethod
    def key(self) -> str:
        """The kind and the values, equal for texts of all languages that say the same."""

    @abc.abstractmethod
    def write(self, given: str, languages: tuple[str, str]) -> str:
        """The quantity as the second language writes it."""


class Quantity(NamedTuple):
    """A number, time, date or amount of a text.

    Attributes:
        start: its first character in the text.
        end: the character after its last one.
        kind: ``number``, ``ordinal``, ``time``, ``date``, ``amount``, ``range``, or ``code``, which
            is written as it is in every language, such as a telephone number.
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
