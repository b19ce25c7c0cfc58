"""The numbers of a sentence, in digits and in words, in a form that languages share."""

import functools
import re
import unicodedata
from collections import Counter

from translator.base.languages import language_facts
from translator.text.spans.numbers import NUMBER

WORD = re.compile(r"[^\W\d_]+")
FACTORS = (10**6, 1000, 100)  # that number words multiply, as in "two hundred"
TIME = re.compile(r"(\d{1,2})[:.,](\d\d)")  # or an amount, which 2.30 may be as well
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
        self._values = dict(facts.number_words)
        words = "|".join(sorted(map(re.escape, self._values), key=len, reverse=True))
        joins = "|".join(map(re.escape, facts.joins_numbers))
        self._number_word = re.compile(words) if words else None
        self._whole = re.compile(rf"(?:{words}{'|' if joins else ''}{joins})+")
        self._less = facts.one_less_after
        self._group_mark = facts.group_mark
        self._parts = functools.lru_cache(1 << 16)(self._parts_of_word)

    def find(self, sentence: str) -> Counter[str]:
        """The parts of all numbers, with how often each occurs."""
        parts: list[str] = []
        for number in NUMBER.findall(sentence):
            parts += parts_of_digits(number, self._group_mark)
        if self._number_word is not None:
            before = ""
            for word in WORD.findall(sentence.lower()):
                if not self._less or before != self._less:
                    parts += self._parts(word)
                before = word
        return Counter(parts)

    def _parts_of_word(self, word: str) -> tuple[str, ...]:
        if self._number_word is None or not self._whole.fullmatch(word):
            return ()
        return tuple(str(self._values[part]) for part in self._number_word.findall(word))


def parts_of_digits(number: str, group_mark: str | None = None) -> list[str]:
    """The parts that a number in digits would be said with; its digits where it has other ones.

    Args:
        number: such as 1,234 or 7:30; "2.00" is the same as "2", and "14:30" as "2:30".
        group_mark: what separates the thousands in its language.
    """
    number = "".join(str(unicodedata.decimal(c, c)) for c in number)
    if time := TIME.fullmatch(number):
        hour = int(time[1])
        return [*_parts(hour if hour > 24 else hour % 12 or 12), *_parts(int(time[2]))]
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
