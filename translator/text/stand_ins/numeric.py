"""Spans of digits that are written as in the target language: dates, times, amounts."""

import abc
import re
from collections.abc import Collection, Iterator

from translator.base.languages import language_facts
from translator.text.copied_spans import UNITS
from translator.text.stand_ins.kind import Place, StandIn
from translator.text.stand_ins.numbers import keeps_point, localized
from translator.text.stand_ins.verbatim import VerbatimKind


class NumericKind(VerbatimKind, abc.ABC):
    """Spans of digits: the model is shown a number, and the target language's form is written."""

    joins_neighbours = False

    def show(self, given: str, stand_in: StandIn, used: Collection[str]) -> str:
        """A number, or a time of the day for a time."""
        return self.stand_ins.number(used, is_time=":" in given)

    def write(self, place: Place) -> str:
        """Writes the span as the target language does."""
        return self.localize(place.given)

    @abc.abstractmethod
    def localize(self, given: str) -> str:
        """A span as the target language writes it."""


DAYS, MONTHS = 31, 12
FORMS = {  # of languages that have one form that no other contradicts
    "{day}.{month}.{year}": (
        "de", "da", "nb", "no", "fi", "pl", "cs", "sk", "ro", "ru", "uk", "bg", "tr", "hr", "lv",
        "et", "is",
    ),
    "{day}/{month}/{year}": ("fr", "es", "it", "pt", "el", "id", "vi", "ca", "gl"),
}  # fmt: skip
FORM_OF = {code: form for form, codes in FORMS.items() for code in codes}
ONE = r"(?:\d{4}-\d\d-\d\d|\d{1,2}/\d{1,2}/\d{4}|\d{1,2}\.\d{1,2}\.\d{4})"
DATE = re.compile(
    r"(?P<iso>(\d{4})-(\d\d)-(\d\d))|(\d{1,2})/(\d{1,2})/(\d{4})|(\d{1,2})\.(\d{1,2})\.(\d{4})"
)


class DateKind(NumericKind):
    """Dates of year, month and day in digits.

    They are written in the target language's form if it has one and the date can be read in one
    way only; else they stay as they are. 03/05/2024 is in March or in May.
    """

    name = "date"
    pattern = re.compile(
        rf"(?<![\w.,:/-])(?:\d{{4}}-\d\d-\d\dT[\d:.]*\d(?:Z|[+-]\d\d:?\d\d)?"
        rf"|{ONE}(?:[/–]{ONE})?)(?![\w/-])(?!\.\d)"
    )

    def localize(self, given: str) -> str:
        """See `NumericKind.localize`; two dates that are rewritten have – between them."""
        if self.pattern.fullmatch(given) is None or "T" in given:
            return given
        dates = re.findall(ONE, given)
        written = list(map(self._localize_date, dates))
        return given if written == dates else "–".join(written)

    def _localize_date(self, given: str) -> str:
        source, target = (FORM_OF.get(language_facts(each).code) for each in self.languages)
        found = DATE.fullmatch(given)
        if found is None or target is None:
            return given
        if found["iso"]:
            year, month, day = found.group(2, 3, 4)
        elif found[7]:
            first, second, year = found.group(5, 6, 7)
            month, day = _month_and_day(first, second, source is None)
        else:
            day, month, year = found.group(8, 9, 10)
        if not (month and 1 <= int(month) <= MONTHS and 1 <= int(day) <= DAYS):
            return given
        return target.format(day=day, month=month, year=year)


def _month_and_day(first: str, second: str, is_ambiguous: bool) -> tuple[str, str]:
    """Month and day of a date with slashes; empty if they cannot be told apart.

    Args:
        first: the first number.
        second: the second number.
        is_ambiguous: whether the month may come first in the source language.
    """
    if int(second) > MONTHS or first == second:
        return first, second
    if int(first) > MONTHS or not is_ambiguous:
        return second, first
    return "", ""


