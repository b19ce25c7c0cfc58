"""What a translation must have kept of its sentence: numbers, length, addresses and the like.

The table ``agreement`` of a language has how many letters the same text has, beside English
(letters), and beginnings of words that say a number, but are no number words, by their values
(stands_for).
"""

import re
from collections.abc import Sequence
from decimal import Decimal
from typing import NamedTuple

from translator.base.languages import language_facts, language_table
from translator.base.texts import listed
from translator.text.copied_spans import find_copied
from translator.text.quantities.numbers import number_words
from translator.text.quantities.quantity import Quantity
from translator.text.quantities.reading import QuantityReader
from translator.text.shown import Intervals

KINDS = {  # of disagreements, as a summary says them
    "numbers": "with other numbers than their translations",
    "length": "with translations of unusual length",
    "copies": "without an address or the like, which the translation lacks",
    "spans": "with names, numbers or addresses whose place is a guess",
}
FEWEST_LETTERS = 12  # of a sentence whose translation may be too short
MANY_LETTERS = 60  # of one whose translation has nearly the usual length
SHORTEST, SHORTEST_OF_MANY, LONGEST = 0.4, 0.6, 1.8  # times the letters that are usual
WORD = re.compile(r"\d+|[^\W\d_]+")
FEW = 2  # ordinals in words: the first and the second one are other words, too
VALUE = re.compile(r"\d+(?:\.\d+)?")  # in the key of a quantity


class Disagreement(NamedTuple):
    """Something that only one of a sentence and its translation says."""

    kind: str
    text: str


LOST_SPANS = Disagreement("spans", "what was put back may stand in the wrong place")


class AgreementJudge:
    """Compares sentences with their translations.

    Args:
        target: that of the translations. Without tables, digits are compared.
    """

    def __init__(self, source: str, target: str) -> None:
        self._readers = QuantityReader(source), QuantityReader(target)
        self._languages = source, target = language_facts(source).code, language_facts(target).code
        ours, theirs = (language_table(language, "agreement") for language in self._languages)
        self._growth = theirs["letters"] / ours["letters"] if ours and theirs else None

    def compare(self, source: str, text: str) -> tuple[Disagreement, ...]:
        """What only one of a sentence and its translation says."""
        problems = {
            "numbers": self._numbers(source, text),
            "length": self._length(source, text),
            "copies": self._copies(source, text),
        }
        return tuple(Disagreement(kind, problem) for kind, problem in problems.items() if problem)

    def _numbers(self, source: str, text: str) -> str:
        ours, theirs = (
            _Side(side, language, reader.find(side))
            for side, language, reader in zip((source, text), self._languages, self._readers)
        )
        lost, added = ours.lacking_in(theirs), theirs.lacking_in(ours)
        if lost:
            instead = f" (it has {listed(added)})" if added else ""
            return f"numbers that the translation lacks: {listed(lost)}{instead}"
        return f"numbers that only the translation has: {listed(added)}" if added else ""

    def _length(self, source: str, text: str) -> str:
        if any(map(str.isalpha, source)) and not any(map(str.isalnum, text)):
            return "all of its words may be lost" if text.strip() else "its translation is empty"
        letters = sum(map(str.isalnum, source))
        if self._growth is None or letters < FEWEST_LETTERS:
            return ""
        ratio = sum(map(str.isalnum, text)) / (letters * self._growth)
        if ratio < (SHORTEST if letters < MANY_LETTERS else SHORTEST_OF_MANY):
            return "a part of it may be lost"
        is_long = letters >= MANY_LETTERS and ratio > LONGEST
        return "its translation is unusually long" if is_long else ""

    def _copies(self, source: str, text: str) -> str:
        taken = Intervals((each.start, each.end) for each in self._readers[0].find(source))
        copied = [source[a:b] for a, b in find_copied(source) if taken.are_free(a, b)]
        lost = [span for span in copied if span not in text]
        return f"what the translation lacks: {listed(lost)}" if lost else ""


class _Side:
    """The numbers of one of a sentence and its translation."""

    def __init__(self, text: str, language: str, quantities: Sequence[Quantity]) -> None:
        self._words = " ".join(["", *WORD.findall(text.lower()), ""])
        self._said = [(each.given, _values_of(each)) for each in quantities]
        self._spoken = number_words(language)
        calendar = language_table(language, "calendar")
        self._ordinals = [day.replace("-", " ") for day in calendar.get("days", ())]
        self._stands_for = language_table(language, "agreement").get("stands_for", {})
        ending = calendar.get("ending", "")
        for n, ordinal in enumerate(self._ordinals[FEW:], FEW + 1):
            if ordinal in self._words and re.search(f" {ordinal}{ending} ", self._words):
                self._said.append((f"{n}.", [str(n)]))

    def lacking_in(self, other: "_Side") -> list[str]:
        """What this side says with a number that the other one does not have."""
        has = {value for _, values in other._said for value in values}
        return [
            given
            for given, values in self._said
            if not all(value in has or other._says(value) for value in values)
        ]

    def _says(self, value: str) -> bool:
        """Whether a word begins with a number, as "dreimal" does, or stands for it, as "both"."""
        stems = list(self._stands_for.get(value, ()))
        spoken = self._spoken and self._spoken.write(Decimal(value))
        if spoken:
            stems += spoken.lower(), f"{spoken.lower().removesuffix('y')}ie"  # forties, fortieth
        if value.isdecimal() and 1 <= int(value) <= len(self._ordinals):
            stems.append(self._ordinals[int(value) - 1])
        return f" {value} " in self._words or any(f" {stem}" in self._words for stem in stems)


def _values_of(quantity: Quantity) -> list[str]:
    """The numbers of a quantity: 5 and 30 of 5:30, and 5 alone of 5:00."""
    found = VALUE.findall(quantity.key.replace(":00", ""))
    return [value.lstrip("0") or "0" for value in found]
