"""What a translation must have kept of its sentence: numbers, negation, titles, addresses.

The table ``agreement`` of a language has how many letters the same text has, beside English
(letters); the words that deny, and regular expressions of parts of words that do (denies,
denies_in); others that say so in another way, such as "hardly" or "unhappy" (may_deny,
may_deny_in); titles that no table of persons has (other_titles); beginnings of words that say a
number, but are no number words, by their values (stands_for); and words such as "twice"
(multiples). They were measured on the pairs of Tatoeba: of real pairs at most one of a hundred may
disagree.
"""

import functools
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any, NamedTuple

from translator.base.languages import language_facts, language_table
from translator.base.texts import listed
from translator.text.copied_spans import find_copied
from translator.text.lexicon import Lexicon
from translator.text.lost_words import LostWords
from translator.text.quantities.dates import calendar_of
from translator.text.quantities.numbers import number_words
from translator.text.quantities.quantity import Quantity, any_of
from translator.text.quantities.reading import QuantityReader
from translator.text.spans.intervals import Intervals

KINDS = {  # of disagreements, as a summary says them
    "numbers": "with other numbers than their translations",
    "negation": "with a negation on one side only",
    "length": "with translations of unusual length",
    "question": "with a question on one side only",
    "letters": "with characters that cannot be read",
    "titles": "with a man's title for a woman's, the other way round, or without it",
    "doubled": "with a word twice in a row in the translation",
    "quotations": "with a quotation on one side only",
    "lost": "without a name or a member of a list, which the translation lacks",
    "copies": "without an address, a letter or the like, which the translation lacks",
    "spans": "with names, numbers or addresses whose place is a guess",
}
FEWEST_LETTERS = 12  # of a sentence whose translation may be too short
SOME_LETTERS = 40  # of one whose translation may be too long
MANY_LETTERS = 60  # of one whose translation has nearly the usual length
LONGEST = 1.8  # times the letters that translations usually have
SHORTEST_OF_FEW, SHORTEST, SHORTEST_OF_MANY = 0.4, 0.5, 0.6
WORD = re.compile(r"\d+|[^\W\d_]+")
LETTERS = re.compile(r"[^\W\d_]{2,}")
CURRENCIES = {"EUR": ("euro",), "USD": ("dollar", "buck"), "JPY": ("yen",), "CHF": ("fran",)}
VALUE = re.compile(rf"\d+(?:\.\d+)?|{'|'.join(CURRENCIES)}")  # in the key of a quantity
DOUBLED = {  # by whether nouns have capitals; "sie sie" may be right, and so may "wäre, wäre"
    is_noun: re.compile(rf"\b([^\W\d_]{{4,}})(?: | ?[&/+] ?|[,;] {noun})\1\b", re.IGNORECASE)
    for is_noun, noun in ((True, "(?=(?-i:[A-ZÄÖÜ][a-zäöüß]))"), (False, ""))
}
ASKS = re.compile(r"\?(?!\w)")  # but not within a web address
QUOTATION = re.compile(r"(?<!\w)[\"“„‟«»][^\"“”„‟«»]*\w[^\"“”„‟«»]*[\"“”«»]")  # 27" opens none
QUOTATION_IN_SINGLE_MARKS = re.compile(r"(?<!\w)['‘‚](\w)[^'‘’]*['‘’](?!\w)")
ALONE = re.compile(  # a letter, but not of an abbreviation such as "a. D."
    r"(?<![\w'‘’.&/@+-])(?<!\w\()([^\W\d_])(?![\w'’&/@+-]|\.(?!\W*$))"
)
WORDS_OF_A_LETTER = {"en": "aio", "de": "o"}  # of other languages they are not known
QUESTION = re.compile(r"\?[\"'“”„‘’»«)\s]*$")


class Negation(NamedTuple):
    """How a language denies, as regular expressions for texts in lower case.

    Attributes:
        may_deny: others that say so in another way, such as "unhappy" or "hardly".
    """

    denies: re.Pattern[str]
    may_deny: re.Pattern[str]


