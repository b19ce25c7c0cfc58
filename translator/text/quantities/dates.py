"""Dates: March 21st, 2024, 24.12."""

import dataclasses
import functools
import re
from collections.abc import Iterator
from typing import NamedTuple

from translator.base.languages import language_table
from translator.text.quantities.forms import (
    AFTER,
    BEFORE,
    BEFORE_WORD,
    Rule,
    text_before,
    without_names,
)
from translator.text.quantities.numbers import Code
from translator.text.quantities.quantity import Meaning
from translator.text.quantities.ranges import DASH, Range, join_pattern, place_of_join
from translator.text.quantities.vocabulary import any_of

DAYS, MONTHS = 31, 12


class Calendar(NamedTuple):
    """How a language writes dates.

    Attributes:
        short: regular expressions of their abbreviations.
        days: the ordinal numbers from 1 to 31.
        ending: a regular expression for what may follow one.
        forms: regular expressions of dates: {day} and {month} in digits, {name} of a month, {said}
            for a day in words, {year}.
        first_day: a regular expression of the first of two days, whose month follows later.
        month_first: whether a month may have two days after it, as in "May 12-14".
        written: how a date is written without a year, and with one.
        before_days: a regular expression of what stands before a date in digits without a year.
        after_times: words with a capital that begin no sentence after a time: "at 5 p.m. Monday".
    """

    months: tuple[str, ...]
    short: tuple[str, ...]
    days: tuple[str, ...]
    ending: str
    forms: tuple[str, ...]
    first_day: str
    month_first: bool
    written: tuple[str, str]
    before_days: str
    after_times: tuple[str, ...] = ()


NUMERIC = {  # of languages that have one form in digits that no other contradicts
    "{day:02}.{month:02}.{year}": (
        "de", "da", "nb", "no", "fi", "pl", "cs", "sk", "ro", "ru", "uk", "bg", "tr", "hr", "lv",
        "et", "is",
    ),
    "{day:02}/{month:02}/{year}": ("fr", "es", "it", "pt", "el", "id", "vi", "ca", "gl"),
}  # fmt: skip
NUMERIC_OF = {code: form for form, codes in NUMERIC.items() for code in codes}
YEAR = r"(?P<year>[12]\d{3})(?!\d)"
ISO = rf"{YEAR}-(?P<month>\d\d)-(?P<day>\d\d)"
SLASHED = rf"(?P<first>\d{{1,2}})/(?P<second>\d{{1,2}})/{YEAR}"
GOES_ON = re.compile(r"[ \"'“”’»)]*+(.)", re.DOTALL)  # with what may stand after a sentence
POINTED = rf"(?P<day>\d{{1,2}})\.(?P<month>\d{{1,2}})\.{YEAR}"


@functools.cache
def calendar_of(language: str) -> Calendar | None:
    """How a language writes dates; None where that is not known."""
    table = language_table(language, "calendar")
    return Calendar(**table) if table else None


@dataclasses.dataclass(frozen=True)
class Date(Meaning):
    """A day of a month, with a year or without one.

    Attributes:
        day: from 1.
        month: from 1.
        year: None where none is said.
        is_named: whether the month has its name.
    """

    day: int
    month: int
    year: int | None
    is_named: bool

    @property
    def key(self) -> str:
        """See `Meaning.key`."""
        year = "" if self.year is None else f"{self.year}-"
        return f"date {year}{self.month:02}-{self.day:02}"

    def write(self, given: str, languages: tuple[str, str]) -> str:
        """See `Meaning.write`."""
        calendar, numeric = calendar_of(languages[1]), NUMERIC_OF.get(languages[1])
        if self.year and numeric and not (self.is_named and calendar):
            return numeric.format(day=self.day, month=self.month, year=self.year)
        if calendar is None or re.fullmatch(ISO, given):
            return given
        form = calendar.written[self.year is not None]
        return form.format(day=self.day, name=calendar.months[self.month - 1], year=self.year)


