"""Spans that a translation has exactly once: which text is one, and how it comes through."""

from collections.abc import Iterable

import numpy as np
import pytest

from tests.growth import grows_linearly
from translator.text.memo import ShownWord
from translator.text.stand_ins.kind import SpanKind
from translator.text.stand_ins.registry import SpanSettings, active_kinds
from translator.text.stand_ins.restoring import (
    Missing,
    Protected,
    insert_spans,
    lacks_spans,
    restore_spans,
)
from translator.text.stand_ins.showing import find_exact_spans, show_spans
from translator.text.stand_ins.stand_ins import StandIns

NAMES = StandIns(("Tom", "Anna", "Daniel"))
WORDS = frozenset({"he", "5", "12", "28", "100", "9:30"})


def make_kinds(
    languages: tuple[str, str] = ("en", "de"),
    masks_digits: bool = False,
    stand_ins: StandIns = NAMES,
) -> tuple[SpanKind, ...]:
    if masks_digits:
        stand_ins = StandIns.of_run(stand_ins.names, WORDS, True)
    return active_kinds(SpanSettings(languages, masks_digits, None, stand_ins, WORDS))


def spans_in(text: str, **settings) -> list[str]:
    return [text[start:end] for start, end in find_exact_spans(text, make_kinds(**settings))]


def assert_spans(rows: Iterable[tuple[str, list[str]]]) -> None:
    for text, spans in rows:
        assert spans_in(text) == spans, text


def test_addresses_and_files_are_spans_without_the_punctuation_around_them():
    assert_spans(
        [
            ("Look (http://x.de/a_(b)), ok", ["http://x.de/a_(b)"]),
            ("Is it www.x.berlin?", ["www.x.berlin"]),
            ("Or example.com!", ["example.com"]),
            ("Ask <https://x.de/>, please.", ["<https://x.de/>"]),
            ("Ask <a.b+c@x-y.co.uk>; now", ["<a.b+c@x-y.co.uk>"]),
            ("Ask tom@x.de, please.", ["tom@x.de"]),
            ("Open src/main.py", ["src/main.py"]),
            ("Open a.tar.gz and *.log", ["a.tar.gz", "*.log"]),
            ("It is C:\\Temp\\x.", ["C:\\Temp\\x"]),
            ("I use .gitignore.", [".gitignore"]),
            ("See Report.PDF, not U.S. or me.Go", ["Report.PDF"]),
            (
                "_https://x.de/a?b=1_ *x.de* __x.de__",
                ["_https://x.de/a?b=1_", "*x.de*", "__x.de__"],
            ),
            ("**_/usr/bin_** (*a.py*)", ["**_/usr/bin_**", "*a.py*"]),
        ]
    )


def test_placeholders_are_spans():
    assert_spans(
        [
            ("Hello {{ name }}, {user name}", ["{{ name }}", "{user name}"]),
            ("{% if x %} and", ["{% if x %}"]),
            ("Total: {:.2f} {!r} x", ["{:.2f}", "{!r}"]),
            ("a { name } x", ["{ name }"]),
            ("%s has %d of %1$s (%(name)s)", ["%s", "%d", "%1$s", "%(name)s"]),
            ("Wait %ds or %.1fkm", ["%ds", "%.1fkm"]),
            ("is %PATH%", ["%PATH%"]),
            ("Enter <name>, ok", ["<name>"]),
            ("Ask @tom_1990, #now or _@tom_", ["@tom_1990", "#now", "_@tom_"]),
            ("or $name", ["$name"]),
            ("Tom &amp; &LT;b&GT;", ["&amp;", "&LT;b&GT;"]),
            ("&#60;b&#x3E; &#038;", ["&#60;b&#x3E;", "&#038;"]),
        ]
    )


def test_versions_identifiers_and_formulas_are_spans():
    assert_spans(
        [
            (
                "v2.10.3 and 1.2.3-beta.1, then 192.168.0.1.",
                ["v2.10.3", "1.2.3-beta.1", "192.168.0.1"],
            ),
            ("COVID-19 and 4F-77-AB.", ["COVID-19", "4F-77-AB"]),
            ("the 1990s, 21st-century, 80er, 18jährige, mid-1990s, 6ft", []),
            ("See #123, ok", ["#123"]),
            ("See § 5 and §5a.", ["§ 5", "§5a"]),
            ("He is 5'10\" tall", ["5'10\""]),
            ("Set foo_bar", ["foo_bar"]),
            ("with `make x`; ok", ["`make x`"]),
            ("with `python x/y.py --a` ok", ["`python x/y.py --a`"]),
            ("add --all-of=3 to it", ["--all-of=3"]),
            ("to os.main()", ["os.main()"]),
            ("Or .NET.", [".NET"]),
            ("(H<sub>2</sub>O), ok", ["H<sub>2</sub>O"]),
            ("is -5 m<sup>2</sup>!", ["5 m<sup>2</sup>"]),
        ]
    )


