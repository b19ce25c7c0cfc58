"""Quantities of every kind: where they stand, what they say, how the other language writes them."""

import random
import re

import pytest

from translator.text.quantities import QuantityReader, write
from translator.text.quantities.numbers import number_words

READERS = {language: QuantityReader(language) for language in ("en", "de", "fr", "xx")}
CASES = {  # text, what of it is found if not all, its key, and how the other language writes it
    "en": [
        ("Thirty-eight people came.", "Thirty-eight", "number 38", "Achtunddreißig"),
        ("in nineteen ninety", "nineteen ninety", "number 1990", "neunzehnhundertneunzig"),
        ("half a million cars", "half a million", "number 500000", "fünfhunderttausend"),
        ("two and a half million", "", "number 2500000", "zweieinhalb Millionen"),
        ("one and a half hours", "one and a half", "number 1.5", "anderthalb"),
        ("a dozen eggs", "a dozen", "number 12", "zwölf"),
        ("half a dozen eggs", "half a dozen", "number 6", "sechs"),
        ("another hundred yards", "hundred", "number 100", "hundert"),
        ("2½ hours", "2½", "code 2½", "2½"),
        ("1 1/2 hours", "1 1/2", "code 11/2", "1 1/2"),
        ("on iOS 17.2", "17.2", "code 17.2", "17.2"),
        ("1.2M people", "1.2M", "number 1200000", "1,2 Millionen"),
        ("2.5k people", "2.5k", "number 2500", "2.500"),
        ("up by .5% now", ".5%", "amount 0.5 %", "0,5 %"),
        ("call (212) 555-0199", "(212) 555-0199", "code (212)555-0199", "(212) 555-0199"),
        ("card 4111 1111 1111 1111", "4111 1111 1111 1111", "code 4111111111111111",
         "4111 1111 1111 1111"),
        ("won 3 : 1", "3 : 1", "code 3:1", "3 : 1"),
        ("in the 1990s", "1990s", "decade 90", "1990er Jahren"),
        ("the '60s were", "'60s", "decade 60", "60er Jahre"),
        ("music of 1820s", "1820s", "decade 1820", "1820er Jahre"),
        ("a 19th-century house", "19th", "ordinal 19", "19."),
        ("a 10-minute walk", "10-minute", "amount 10 -minute", "10-Minuten-"),
        ("a 5-year-old child", "5", "number 5", "5"),
        ("at half five", "half five", "time 5:30", "halb sechs"),
        ("$1M", "", "amount 1000000 USD", "1 Million $"),
        ("with Python 3.11", "3.11", "code 3.11", "3.11"),
        ("a twenty-minute walk", "twenty", "number 20", "zwanzig"),
        ("3.2bn people", "3.2bn", "number 3200000000", "3,2 Milliarden"),
        ("1 million people", "1 million", "number 1000000", "1 Million"),
        ("5 thousand people", "5 thousand", "number 5000", "5.000"),
        ("1,234.5", "", "number 1234.5", "1.234,5"),
        ("1,2345", "", "code 1,2345", "1,2345"),
        ("10-12 people", "10-12", "range number 10 to number 12", "10-12"),
        ("pages 5 - 8", "5 - 8", "range number 5 to number 8", "5 - 8"),
        ("10 000 - 20 000 people", "10 000 - 20 000", "range number 10000 to number 20000",
         "10.000 - 20.000"),
        ("for $1.5 - $2", "$1.5 - $2", "range amount 1.5 USD to amount 2 USD", "1,5 - 2 $"),
        ("Call +1 650 253-4000.", "+1 650 253-4000", "code +1650253-4000", "+1 650 253-4000"),
        ("30 x 20 cm", "", "range number 30 to amount 20 cm", "30 x 20 cm"),
        ("220 g/m²", "", "amount 220 g/m²", "220 g/m²"),
        ("1,000+ users", "1,000+", "amount 1000 +", "1.000+"),
        ("takes 15 to 20 minutes", "15 to 20", "range number 15 to number 20", "15 bis 20"),
        ("for 1.5 to 2 percent", "1.5 to 2 percent", "range number 1.5 to amount 2 %",
         "1,5 bis 2 Prozent"),
        ("version 2.5", "2.5", "code 2.5", "2.5"),
        ("USB 3.0", "3.0", "code 3.0", "3.0"),
        ("by +1 234 567", "+1 234 567", "code +1234567", "+1 234 567"),
        ("agent 007", "007", "code 007", "007"),
        ("call 555 123 456", "555 123 456", "code 555123456", "555 123 456"),
        ("the 21st century", "21st", "ordinal 21", "21."),
        ("He was 112th.", "112th", "ordinal 112", "112"),
        ("at half past five", "half past five", "time 5:30", "halb sechs"),
        ("at a quarter to nine p.m.", "a quarter to nine p.m", "time 8:45", "20:45 Uhr"),
        ("at ten to nine", "ten to nine", "time 8:50", "zehn vor neun"),
        ("It's 10 past 9.", "10 past 9", "time 9:10", "10 nach 9"),
        ("twenty-five past five", "", "time 5:25", "fünf vor halb sechs"),
        ("at seven minutes to one", "seven minutes to one", "time 12:53",
         "sieben Minuten vor eins"),
        ("one minute past three", "", "time 3:01", "eine Minute nach drei"),
        ("5.30pm is late", "5.30pm", "time 5:30", "17:30 Uhr"),
        ("at 5 p.m. on Monday", "5 p.m.", "time 5:00", "17 Uhr"),
        ("He came at 5 p.m.", "5 p.m", "time 5:00", "17 Uhr"),
        ("at 12 a.m. sharp", "12 a.m.", "time 12:00", "0 Uhr"),
        ("one o'clock", "", "time 1:00", "ein Uhr"),
        ("it's six thirty", "six thirty", "time 6:30", "6:30 Uhr"),
        ("at 5:30", "5:30", "time 5:30", "5:30 Uhr"),
        ("John 3:16", "3:16", "code 3:16", "3:16"),
        ("in 1:05:20", "1:05:20", "code 1:05:20", "1:05:20"),
        ("from 5 to 7 pm", "5 to 7 pm", "range time 5:00 to time 7:00", "17 bis 19 Uhr"),
        ("from 11 to 1 pm", "11 to 1 pm", "range time 11:00 to time 1:00", "11 bis 13 Uhr"),
        ("5-7 pm", "", "range time 5:00 to time 7:00", "17-19 Uhr"),
        ("between 9 and 10 am", "9 and 10 am", "range time 9:00 and time 10:00", "9 und 10 Uhr"),
        ("at 5 or 6 pm", "5 or 6 pm", "range time 5:00 or time 6:00", "17 oder 18 Uhr"),
        ("from 9:00 to 17:30", "9:00 to 17:30", "range time 9:00 to time 5:30",
         "9:00 bis 17:30 Uhr"),
        ("open 9:00-17:30", "9:00-17:30", "code 9:00-17:30", "9:00-17:30"),
        ("on March 21st, 2024", "March 21st, 2024", "date 2024-03-21", "21. März 2024"),
        ("on the 24th of December", "the 24th of December", "date 12-24", "24. Dezember"),
        ("on Dec. 24, 1999", "Dec. 24, 1999", "date 1999-12-24", "24. Dezember 1999"),
        ("by the twenty-first of June", "the twenty-first of June", "date 06-21", "21. Juni"),
        ("from the 1st to the 5th of May", "1st to the 5th of May",
         "range date 05-01 to date 05-05", "1. bis 5. Mai"),
        ("May 12-14, 2024", "", "range date 05-12 to date 2024-05-14", "12.-14. Mai 2024"),
        ("between May 1 and June 5", "May 1 and June 5", "range date 05-01 and date 06-05",
         "1. Mai und 5. Juni"),
        ("since 2024-12-24", "2024-12-24", "code 2024-12-24", "2024-12-24"),
        ("until 12/31/2024", "12/31/2024", "date 2024-12-31", "31. Dezember 2024"),
        ("It costs £3.4bn.", "£3.4bn", "amount 3400000000 GBP", "3,4 Milliarden £"),
        ("about $1.5 million", "$1.5 million", "amount 1500000 USD", "1,5 Millionen $"),
        ("$5m", "", "amount 5000000 USD", "5 Millionen $"),
        ("$5k", "", "amount 5000 USD", "5.000 $"),
        ("a debt of -€5.50", "-€5.50", "amount -5.5 EUR", "-5,50 €"),
        ("5m long", "5m", "amount 5 m", "5m"),
        ("€5-7", "", "range amount 5 EUR to amount 7 EUR", "5-7 €"),
        ("$5-$7", "", "range amount 5 USD to amount 7 USD", "5-7 $"),
        ("20 US dollars", "", "amount 20 US$", "20 US-Dollar"),
        ("EUR 5.20", "", "amount 5.2 EUR", "EUR 5,20"),
        ("five dollars", "", "amount 5 USD", "fünf Dollar"),
        ("1 pound", "", "amount 1 pound", "1 Pfund"),
        ("12% of them", "12%", "amount 12 %", "12 %"),
        ("twelve per cent", "", "amount 12 %", "zwölf Prozent"),
        ("at -5.5 degrees", "-5.5 degrees", "amount -5.5 °", "-5,5 Grad"),
        ("20 °C", "", "amount 20 °C", "20 °C"),
        ("2.5km away", "2.5km", "amount 2.5 km", "2,5km"),
        ("80.5 m²", "", "amount 80.5 m²", "80,5 m²"),
        ("1.5-2.5 kg", "", "range number 1.5 to amount 2.5 kg", "1,5-2,5 kg"),
    ],
    "de": [
        ("Hunderteinundzwanzig Leute", "Hunderteinundzwanzig", "number 121",
         "One hundred and twenty-one"),
        ("neunzehnhundertfünf", "", "number 1905", "nineteen hundred and five"),
        ("eine halbe Million", "", "number 500000", "five hundred thousand"),
        ("anderthalb Stunden", "anderthalb", "number 1.5", "one and a half"),
        ("eineinhalb Millionen", "", "number 1500000", "one and a half million"),
        ("Eine Million Leute", "Eine Million", "number 1000000", "A million"),
        ("zwei Dutzend Eier", "zwei Dutzend", "number 24", "twenty-four"),
        ("Er hat eine Drei.", "Drei", "number 3", "three"),
        ("5 Mio. Leute", "5 Mio.", "number 5000000", "5 million"),
        ("Es sind 3,2 Mrd.", "3,2 Mrd", "number 3200000000", "3.2 billion"),
        ("10 000 Leute", "10 000", "number 10000", "10,000"),
        ("182\u00a0620 Wörter", "182\u00a0620", "number 182620", "182,620"),
        ("um\u00a02.30\u00a0Uhr", "2.30\u00a0Uhr", "time 2:30", "2:30"),
        ("um 2.30 beginnt er", "2.30", "time 2:30", "2:30"),
        ("von 9.00 bis 17.30", "9.00 bis 17.30", "range time 9:00 to time 5:30",
         "9:00 am to 5:30 pm"),
        ("Kapitel 3.4", "3.4", "code 3.4", "3.4"),
        ("im Staat 2.500 Schafe", "2.500", "number 2500", "2,500"),
        ("im 21. Jahrhundert", "21.", "ordinal 21", "21st"),
        ("das 112. und letzte", "112.", "ordinal 112", "112th"),
        ("das 3. und letzte", "3.", "ordinal 3", "3rd"),
        ("Heinrich der 8.", "8", "ordinal 8", "8th"),
        ("am Mittwoch, dem 1., kommt er", "1.", "ordinal 1", "1st"),
        ("Ende 19. Jahrhundert", "19.", "ordinal 19", "19th"),
        ("Wähle die 110.", "110", "number 110", "110"),
        ("Er hat eine 2.", "2", "number 2", "2"),
        ("Ich fahre mit der 5.", "5", "number 5", "5"),
        ("in den 1990er-Jahren", "1990er-Jahren", "decade 90", "1990s"),
        ("seit den 70ern", "70ern", "decade 70", "70s"),
        ("Anfang der 2000er war das", "2000er", "decade 2000", "2000s"),
        ("80er-Jahre-Musik", "80er-Jahre", "decade 80", "80s"),
        ("ein 5-jähriges Kind", "5", "number 5", "5"),
        ("nach 17h", "17h", "amount 17 h", "17h"),
        ("Er nutzt Android 4.4.", "4.4", "code 4.4", "4.4"),
        ("Heute, 3.11., kommt er", "3.11.", "date 11-03", "November 3"),
        ("für 5,- Euro", "5,- Euro", "amount 5 EUR", "5 euros"),
        ("Das kostet 3,-.", "3,-", "number 3", "3"),
        ("Er ist 38. Sie schläft.", "38", "number 38", "38"),
        ("um halb sechs", "halb sechs", "time 5:30", "half past five"),
        ("um halb eins", "halb eins", "time 12:30", "half past twelve"),
        ("um Viertel nach fünf", "Viertel nach fünf", "time 5:15", "a quarter past five"),
        ("um viertel neun", "viertel neun", "time 8:15", "a quarter past eight"),
        ("um drei viertel sechs", "drei viertel sechs", "time 5:45", "a quarter to six"),
        ("fünf nach halb sechs", "", "time 5:35", "twenty-five to six"),
        ("um 17 Uhr 30", "17 Uhr 30", "time 5:30", "5:30 pm"),
        ("Um fünf Uhr dreißig", "fünf Uhr dreißig", "time 5:30", "5:30"),
        ("Um fünf Uhr fünf", "fünf Uhr fünf", "time 5:05", "5:05"),
        ("um siebzehn Uhr", "siebzehn Uhr", "time 5:00", "5 pm"),
        ("um 9.05 Uhr", "9.05 Uhr", "time 9:05", "9:05"),
        ("um 9 Uhr", "9 Uhr", "time 9:00", "9 o'clock"),
        ("um 0 Uhr", "0 Uhr", "time 12:00", "12 am"),
        ("um 17:30", "17:30", "time 5:30", "5:30 pm"),
        ("in 2 bis 3 Wochen", "2 bis 3", "range number 2 to number 3", "2 to 3"),
        ("von 12 bis 17 Uhr", "12 bis 17 Uhr", "range time 12:00 to time 5:00", "12 to 5 pm"),
        ("von 9 bis 17 Uhr", "9 bis 17 Uhr", "range time 9:00 to time 5:00", "9 am to 5 pm"),
        ("von 17.00 Uhr bis 19.00 Uhr", "17.00 Uhr bis 19.00 Uhr", "range time 5:00 to time 7:00",
         "5:00 to 7:00 pm"),
        ("zwischen 5 und 7 Uhr", "5 und 7 Uhr", "range time 5:00 and time 7:00", "5 and 7 o'clock"),
        ("Am 24.12. kommt er.", "24.12.", "date 12-24", "December 24"),
        ("Er kommt am 24.12.", "24.12", "date 12-24", "December 24"),
        ("am 24. Dezember 2024", "24. Dezember 2024", "date 2024-12-24", "December 24, 2024"),
        ("vom 1. bis zum 5. Mai", "1. bis zum 5. Mai", "range date 05-01 to date 05-05",
         "May 1 to May 5"),
        ("vom 5. Mai bis 5. Juni", "5. Mai bis 5. Juni", "range date 05-05 to date 06-05",
         "May 5 to June 5"),
        ("am 1. und 2. Mai", "1. und 2. Mai", "range date 05-01 and date 05-02", "May 1 and May 2"),
        ("vom 1.5. bis 3.6.2024", "1.5. bis 3.6.2024", "range date 05-01 to date 2024-06-03",
         "May 1 to June 3, 2024"),
        ("10.000 - 20.000 Leute", "10.000 - 20.000", "range number 10000 to number 20000",
         "10,000 - 20,000"),
        ("am 24.12.2024", "24.12.2024", "date 2024-12-24", "December 24, 2024"),
        ("am ersten Mai", "ersten Mai", "date 05-01", "May 1"),
        ("für 3,4 Mrd. £", "3,4 Mrd. £", "amount 3400000000 GBP", "£3.4 billion"),
        ("5 Mio. Euro", "", "amount 5000000 EUR", "5 million euros"),
        ("-1.234,56 €", "", "amount -1234.56 EUR", "-€1,234.56"),
        ("1 Euro", "", "amount 1 EUR", "1 euro"),
        ("12 % davon", "12 %", "amount 12 %", "12%"),
        ("20 Grad Celsius", "", "amount 20 °C", "20 degrees Celsius"),
        ("ein 5-star hotel", "5-star", "amount 5 -star", "5-star"),
    ],
}  # fmt: skip


