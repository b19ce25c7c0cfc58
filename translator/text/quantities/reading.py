"""Finds the quantities of a text."""

import functools
import itertools
import re
from collections.abc import Iterator, Sequence

from translator.base.languages import language_facts, language_table
from translator.base.late import late_pattern
from translator.text.quantities.amounts import AmountReader
from translator.text.quantities.numbers import SPACE_IN_NUMBER
from translator.text.quantities.quantity import (
    AFTER,
    BEFORE,
    JOINS,
    Quantity,
    Range,
    Rule,
    compiled,
)
from translator.text.quantities.times import AFTER_END, DateReader, TimeReader
from translator.text.shown import Intervals

WORD = late_pattern(r"\w+")
STARTS_SENTENCE = r"(?:^|[.!?:…])[\"'“”„‟‘’»«()\[\]*_\s]*\Z"
GOES_ON = r"\d[-–]\d"  # how a code continues
JOINT_LENGTH = 10  # most characters between two quantities


class QuantityReader:
    """Finds the quantities in texts of a language.

    Args:
        language: its code. If its words are not known, only digits are read.
    """

    def __init__(self, language: str) -> None:
        facts = language_facts(language)
        self._language = facts.code
        self._has_capital_nouns = facts.capitalizes_nouns
        numbers = language_table(facts.code, "numbers")
        self._other_nouns = numbers.get("other_nouns", ())
        self._phrases = "|".join(("(?i)(?!)", *numbers.get("phrases", ())))
        words = language_table(facts.code, "conjunctions")
        self._joins = {words[join]: join for join in JOINS if words}
        joins = "|".join(map(re.escape, self._joins)) or "(?!)"
        after = words.get("after_to", "")
        self._joint = rf"(?: ?[-–] ?| [x×] | (?P<word>(?i:{joins})) (?:{after})?)\Z"

    def find(self, text: str) -> list[Quantity]:
        """The quantities of a text, in order. If several begin together, the longest counts."""
        original, text = text, with_plain_spaces(text)
        words = [word for word in WORD.findall(text.lower()) if word.startswith(self._stems)]
        if not words:
            return []
        candidates = [
            Quantity(*match.span(), match[0], meaning)
            for rule in self._rules
            if any(word.startswith(rule.stems) for word in words)
            for match in compiled(rule.pattern).finditer(text)
            if (meaning := rule.read(match)) is not None
        ]
        candidates = [*self._ranges(text, candidates), *candidates]
        phrases = Intervals(match.span() for match in compiled(self._phrases).finditer(text))
        first, last = len(text) - len(text.lstrip()), len(text.rstrip(AFTER_END))
        quantities: list[Quantity] = []
        for quantity in sorted(candidates, key=lambda candidate: (candidate.start, -candidate.end)):
            start, end = quantity.start, quantity.end
            if quantities and quantities[-1].end > start or phrases.contain(start, end):
                continue
            if text[start - 1 : start] == "-" or re.match(GOES_ON, text[end - 1 : end + 2]):
                continue
            if text[end - 1] == "." and start > first and end >= last:
                end -= 1  # the sentence ends here as well
            quantity = quantity._replace(end=end, text=original[start:end])
            if quantity.in_words and self._has_noun_capital(text, quantity):
                if quantity.text.lower() in self._other_nouns:
                    continue
                quantity = quantity._replace(has_noun_capital=True)
            quantities.append(quantity)
        return quantities

    @functools.cached_property
    def _readers(self) -> tuple[TimeReader, DateReader, AmountReader]:
        language = self._language
        return TimeReader(language), DateReader(language), AmountReader(language)

    @functools.cached_property
    def _rules(self) -> list[Rule]:
        rules = itertools.chain.from_iterable(reader.rules() for reader in self._readers)
        return [rule._replace(pattern=f"{BEFORE}(?:{rule.pattern}){AFTER}") for rule in rules]

    @functools.cached_property
    def _stems(self) -> tuple[str, ...]:
        return tuple({stem for rule in self._rules for stem in rule.stems})

    def _has_noun_capital(self, text: str, quantity: Quantity) -> bool:
        """Whether it has a capital as a noun: "Drei" may be a noun, and "Acht" is no number."""
        is_noun = quantity.text[0].isupper() and not quantity.text.isupper()
        before = text[max(0, quantity.start - 40) : quantity.start]
        return self._has_capital_nouns and is_noun and not re.search(STARTS_SENTENCE, before)

    def _ranges(self, text: str, candidates: Sequence[Quantity]) -> Iterator[Quantity]:
        """Ranges: two candidates that have a word or a dash between them."""
        by_length = sorted(candidates, key=lambda candidate: candidate.start)
        longest = {candidate.end: candidate for candidate in reversed(by_length)}
        joints = compiled(self._joint)
        for last in candidates:
            joint = joints.search(text, max(0, last.start - JOINT_LENGTH), last.start)
            first = joint and longest.get(joint.start())
            if joint is None or first is None:
                continue
            join = self._joins.get((joint["word"] or "").lower(), "")
            for reader in self._readers:
                if ends := reader.read_range(text, first, last, join):
                    extent = first.start, last.end
                    meaning = Range(*ends, joint[0], join)
                    yield Quantity(*extent, text[slice(*extent)], meaning)


def with_plain_spaces(text: str) -> str:
    """A text with plain spaces. A special space stays before three digits in a number."""
    text = text.translate(str.maketrans("\u2009\u202f", SPACE_IN_NUMBER * 2))
    if SPACE_IN_NUMBER not in text:
        return text
    return re.sub(rf"{SPACE_IN_NUMBER}(?!(?<=\d.)\d{{3}}(?!\d))", " ", text)