def test_letters_symbols_and_other_spans_next_to_a_span_are_copied_with_it():
    assert_spans(
        [
            ("x=%d, ok", ["x=%d"]),
            ("is E=mc<sup>2</sup>", ["E=mc<sup>2</sup>"]),
            ("{0}{1} and {a}/{b}", ["{0}{1}", "{a}/{b}"]),
            ("At 192.168.0.1:8080, ok", ["192.168.0.1:8080"]),
            ("v2.10.3,v2.10.4", ["v2.10.3,v2.10.4"]),
            ("is {x}=3.14", ["{x}=3.14"]),
        ]
    )


def test_numbers_are_spans():
    assert_spans(
        [
            ("at 9:00-17:30", ["9:00-17:30"]),
            ("9-to-5", ["9"]),
            ("5-10 km, 80 kg, 5 cars", ["5-10 km", "80 kg"]),
            ("20°C or -5 °C: ok", ["20°C", "-5 °C"]),
            ("9.58s and 5s", ["9.58s"]),
            ("20ms", ["20ms"]),
            ("From 9 a.m. to 5:30 p.m.", ["9 a.m.", "5:30 p.m"]),
            ("5 p.m.", ["5 p.m."]),
            ("(until 10 P.M.) I am 5 amused, 28 pm", ["10 P.M"]),
            ("from Room 12 300", ["300"]),
            ("101 300 people", ["101", "300"]),
            ("23 345 67", ["23", "345", "67"]),
            ("€100 200 for 100 200 km", ["€100 200", "100 200 km"]),
        ]
    )


def test_ordinary_text_has_no_spans():
    assert_spans(
        [
            ("he -- or she--left, don`t.", []),
            ("5 % s and 100% sure, 12 good $ 5 & more, # 12 and tom@home", []),
            ("He came.She went, and/or so.", []),
            ("A %discount of 5 %increase, { or so it is }", []),
        ]
    )


def test_a_number_that_training_never_had_is_a_span_only_where_digits_are_read():
    assert spans_in("He has 4711 of 12") == ["4711"]
    assert spans_in("He has 4711 of 12", masks_digits=True) == []


def test_numbers_and_dates_are_written_as_in_german():
    for given, german in [
        ("-5.5", "-5,5"),
        ("1 234 567.5", "1.234.567,5"),
        ("300 000 000", "300.000.000"),
        ("555 123 456", "555 123 456"),
        ("+49 30 123456", "+49 30 123456"),
        ("3/4", "3/4"),
        ("9.58s", "9,58s"),
        ("1,250.5 kg", "1.250,5 kg"),
        ("€1,250.50", "1.250,50 €"),
        ("1.5-2.5 £", "1,5-2,5 £"),
        ("10 000&-5.5", "10 000&-5.5"),
        ("2024-03-05", "05.03.2024"),
        ("12/31/2024", "31.12.2024"),
        ("31/12/2024", "31.12.2024"),
        ("03/05/2024", "03/05/2024"),
        ("5/5/2024", "5.5.2024"),
        ("2024-13-05", "2024-13-05"),
        ("2024-03-05T10:00:00Z", "2024-03-05T10:00:00Z"),
        ("2024-03-05/2024-03-06", "05.03.2024–06.03.2024"),
        ("03/05/2024/03/06/2024", "03/05/2024/03/06/2024"),
        ("5:30 p.m.", "17:30"),
        ("12 a.m.", "0:00"),
        ("12:15 PM", "12:15"),
    ]:
        assert translate(f"He has {given} .", "er hat {} .") == f"er hat {german} ."


def test_other_languages_have_their_own_forms():
    for languages, given, written in [
        (("de", "en"), "-5,5", "-5.5"),
        (("de", "en"), "10 000", "10,000"),
        (("de", "en"), "31.12.2024", "31.12.2024"),
        (("de", "en"), "19,99 €", "€19.99"),
        (("en", "fr"), "10 000", "10 000"),
        (("en", "fr"), "19.99€", "19,99 €"),
        (("en", "fr"), "2024-03-05", "05/03/2024"),
        (("fr", "de"), "03/05/2024", "03.05.2024"),
        (("en", "xx"), "-5.5", "-5.5"),
        (("en", "en"), "7 p.m.", "7 p.m."),
    ]:
        assert translate(f"a {given} b", "c {} d", languages=languages) == f"c {written} d"


