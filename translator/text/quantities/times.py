"""Times of the day: half past five is halb sechs, and 5 pm is 17 Uhr."""

import dataclasses
import functools
import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from translator.base.languages import language_table
from translator.text.quantities.numbers import in_words
from translator.text.quantities.quantity import (
    AFTER,
    AFTER_WORD,
    BEFORE,
    BEFORE_WORD,
    Candidate,
    Joint,
    Meaning,
    Rule,
    any_of,
    follows,
    text_before,
    with_capitals_of,
)

BARE = r"(?P<hour>\d\d?)[:.](?P<minute>[0-5]\d)"
AND = 1  # the place of its word in `JOINS`


class Phrase(NamedTuple):
    """How a language says a time by the minutes before or after an hour; see en.toml."""

    pattern: str
    form: str
    offset: int = 0
    sign: int = 0
    most: int = 0
    needs_cue: bool = False


class Clock(NamedTuple):
    """How a language tells the time, by its table ``clock``; en.toml says what the keys mean."""

    exact: tuple[str, ...]
    after_at: tuple[str, ...]
    phrases: tuple[Phrase, ...]
    minutes: tuple[int, ...]
    unit: tuple[str, str]
    at: str
    it_is: str
    cues: str
    before_ranges: str
    clock: str
    midday: tuple[str, str] | None = None


@functools.cache
def clock_of(language: str) -> Clock | None:
    """How a language tells the time; None where that is not known."""
    table = language_table(language, "clock")
    if not table:
        return None
    return Clock(**{**table, "phrases": tuple(Phrase(**each) for each in table["phrases"])})