def _negation_of(table: Mapping[str, Any]) -> Negation | None:
    """How a language denies, by its table; None where that says nothing."""
    if not table:
        return None
    denies, may_deny = (
        re.compile("|".join([rf"\b(?:{'|'.join(table[name])})\b", *table[f"{name}_in"]]))
        for name in Negation._fields
    )
    return Negation(denies, may_deny)


class Titles(NamedTuple):
    """The titles of a language before a name, as regular expressions."""

    of_men: re.Pattern[str]
    of_women: re.Pattern[str]


def _titles_of(language: str) -> Titles | None:
    """The titles of men and women, by the table ``persons``; None where that says nothing."""
    table = language_table(language, "persons")
    if not table:
        return None
    found = (
        {title.rstrip(".") for role in roles for title in table[role]["titles"]}
        for roles in (("he", "him"), ("she", "her"))
    )
    return Titles(*(re.compile(rf"\b{any_of(titles)}\b\.? (?=[^\W\d_a-z])") for titles in found))


class Disagreement(NamedTuple):
    """Something that only one of a sentence and its translation says."""

    kind: str
    text: str


LOST_SPANS = Disagreement("spans", "what was put back may stand in the wrong place")


class AgreementJudge:
    """Compares sentences with their translations.

    Args:
        target: that of the translations. What no table says of a language is not compared.
    """

    def __init__(
        self, source: str, target: str, lexicon: Callable[[], Lexicon] = lambda: Lexicon({})
    ) -> None:
        self._readers = QuantityReader(source), QuantityReader(target)
        self._codes = source, target = language_facts(source).code, language_facts(target).code
        ours, theirs = (language_table(language, "agreement") for language in self._codes)
        self._negations = _negation_of(ours), _negation_of(theirs)
        self._titles = tuple(map(_titles_of, self._codes))
        others = theirs.get("other_titles", ()) if theirs else ()
        self._other_titles = re.compile(rf"\b{any_of(others)}\b" if others else "(?!)")
        self._lost = LostWords(source, target, lexicon)
        self._growth = theirs["letters"] / ours["letters"] if ours and theirs else None

    def compare(self, source: str, text: str) -> tuple[Disagreement, ...]:
        """What only one of a sentence and its translation says."""
        checks = (
            self._numbers,
            self._negation,
            self._length,
            self._question,
            self._letters,
            self._person,
            self._doubled,
            self._quoted,
            self._lost_words,
            self._copied,
        )
        problems = zip(KINDS, (check(source, text) for check in checks))
        return tuple(Disagreement(kind, problem) for kind, problem in problems if problem)

    def _numbers(self, source: str, text: str) -> str:
        given, written = (
            _Side(side, language, reader.find(side))
            for side, language, reader in zip((source, text), self._codes, self._readers)
        )
        lost, added = _lacking(given, written), _lacking(written, given)
        if lost:
            instead = f" (it has {listed(added)})" if added else ""
            return f"numbers that the translation lacks: {listed(lost)}{instead}"
        return f"numbers that only the translation has: {listed(added)}" if added else ""

    def _negation(self, source: str, text: str) -> str:
        ours, theirs = self._negations
        if ours is None or theirs is None or ASKS.search(f"{source} {text}"):
            return ""
        given, written = (side.lower().replace("’", "'") for side in (source, text))
        is_given, is_written = bool(ours.denies.search(given)), bool(theirs.denies.search(written))
        if is_given and not is_written and not theirs.may_deny.search(written):
            return "a negation that the translation lacks"
        if is_written and not is_given and not ours.may_deny.search(given):
            return "a negation that only the translation has"
        return ""

    def _length(self, source: str, text: str) -> str:
        if any(map(str.isalpha, source)) and not any(map(str.isalnum, text)):
            return "all of its words may be lost" if text.strip() else "its translation is empty"
        copies = find_copied(text, self._codes[1])
        if copies and self._has_words(0, source) and not self._has_words(1, text):
            return "all of its words may be lost"
        letters = sum(map(str.isalnum, source))
        if self._growth is None or letters < FEWEST_LETTERS:
            return ""
        ratio = sum(map(str.isalnum, text)) / (letters * self._growth)
        shortest = SHORTEST if letters < MANY_LETTERS else SHORTEST_OF_MANY
        if ratio < (SHORTEST_OF_FEW if letters < SOME_LETTERS else shortest):
            return "a part of it may be lost"
        is_long = letters >= SOME_LETTERS and ratio > LONGEST
        return "its translation is unusually long" if is_long else ""

    def _has_words(self, side: int, text: str) -> bool:
        """Whether a text has words outside of quantities and of what is copied."""
        taken = Intervals((each.start, each.end) for each in self._readers[side].find(text))
        copied = find_copied(text, self._codes[side])
        taken.add(each for each in copied if taken.are_free(*each))
        return any(taken.are_free(*word.span()) for word in LETTERS.finditer(text))

    def _question(self, source: str, text: str) -> str:
        if QUESTION.search(source) and not ASKS.search(text):
            return "a question that the translation does not ask"
        if QUESTION.search(text) and not ASKS.search(source):
            return "only the translation asks"
        return ""

    def _letters(self, source: str, text: str) -> str:
        is_lost = "\ufffd" in text and "\ufffd" not in source
        return "a character of the translation cannot be read" if is_lost else ""

    def _person(self, source: str, text: str) -> str:
        ours, theirs = self._titles
        if ours is None or theirs is None:
            return ""
        given = [title.search(source) for title in ours]
        written = [title.search(text) for title in theirs]
        for one, other in ((0, 1), (1, 0)):
            only, instead = given[one], written[other]
            if only and instead and not given[other] and not written[one]:
                return f"{only[0].strip()} is {instead[0].strip()} in the translation"
        lost = next(filter(None, given), None)
        if lost is None or any(written) or any(title.search(text) for title in ours):
            return ""
        is_noun = language_facts(self._codes[0]).capitalizes_nouns  # "seine Frau Maria"
        return "" if is_noun or self._other_titles.search(text) else f"{lost[0].strip()} is lost"

    def _doubled(self, source: str, text: str) -> str:
        given, written = (
            DOUBLED[language_facts(code).capitalizes_nouns].search(side)
            for code, side in zip(self._codes, (source, text))
        )
        return f"{written[0]}, twice in a row" if written and not given else ""

    def _quoted(self, source: str, text: str) -> str:
        (fewest, most), (fewest_written, most_written) = map(_quotations, (source, text))
        if most_written < fewest:
            return "a quotation that the translation lacks"
        return "a quotation that only the translation has" if fewest_written > most else ""

    def _lost_words(self, source: str, text: str) -> str:
        lost = self._lost.find(source, text)
        return f"what the translation lacks: {listed(lost)}" if lost else ""

    def _copied(self, source: str, text: str) -> str:
        taken = Intervals((each.start, each.end) for each in self._readers[0].find(source))
        copied = [each for each in find_copied(source, self._codes[0]) if taken.are_free(*each)]
        lost = [source[start:end] for start, end in copied if source[start:end] not in text]
        taken.add(copied)
        lost += self._lost_letters(source, text, taken)
        return f"what the translation lacks: {listed(lost)}" if lost else ""

    def _lost_letters(self, source: str, text: str, taken: Intervals) -> Iterator[str]:
        """The letters that stand alone in a sentence, outside of what is taken, and are lost."""
        words = WORDS_OF_A_LETTER.get(self._codes[0], "")
        for letter in ALONE.finditer(source) if words else ():
            same = re.compile(rf"(?<![^\W\d_]){letter[0]}(?![^\W\d_])", re.IGNORECASE)
            is_lost = letter[0].lower() not in words and not same.search(text)
            if is_lost and taken.are_free(*letter.span()):
                yield letter[0]


