"""Dates: March 21st, 2024, 24.12."""

import dataclasses
import functools
import re
from collections.abc import Iterator
from typing import NamedTuple

from translator.base.languages import language_table
from translator.text.quantities.quantity import (
    AFTER,
    BEFORE,
    BEFORE_WORD,
    Candidate,
    Joint,
    Meaning,
    Range,
    Rule,
    any_of,
    text_before,
)

DAYS, TO = 31, 0
PARTS = {
    "day": r"(?P<day>3[01]|[12]\d|0?[1-9])(?!\d)",
    "until": r"(?:(?P<join> ?[-–] ?| to )(?P<until>\d\d?)(?!\d))?",
    "month": r"(?P<month>1[0-2]|0?[1-9])",
    "year": r"(?P<year>[12]\d{3})(?!\d)",
}
AFTER_END = "\"'“”’») "  # what may stand after a sentence
FIRST_DAY = rf"{BEFORE}(?P<day>\d\d?)(?P<ending>st|nd|rd|th|\.)?\Z"


class Calendar(NamedTuple):
    """How a language writes dates, by its table ``calendar``; en.toml says what the keys mean."""

    months: tuple[str, ...]
    short: tuple[str, ...]
    days: tuple[str, ...]
    ending: str
    forms: tuple[str, ...]
    month_first: bool
    written: tuple[str, str]
    before_days: str
    after_times: tuple[str, ...] = ()


@functools.cache
def calendar_of(language: str) -> Calendar | None:
    """How a language writes dates; None where that is not known."""
    table = language_table(language, "calendar")
    return Calendar(**table) if table else None


@dataclasses.dataclass(frozen=True)
class Date(Meaning):
    """A day of a month, both from 1, with a year or without one."""

    day: int
    month: int
    year: int | None

    @property
    def key(self) -> str:
        """See `Meaning.key`."""
        year = "" if self.year is None else f"{self.year}-"
        return f"date {year}{self.month:02}-{self.day:02}"

    def write(self, given: str, languages: tuple[str, str]) -> str:
        """See `Meaning.write`; languages without a calendar have a full date in digits."""
        calendar = calendar_of(languages[1])
        if calendar is None:
            return given if self.year is None else self.key.removeprefix("date ")
        form = calendar.written[self.year is not None]
        return form.format(day=self.day, name=calendar.months[self.month - 1], year=self.year)


class DateReader:
    """Reads the dates of a language."""

    kinds = (Date,)

    def __init__(self, language: str) -> None:
        self._calendar = calendar_of(language)

    def rules(self) -> Iterator[Rule]:
        """The forms of dates."""
        calendar = self._calendar
        if calendar is None:
            return
        months = [
            rf"{name}\b|{name.upper()}\b|{short}\b\.?"
            for name, short in zip(calendar.months, calendar.short)
        ]
        self._months = [re.compile(month) for month in months]
        self._days = [re.compile(day + calendar.ending, re.IGNORECASE) for day in calendar.days]
        parts = PARTS | {
            "name": rf"(?P<name>{'|'.join(months)})",
            "said": rf"(?P<said>(?i:{any_of(calendar.days)}{calendar.ending}))",
        }
        for form in calendar.forms:
            pattern = rf"{BEFORE}{BEFORE_WORD}{form.format(**parts)}{AFTER}"
            yield Rule(re.compile(pattern), self._read)

    def _read(self, match: re.Match[str]) -> Meaning | None:
        groups = {name: text for name, text in match.groupdict().items() if text}
        name, said, year = (groups.get(part) for part in ("name", "said", "year"))
        month = _place(self._months, name) if name else int(groups["month"])
        day = _place(self._days, said) if said else int(groups["day"])
        if not name and not year and not self._is_day(match):
            return None
        date = Date(day, month, int(year) if year else None)
        if "until" not in groups:
            return date
        last = dataclasses.replace(date, day=int(groups["until"]))
        if not day < last.day <= DAYS:
            return None
        first = dataclasses.replace(date, year=None)
        joint = Joint(match.start("join"), TO if "to" in groups["join"] else None, groups["join"])
        return Range((first, last), (groups["day"], groups["until"]), joint)

    def _is_day(self, match: re.Match[str]) -> bool:
        """Whether digits such as 3.11. are no version at the end of a sentence."""
        rest = match.string[match.end() : match.end() + 40].lstrip(AFTER_END)
        before = self._calendar.before_days if self._calendar else ""
        goes_on = bool(rest) and not rest[0].isupper()
        words = text_before(match.string, match.start())
        return goes_on or re.search(before, words, re.IGNORECASE) is not None

    def read_range(
        self, text: str, first: Candidate | None, joint: Joint, last: Candidate
    ) -> tuple[int, Meaning, Meaning] | None:
        """Two dates; a first one without a month is in that of the last."""
        if not isinstance(last.meaning, Date):
            return None
        if first is not None and isinstance(first.meaning, Date):
            return first.start, first.meaning, last.meaning
        day = re.search(FIRST_DAY, text_before(text, joint.start))
        if day is None or joint.join and not day["ending"]:  # "5 and 3 May"
            return None
        date = dataclasses.replace(last.meaning, day=int(day["day"]), year=None)
        return joint.start - len(day[0]), date, last.meaning


def _place(patterns: list[re.Pattern[str]], text: str) -> int:
    """The number, from 1, of the pattern that a text fits."""
    return next(n for n, pattern in enumerate(patterns, 1) if pattern.fullmatch(text))