def keys(language, text):
    return [quantity.key for quantity in READERS[language].find(text)]


def test_a_quantity_is_read_and_written():
    for language, other in (("en", "de"), ("de", "en")):
        for text, given, key, written in CASES[language]:
            (found,) = READERS[language].find(text)
            assert text[found.start : found.end] == found.text == (given or text), text
            assert (found.key, write(found, other)) == (key, written), text
            assert found.in_words == (not any(map(str.isdigit, found.text))), text


def test_several_are_found_in_order_and_what_only_looks_like_one_is_none():
    for language, text, found in [
        ("en", "Tom, 38, pays $5 for two eggs at 5 pm.",
         ["number 38", "amount 5 USD", "number 2", "time 5:00"]),
        ("en", "one of the men often listens to a tenor, and someone waits a second", []),
        ("en", "a few hundred people, several hundred thousand, with a B2 visa", []),
        ("en", "in a house of millions she may come first", []),
        ("en", "the second half of an hour, the first quarter", []),
        ("en", "the twenty-first century, on cloud nine, World War 2", []),
        ("de", "Gib auf ihn acht, unter vier Augen, eine Uhr", []),
        ("de", "die Elfe, in Acht, ein Hund, ein paar hundert Zwanzigjährige, mp3", []),
        ("de", "die Hälfte der ersten Stunde, zweitens, das Dutzend", []),
        # where it may be no time, none is read
        ("en", "from five to nine people", ["number 5", "number 9"]),
        ("en", "two thirty-year-olds", ["number 2", "number 30"]),
        ("en", "He is six ten, and it costs about three fifty.",
         ["number 6", "number 10", "number 3", "number 50"]),
        ("de", "von zehn vor zwölf Jahren", ["number 10", "number 12"]),
        ("de", "um 17 Uhr 30 km", ["time 5:00", "amount 30 km"]),
        ("en", "5 and 3 May", ["number 5", "date 05-03"]),
        ("en", "May 14-12", ["code 14-12"]),
        ("de", "um fünf Uhr zehn Leute", ["time 5:00", "number 10"]),
        # numbers joined by to are a range only where they rise before a noun
        ("en", "from 5 to 10 people", ["number 5", "number 10"]),
        ("en", "won by 3 to 2 goals", ["number 3", "number 2"]),
        ("en", "it ended 2 to 3.", ["number 2", "number 3"]),
    ]:  # fmt: skip
        assert keys(language, text) == found, text


