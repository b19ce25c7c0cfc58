"""Numbers, clock times, weekdays, dates and years in both languages."""

from typing import NamedTuple

from tools.demo_grammar.phrases import EMPTY, Phrase, pair, words

NUMBER_WORDS = (
    ("one", "ein"),
    ("two", "zwei"),
    ("three", "drei"),
    ("four", "vier"),
    ("five", "fünf"),
    ("six", "sechs"),
    ("seven", "sieben"),
    ("eight", "acht"),
    ("nine", "neun"),
    ("ten", "zehn"),
    ("eleven", "elf"),
    ("twelve", "zwölf"),
)
WEEKDAYS = (
    ("Monday", "Montag"),
    ("Tuesday", "Dienstag"),
    ("Wednesday", "Mittwoch"),
    ("Thursday", "Donnerstag"),
    ("Friday", "Freitag"),
    ("Saturday", "Samstag"),
    ("Sunday", "Sonntag"),
)
MONTHS = (
    ("January", "Januar"),
    ("February", "Februar"),
    ("March", "März"),
    ("April", "April"),
    ("May", "Mai"),
    ("June", "Juni"),
    ("July", "Juli"),
    ("August", "August"),
    ("September", "September"),
    ("October", "Oktober"),
    ("November", "November"),
    ("December", "Dezember"),
)
DAYPARTS = (("morning", "Morgen"), ("afternoon", "Nachmittag"), ("evening", "Abend"))
SEASONS = (
    ("spring", "Frühling"),
    ("summer", "Sommer"),
    ("autumn", "Herbst"),
    ("winter", "Winter"),
)
YEARS = (1969, 1975, 1982, 1987, 1990, 1994, 1998, 2003, 2008, 2012, 2016, 2021)
DAYS = (1, 3, 5, 8, 12, 15, 17, 20, 24, 28)  # of the month
MINUTES = (10, 15, 30, 45)


class Span(NamedTuple):
    """A unit of time: English singular and plural, German singular, dative plural and gender."""

    english: str
    english_plural: str
    german: str
    german_dative: str
    gender: str


SPANS = (
    Span("day", "days", "Tag", "Tagen", "m"),
    Span("week", "weeks", "Woche", "Wochen", "f"),
    Span("month", "months", "Monat", "Monaten", "m"),
    Span("year", "years", "Jahr", "Jahren", "n"),
)


def german_number(text: str) -> str:
    """Exchanges comma and point: "1,500" becomes "1.500", and "1.5" becomes "1,5"."""
    return text.translate(str.maketrans(",.", ".,"))


def digital_clock(hour: int, minute: int) -> Phrase:
    """Returns "at 7:30" / "um 7:30 Uhr"."""
    time = f"{hour}:{minute}"
    clock = pair(time, f"{time} Uhr", "times", "numbers-in-digits")
    return pair("at", "um") + clock


def full_hour(hour: int) -> Phrase:
    """Returns "at seven o'clock" / "um sieben Uhr"."""
    number = pair(*NUMBER_WORDS[hour - 1], "times", "numbers-in-words")
    return pair("at", "um") + number + pair("o'clock", "Uhr")


def half_hour(hour: int) -> Phrase:
    """Returns "at half past three" / "um halb vier": German counts towards the next hour."""
    source = NUMBER_WORDS[hour - 1][0]
    target = "eins" if hour == 12 else NUMBER_WORDS[hour][1]
    half = pair("half", "halb", "times")
    return (
        pair("at", "um") + half + Phrase(words("past")) + pair(source, target, "numbers-in-words")
    )


def quarter_hour(hour: int, past: bool) -> Phrase:
    """Returns "at a quarter past six" / "um Viertel nach sechs"; `hour` is from 2 to 12."""
    quarter = pair("at", "um") + Phrase(words("a")) + pair("quarter", "Viertel", "times")
    number = pair(*NUMBER_WORDS[hour - 1], "numbers-in-words")
    return quarter + pair("past" if past else "to", "nach" if past else "vor") + number


def on_weekday(index: int, daypart: int | None = None) -> Phrase:
    """Returns "on Monday" / "am Montag" or "on Monday morning" / "am Montagmorgen"."""
    source, target = WEEKDAYS[index]
    if daypart is not None:
        source, target = f"{source} {DAYPARTS[daypart][0]}", target + DAYPARTS[daypart][1].lower()
    return pair("on", "am", "contractions") + pair(source, target, "dates")


def in_daypart(index: int) -> Phrase:
    """Returns "in the morning" / "am Morgen"."""
    return pair("in the", "am", "contractions") + pair(*DAYPARTS[index], "dates")


def in_month(index: int) -> Phrase:
    """Returns "in May" / "im Mai"."""
    return pair("in", "im", "contractions") + pair(*MONTHS[index], "dates")


def in_season(index: int) -> Phrase:
    """Returns "in summer" / "im Sommer"."""
    return pair("in", "im", "contractions") + pair(*SEASONS[index], "dates")


def on_date(day: int, month: int) -> Phrase:
    """Returns "on 3 May" / "am 3. Mai"."""
    number = pair(str(day), f"{day}.", "numbers-in-digits")
    return pair("on", "am", "contractions") + number + pair(*MONTHS[month], "dates")


def in_year(year: int) -> Phrase:
    """Returns "in 1998" / "im Jahr 1998"."""
    number = pair(str(year), str(year), "dates", "numbers-in-digits")
    return pair("in", "im Jahr", "contractions") + number


def ago(count: int, span: Span) -> Phrase:
    """Returns "two years ago" / "vor zwei Jahren"."""
    before = pair("ago", "vor", "dative")
    number, unit = _count(count, span)
    return Phrase((), before.german) + number + unit + before._replace(german=())


def in_span(count: int, span: Span) -> Phrase:
    """Returns "in two weeks" / "in zwei Wochen"."""
    number, unit = _count(count, span)
    return pair("in", "in", "dative") + number + unit


def _count(count: int, span: Span) -> tuple[Phrase, Phrase]:
    number = pair(*NUMBER_WORDS[count - 1], "numbers-in-words")
    return number, pair(span.english_plural, span.german_dative)


def span_count(count: int, span: Span) -> Phrase:
    """Returns "three weeks" / "drei Wochen", as in "stayed three weeks"."""
    number, _ = _count(count, span)
    plural = span.german_dative if span.gender == "f" else span.german + "e"
    return number + pair(span.english_plural, plural) if count > 1 else EMPTY