def test_in_german_points_separate_thousands_and_are_no_version():
    text = "Es sind 1.234.567 und 1.2.3 um 12 am"
    assert spans_in(text, languages=("de", "en"), masks_digits=True) == ["1.2.3"]
    english = spans_in(text, languages=("en", "de"), masks_digits=True)
    assert english == ["1.234.567", "1.2.3", "12 am"]


def shown_words(text: str, **settings) -> tuple[ShownWord, ...]:
    return show_spans(text, make_kinds(**settings)).words


def translate(
    source: str, target: str, points: dict[int, int] | None = None, prefix=(), **settings
) -> str:
    """Writes a translation; each {} in it is what the next span of the source is shown as.

    Args:
        source: the sentence.
        target: the translation of the model.
        points: which source word a target word looks at; others look at the same place.
        prefix: words at the beginning that were given.
        settings: of the kinds.
    """
    words = shown_words(source, **settings)
    target = target.format(*(span.shown for word in words for span in word.spans))
    count = len(target.split())
    alignment = np.full((count, len(words)), 0.1)
    for t in range(count):
        alignment[t, (points or {}).get(t, min(t, len(words) - 1))] = 0.9
    kinds = make_kinds(**settings)
    protected = Protected([source, target])
    found, rows = restore_spans(kinds, target.split(), words, alignment, protected, prefix)
    assert len(found) == len(rows)
    return protected.reveal(" ".join(word for word in found if word))


GERMAN = {"languages": ("de", "en")}
ONE_NAME = {"stand_ins": StandIns(("Tom",))}
NO_NAME = {"stand_ins": StandIns.of_run((), frozenset(), False)}
MASKED = {"masks_digits": True}


@pytest.mark.parametrize(
    ("settings", "source", "shown", "target", "points", "written"),
    [
        # Several spans are shown as different names, and as none that the sentence has
        ({}, "Send {0} to a@b.de and x.de .", "Send Tom to Anna and Daniel .",
         "schick {1} {0} und {2} .", {1: 0, 2: 0}, "schick a@b.de {0} und x.de ."),
        ({}, "Tom saw {0} .", "Tom saw Anna .", "Tom sah {} .", {}, "Tom sah {0} ."),
        ({}, "{0}'s house", "Tom's house", "{}s Haus", {}, "{0}s Haus"),
        ({}, "I know {0}", "I know Tom", "{}s Haus", {0: 2}, "{0} Haus"),
        # With one name alone attention decides, without any a number is shown
        (ONE_NAME, "Tom saw {0} .", "Tom saw Tom .", "{} sah Tom .", {0: 2, 2: 0}, "{0} sah Tom ."),
        (ONE_NAME, "{0} saw {1} .", "Tom saw Tom .", "{} sah {} .", {0: 2, 2: 0}, "{1} sah {0} ."),
        (NO_NAME, "I saw {0} .", "I saw 15 .", "ich sah {}. .", {}, "ich sah {0}. ."),
        # Masked digits are those of spans and of other numbers; those within spans are of none
        (MASKED, "He paid 17 for v2.10.3 on 2024-03-05", "He paid 17 for 00 on 00",
         "am 00 zahlte er 00 für 00", {1: 6, 4: 2, 6: 4}, "am 05.03.2024 zahlte er 17 für v2.10.3"),
        (MASKED, "see http://a.de/17 .", "see Tom .", "siehe Tom 00 .", {1: 1, 2: 1},
         "siehe http://a.de/17 00 ."),
        # A span that was dropped stands before the final mark or the comma, after a name
        ({}, "I saw {0}.", "I saw Tom.", "ich sah.", {}, "ich sah {0}."),
        ({}, "Mr. {0}, come here.", "Mr. Tom, come here.", "Herr, komm her.", {0: 0, 1: 2, 2: 3},
         "Herr {0}, komm her."),
        # A date is no ordinal; the point of a time or a version stays, that of an address too
        (GERMAN, "am 05.03.2024 kam", "am 15 kam", "on {}th came", {}, "on 05.03.2024 came"),
        ({}, "Version 4.7 is out", "Version 15 is out", "Version {} ist da", {},
         "Version 4.7 ist da"),
        ({}, "the rate 4.7 is out", "the rate 15 is out", "die Rate {} ist da", {},
         "die Rate 4,7 ist da"),
        ({}, "come at 9.45 am", "come at 15 am", "komm um {} Uhr", {}, "komm um 9.45 Uhr"),
        (GERMAN, "IP 192.168.100.200 hier", "IP 15 hier", "IP {} here", {},
         "IP 192.168.100.200 here"),
        (GERMAN, "mit 1.000.000.000 Euro", "mit 15 Euro", "with {} euros", {},
         "with 1,000,000,000 euros"),
    ],
)  # fmt: skip
def test_spans_are_shown_and_put_back(settings, source, shown, target, points, written):
    assert show_spans(source, make_kinds(**settings)).text == shown
    assert translate(source, target, points, **settings) == written


