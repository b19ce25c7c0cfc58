"""Checks that a translation has the numbers, the addresses and about the length of its sentence.

The table ``agreement`` of a language has two entries. ``letters`` is the length of a text relative
to the same text in English. ``stands_for`` has, for each number, the beginnings of words that mean
it but are no number words.
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

KINDS = {  # kinds of disagreements, with the words of a summary
    "numbers": "with numbers that differ from their translations",
    "length": "with translations of unusual length",
    "copies": "with an address, code or placeholder that the translation lacks",
    "spans": "with names, numbers or addresses whose position is a guess",
}
FEWEST_LETTERS = 12  # fewest letters of a sentence whose translation may be too short
MANY_LETTERS = 60  # letters of a sentence whose translation has nearly the usual length
SHORTEST, SHORTEST_OF_MANY, LONGEST = 0.4, 0.6, 1.8  # shares of the usual letters
WORD = r"\d+|[^\W\d_]+"
VALUE = r"\d+(?:\.\d+)?"  # a value in the key of a quantity

Quantities = Sequence[tuple[str, list[str]]]  # each as written in a text, and its values


class Disagreement(NamedTuple):
    """Something that the sentence says and its translation does not, or the other way round."""

    kind: str
    text: str


LOST_SPANS = Disagreement("spans", "a name, number or address may be in the wrong place")


class AgreementJudge:
    """Compares sentences with their translations.

    Args:
        target: the language of translations. Without tables, only digits are compared.
    """

    def __init__(self, source: str, target: str) -> None:
        self._readers = QuantityReader(source), QuantityReader(target)
        self._languages = source, target = language_facts(source).code, language_facts(target).code
        tables = [language_table(language, "agreement") for language in self._languages]
        self._growth = tables[1]["letters"] / tables[0]["letters"] if all(tables) else None

    def compare(self, source: str, text: str) -> tuple[Disagreement, ...]:
        """Finds differences between a sentence and its translation."""
        problems = {
            "numbers": self._compare_numbers(source, text),
            "length": self._compare_length(source, text),
            "copies": self._compare_copies(source, text),
        }
        return tuple(Disagreement(kind, problem) for kind, problem in problems.items() if problem)

    def _compare_numbers(self, source: str, text: str) -> str:
        in_source, in_text = (
            [(quantity.text, _values_of(quantity)) for quantity in reader.find(side)]
            for reader, side in zip(self._readers, (source, text))
        )
        lost = _find_missing(in_source, in_text, text, self._languages[1])
        added = _find_missing(in_text, in_source, source, self._languages[0])
        if lost:
            instead = f" (it has {listed(added)})" if added else ""
            return f"numbers that the translation lacks: {listed(lost)}{instead}"
        return f"numbers that only the translation has: {listed(added)}" if added else ""

    def _compare_length(self, source: str, text: str) -> str:
        if any(map(str.isalpha, source)) and not any(map(str.isalnum, text)):
            return "its translation has no words" if text.strip() else "its translation is empty"
        letters = sum(map(str.isalnum, source))
        if self._growth is None or letters < FEWEST_LETTERS:
            return ""
        ratio = sum(map(str.isalnum, text)) / (letters * self._growth)
        if ratio < (SHORTEST if letters < MANY_LETTERS else SHORTEST_OF_MANY):
            return "its translation may lack a part"
        is_long = letters >= MANY_LETTERS and ratio > LONGEST
        return "its translation is unusually long" if is_long else ""

    def _compare_copies(self, source: str, text: str) -> str:
        quantities = self._readers[0].find(source)
        taken = Intervals((quantity.start, quantity.end) for quantity in quantities)
        copied = [source[a:b] for a, b in find_copied(source) if taken.are_free(a, b)]
        lost = [span for span in copied if span not in text]
        return f"text that the translation lacks: {listed(lost)}" if lost else ""


def _find_missing(expected: Quantities, present: Quantities, text: str, language: str) -> list[str]:
    """The expected quantities that a text lacks; `present` has the quantities of the text."""
    if not expected:
        return []
    present_values = {value for _, values in present for value in values}
    words = " ".join(["", *re.findall(WORD, text.lower()), ""])
    return [
        quantity
        for quantity, values in expected
        if not all(value in present_values or _says(words, value, language) for value in values)
    ]


def _says(words: str, value: str, language: str) -> bool:
    """Whether a word begins with a number ("dreimal") or means one ("both")."""
    spoken, days = number_words(language), language_table(language, "calendar").get("days", ())
    stems = list(language_table(language, "agreement").get("stands_for", {}).get(value, ()))
    if spoken and (number := (spoken.write(Decimal(value)) or "").lower()):
        stems += number, f"{number.removesuffix('y')}ie"  # forties, fortieth
    if value.isdecimal() and 1 <= int(value) <= len(days):
        stems.append(days[int(value) - 1].replace("-", " "))
    return f" {value} " in words or any(f" {stem}" in words for stem in stems)


def _values_of(quantity: Quantity) -> list[str]:
    """The numbers of a quantity: 5 and 30 for 5:30, only 5 for 5:00."""
    values = re.findall(VALUE, quantity.key.replace(":00", ""))
    return [value.lstrip("0") or "0" for value in values]