class _Side(NamedTuple):
    """One of a sentence and its translation."""

    text: str
    language: str
    quantities: Sequence[Quantity]

    def words(self) -> str:
        """What stands outside of the quantities, in small letters, each word after a space."""
        begins = [0, *(quantity.end for quantity in self.quantities)]
        ends = [*(quantity.start for quantity in self.quantities), len(self.text)]
        outside = " ".join(self.text[begin:end] for begin, end in zip(begins, ends))
        return " ".join(["", *WORD.findall(outside.lower())])


def _quotations(text: str) -> tuple[int, int]:
    """The fewest and the most quotations that a text has.

    What has single marks and no capital may be none, as in rock 'n' roll.
    """
    singles = QUOTATION_IN_SINGLE_MARKS.findall(text)
    count = len(QUOTATION.findall(text))
    return count + sum(map(str.isupper, singles)), count + len(singles)


def _lacking(side: _Side, other: _Side) -> list[str]:
    """What one side says with a number that the other side does not have."""
    available = Counter(quantity.key for quantity in other.quantities)
    unequal = []
    for quantity in side.quantities:
        if available[quantity.key]:
            available[quantity.key] -= 1
        else:
            unequal.append((quantity.given, _values_of(quantity)))
    values = Counter(
        value for each in other.quantities if available[each.key] for value in _values_of(each)
    )
    unequal += ((word, [value]) for word, value in _ordinals_in(side.words(), side.language))
    words = other.words()
    lacking = []
    for given, own in unequal:
        if any(not values[value] and not _is_said(value, words, other.language) for value in own):
            lacking.append(given)
        values.subtract(value for value in own if values[value])
    return lacking