def test_each_span_comes_through_exactly_once():
    for target, points, text in [
        ("ich sah gestern .", {2: 3, 3: 4}, "ich sah {0} gestern ."),  # dropped
        ("ich sah {0} und {0} gestern .", {4: 1, 5: 3}, "ich sah {0} und gestern ."),  # doubled
        ("ich sah {0}, {0}.", {3: 0}, "ich sah {0}."),
        ("ich sah {0} gestern, ({0}).", {4: 0}, "ich sah {0} gestern)."),
        ("ich sah Tomas gestern .", {}, "ich sah {0} gestern ."),  # misspelt
        ("ich sah Toms Haus .", {}, "ich sah {0} Haus ."),
        ("ich sah die Tom-Datei .", {3: 2}, "ich sah die {0}-Datei ."),
        ("", {}, "{0}"),
    ]:
        assert translate("I saw {0} yesterday .", target, points) == text


def test_a_dropped_span_follows_a_name_even_if_the_next_word_is_aligned_better():
    words = ["Herr", "komm", "her."]
    apart = np.array([[0.4, 0.1, 0.1], [0.0, 0.0, 0.1], [0.1, 0.1, 0.9]])
    named, other = Missing(1, "X", "Tom", follows_name=True), Missing(1, "X", "Tom")
    assert insert_spans([named], words, apart, (), 0).words == ["Herr", "X", "komm", "her."]
    assert insert_spans([other], words, apart, (), 0).words == ["Herr", "komm", "X", "her."]


def test_a_span_of_the_prefix_is_not_written_again():
    found = translate("See {0} now", "Sieh {{0}} dort {}", {3: 1}, prefix=["Sieh", "{0}"])
    assert found == "Sieh {0} dort"


def test_dropped_stand_ins_are_noticed():
    words = shown_words("I saw {0} and {1}")
    assert not lacks_spans(make_kinds(), ["Tom", "und", "Annas", "Haus"], words)
    assert lacks_spans(make_kinds(), ["Tom", "und", "Tom"], words)


def test_other_stand_ins_are_tried_in_turn():
    found = [stand_ins.name(()) for stand_ins in NAMES.others()]
    assert found == ["Daniel", "15", "15"]
    assert [stand_ins.number(()) for stand_ins in NAMES.others()] == ["15", "Tom", "Daniel"]
    assert StandIns(()).others() == ()


def test_protected_text_uses_letters_that_the_text_does_not_have():
    taken = "".join(map(chr, range(0x20000, 0x20005)))
    protected = Protected([taken])
    word = protected.add("https://x.de")
    assert word not in taken
    assert (word.isalpha(), word.upper()) == (True, word)
    assert (protected.has(f"a{word}"), protected.has(taken)) == (True, False)
    assert protected.reveal(f"{taken} {word}!") == f"{taken} https://x.de!"


@pytest.mark.parametrize(
    "part",
    [
        "a", "1.", "1-", "a.", "a/", "a-a.", "{", "{{", "%", "a@", "a@b.", "http://", "./", "(",
        "1 000 ", "[[", "<http://", "v1.", "x=%d,", "C:\\", "10.10.2020 ", "a.b@c.", "+1 ", "+",
        "+1-1/", "~", "&amp", "@a", "{a ", "5m",
        "Na", "H<sub>2</sub>", "H<sub>", "a1", "_a", "*a", "_", "__a", "*", "a.de_", "a.py_", "*_",
        "{ a", "{:", "{ ", "%d", "%ds", "&#0", "_@a", "5 m",
        "100 200 ", "room 1 ", "1.5s", "`", "`a", "--a", "--a=", "a_", "a1-", "a-", "#1", "5'1",
        "a(",
    ],
)  # fmt: skip
@pytest.mark.parametrize("tail", ["", "!"])
def test_hostile_text_is_read_in_linear_time(part, tail):
    kinds = make_kinds()
    assert grows_linearly(lambda size: show_spans((part * size)[:size] + tail, kinds), 100_000)
