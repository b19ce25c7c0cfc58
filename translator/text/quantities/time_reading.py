"""Finds times of the day, as `clocks` has them."""

import dataclasses
import functools
import re
from collections.abc import Iterator

from translator.text.quantities.clocks import Phrase, clock_of
from translator.text.quantities.forms import (
    AFTER,
    AFTER_WORD,
    BEFORE,
    BEFORE_WORD,
    Rule,
    follows,
    without_names,
)
from translator.text.quantities.ranges import BOTH, Range, join_pattern, place_of_join
from translator.text.quantities.times import Time, in_words
from translator.text.quantities.vocabulary import any_of

BARE = r"(?P<hour>\d\d?)[:.](?P<minute>[0-5]\d)"
IS_BARE = re.compile(r"[\d:.]+")


class ClockReader:
    """Reads times of the day.

    Args:
        language: the code of their language. Without a clock, times such as 17:30 are read alone.
    """

    def __init__(self, language: str) -> None:
        self._language = language
        self._clock = clock = clock_of(language)
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
        self._cues = rf"{self._at}|{clock.cues}"
        self._exact = [*(form.format(**self._parts) for form in clock.exact), BARE]
        self._first = rf"{self._parts['hour']}(?:[:.]{self._parts['minute']})?"
        self._parts_of_range = [
            re.compile(form, re.IGNORECASE) for form in (*self._exact, self._first)
        ]

    def rules(self) -> Iterator[Rule]:
        """The forms of times."""
        for form in self._exact:
            yield Rule(_bounded(form), self._read_alone)
        for form in self._clock.after_at:
            yield Rule(_bounded(form.format(**self._parts)), self._read_after_at)
        for phrase in self._clock.phrases:
            read = functools.partial(self._read_phrase, phrase)
            yield Rule(_bounded(phrase.pattern.format(**self._parts)), read)
        exact = "|".join(map(without_names, self._exact))
        first = rf"{exact}|{without_names(self._first)}"
        ranges = rf"(?P<first>{first})(?P<join>{join_pattern(self._language)})(?P<last>{exact})"
        yield Rule(_bounded(ranges), self._read_range)

    def _value(self, text: str) -> int:
        """The number of digits or words, also of "oh five" and "ten minutes"."""
        text = text.lower().removeprefix("oh ").partition(" ")[0]
        return int(text) if text.isdecimal() else self._spoken[text]

    def _read_after_at(self, match: re.Match[str]) -> Time | None:
        return self._read(match) if follows(match, self._at) else None

    def _read(self, match: re.Match[str]) -> Time | None:
        groups = match.groupdict()
        hour, half = self._value(groups["hour"]), groups.get("half")
        given = groups.get("minute") or groups.get("said")
        minute = self._value(given) if given else None
        if hour > (12 if half else 24) or half and hour == 0:
            return None
        if half:
            hour = hour % 12 + 12 * (half.lower() == "p")
        is_sure = bool(half) or not 1 <= hour <= 12
        is_spoken = not groups["hour"].isdecimal()
        return Time(hour, minute, is_sure, "words" if is_spoken else "digits")

    def _read_alone(self, match: re.Match[str]) -> Time | None:
        """A time; one in digits alone that follows no word for it may be something else."""
        time = self._read(match)
        if time is None or not IS_BARE.fullmatch(match[0]) or self._is_after_at(match):
            return time
        return dataclasses.replace(time, form="bare") if ":" in match[0] else None

    def _is_after_at(self, match: re.Match[str]) -> bool:
        return follows(match, rf"{self._clock.at}|{self._clock.before_ranges}")

    def _read_phrase(self, phrase: Phrase, match: re.Match[str]) -> Time | None:
        groups = match.groupdict()
        hour, half = self._value(groups["hour"]), groups.get("half")
        if not 1 <= hour <= 12 or phrase.needs_cue and not follows(match, self._cues):
            return None
        named = self._value(groups["minutes"]) if phrase.sign else 0
        hour, minute = divmod(60 * hour + phrase.offset + phrase.sign * named, 60)
        hour = hour % 12 + 12 * (half.lower() == "p") if half else hour % 12 or 12
        return Time(hour, minute, bool(half), "phrase")

    def _read_range(self, match: re.Match[str]) -> Range | None:
        """Two times; the last one says for the first one, too, which half of the day is meant."""
        first, last = self._read_part(match, "first"), self._read_part(match, "last")
        join = place_of_join(match["join"], self._language)
        is_range = join != BOTH or follows(match, self._clock.before_ranges)
        if first is None or last is None or not is_range:
            return None
        if last.is_sure and not first.is_sure:
            hour = first.hour
            if self._clock.midday:
                is_same_half = hour % 12 <= last.hour % 12
                hour = hour % 12 + 12 * ((last.hour >= 12) == is_same_half)
            first = dataclasses.replace(first, hour=hour, is_sure=True)
        if IS_BARE.fullmatch(match["last"]) and not self._is_after_at(match):
            if "." in match[0]:
                return None
            first, last = (dataclasses.replace(time, form="bare") for time in (first, last))
        return Range((first, last), (match["first"], match["last"]), join, match["join"])

    def _read_part(self, match: re.Match[str], name: str) -> Time | None:
        for form in self._parts_of_range:
            if found := form.fullmatch(match.string, *match.span(name)):
                return self._read(found)
        return None


def _bounded(form: str) -> re.Pattern[str]:
    return re.compile(rf"{BEFORE_WORD}{BEFORE}(?:{form}){AFTER_WORD}{AFTER}", re.IGNORECASE)