def _values_of(quantity: Quantity) -> list[str]:
    """The numbers and the currency of a quantity: 5 and 30 of 5:30, and 5 alone of 5:00."""
    found = VALUE.findall(quantity.key.replace(":00", "").replace("US$", "USD"))
    return list(dict.fromkeys(each.lstrip("0") or "0" for each in found))


def _ordinals_in(words: str, language: str) -> Iterator[tuple[str, str]]:
    """Ordinal numbers from the third one on, and words such as "twice", with their values."""
    pattern, values = _ordinals(language)
    for found in pattern.finditer(words):
        yield found[0].strip(), values[found[1]]


@functools.cache
def _ordinals(language: str) -> tuple[re.Pattern[str], dict[str, str]]:
    """A regular expression for ordinal numbers in words, whose group is a key of their values."""
    calendar = calendar_of(language)
    if calendar is None:
        return re.compile("(?!)"), {}
    values = {day.replace("-", " "): str(n) for n, day in enumerate(calendar.days, 1) if n > 2}
    values.pop("acht", None)  # "achte" is more often a verb
    values |= language_table(language, "agreement").get("multiples", {})
    return re.compile(rf" ({any_of(values)})(?:{calendar.ending})?(?= |$)"), values


def _is_said(value: str, words: str, language: str) -> bool:
    """Whether a word begins with a number, as "dreimal" does, or stands for it, as "both"."""
    stems = language_table(language, "agreement").get("stands_for", {}).get(value, ())
    if value in CURRENCIES:
        return any(word in words for word in CURRENCIES[value])
    spoken, calendar = number_words(language), calendar_of(language)
    if spoken is not None:
        written = (spoken.write(Decimal(value)) or value).lower()
        stems = (*stems, written, f"{written.removesuffix('y')}ie")  # forties, fortieth
    if calendar is not None and value.isdecimal() and 1 <= int(value) <= len(calendar.days):
        stems = (*stems, calendar.days[int(value) - 1].replace("-", " "))
    is_digits = re.search(rf" {re.escape(value)}(?= |$)", words) is not None  # as 19 of "19th"
    return is_digits or any(f" {stem}" in words for stem in stems)