class DateReader:
    """Reads the dates of a language."""

    def __init__(self, language: str) -> None:
        self._language = language
        self._is_ambiguous = "/" not in NUMERIC_OF.get(language, "")  # 03/05/2024
        self._calendar = calendar = calendar_of(language)
        self._months: tuple[re.Pattern[str], ...] = ()
        self._days: tuple[re.Pattern[str], ...] = ()
        if calendar is not None:
            names = zip(calendar.months, calendar.short)
            self._months = tuple(
                re.compile(rf"{name}\b|{name.upper()}\b|{short}\b\.?") for name, short in names
            )
            ending = calendar.ending
            self._days = tuple(re.compile(day + ending, re.IGNORECASE) for day in calendar.days)

    def rules(self) -> Iterator[Rule]:
        """The forms of dates."""
        for form in (ISO, POINTED):
            yield Rule(re.compile(rf"{BEFORE}{form}{AFTER}"), self._read)
        yield Rule(re.compile(rf"{BEFORE}{SLASHED}{AFTER}"), self._read_slashed)
        if self._calendar is None:
            return
        parts = {
            "day": r"(?P<day>3[01]|[12]\d|0?[1-9])(?!\d)",
            "month": r"(?P<month>1[0-2]|0?[1-9])",
            "name": rf"(?P<name>{'|'.join(month.pattern for month in self._months)})",
            "said": rf"(?P<said>(?i:{any_of(self._calendar.days)}{self._calendar.ending}))",
            "year": YEAR,
        }
        forms = [form.format(**parts) for form in self._calendar.forms]
        for form in forms:
            yield Rule(re.compile(rf"{BEFORE}{BEFORE_WORD}{form}{AFTER}"), self._read)
        dates = "|".join(map(without_names, [*forms, ISO]))
        self._parts = [re.compile(form) for form in [*forms, ISO]]
        join = join_pattern(self._language)
        pattern = rf"(?P<first>{dates}|{self._calendar.first_day})(?P<join>{join})(?P<last>{dates})"
        yield Rule(re.compile(rf"{BEFORE}{BEFORE_WORD}{pattern}{AFTER}"), self._read_range)
        if self._calendar.month_first:
            year = rf"(?:,? {YEAR})?"
            pattern = rf"{parts['name']} (?P<first>\d\d?)(?P<join>{DASH}| to )(?P<last>\d\d?){year}"
            yield Rule(re.compile(rf"{BEFORE_WORD}{pattern}{AFTER}"), self._read_days)

    def _read(self, match: re.Match[str]) -> Date | None:
        groups = match.groupdict()
        name, said, year = (groups.get(part) for part in ("name", "said", "year"))
        month = _place(self._months, name) if name else int(groups["month"])
        day = _place(self._days, said) if said else int(groups["day"])
        if not (1 <= month <= MONTHS and 1 <= day <= DAYS):
            return None
        if not name and not year and not self._is_day(match):
            return None
        return Date(day, month, int(year) if year else None, name is not None)

    def _is_day(self, match: re.Match[str]) -> bool:
        """Whether digits such as 3.11. are no version at the end of a sentence."""
        following = GOES_ON.match(match.string, match.end())
        before = self._calendar.before_days if self._calendar else ""
        goes_on = following is not None and not following[1].isupper()
        return goes_on or re.search(before, text_before(match), re.IGNORECASE) is not None

    def _read_range(self, match: re.Match[str]) -> Range | None:
        """Two dates; a first one without a month is in that of the last."""
        first, last = self._read_part(match, "first"), self._read_part(match, "last")
        join = place_of_join(match["join"], self._language)
        if last is None or join and match["first"].isdecimal():  # "5 and 3 May"
            return None
        if first is None:
            first = dataclasses.replace(last, day=int(re.sub(r"\D", "", match["first"])), year=None)
        return Range((first, last), (match["first"], match["last"]), join, match["join"])

    def _read_part(self, match: re.Match[str], name: str) -> Date | None:
        found = (form.fullmatch(match.string, *match.span(name)) for form in self._parts)
        return next((self._read(each) for each in found if each), None)

    def _read_days(self, match: re.Match[str]) -> Range | None:
        """Two days of a month that is said first."""
        first, last, year = (int(match[part] or 0) for part in ("first", "last", "year"))
        month = _place(self._months, match["name"])
        if not 1 <= first < last <= DAYS:
            return None
        dates = Date(first, month, None, True), Date(last, month, year or None, True)
        join = place_of_join(match["join"], self._language)
        return Range(dates, (match["first"], match["last"]), join, match["join"])

    def _read_slashed(self, match: re.Match[str]) -> Meaning:
        """The month is first if the other number cannot be one; else the language decides."""
        first, second, year = map(int, match.groups())
        if self._is_ambiguous and first != second and max(first, second) <= MONTHS:
            return Code(match[0])
        day, month = (first, second) if second <= MONTHS else (second, first)
        is_date = 1 <= month <= MONTHS and 1 <= day <= DAYS
        return Date(day, month, year, is_named=False) if is_date else Code(match[0])


def _place(patterns: tuple[re.Pattern[str], ...], text: str) -> int:
    """The number, from 1, of the pattern that a text fits."""
    return next(n for n, pattern in enumerate(patterns, 1) if pattern.fullmatch(text))
