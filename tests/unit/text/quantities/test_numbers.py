"""Numbers in digits and in words: what they say, and how the other language writes it."""

import random
import re
from decimal import Decimal

import pytest

from translator.text.quantities import QuantityReader, write
from translator.text.quantities.numbers import number_words
from translator.text.quantities.words import SpokenNumber

OTHER = {"en": "de", "de": "en"}


def read(text, language):
    """The keys of a text."""
    return [quantity.key for quantity in QuantityReader(language).find(text)]


@pytest.mark.parametrize(
    ("language", "text", "given", "key", "written"),
    [
        ("en", "Thirty-eight people", "Thirty-eight", "number 38", "Achtunddreißig"),
        ("de", "Hunderteinundzwanzig Leute", "Hunderteinundzwanzig", "number 121",
         "One hundred and twenty-one"),
        ("en", "in nineteen ninety", "nineteen ninety", "number 1990", "neunzehnhundertneunzig"),
        ("de", "neunzehnhundertfünf", "neunzehnhundertfünf", "number 1905",
         "nineteen hundred and five"),
        ("en", "twenty twenty-four", "twenty twenty-four", "number 2024",
         "zweitausendvierundzwanzig"),
        ("en", "half a million cars", "half a million", "number 500000", "fünfhunderttausend"),
        ("de", "eine halbe Million", "eine halbe Million", "number 500000",
         "five hundred thousand"),
        ("de", "anderthalb Stunden", "anderthalb", "number 1.5", "one and a half"),
        ("de", "eineinhalb Millionen", "eineinhalb Millionen", "number 1500000",
         "one and a half million"),
        ("en", "a dozen eggs", "a dozen", "number 12", "zwölf"),
        ("de", "zwei Dutzend Eier", "zwei Dutzend", "number 24", "twenty-four"),
        ("en", "3.2bn people", "3.2bn", "number 3200000000", "3,2 Milliarden"),
        ("de", "5 Mio. Leute", "5 Mio.", "number 5000000", "5 million"),
        ("en", "1,234.5", "1,234.5", "number 1234.5", "1.234,5"),
        ("de", "10 000 Leute", "10 000", "number 10000", "10,000"),
        ("en", "at -5.5 degrees", "-5.5", "number -5.5", "-5,5"),
        ("en", "ALL OF TWENTY", "TWENTY", "number 20", "ZWANZIG"),
        ("en", "version 1.2.3", "1.2.3", "code 1.2.3", "1.2.3"),
        ("en", "agent 007", "007", "code 007", "007"),
        ("en", "call 555 123 456", "555 123 456", "code 555123456", "555 123 456"),
        ("de", "DE89 3704 0044 0532 0130 00", "DE89 3704 0044 0532 0130 00",
         "code DE89370400440532013000", "DE89 3704 0044 0532 0130 00"),
    ],
)  # fmt: skip
def test_a_number_is_read_and_written(language, text, given, key, written):
    (found,) = QuantityReader(language).find(text)
    assert text[found.start : found.end] == found.given == given
    assert found.key == key
    assert found.in_words == (re.search(r"\d", given) is None)
    assert write(found, language, OTHER[language]) == written


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "one of the men often listens to a tenor, and someone waits a second"),
        ("en", "a few hundred twenty-year-olds with a B2 visa in a million-dollar house"),
        ("de", "eine Drei, die Elfe, ein Hund, ein paar hundert Zwanzigjährige, mp3"),
    ],
)
def test_what_only_looks_like_a_number_is_none(language, text):
    assert read(text, language) == []


@pytest.mark.parametrize("language", ["en", "de"])
def test_words_say_again_what_was_written_in_them(language):
    words, draw = number_words(language), random.Random(1)
    values = [*range(2, 3000), *(draw.randrange(10 ** draw.randint(4, 13)) for _ in range(500))]
    for value in values:
        for is_year in (False, True):
            written = words.write(SpokenNumber(Decimal(value), is_year))
            assert read(written, language) == [f"number {value}"], written


def test_other_languages_have_their_marks():
    (number,) = QuantityReader("en").find("1,234.5")
    assert [write(number, "en", to) for to in ("fr", "es", "ja", "xx")] == [
        "1\u00a0234,5", "1.234,5", "1,234.5", "1,234.5",
    ]  # fmt: skip
    assert read("le 1\u00a0234,5 et 3", "fr") == ["number 1234.5", "number 3"]
    assert read("1.5 et 12", "xx") == ["code 1.5", "number 12"]
    (number,) = QuantityReader("en").find("thirty-eight")
    assert write(number, "en", "fr") == "38"
