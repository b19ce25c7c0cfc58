"""How languages tell the time: tables, and no rules."""

from typing import NamedTuple


class Phrase(NamedTuple):
    """How a language says a time by the minutes before or after an hour.

    Attributes:
        pattern: a regular expression, in which {hour} and {minutes} stand for numbers.
        form: how it is written.
        offset: the minutes that it is after the hour.
        sign: 1 or -1 where the minutes that it names are added or taken away; 0 if it names none.
        most: the most minutes that are written so.
        needs_cue: whether it is a time only after `Clock.at`, `it_is` and `cues`.
    """

    pattern: str
    form: str
    offset: int
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
        at: words before a time.
        it_is: what says the time.
        cues: other words before a phrase that needs one.
        before_ranges: words before two times.
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
    midday: tuple[str, str] | None


NO_SPAN = {  # "five after ten years" is no time
    "en": "(?! (?:year|month|week|day|hour|minute))",
    "de": "(?! (?:Jahr|Monat|Woche|Tag|Stunde|Minute))",
}
CLOCKS = {
    "en": Clock(
        exact=(
            "{hour}(?:[:.]{minute}|[ -]{said})? ?{half}",
            "{hour}(?::{minute}|[ -]{said})? o['’]clock(?: {half})?",
        ),
        after_at=("{hour}[ -]{said}",),
        phrases=(
            Phrase("half[ -]past {hour}(?: {half})?", "half past {hour}", 30),
            Phrase("half {hour}(?: {half})?", "half past {hour}", 30, needs_cue=True),
            Phrase("(?:a )?quarter (?:past|after) {hour}(?: {half})?", "a quarter past {hour}", 15),
            Phrase("(?:a )?quarter (?:to|before|till) {hour}(?: {half})?",
                   "a quarter to {hour}", -15),
            Phrase("{minutes} (?:past|after) {hour}(?: {half})?" + NO_SPAN["en"],
                   "{minutes} past {hour}", 0, 1, 29),
            Phrase("{minutes} (?:to|before|till) {hour}(?: {half})?", "{minutes} to {hour}", 0, -1,
                   29, needs_cue=True),
        ),
        minutes=(5, 10, 20, 25),
        unit=("one minute", "minutes"),
        at="at|by|until|till|before|after|since|around",
        it_is="it is|it['’]s",
        cues="time is|it was|about|nearly|almost",
        before_ranges="from|between",
        clock="o'clock",
        midday=("am", "pm"),
    ),
    "de": Clock(
        exact=(
            "{hour}(?:[:.]{minute})? ?Uhr",
            "{hour} ?Uhr (?:{minute}|{said})(?-i:(?! (?:[A-ZÄÖÜ]|k[mg]\\b|%|€)))",
            "{hour}[:.]{minute} ?h",
            "(?:(?<=um )|(?<=ab )|(?<=bis )){hour} ?h",
        ),
        after_at=(),
        phrases=(
            Phrase("{minutes} vor halb {hour}", "{minutes} vor halb {hour}", -30, -1, 5),
            Phrase("{minutes} nach halb {hour}", "{minutes} nach halb {hour}", -30, 1, 5),
            Phrase("halb {hour}(?: Uhr)?", "halb {hour}", -30),
            Phrase("viertel nach {hour}", "Viertel nach {hour}", 15),
            Phrase("(?:viertel vor|drei ?viertel) {hour}", "Viertel vor {hour}", -15),
            Phrase("viertel {hour}", "viertel {hour}", -45),
            Phrase("{minutes} nach {hour}" + NO_SPAN["de"], "{minutes} nach {hour}", 0, 1, 29),
            Phrase("{minutes} vor {hour}" + NO_SPAN["de"], "{minutes} vor {hour}", 0, -1, 29),
        ),
        minutes=(5, 10, 20, 25),
        unit=("eine Minute", "Minuten"),
        at="um|bis|ab|seit|vor|nach|gegen",
        it_is="es ist",
        cues="war|fast",
        before_ranges="von|zwischen",
        clock="Uhr",
        midday=None,
    ),
}  # fmt: skip
NO_CLOCK = Clock((), (), (), (), ("", ""), "(?!)", "(?!)", "(?!)", "(?!)", "", None)
