"""Times of the day, dates, ordinal numbers and decades: half past five, March 21st, the 1990s."""

import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NamedTuple

from translator.base.languages import language_facts, language_table
from translator.text.quantities.numbers import Number, number_words
from translator.text.quantities.quantity import (
    DIGITS,
    Meaning,
    Quantity,
    Range,
    Rule,
    any_of,
    compiled,
    follows,
    text_before,
    with_capitals_of,
)

DAYS = 31
PARTS = {  # parts of dates
    "day": r"(?P<day>3[01]|[12]\d|0?[1-9])(?!\d)",
    "month": r"(?P<month>1[0-2]|0?[1-9])",
    "year": r"(?P<year>[12]\d{3})(?!\d)",
}
AFTER_END = "\"'“”’») "  # what may follow a sentence


class Time(NamedTuple):
    """A time of the day. Its key has 5:30 for 17:30, because people say both.

    Attributes:
        hour: from 0 to 24, as written.
        minute: None for a full hour without minutes.
        is_sure: whether it is on a clock of 24 hours, or has a.m. or p.m.
        form: ``digits``, ``words``, or a ``phrase`` such as "half past five".
    """

    hour: int
    minute: int | None
    is_sure: bool
    form: str

    @property
    def key(self) -> str:
        return f"time {self.hour % 12 or 12}:{self.minute or 0:02}"

    def write(self, original: str, language: str) -> str:
        clock, words = language_table(language, "clock"), number_words(language)
        if not clock or words is None:
            return f"{self.hour % 24}:{self.minute or 0:02}"
        if self.form == "phrase" and not self.is_sure:
            write = str if any(map(str.isdigit, original)) else words.write
            return with_capitals_of(original, self._phrase(clock, write))
        if self.form == "words" and not (self.is_sure or self.minute):
            return with_capitals_of(original, f"{words.joined(self.hour)} {clock['clock']}")
        minute = "" if self.minute is None else f":{self.minute:02}"
        halves = clock.get("midday")
        if halves and self.is_sure:
            return f"{self.hour % 12 or 12}{minute} {halves[12 <= self.hour < 24]}"
        return f"{self.hour}{minute}" + ("" if halves and minute else f" {clock['clock']}")

    def _phrase(self, clock: dict[str, Any], write: Callable[[int], str | None]) -> str:
        after_hour = 60 * self.hour + (self.minute or 0)
        for phrase in (form for form in clock["forms"] if "form" in form):
            offset, sign = phrase.get("offset", 0), phrase.get("sign", 0)
            minutes = (after_hour - offset) * (sign or 1) % 60
            if 1 <= minutes <= phrase["most"] if sign else minutes == 0:
                break
        hour = (after_hour - offset - sign * minutes) // 60 % 12 or 12
        text = write(minutes)
        if minutes not in clock["minutes"]:
            text = clock["unit"][0] if minutes == 1 else f"{text} {clock['unit'][1]}"
        return str(phrase["form"].format(hour=write(hour), minutes=text))