HOURS = 12
AFTER_TIMES = {  # where a.m. and p.m. are written: what may follow these with a capital
    "en": frozenset((
        "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
        "January", "February", "March", "April", "May", "June", "July", "August", "September",
        "October", "November", "December", "GMT", "UTC", "CET", "CEST", "EST", "EDT", "ET",
        "CST", "CDT", "CT", "MST", "MDT", "MT", "PST", "PDT", "PT", "BST", "Central",
        "Eastern", "Mountain", "Pacific",
    )),
}  # fmt: skip
NEXT_WORD = re.compile(r"\s+(\w+)")
SENTENCE_END = re.compile(r"\s*$|[\"'“”’»)]")


class ClockTimeKind(NumericKind):
    """Times of the day with a.m. or p.m., of a source language that has these.

    They are written on a clock of 24 hours if the target language has such a one alone; else they
    stay as they are.
    """

    name = "time"
    pattern = re.compile(
        r"(?<![\w.,:/-])(1[0-2]|0?[1-9])(:[0-5]\d)? ?([ap])(\.)?m\b(?(4)\.?)(?![-/\w])",
        re.IGNORECASE,
    )

    def end_of(self, text: str, start: int, end: int) -> int:
        """See `VerbatimKind.end_of`; the last point of a sentence does not belong to the time.

        It does if nothing else stands there, as in "5 p.m.".
        """
        if language_facts(self.languages[0]).code not in AFTER_TIMES:
            return start
        ends = text[end - 1] == "." and SENTENCE_END.match(text, end) and text[:start].strip()
        return end - 1 if ends else end

    def hides_points(self, text: str, end: int) -> bool:
        """The sentence goes on in "at 10 a.m. Monday"; elsewhere the point may end it."""
        following = NEXT_WORD.match(text, end)
        names = AFTER_TIMES.get(language_facts(self.languages[0]).code, ())
        return following is not None and following[1] in names

    def show(self, given: str, stand_in: StandIn, used: Collection[str]) -> str:
        """A time of the day."""
        return self.stand_ins.number(used, is_time=True)

    def localize(self, given: str) -> str:
        """See `NumericKind.localize`."""
        found = self.pattern.fullmatch(given)
        if found is None or language_facts(self.languages[1]).code in AFTER_TIMES:
            return given
        hour, minutes, half, _ = found.groups(default="")
        is_afternoon = half.lower() == "p"
        return f"{int(hour) % HOURS + HOURS * is_afternoon}{minutes or ':00'}"


PLAIN = r"\d+(?:[.,:]\d+)*"
DECIMAL = r"\d+(?:[.,:]\d+)+"
SPACE = r"[ \u00a0\u2009\u202f]"
GROUPED = rf"\d{{1,3}}(?:{SPACE}\d{{3}})+(?:[.,]\d+)?"
LABELS = (  # a number after them is a name, not an amount
    "call", "dial", "phone", "tel", "tel.", "fax", "room", "id", "ids", "number", "no.", "page",
    "code", "pin", "ruf", "telefon", "zimmer", "raum", "nummer", "nr.", "seite",
)  # fmt: skip
UNLABELLED = rf"(?<!\d{SPACE})" + "".join(rf"(?<!\b(?i:{re.escape(one)}) )" for one in LABELS)
ONE_NUMBER = (  # 10 000 and 300 000, but 101 300 may be two numbers
    rf"(?:[1-9]\d?(?:{SPACE}\d{{3}})+|[1-9]\d\d(?:{SPACE}000)+)(?:[.,]\d+)?(?!\d|{SPACE}\d)"
)
SERIES = rf"\d{{3}}(?:{SPACE}\d{{3}}){{2,}}(?!\d|{SPACE}\d)"
SIGNED = re.compile(rf"([-−–+]?)({GROUPED}|{PLAIN})")
SPACES = re.compile(SPACE)
DECIMALS = re.compile(r"[.,]")
SPACED_UNITS = "km/h|[kcm]?m|[km]?g|[mc]?l|°[CF]?|[kMGT]B|[kM]?Hz|[kM]W|kWh"  # after a space too
CURRENCY = "[€£¥]"
CURRENCY_SIGNS = {"en": "before", "de": "after"}  # where they stand: €5, 5 €
AMOUNT = rf"[-−–+]?(?:{GROUPED}|{PLAIN}(?:[-–]{PLAIN})*)"
WITH_UNIT = re.compile(rf"({AMOUNT})( ?(?:{SPACED_UNITS})|{UNITS}|s)")
PRICE = re.compile(rf"({CURRENCY}) ?({AMOUNT})|({AMOUNT}) ?({CURRENCY})")
RANGE_MARK = re.compile(r"([-–])")


