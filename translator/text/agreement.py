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
WORD = r"\d+|[^\W\d_]+"
VALUE = r"\d+(?:\.\d+)?"  # in the key of a quantity

Said = Sequence[tuple[str, list[str]]]  # quantities of a text as they stand there, and their values


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
        said, written = (
            [(one.given, _values_of(one)) for one in reader.find(side)]
            for reader, side in zip(self._readers, (source, text))
        )
        lost = _lacking(said, written, text, self._languages[1])
        added = _lacking(written, said, source, self._languages[0])
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


def _lacking(said: Said, other: Said, other_text: str, language: str) -> list[str]:
    """What a text says with a number that the other one, of a language, does not have."""
    if not said:
        return []
    has = {value for _, values in other for value in values}
    words = " ".join(["", *re.findall(WORD, other_text.lower()), ""])
    return [
        given
        for given, values in said
        if not all(value in has or _says(words, value, language) for value in values)
    ]


def _says(words: str, value: str, language: str) -> bool:
    """Whether a word begins with a number, as "dreimal" does, or stands for it, as "both"."""
    spoken, days = number_words(language), language_table(language, "calendar").get("days", ())
    stems = list(language_table(language, "agreement").get("stands_for", {}).get(value, ()))
    if spoken and (written := (spoken.write(Decimal(value)) or "").lower()):
        stems += written, f"{written.removesuffix('y')}ie"  # forties, fortieth
    if value.isdecimal() and 1 <= int(value) <= len(days):
        stems.append(days[int(value) - 1].replace("-", " "))
    return f" {value} " in words or any(f" {stem}" in words for stem in stems)


def _values_of(quantity: Quantity) -> list[str]:
    """The numbers of a quantity: 5 and 30 of 5:30, and 5 alone of 5:00."""
    values = re.findall(VALUE, quantity.key.replace(":00", ""))
    return [value.lstrip("0") or "0" for value in values]