class TimeReader:
    """Reads the times of the day of a language, by its table ``clock``."""

    def __init__(self, language: str) -> None:
        self._clock = clock = language_table(language, "clock")
        words = number_words(language)
        if not clock or words is None:
            return
        self._spoken = {words.write(value): value for value in range(60)}
        self._spoken[words.joined(1)] = 1
        hours = [word for word, n in self._spoken.items() if n <= (12 if "midday" in clock else 24)]
        of_a_minute = clock["unit"][0].lower().split(" ")[0]  # but "eine Uhr" is a clock
        self._spoken[of_a_minute] = 1
        most = any_of(word for word, n in self._spoken.items() if n >= 5)
        self._parts = {
            "hour": rf"(?P<hour>\d{{1,2}}|{any_of(hours)})",
            "minute": r"(?P<minute>[0-5]\d)",
            "said": rf"(?P<said>{most})",
            "half": clock.get("half", ""),
            "minutes": rf"(?P<minutes>\d\d?|{any_of(self._spoken)})"
            rf"(?P<unit> {any_of((clock['unit'][0].split(' ')[-1], clock['unit'][1]))})?",
        }
        self._stems = (*DIGITS, *words.stems, words.write(1), clock["clock"].lower())

    def rules(self) -> Iterator[Rule]:
        """The forms of times. Digits alone are a code unless a word shows that they are a time."""
        for form in self._clock.get("forms", ()):
            yield Rule(self._pattern(form["pattern"]), partial(self._read_form, form), self._stems)

    def _pattern(self, form: str) -> str:
        return f"(?i:{form.format(**self._parts)})"

    def _value(self, text: str) -> int:
        return int(text) if text.isdecimal() else self._spoken[text.lower()]

    def _read_form(self, form: dict[str, Any], match: re.Match[str]) -> Time | None:
        words = "|".join(self._clock[name] for name in form.get("after", ()))
        return self._read(form, match) if not words or follows(match, words) else None

    def _read(self, form: dict[str, Any], match: re.Match[str]) -> Time | None:
        groups = match.groupdict()
        hour, half = self._value(groups["hour"]), groups.get("half")
        said = next(
            (groups[name] for name in ("minute", "said", "minutes") if groups.get(name)), ""
        )
        minute = self._value(said) if said else None
        is_phrase = "form" in form
        if not (1 if half or is_phrase else 0) <= hour <= (12 if half or is_phrase else 24):
            return None
        is_sure = bool(half) or not 1 <= hour <= 12
        if is_phrase:
            if minute and not groups["unit"] and minute not in self._clock["minutes"]:
                return None
            minutes = form.get("offset", 0) + form.get("sign", 0) * (minute or 0)
            hour, minute = divmod(60 * hour + minutes, 60)
            hour = hour % 12 or 12
        if half:
            hour = hour % 12 + 12 * (half.lower() == "p")
        said_as = "digits" if groups["hour"].isdecimal() else "words"
        return Time(hour, minute, is_sure, "phrase" if is_phrase else said_as)

    def read_range(
        self, text: str, first: Quantity, last: Quantity, join: str
    ) -> tuple[Meaning, Meaning] | None:
        """Two times. The first may be a bare number. One of them has am or pm."""
        if not self._clock:
            return None
        start, end = self._as_time(first), self._as_time(last)
        is_first, is_last = (isinstance(quantity.meaning, Time) for quantity in (first, last))
        if start is None or end is None or not (is_last or is_first and join in ("", "to")):
            return None
        if end.form == "phrase" and not is_first:
            return None
        if end.is_sure and not start.is_sure and "midday" in self._clock:
            is_same_half = start.hour % 12 <= end.hour % 12
            start = start._replace(hour=start.hour % 12 + 12 * ((end.hour >= 12) == is_same_half))
        is_sure = start.is_sure or end.is_sure
        return start._replace(is_sure=is_sure), end._replace(is_sure=is_sure)

    def _as_time(self, quantity: Quantity) -> Time | None:
        if isinstance(quantity.meaning, Time):
            return quantity.meaning
        bare = compiled(self._pattern("{hour}(?:[:.]{minute})?")).fullmatch(quantity.text)
        return bare and self._read({}, bare)


class Date(NamedTuple):
    """A day of a month, both counted from 1, with or without a year."""

    day: int
    month: int
    year: int | None

    @property
    def key(self) -> str:
        year = "" if self.year is None else f"{self.year}-"
        return f"date {year}{self.month:02}-{self.day:02}"

    def write(self, original: str, language: str) -> str:
        calendar = language_table(language, "calendar")
        if not calendar:
            return original if self.year is None else self.key.removeprefix("date ")
        form: str = calendar["written"][self.year is not None]
        return form.format(day=self.day, name=calendar["months"][self.month - 1], year=self.year)


class Ordinal(NamedTuple):
    """An ordinal number in digits. At the end of a sentence, it gets no second point."""

    number: int
    ends_sentence: bool = False

    @property
    def key(self) -> str:
        return f"ordinal {self.number}"

    def write(self, original: str, language: str) -> str:
        written = language_facts(language).ordinal(str(self.number))
        return written.rstrip(".") if self.ends_sentence else written


