"""The numbers of a sentence by their values, in a form that languages share."""

import re
from collections import Counter

from translator.text.quantities import QuantityReader

DIGITS = re.compile(r"\d+")
VALUE = re.compile(r"\d+(?:\.\d+)?")


class NumberReader:
    """Finds the numbers in sentences of a language.

    A number is given by its value, so that "25", "twenty-five" and "fünfundzwanzig" are the same. A
    time has the numbers of a clock with twelve hours, a date those of day, month and year. Signs
    are left out, since "minus" is a word for one, and so is 1, since "a" and "ein" are.

    Args:
        language: its code. Where its number words are not known, only digits are found.
    """

    def __init__(self, language: str) -> None:
        self._reader = QuantityReader(language)

    def find(self, sentence: str) -> Counter[str]:
        """The values of all numbers, with how often each occurs."""
        values: list[str] = []
        end = 0
        for quantity in self._reader.find(sentence):
            values += DIGITS.findall(sentence[end : quantity.start])  # of a word, such as B2
            values += (DIGITS if quantity.kind == "code" else VALUE).findall(quantity.key)
            end = quantity.end
        values += DIGITS.findall(sentence[end:])
        plain = [value if value == "0" else value.lstrip("0") for value in values]
        return Counter(value for value in plain if value not in ("", "1"))