def test_other_languages_have_their_marks_and_numbers_in_digits():
    for text, language, written in [
        ("1,234.5", "fr", "1\u00a0234,5"), ("1,234.5", "es", "1.234,5"),
        ("1,234.5", "ja", "1,234.5"), ("1,234.5", "xx", "1,234.5"), ("thirty-eight", "fr", "38"),
        ("half past five", "fr", "5:30"), ("5 pm", "fr", "17:00"), ("12 %", "fr", "12 %"),
        ("31 December 2024", "fr", "2024-12-31"),
    ]:  # fmt: skip
        (quantity,) = READERS["en"].find(text)
        assert write(quantity, language) == written
    assert keys("fr", "le 1\u00a0234,5 et 3") == ["number 1234.5", "number 3"]
    assert keys("xx", "1.5 et 12") == ["code 1.5", "number 12"]


@pytest.mark.parametrize("language", ["en", "de"])
def test_words_say_again_what_was_written_in_them(language):
    words, draw = number_words(language), random.Random(1)
    values = [*range(2, 3000), *(draw.randrange(10 ** draw.randint(4, 13)) for _ in range(500))]
    for value in values:
        written = words.write(value)
        assert keys(language, written) == [f"number {value}"], written


FORMS = {  # with numbers from 1 to 12, 31, 59 and 999, a year, and one of up to twelve in words
    "en": [
        "{c:,}", "{c},{c:03}.{h}", "-{h}.{d}", "{c}.{h}bn", "{d} million", "{y}", "{c}-{c}",
        "{d}th", "{h}:{m:02}", "{h} pm", "{h}:{m:02} a.m.", "{h} o'clock", "half past {w}",
        "a quarter to {w}", "{w} minutes past {w}", "ten to {w}", "{m} minutes to {w}",
        "{h} to {h} pm", "{h} am to {h} pm", "{h}:{m:02} to {h}:{m:02}", "{h}-{h} pm",
        "March {d}, {y}", "{d} May {y}", "the {d}th of June", "{y}-0{s}-1{s}", "1{s}/2{s}/{y}",
        "£{c}.{h}bn", "€{c}", "${h}-{h}", "{c}m²", "{h}.{d} km", "{h}%", "{h} percent",
        "{d} degrees", "{c} euros", "twenty-{s_w} dollars", "{s_w} and a half million",
    ],
    "de": [
        "{c}", "{c}.{c:03},{h}", "-{h},{d}", "{c},{h} Mrd.", "{d} Millionen", "{y}", "{c}–{c}",
        "{d}.", "{h}:{m:02}", "1{s} Uhr", "2{t} Uhr {m:02}", "{h}.{m:02} Uhr", "{h} Uhr",
        "halb {w}", "Viertel vor {w}", "fünf nach halb {w}", "{w} Minuten vor {w}", "zehn vor {w}",
        "1{s} bis 2{t} Uhr", "1{s}-2{t} Uhr", "{h}:{m:02} bis 1{s}:{m:02} Uhr", "{d}. Mai {y}",
        "{d}.{h}.", "{d}.{h}.{y}", "{d}. Dezember", "{c},{h} Mrd. £", "{c} €", "{h}-{h} $",
        "{c} m²", "{h},{d} km", "{h} %", "{h} Prozent", "{d} Grad", "{c} Euro",
        "{s_w}undzwanzig Dollar", "{s_w}einhalb Millionen",
    ],
}  # fmt: skip


