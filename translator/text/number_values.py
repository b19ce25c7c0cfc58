"""The numbers of a sentence, in digits and in words, in a form that languages share."""

import functools
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable

from translator.base.languages import language_facts
from translator.text.spans.numbers import NUMBER

WORD = re.compile(r"[^\W\d_]+")
VALUES = (*range(2, 21), 30, 40, 50, 60, 70, 80, 90, 100, 1000, 10**6)
NUMBER_WORDS = {  # for `VALUES`, by languages
    "en": (
        "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
        "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty",
        "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety", "hundred", "thousand",
        "million",
    ),
    "de": (
        "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun", "zehn", "elf", "zwölf",
        "dreizehn", "vierzehn", "fünfzehn", "sechzehn", "siebzehn", "achtzehn", "neunzehn",
        "zwanzig", "dreißig", "vierzig", "fünfzig", "sechzig", "siebzig", "achtzig", "neunzig",
        "hundert", "tausend", "million",
    ),
}  # fmt: skip
JOINS = {"de": ("und", "eine", "ein")}  # what may stand between them, as in "einundzwanzig"
ONE_LESS_AFTER = {"de": "halb"}  # the word before the next hour: "halb vier" is 3:30
FACTORS = (10**6, 1000, 100)  # that number words multiply, as in "two hundred"
TIME = re.compile(r"(\d{1,2})[:.,](\d\d)")  # or an amount, which 2.30 may be as well
HOUR = re.compile(r"(?<![\d.,:/])\d{1,2}(?=\s?(?:[ap]\.?m\b|uhr\b|o.clock\b))")
DATE = re.compile(r"(\d{1,2})[./](\d{1,2})[./](\d{4}|\d\d)")
GROUPS = re.compile(r"(?<![\d.,:/])\d{1,3}(?:[ \u00a0\u202f]\d{3})+(?!\d)")  # 10 000
MOST_DIGITS = 9  # of a number that is said in words
DECIMAL_ZEROS = re.compile(r"[.,]0{1,2}$")


class NumberReader:
    """Finds the numbers in sentences of a language.

    A number is given by the words that it would be said with, so that "25", "twenty-five" and
    "fünfundzwanzig" are the same: 20 and 5. A number that is no whole one, or has no such form, is
    given by its digits. One is left out, since "a" and "ein" are words for it.

    Args:
        language: its code. Where its number words are not known, only digits are found.
    """

    def __init__(self, language: str) -> None:
        facts = language_facts(language)
        self._values = dict(zip(NUMBER_WORDS.get(facts.code, ()), VALUES))
        words = _any_of(self._values)
        joins = "|".join(map(re.escape, JOINS.get(facts.code, ())))
        self._number_word = re.compile(words) if self._values else None
        self._whole = re.compile(rf"(?:{words}{'|' if joins else ''}{joins})+")
        self._less = ONE_LESS_AFTER.get(facts.code, "")
        self._group_mark = facts.group_mark
        hundred, early, late, tens = (
            _any_of(word for word, value in self._values.items() if value in values)
            for values in ((100,), range(11, 20), range(13, 20), range(20, 100))
        )  # before 13, the first number may be the hour of a time, as in "twelve thirty"
        self._century = re.compile(rf"\b(?:({early})[ -]?{hundred}|({late})[ -](?={tens}))")
        self._dozens = re.compile(rf"\b(\d{{1,4}}|{words})\s(?:dozen|dutzend)\b")
        self._parts = functools.lru_cache(1 << 16)(self._parts_of_word)

    def find(self, sentence: str) -> Counter[str]:
        """The parts of all numbers, with how often each occurs.

        Where a number can be read in two ways, such as "nineteen ninety", it has the parts of both.
        """
        sentence = GROUPS.sub(_without_spaces, sentence.lower())
        sentence = HOUR.sub(_as_hour, sentence)
        if self._number_word is not None:
            sentence = self._dozens.sub(self._multiply_dozens, sentence)
            sentence = self._century.sub(self._add_century, sentence)
        parts: list[str] = []
        for number in NUMBER.findall(sentence):
            parts += parts_of_digits(number, self._group_mark)
        if self._number_word is not None:
            before = ""
            for word in WORD.findall(sentence):
                if not self._less or before != self._less:
                    parts += self._parts(word)
                before = word
        return Counter(parts)

    def _multiply_dozens(self, found: re.Match[str]) -> str:
        count = self._values.get(found[1])
        return str(12 * (int(found[1]) if count is None else count))

    def _add_century(self, found: re.Match[str]) -> str:
        if found[1]:
            return f"{self._values[found[1]]}00 "
        return f"{found[0]}{self._values[found[2]]}00 "

    def _parts_of_word(self, word: str) -> tuple[str, ...]:
        if self._number_word is None or not self._whole.fullmatch(word):
            return ()
        return tuple(str(self._values[part]) for part in self._number_word.findall(word))


def _any_of(words: Iterable[str]) -> str:
    """A regular expression for one of these words, the longest one that fits."""
    return f"(?:{'|'.join(sorted(map(re.escape, words), key=len, reverse=True))})"


def _without_spaces(found: re.Match[str]) -> str:
    return "".join(found[0].split())


def _as_hour(found: re.Match[str]) -> str:
    """An hour as a clock shows it: 15 o'clock and 3 p.m. are both 3."""
    hour = int(found[0])
    return found[0] if hour > 24 else str(hour % 12 or 12)


def parts_of_digits(number: str, group_mark: str | None = None) -> list[str]:
    """The parts that a number in digits would be said with; its digits where it has other ones.

    Args:
        number: such as 1,234 or 7:30; "2.00" is the same as "2", and "14:30" as "2:30". A date has
            the parts of day, month and year.
        group_mark: what separates the thousands in its language.
    """
    number = "".join(str(unicodedata.decimal(c, c)) for c in number)
    if time := TIME.fullmatch(number):
        hour = int(time[1])
        return [*_parts(hour if hour > 24 else hour % 12 or 12), *_parts(int(time[2]))]
    if date := DATE.fullmatch(number):
        return [part for each in date.groups() for part in _parts(int(each))]
    if group_mark and re.fullmatch(rf"\d{{1,3}}(?:{re.escape(group_mark)}\d{{3}})+", number):
        number = number.replace(group_mark, "")
    number = DECIMAL_ZEROS.sub("", number)
    if not number.isdecimal() or len(number) > MOST_DIGITS:
        return ["".join(filter(str.isdecimal, number))]
    return _parts(int(number)) or ["0"] * (int(number) == 0)


def _parts(value: int) -> list[str]:
    """How a whole number is said: 215 as 2, 100 and 15; without the 1 of 21 or 100."""
    for factor in FACTORS:
        if value >= factor:
            return [*_parts(value // factor), str(factor), *_parts(value % factor)]
    if value <= 20:
        return [str(value)] if value > 1 else []
    return [str(value - value % 10), *_parts(value % 10)]
