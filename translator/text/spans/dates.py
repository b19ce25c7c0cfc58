"""Dates in digits, such as 2024-03-05 and 12/31/2024."""

import re

from translator.base.languages import language_facts
from translator.text.spans.verbatim import NumericKind

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
