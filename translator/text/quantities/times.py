"""Times of the day, and how the other language says them: half past five is halb sechs."""

import dataclasses
import re
from decimal import Decimal

from translator.text.quantities.clocks import NO_CLOCK, Clock, clock_of
from translator.text.quantities.forms import with_capitals_of
from translator.text.quantities.numbers import number_words
from translator.text.quantities.quantity import Meaning
from translator.text.quantities.words import SpokenNumber


@dataclasses.dataclass(frozen=True)
class Time(Meaning):
    """A time of the day.

    Attributes:
        hour: from 0 to 24, as it was said.
        minute: None for a full hour that was said without any.
        is_sure: whether it is said on a clock of 24 hours, or with a.m. or p.m.
        form: how it is said: in ``digits``, in ``words``, in a ``phrase`` with other minutes, or
            in ``bare`` digits without a word of the clock, which may be no time of the day.
    """

    hour: int
    minute: int | None
    is_sure: bool
    form: str

    @property
    def key(self) -> str:
        """See `Meaning.key`; 17:30 is 5:30, as it may be said so."""
        return f"time {self.hour % 12 or 12}:{self.minute or 0:02}"

    def write(self, given: str, languages: tuple[str, str]) -> str:
        """See `Meaning.write`."""
        clock = clock_of(languages[1])
        if self.form == "bare":
            return given
        if clock is NO_CLOCK:
            return f"{self.hour % 24}:{self.minute or 0:02}"
        if self.form == "phrase" and not self.is_sure:
            written = self._phrase(clock, languages[1], as_words=not re.search(r"\d", given))
            return with_capitals_of(given.removeprefix("Viertel"), written)
        if self.form == "words" and not self.is_sure:
            return with_capitals_of(given, self._words(clock, languages[1]))
        return self._digits(clock)

    def _digits(self, clock: Clock) -> str:
        minute = "" if self.minute is None else f":{self.minute:02}"
        if clock.midday is None or not self.is_sure:
            is_plain = clock.midday is not None and minute
            return f"{self.hour}{minute}" + ("" if is_plain else f" {clock.clock}")
        return f"{self.hour % 12 or 12}{minute} {clock.midday[12 <= self.hour < 24]}"

    def _words(self, clock: Clock, language: str) -> str:
        hour = in_words(self.hour, language)
        if self.hour == 1 and clock.midday is None:
            hour = hour.removesuffix("s")  # "ein Uhr"
        if not self.minute:
            return f"{hour} {clock.clock}"
        between = " " if clock.midday else f" {clock.clock} "
        oh = "oh " if clock.midday and self.minute < 10 else ""
        return f"{hour}{between}{oh}{in_words(self.minute, language)}"

    def _phrase(self, clock: Clock, language: str, as_words: bool) -> str:
        write = in_words if as_words else lambda value, _: str(value)
        after_hour = 60 * self.hour + (self.minute or 0)
        for phrase in clock.phrases:
            named = (after_hour - phrase.offset) * (phrase.sign or 1) % 60
            if named == 0 if phrase.sign == 0 else 1 <= named <= phrase.most:
                break
        hour = (after_hour - phrase.offset - phrase.sign * named) // 60 % 12 or 12
        minutes = write(named, language)
        if named not in clock.minutes:
            minutes = clock.unit[0] if named == 1 else f"{minutes} {clock.unit[1]}"
        return phrase.form.format(hour=write(hour, language), minutes=minutes)


def in_words(value: int, language: str) -> str:
    """A whole number in words; in digits where the words are not known."""
    words = number_words(language)
    return words and words.write(SpokenNumber(Decimal(value), False)) or str(value)
