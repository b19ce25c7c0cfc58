"""Finds the quantities of a text."""

import dataclasses
import functools
import itertools
import re

from translator.base.languages import language_facts
from translator.text.quantities.amounts import AmountReader
from translator.text.quantities.codes import CodeReader
from translator.text.quantities.compounds import CompoundReader
from translator.text.quantities.dates import DateReader, calendar_of
from translator.text.quantities.forms import (
    STARTS_SENTENCE,
    Rule,
    text_before,
    with_plain_spaces,
)
from translator.text.quantities.numbers import Code, Number, calculations_of, number_words
from translator.text.quantities.ordinals import OrdinalReader
from translator.text.quantities.quantity import Meaning, Quantity
from translator.text.quantities.time_reading import ClockReader
from translator.text.quantities.times import Time
from translator.text.quantities.vocabulary import any_of, vocabulary_of
from translator.text.spans.intervals import Intervals

DIGIT = re.compile(r"[\d½¼¾⅓⅔⅛]")
WORD = re.compile(r"[^\W\d_]+")
ENDS_TEXT = re.compile(r"[\"'“”’»)\s]*$")


class QuantityReader:
    """Finds the quantities in texts of a language.

    Args:
        language: its code. Where its words are not known, only digits are read.
    """

    def __init__(self, language: str) -> None:
        facts = language_facts(language)
        self.language = facts.code
        self._has_capital_nouns = facts.capitalizes_nouns
        words = vocabulary_of(facts.code)
        self._after_vague = re.compile(rf"\b(?i:{any_of(words.vague)}) $" if words else "(?!)")
        self._codes = CodeReader(facts.code)
        self._scales = (words.hundred, words.thousand) if words else ()
        self._other_nouns = words.other_nouns if words else ()
        self._phrases = re.compile(words.phrases if words else "(?!)", re.IGNORECASE)
        self._beginnings = _beginnings(facts.code)

    def find(self, text: str) -> list[Quantity]:
        """The quantities of a text, in order; of those that overlap, the longest one."""
        given, text = text, with_plain_spaces(text)
        if not self._may_have_some(text):
            return []
        found = [
            (match.start(), -match.end(), rank, meaning)
            for rank, rule in enumerate(self._rules)
            for match in rule.pattern.finditer(text)
            if (read := rule.read(match)) is not None and (meaning := self._check(read, match))
        ]
        phrases = Intervals(phrase.span() for phrase in self._phrases.finditer(text))
        first = len(text) - len(text.lstrip())
        quantities: list[Quantity] = []
        for start, minus_end, _, meaning in sorted(found, key=lambda each: each[:3]):
            if quantities and quantities[-1].end > start:
                continue
            end = -minus_end
            if phrases.hold(start, end):
                continue
            if text[end - 1] == "." and start > first and ENDS_TEXT.match(text, end):
                end -= 1  # the sentence ends here as well
            key, in_words = meaning.key, not DIGIT.search(text, start, end)
            kind = key.partition(" ")[0]
            quantity = Quantity(start, end, kind, key, given[start:end], in_words, meaning)
            quantities.append(quantity)
        return quantities

    def _may_have_some(self, text: str) -> bool:
        """Tells most texts without quantities quickly."""
        words = WORD.findall(text.lower())
        return DIGIT.search(text) is not None or any(
            word.startswith(self._beginnings) for word in words
        )

    @functools.cached_property
    def _rules(self) -> list[Rule]:
        """Made where they are needed, which takes a tenth of a second."""
        readers = (ClockReader, DateReader, OrdinalReader, CompoundReader, AmountReader)
        return [
            *self._codes.rules(),
            calculations_of(self.language),
            *itertools.chain.from_iterable(reader(self.language).rules() for reader in readers),
            *self._codes.last_rules(),
        ]

    def _check(self, meaning: Meaning, match: re.Match[str]) -> Meaning | None:
        """What the words around say as well: it is none in "page 1-2" and "a few hundred"."""
        before, given = text_before(match), match[0]
        if given[0].isdigit():
            is_name = not given.isdecimal() and self._codes.after_label.search(before) is not None
            return None if is_name and not isinstance(meaning, (Code, Time)) else meaning
        if not isinstance(meaning, Number):
            return meaning
        is_scale = given.lower().startswith(self._scales)
        if is_scale and self._after_vague.search(before):
            return None
        is_noun = self._has_capital_nouns and given[0].isupper() and not given.isupper()
        if not is_noun or STARTS_SENTENCE.search(before):
            return meaning
        is_other = given.lower() in self._other_nouns
        return None if is_other else dataclasses.replace(meaning, is_noun=True)


def _beginnings(language: str) -> tuple[str, ...]:
    """What a word of a quantity without digits begins with."""
    words, calendar = number_words(language), calendar_of(language)
    return (*(words.first if words else ()), *(calendar.days if calendar else ()))
