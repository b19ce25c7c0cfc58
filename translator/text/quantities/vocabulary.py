"""What each language calls numbers, times, dates and units: tables, and no rules."""

import re
from collections.abc import Iterable
from typing import NamedTuple

from translator.base.languages import language_facts


class Vocabulary(NamedTuple):
    """The words of a language for quantities. A language without one is read in digits alone.

    Attributes:
        small: the numbers from 0 to 19.
        tens: those from 20 to 90.
        hundred: the word, also where it is part of a longer one.
        thousand: likewise.
        scales: larger ones by their value, each in the singular, the plural and as an abbreviation.
        dozen: the word.
        articles: what stands for 1 before a scale, such as "a" in "a million".
        point: what separates decimals that are said one by one.
        halves: what stands for 0.5, before a scale or after a number.
        one_and_a_half: the usual words.
        vague: words after which "hundred" and "thousand" are no number, such as "several".
        other_nouns: numbers that are other words with a capital, such as "Elf".
        labels: words after which digits with marks are a name, such as a version.
        phrases: a regular expression of phrases whose number words say no number.
    """

    small: tuple[str, ...]
    tens: tuple[str, ...]
    hundred: str
    thousand: str
    scales: dict[int, tuple[str, str, str]]
    dozen: str
    articles: tuple[str, ...]
    point: str
    halves: tuple[str, ...]
    one_and_a_half: str
    vague: tuple[str, ...]
    other_nouns: tuple[str, ...]
    labels: tuple[str, ...]
    phrases: str


ENGLISH = Vocabulary(
    small=(
        "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
        "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen",
        "nineteen",
    ),
    tens=("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"),
    hundred="hundred",
    thousand="thousand",
    scales={
        10**6: ("million", "million", "m"), 10**9: ("billion", "billion", "bn"),
        10**12: ("trillion", "trillion", "tn"),
    },
    dozen="dozen",
    articles=("a",),
    point="point",
    halves=("half a", "a half", "half", "and a half"),
    one_and_a_half="one and a half",
    vague=("few", "several", "many", "some", "couple of", "couple", "those", "these", "the"),
    other_nouns=(),
    labels=(
        "version", "chapter", "section", "figure", "table", "article", "paragraph", "exercise",
        "step", "call", "dial", "phone", "tel", "tel.", "fax", "room", "id", "number", "no.",
        "page", "code", "pin",
    ),
    phrases=r"\bcloud nine\b|\bfifty-fifty\b|\bWorld War (?:1|2|one|two)\b",
)  # fmt: skip
GERMAN = Vocabulary(
    small=(
        "null", "eins", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun", "zehn",
        "elf", "zwölf", "dreizehn", "vierzehn", "fünfzehn", "sechzehn", "siebzehn", "achtzehn",
        "neunzehn",
    ),
    tens=(
        "zwanzig", "dreißig", "vierzig", "fünfzig", "sechzig", "siebzig", "achtzig", "neunzig",
    ),
    hundred="hundert",
    thousand="tausend",
    scales={
        10**6: ("Million", "Millionen", "Mio."), 10**9: ("Milliarde", "Milliarden", "Mrd."),
        10**12: ("Billion", "Billionen", "Bio."),
    },
    dozen="Dutzend",
    articles=("ein", "eine", "einem", "einer"),
    point="Komma",
    halves=("eine halbe", "einer halben", "ein halbes", "einem halben", "halbe", "einhalb"),
    one_and_a_half="anderthalb",
    vague=("paar", "einige", "einigen", "mehrere", "mehreren", "viele", "vielen"),
    other_nouns=("acht", "elf", "hundert", "tausend"),
    labels=(
        "version", "kapitel", "abschnitt", "abbildung", "tabelle", "artikel", "absatz", "aufgabe",
        "schritt", "ruf", "telefon", "tel", "tel.", "fax", "zimmer", "raum", "id", "nummer",
        "nr.", "seite", "code", "pin", "§",
    ),
    phrases=r"\bunter vier Augen\b|\bWolke sieben\b|\bnull Ahnung\b"
    r"|\b(?:gib|ge?ben?|gebt|gibt|gab(?:en)?)\b[^.!?;:]*? acht(?=$|[,.!?;:]| auf\b| dass\b)",
)  # fmt: skip
VOCABULARIES = {"en": ENGLISH, "de": GERMAN}


def vocabulary_of(language: str) -> Vocabulary | None:
    """The words of a language, by its code; None where they are not known."""
    return VOCABULARIES.get(language_facts(language).code)


def any_of(words: Iterable[str]) -> str:
    """A regular expression for one of these words, the longest one that fits."""
    return f"(?:{'|'.join(sorted(map(re.escape, words), key=len, reverse=True))})"