class Decade(NamedTuple):
    """A decade, with its first year as written: 1990 or 90. Both have the same key."""

    year: str
    is_after_preposition: bool

    @property
    def key(self) -> str:
        return f"decade {self.year.removeprefix('19')}"

    def write(self, original: str, language: str) -> str:
        table = language_table(language, "decades")
        forms = table.get("written", (original, original))
        return str(forms[self.is_after_preposition].format(self.year))


class DateReader:
    """Reads the dates, ordinal numbers and decades of a language."""

    def __init__(self, language: str) -> None:
        self._calendar = calendar = language_table(language, "calendar")
        self._ordinals = language_table(language, "ordinals")
        self._decades = language_table(language, "decades")
        if calendar:
            names = zip(calendar["months"], calendar["short"])
            self._months = [rf"{name}\b|{name.upper()}\b|{short}\b\.?" for name, short in names]
            self._days = [day + calendar["ending"] for day in calendar["days"]]

    def rules(self) -> Iterator[Rule]:
        """The forms of ordinal numbers, decades and dates."""
        if self._ordinals:
            yield Rule(self._ordinals["pattern"], self._read_ordinal)
        if self._decades:
            yield Rule(self._decades["pattern"], self._read_decade)
        if not self._calendar:
            return
        parts = PARTS | {
            "name": rf"(?P<name>{'|'.join(self._months)})",
            "said": rf"(?P<said>(?i:{'|'.join(sorted(self._days, key=len, reverse=True))}))",
        }
        for form in self._calendar["forms"]:
            stems = self._calendar["days"] if "{said}" in form else ()
            yield Rule(form.format(**parts), self._read, (*DIGITS, *stems))

    def _read_ordinal(self, match: re.Match[str]) -> Ordinal | None:
        """Reads an ordinal number. None if its point may end the sentence instead."""
        groups = match.groupdict()
        if "next" not in groups:
            return Ordinal(int(match["number"]), match.string.startswith(".", match.end()))
        number, word = int(match["number"]), groups["next"] or ""
        before = "|".join(self._ordinals["before" if word else "before_last"])
        is_ordinal = follows(match, before) and (bool(word) or number <= DAYS)
        is_ordinal |= word[:1].islower() or word.startswith(tuple(self._ordinals["after"]))
        return Ordinal(number) if is_ordinal else None

    def _read_decade(self, match: re.Match[str]) -> Decade:
        return Decade(match["year"], follows(match, self._decades["prepositions"]))

    def _read(self, match: re.Match[str]) -> Meaning | None:
        groups = {name: text for name, text in match.groupdict().items() if text}
        name, said, year = (groups.get(part) for part in ("name", "said", "year"))
        month = _place(self._months, name) if name else int(groups["month"])
        day = _place(self._days, said.lower()) if said else int(groups["day"])
        if not name and not year and not self._is_day(match):
            return None
        date = Date(day, month, int(year) if year else None)
        if "until" not in groups:
            return date
        last = date._replace(day=int(groups["until"]))
        join = "" if groups["joint"].strip(" -–") == "" else "to"
        first = date._replace(year=None)
        return Range(first, last, groups["joint"], join) if day < last.day <= DAYS else None

    def _is_day(self, match: re.Match[str]) -> bool:
        """Whether digits such as 3.11. are a date, not a version at the end of a sentence."""
        rest = match.string[match.end() : match.end() + 40].lstrip(AFTER_END)
        goes_on = bool(rest) and not rest[0].isupper()
        before = self._calendar["before_days"]
        return goes_on or re.search(before, text_before(match), re.IGNORECASE) is not None

    def read_range(
        self, text: str, first: Quantity, last: Quantity, join: str
    ) -> tuple[Meaning, Meaning] | None:
        """Two dates. If the first has no month, it is in the month of the last."""
        start, end = first.meaning, last.meaning
        if not isinstance(end, Date):
            return None
        day = start.number if isinstance(start, Ordinal) else 0
        if isinstance(start, Number) and join != "and" and start.value % 1 == 0:
            day = int(start.value)
        if 1 <= day <= DAYS:
            return end._replace(day=day, year=None), end
        return (start, end) if isinstance(start, Date) else None


def _place(patterns: list[str], text: str) -> int:
    """The number of the pattern that a text fits, from 1."""
    return next(n for n, pattern in enumerate(patterns, 1) if re.fullmatch(pattern, text))
