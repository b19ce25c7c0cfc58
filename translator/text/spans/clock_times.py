"""Times of the day on a clock of twelve hours, such as 5:30 p.m."""

import re
from collections.abc import Collection

from translator.base.languages import language_facts
from translator.text.spans.kind import StandIn
from translator.text.spans.verbatim import NumericKind

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
