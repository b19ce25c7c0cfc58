"""Words that a model copies reliably: it is shown them in place of spans it could not copy."""

import functools
import re
from collections.abc import Collection, Iterator
from typing import NamedTuple

from translator.text.memo import Span
from translator.text.stand_ins.numbers import find_numbers, is_masked

MASKED_NUMBER = "00"  # every number of two digits, for a tokenizer that masks digits
USUAL_NUMBERS = ("15", "20", "30", "12", "25", "40", "17", "18")  # two digits are seldom spelt out
USUAL_TIMES = ("9:30", "10:30", "8:15", "7:45")


class StandIns(NamedTuple):
    """The words that a model can be shown in place of spans.

    Attributes:
        names: the most reliable first; there may be none.
        numbers: likewise, of two digits.
        times: likewise.
        masks_digits: whether the model reads and writes 0 for every digit.
        exchanged: whether numbers are shown where names usually are, and names for numbers.
    """

    names: tuple[str, ...] = ()
    numbers: tuple[str, ...] = USUAL_NUMBERS
    times: tuple[str, ...] = ()
    masks_digits: bool = False
    exchanged: bool = False

    @classmethod
    def of_run(
        cls, names: Collection[str], words: Collection[str], masks_digits: bool
    ) -> "StandIns":
        """The stand-ins for a run.

        Args:
            names: that are written alike in both languages.
            words: of the training data, in lower case; empty if they are not known.
            masks_digits: whether the model reads and writes 0 for every digit.
        """
        if masks_digits:
            return cls(tuple(names), (MASKED_NUMBER,), (), True)
        known = tuple(number for number in USUAL_NUMBERS if number in words)
        times = tuple(time for time in USUAL_TIMES if time in words)
        return cls(tuple(names), known or USUAL_NUMBERS, times)

    def others(self) -> "tuple[StandIns, ...]":
        """The same stand-ins in other roles, for sentences in which the model drops these."""
        if not self.names:
            return ()
        half = (len(self.names) + 1) // 2
        rotated = self._replace(names=(*self.names[half:], *self.names[:half]))
        found = (rotated, self._replace(exchanged=True), rotated._replace(exchanged=True))
        return found if half < len(self.names) else found[1:2]

    def name(self, used: Collection[str]) -> str:
        """A name that is not used yet if there is one; a number if there are no names at all."""
        return self._number(used) if self.exchanged or not self.names else self._name(used)

    def number(self, used: Collection[str], is_time: bool = False) -> str:
        """A number that is not used yet if there is one."""
        return self._name(used) if self.exchanged else self._number(used, is_time)

    def _name(self, used: Collection[str]) -> str:
        return next((name for name in self.names if name.lower() not in used), self.names[0])

    def _number(self, used: Collection[str], is_time: bool = False) -> str:
        numbers = (*self.times, *self.numbers) if is_time else self.numbers
        return next((number for number in numbers if number not in used), numbers[0])

    def find(self, word: str) -> Iterator[Span]:
        """Finds stand-ins in a word of a translation, with or without an ending."""
        if self.names:
            for found in _inflected(self.names).finditer(word):
                yield Span(found.start(), found.end(), found.group())
        for number in find_numbers(word):
            if self._is_number(number.text):
                yield number

    def _is_number(self, text: str) -> bool:
        if self.masks_digits:
            return is_masked(text)
        return any(_digits(text) == _digits(number) for number in (*self.numbers, *self.times))

    def match(self, text: str, shown: str) -> bool:
        """Whether text that `find` found stands for what was shown."""
        if not shown[:1].isdigit():
            return _inflected((shown,)).fullmatch(text) is not None
        if self.masks_digits:
            return text[:1].isdigit()
        return _digits(text) == _digits(shown)


@functools.cache
def _inflected(names: tuple[str, ...]) -> re.Pattern[str]:
    """Recognises names with the endings that a translation may give them."""
    name = "|".join(map(re.escape, names))
    ending = rf"s|['’]s?|(?:-(?!(?:{name})\b)[^\W\d]\w*)+"
    return re.compile(rf"(?<!\w)(?:{name})(?:{ending})?(?!\w)", re.IGNORECASE)


def _digits(number: str) -> list[str]:
    return re.findall(r"\d+", number)
