"""Finds the quantities of a text."""

import dataclasses
import functools
import itertools
import re
from collections.abc import Iterator, Sequence

from translator.base.languages import language_facts, language_table
from translator.text.quantities.amounts import AmountReader
from translator.text.quantities.codes import code_rules
from translator.text.quantities.dates import DateReader
from translator.text.quantities.numbers import SPACE_IN_NUMBER, Number, number_words
from translator.text.quantities.ordinals import OrdinalReader
from translator.text.quantities.quantity import (
    Candidate,
    Joint,
    Meaning,
    Quantity,
    Range,
    Rule,
    any_of,
    joins_of,
    text_before,
)
from translator.text.quantities.times import TimeReader
from translator.text.shown import Intervals

DIGIT = re.compile(r"[\d½¼¾⅓⅔⅛]")
STARTS_SENTENCE = r"(?:^|[.!?:…])[\"'“”„‘’»«()\[\]*_\s]*$"
GOES_ON = r"\d[-–]\d"  # as a code does
AFTER_END = "\"'“”’») "  # what may stand after a sentence


class QuantityReader:
    """Finds the quantities in texts of a language.

    Args:
        language: its code. Where its words are not known, only digits are read.
    """

    def __init__(self, language: str) -> None:
        facts = language_facts(language)
        self.language = facts.code
        self._has_capital_nouns = facts.capitalizes_nouns
        table, numbers = language_table(facts.code, "numbers"), number_words(facts.code)
        days = language_table(facts.code, "calendar").get("days", ())
        clock = language_table(facts.code, "clock").get("clock", "\0")
        self._other_nouns = table.get("other_nouns", ())
        self._beginning = (
            rf"\b(?:{numbers.beginnings}|{any_of(days)})|\b{clock}" if numbers else "(?!)"
        )
        self._phrases = "|".join(table.get("phrases", ())) or "(?!)"
        self._joins = joins_of(facts.code)
        words = "|".join(map(re.escape, self._joins)) or "(?!)"
        self._joint = rf"(?: ?[-–] ?| [x×] | (?P<word>{words}) (?:zum )?)\Z"

    def find(self, text: str) -> list[Quantity]:
        """The quantities of a text, in order; of those that overlap, the longest one."""
        given, text = text, with_plain_spaces(text)
        if not (DIGIT.search(text) or self._may_begin.search(text)):
            return []
        candidates = [
            Candidate(*match.span(), rank, meaning, match[0])
            for rank, rule in enumerate(self._rules)
            for match in rule.pattern.finditer(text)
            if (read := rule.read(match)) is not None and (meaning := self._check(read, match))
        ]
        candidates += list(self._ranges(text, candidates))
        phrases = Intervals(
            phrase.span() for phrase in re.finditer(self._phrases, text, re.IGNORECASE)
        )
        first, last = len(text) - len(text.lstrip()), len(text.rstrip(AFTER_END))
        quantities: list[Quantity] = []
        for each in sorted(candidates, key=lambda each: (each.start, -each.end, each.rank)):
            start, end = each[:2]
            if quantities and quantities[-1].end > start or phrases.hold(start, end):
                continue
            if text[start - 1 : start] == "-" or re.match(GOES_ON, text[end - 1 : end + 2]):
                continue
            if text[end - 1] == "." and start > first and end >= last:
                end -= 1  # the sentence ends here as well
            key, in_words = each.meaning.key, not DIGIT.search(text, start, end)
            kind = key.partition(" ")[0]
            quantity = Quantity(start, end, kind, key, given[start:end], in_words, each.meaning)
            quantities.append(quantity)
        return quantities

    # What follows is compiled when a text first needs it, which takes a tenth of a second

    @functools.cached_property
    def _may_begin(self) -> re.Pattern[str]:
        return re.compile(self._beginning, re.IGNORECASE)

    @functools.cached_property
    def _readers(self) -> Sequence[TimeReader | DateReader | AmountReader]:
        """Those of what has ranges."""
        return TimeReader(self.language), DateReader(self.language), AmountReader(self.language)

    @functools.cached_property
    def _rules(self) -> list[Rule]:
        *first, last = code_rules(self.language)
        readers = (OrdinalReader(self.language), *self._readers)
        rules = itertools.chain.from_iterable(reader.rules() for reader in readers)
        return [*first, *rules, last]

    def _check(self, meaning: Meaning, match: re.Match[str]) -> Meaning | None:
        """What the capital of a number in words says: "Acht" may be no number, "Drei" a noun."""
        given = match[0]
        is_noun = self._has_capital_nouns and given[0].isupper() and not given.isupper()
        if not (isinstance(meaning, Number) and is_noun):
            return meaning
        if re.search(STARTS_SENTENCE, text_before(match.string, match.start())):
            return meaning
        is_other = given.lower() in self._other_nouns
        return None if is_other else dataclasses.replace(meaning, is_noun=True)

    def _ranges(self, text: str, candidates: Sequence[Candidate]) -> Iterator[Candidate]:
        """Two candidates with a word or a dash between them that are a range."""
        longest = {
            each.end: each
            for each in sorted(candidates, key=lambda each: (-each.start, -each.rank))
        }
        for last in candidates:
            before = text[max(0, last.start - 10) : last.start]
            found = re.search(self._joint, before, re.IGNORECASE)
            if found is None:
                continue
            join = self._joins.index(found["word"].lower()) if found["word"] else None
            joint = Joint(last.start - len(found[0]), join, found[0])
            for reader in self._readers:
                if ends := reader.read_range(text, longest.get(joint.start), joint, last):
                    start, *parts = ends
                    texts = text[start : joint.start], last.given
                    meaning = Range((parts[0], parts[1]), texts, joint)
                    yield Candidate(start, last.end, len(self._rules) - 2, meaning, "")


def with_plain_spaces(text: str) -> str:
    """A text of the same length: a special space stays one only before three digits of a number."""
    text = text.translate(str.maketrans("\u2009\u202f", SPACE_IN_NUMBER * 2))
    if SPACE_IN_NUMBER not in text:
        return text
    return re.sub(rf"{SPACE_IN_NUMBER}(?!(?<=\d.)\d{{3}}(?!\d))", " ", text)
