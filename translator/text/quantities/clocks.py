"""How languages tell the time."""

import functools
from typing import NamedTuple

from translator.base.languages import language_table


class Phrase(NamedTuple):
    """How a language says a time by the minutes before or after an hour.

    Attributes:
        pattern: a regular expression, in which {hour} and {minutes} stand for numbers.
        offset: the minutes that it is after the hour.
        sign: 1 or -1 where the minutes that it names are added or taken away; 0 if it names none.
        most: the most minutes that are written so.
        needs_cue: whether it is a time only after `Clock.at`, `it_is` and `cues`.
    """

    pattern: str
    form: str
    offset: int = 0
    sign: int = 0
    most: int = 0
    needs_cue: bool = False


class Clock(NamedTuple):
    """How a language tells the time.

    Attributes:
        exact: regular expressions of what names the hour and then its minutes: {hour}, {minute} in
            two digits, {said} in words, {half} for a.m. or p.m.
        after_at: those that are a time only after words of `at` and `it_is`.
        phrases: what names other minutes; the first one that fits is written.
        minutes: those that a phrase names without the word for minutes.
        unit: one minute, and the word for several.
        cues: other words before a phrase that needs one.
        clock: what stands after an hour.
        midday: what stands after a time before and after midday; None if the day has 24 hours.
    """

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


NO_CLOCK = Clock((), (), (), (), ("", ""), "(?!)", "(?!)", "(?!)", "(?!)", "")


@functools.cache
def clock_of(language: str) -> Clock:
    """How a language tells the time; `NO_CLOCK` where that is not known."""
    table = language_table(language, "clock")
    if not table:
        return NO_CLOCK
    return Clock(**{**table, "phrases": tuple(Phrase(**each) for each in table["phrases"])})