@dataclasses.dataclass(frozen=True)
class Time(Meaning):
    """A time of the day.

    Attributes:
        hour: from 0 to 24, as it was said.
        minute: None for a full hour that was said without any.
        is_sure: whether it is said on a clock of 24 hours, or with a.m. or p.m.
        form: how it is said: in ``digits``, in ``words``, or in a ``phrase`` with other minutes.
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
        if clock is None:
            return f"{self.hour % 24}:{self.minute or 0:02}"
        if self.form == "phrase" and not self.is_sure:
            written = self._phrase(clock, languages[1], as_words=not re.search(r"\d", given))
            return with_capitals_of(given.removeprefix("Viertel"), written)
        if self.form == "words" and not (self.is_sure or self.minute):
            hour = in_words(self.hour, languages[1])
            hour = "ein" if hour == "eins" else hour  # before "Uhr"
            return with_capitals_of(given, f"{hour} {clock.clock}")
        return self._digits(clock)

    def _digits(self, clock: Clock) -> str:
        minute = "" if self.minute is None else f":{self.minute:02}"
        if clock.midday is None or not self.is_sure:
            is_plain = clock.midday is not None and minute
            return f"{self.hour}{minute}" + ("" if is_plain else f" {clock.clock}")
        return f"{self.hour % 12 or 12}{minute} {clock.midday[12 <= self.hour < 24]}"

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


class TimeReader:
    """Reads the times of the day of a language."""

    def __init__(self, language: str) -> None:
        self._clock = clock = clock_of(language)
        if clock is None:
            return
        self._spoken = {in_words(value, language): value for value in range(60)}
        if clock.midday is None:
            self._spoken["ein"] = 1  # not "eins Uhr"
        named = [in_words(value, language) for value in clock.minutes]
        day = range(13 if clock.midday else 25)
        hours, ones, minutes, most = (
            any_of(word for word, value in self._spoken.items() if value in values)
            for values in (day, range(1, 10), range(2, 60), range(5, 60))
        )
        self._spoken["eine"] = 1  # minute, but "eine Uhr" is a clock
        self._parts = {
            "hour": rf"(?P<hour>\d{{1,2}}|{hours})",
            "minute": r"(?P<minute>[0-5]\d)",
            "said": rf"(?P<said>oh {ones}|{most})",
            "half": r"(?P<half>[ap])(?:m\b|\.\s?m\b\.?)",
            "minutes": rf"(?P<minutes>{any_of((*named, *map(str, clock.minutes)))}"
            rf"|{clock.unit[0]}|(?:{minutes}|\d\d?) {clock.unit[1]})",
        }
        self._at = rf"{clock.at}|{clock.it_is}"
        first = rf"{self._parts['hour']}(?:[:.]{self._parts['minute']})?"
        self._first = rf"{BEFORE_WORD}{BEFORE}{first}\Z"

    def rules(self) -> Iterator[Rule]:
        """The forms of times; one in digits alone that follows no word for it is a code."""
        clock = self._clock
        if clock is None:
            return
        forms = [
            *((form, None) for form in clock.exact),
            (BARE, rf"{clock.at}|{clock.before_ranges}"),
            *((form, self._at) for form in clock.after_at),
        ]
        for form, words in forms:
            yield self._rule(form, words, self._read)
        for phrase in clock.phrases:
            words = rf"{self._at}|{clock.cues}" if phrase.needs_cue else None
            yield self._rule(phrase.pattern, words, functools.partial(self._read_phrase, phrase))

    def _rule(
        self, form: str, words: str | None, read: Callable[[re.Match[str]], Time | None]
    ) -> Rule:
        """A form that is a time only after some words, or after any if these are None."""

        def read_after(match: re.Match[str]) -> Time | None:
            is_time = words is None or follows(match.string, match.start(), words)
            return read(match) if is_time else None

        form = form.format(**self._parts) if form != BARE else form
        bounded = rf"{BEFORE_WORD}{BEFORE}(?:{form}){AFTER_WORD}{AFTER}"
        return Rule(re.compile(bounded, re.IGNORECASE), read_after)

    def _value(self, text: str) -> int:
        """The number of digits or words, also of "oh five" and "ten minutes"."""
        text = text.lower().removeprefix("oh ").partition(" ")[0]
        return int(text) if text.isdecimal() else self._spoken[text]

    def _read(self, match: re.Match[str]) -> Time | None:
        groups = match.groupdict()
        hour, half = self._value(groups["hour"]), groups.get("half")
        said = groups.get("minute") or groups.get("said")
        if hour > (12 if half else 24) or half and hour == 0:
            return None
        if half:
            hour = hour % 12 + 12 * (half.lower() == "p")
        form = "digits" if groups["hour"].isdecimal() else "words"
        return Time(
            hour, self._value(said) if said else None, bool(half) or not 1 <= hour <= 12, form
        )

    def _read_phrase(self, phrase: Phrase, match: re.Match[str]) -> Time | None:
        groups = match.groupdict()
        hour, half = self._value(groups["hour"]), groups.get("half")
        if not 1 <= hour <= 12:
            return None
        named = self._value(groups["minutes"]) if phrase.sign else 0
        hour, minute = divmod(60 * hour + phrase.offset + phrase.sign * named, 60)
        hour = hour % 12 + 12 * (half.lower() == "p") if half else hour % 12 or 12
        return Time(hour, minute, bool(half), "phrase")

    def read_range(
        self, text: str, first: Candidate | None, joint: Joint, last: Candidate
    ) -> tuple[int, Meaning, Meaning] | None:
        """Two times, of which one says that the other one in digits is a time, too.

        The last one says for the first one which half of the day is meant.
        """
        if self._clock is None:
            return None
        start, one = (first.start, first.meaning) if first else (joint.start, None)
        other: Meaning | None = last.meaning
        if isinstance(one, Time):
            bare = re.fullmatch(BARE, last.given)
            other = self._read(bare) if bare and not isinstance(other, Time) else other
        elif isinstance(other, Time) and other.form != "phrase":
            before = re.search(self._first, text_before(text, joint.start), re.IGNORECASE)
            if before is not None:
                start, one = joint.start - len(before[0]), self._read(before)
        is_range = joint.join != AND or follows(text, start, self._clock.before_ranges)
        if not (isinstance(one, Time) and isinstance(other, Time) and is_range):
            return None
        if other.is_sure and not one.is_sure:
            hour = one.hour
            if self._clock.midday:
                is_same_half = hour % 12 <= other.hour % 12
                hour = hour % 12 + 12 * ((other.hour >= 12) == is_same_half)
            one = dataclasses.replace(one, hour=hour, is_sure=True)
        return start, one, other