def fill(form, language, draw):
    def number(found):
        words, small, few = number_words(language), draw.randint(2, 9), draw.randint(2, 12)
        values = {
            "c": draw.randint(13, 999), "h": few, "d": draw.randint(4, 20), "s": small,
            "m": draw.randint(10, 59), "t": draw.randint(0, 3), "y": draw.randint(1400, 2029),
            "w": words.write(few),
            "s_w": words.write(small),
        }  # fmt: skip
        return f"{{{found[2]}}}".format(values[found[1]])

    return re.sub(r"\{(\w+)(:?.*?)\}", number, form)


@pytest.mark.parametrize(("source", "target"), [("en", "de"), ("de", "en")])
def test_the_other_language_says_the_same(source, target):
    """Drawn quantities, after a word that leaves no doubt what they are."""
    draw = random.Random(1)
    for form in FORMS[source]:
        for _ in range(30):
            text = fill(form, source, draw)
            is_range = re.search(r"\} to \{h\}|m to| bis |\}[-–]", form)
            quantity = _only(text, source, is_range)
            written = write(quantity, target)
            again = _only(written, target, is_range)
            assert (again.key, again.text) == (quantity.key, written), (text, written)


def _only(text, language, is_range):
    """The quantity that a text is, after a word that leaves no doubt what it is."""
    before = {"en": ("at", "from"), "de": ("um", "von")}[language][bool(is_range)]
    (quantity,) = READERS[language].find(f"{before} {text} all")
    assert quantity.text == text
    return quantity