class QuantityKind(NumericKind):
    """Signed and grouped numbers, ranges and fractions.

    Groups between spaces are one number before a unit or a currency. Elsewhere they are if the
    first has one or two digits, or all others are zeros, and no label such as "room" stands before
    them. Three or more groups of three digits that are not, such as 555 123 456, stay as they are;
    two are two numbers. An integer before an s, such as 1990s, is no time in seconds. For a model
    that reads digits, numbers that are not among the known words count as well.
    """

    name = "quantity"
    pattern = re.compile(
        rf"(?<![\w.,:/)\]%-])(?:\+\d[\d ()/-]*\d\d(?!\d)"  # a telephone number
        rf"|{CURRENCY} ?{AMOUNT}|{AMOUNT} ?(?:{CURRENCY}|{SPACED_UNITS})"
        rf"|{PLAIN}(?:[-–]{PLAIN})+|[-−–+]?{UNLABELLED}{ONE_NUMBER}|{SERIES}|[-−–+]{PLAIN}|\d+/\d+"
        rf"|{PLAIN}(?:{UNITS})|{DECIMAL}s"
        rf"|{PLAIN})(?![\w/])(?![-–]\d)(?![.,:]\d)"
    )

    def find(self, text: str) -> Iterator[StandIn]:
        """See `SpanKind.find`; other numbers only if training did not have them."""
        for found in super().find(text):
            given = text[found.start : found.end]
            if not re.fullmatch(PLAIN, given) or self._is_new(given):
                yield found

    def _is_new(self, number: str) -> bool:
        return bool(self.words) and not self.stand_ins.masks_digits and number not in self.words

    def write(self, place: Place) -> str:
        """See `NumericKind.write`; the point of a time or a version stays."""
        return place.given if keeps_point(place.given, place) else super().write(place)

    def localize(self, given: str) -> str:
        """See `NumericKind.localize`."""
        is_telephone = given.startswith("+") and not re.fullmatch(PLAIN, given[1:])
        is_series = re.fullmatch(SERIES, given) and not re.fullmatch(ONE_NUMBER, given)
        if is_telephone or is_series or "/" in given:
            return given
        if self.pattern.fullmatch(given) is None:  # joined with another span
            return given
        if measured := WITH_UNIT.fullmatch(given):
            return self._localize_numbers(measured[1]) + measured[2]
        if price := PRICE.fullmatch(given):
            return self._localize_price(price[1] or price[4], price[2] or price[3], given)
        return self._localize_numbers(given)

    def _localize_price(self, sign: str, number: str, given: str) -> str:
        place = CURRENCY_SIGNS.get(language_facts(self.languages[1]).code)
        number = self._localize_numbers(number)
        if place is None:
            before, after = given.startswith(sign), given.endswith(sign)
            return sign * before + number + f" {sign}" * after
        return sign + number if place == "before" else f"{number} {sign}"

    def _localize_numbers(self, given: str) -> str:
        parts = RANGE_MARK.split(given[1:])
        parts[0] = given[:1] + parts[0]
        return "".join(map(self._localize_number, parts))

    def _localize_number(self, number: str) -> str:
        found = SIGNED.fullmatch(number)
        if found is None:
            return number
        sign, digits = found.groups()
        if not SPACES.search(digits):
            return sign + localized(digits, self.languages)
        group_mark = language_facts(self.languages[1]).group_mark
        source, target = (language_facts(code).decimal_mark for code in self.languages)
        whole = DECIMALS.split(digits)
        if (
            group_mark is None
            or len(whole) > 1
            and (source is None or source not in digits or target is None)
        ):
            return number
        return sign + SPACES.sub(group_mark, whole[0]) + "".join(f"{target}{d}" for d in whole[1:])
