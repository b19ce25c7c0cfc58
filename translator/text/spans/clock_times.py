"""Times of the day on a clock of twelve hours, such as 5:30 p.m."""

import re
from collections.abc import Collection

from translator.base.languages import language_facts
from translator.text.spans.kind import StandIn
from translator.text.spans.verbatim import NumericKind

HOURS = 12
TIME = re.compile(r"(\d{1,2})(:\d\d)? ?([ap])\.?m\.?", re.IGNORECASE)
GOES_ON = (  # with a capital, after a time
    r"(?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|January|February|March|April|June|July|August"
    r"|September|October|November|December|GMT|UTC|[CEMP][DES]?T|Central|Eastern|Mountain|Pacific)"
)
SENTENCE_END = re.compile(rf"\s*$|\s+[\"'“”’»(]*(?!{GOES_ON}\b)[A-Z]|[\"'“”’»)]")


class ClockTimeKind(NumericKind):
    """Times of the day with a.m. or p.m., of a source language that has these.

    They are written on a clock of 24 hours if the target language has such a one alone; else they
    stay as they are.
    """

    pattern = re.compile(
        r"(?<![\w.,:/-])(?:1[0-2]|0?[1-9])(?::[0-5]\d)?"
        r" ?(?:[ap]\.m\b\.?|[ap]m\b|[AP]\.M\b\.?|[AP]M\b)(?![-/\w])"
    )

    def end_of(self, text: str, start: int, end: int) -> int:
        """See `VerbatimKind.end_of`; the last point of a sentence does not belong to the time."""
        if not language_facts(self.languages[0]).has_twelve_hours:
            return start
        ends_sentence = text[end - 1] == "." and SENTENCE_END.match(text, end)
        return end - 1 if ends_sentence else end

    def show(self, given: str, stand_in: StandIn, used: Collection[str]) -> str:
        """A time of the day."""
        return self.stand_ins.number(used, is_time=True)

    def localize(self, given: str) -> str:
        """See `NumericKind.localize`."""
        found = TIME.fullmatch(given)
        if found is None or language_facts(self.languages[1]).has_twelve_hours:
            return given
        is_afternoon = found[3].lower() == "p"
        hour = int(found[1]) % HOURS + HOURS * is_afternoon
        return f"{hour}{found[2] or ':00'}"
