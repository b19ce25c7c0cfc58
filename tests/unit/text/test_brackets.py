"""Clauses in brackets are shown between commas; words that a sentence needs stay in it."""

import re

from translator.text.spans.brackets import ADDED, END, GIVEN, with_brackets_at_commas
from translator.text.spans.formats import ASIDE
from translator.text.spans.inline import take_out_marks, words_without_marks


def read(text: str, language: str = "en"):
    return take_out_marks(text, is_spelt=lambda sign: True, language=language)


def test_a_clause_that_cannot_stand_alone_is_shown_between_commas():
    for language, text, shown in [
        ("en", "Tom (who is old) sleeps.", "Tom, who is old, sleeps."),
        ("en", "The file (which is called a.txt), too", "The file, which is called a.txt, too"),
        ("en", "Ann [whose car it is] and Tom (to whom she wrote).",
         "Ann, whose car it is, and Tom, to whom she wrote."),
        ("en", "It (if it rains) is wet (because it rains).",
         "It, if it rains, is wet because it rains."),
        ("en", "Tom, (who is old), sleeps.", "Tom, who is old, sleeps."),
        ("de", "Ein Mantel (weil es kalt ist).", "Ein Mantel, weil es kalt ist."),
        ("de", "Sie (mit denen <b>ich</b> rede) sind da.", "Sie, mit denen ich rede, sind da."),
    ]:  # fmt: skip
        inline = read(text, language)
        assert inline.plain == shown
        assert inline.joined() == text


def test_other_words_in_brackets_are_an_aside():
    for language, text in [
        ("en", "It was late (as usual)."),
        ("en", "Tom (who knows?) sleeps."),
        ("en", "Tom (Who is old) sleeps."),
        ("en", "Tom (he is old) sleeps."),
        ("de", "Berlin (die Hauptstadt) ist groß."),
        ("de", "Das Auto (die rote Farbe) gefällt mir."),
        ("en", 'The man (who said "no") left.'),
        ("fr", "Tom (qui est vieux) dort."),
    ]:  # fmt: skip
        [aside] = read(text, language).marks
        assert aside.name == ASIDE
    assert [mark.name for mark in read("(who is old) sleeps").marks] == [ASIDE]
    assert read("Call f(if x is 1) now.").marks == ()
    marks = read("The man (who is old) (who is ill) sleeps.").marks
    assert [mark.name for mark in marks] == [ASIDE, ASIDE]


def test_a_name_in_brackets_stays_where_the_word_before_needs_one():
    for language, text, shown in [
        ("en", "I live in (Berlin).", "I live in Berlin."),
        ("en", "He (Tom) sleeps.", "He sleeps."),
        ("de", "Das ist eine (Lüge).", "Das ist eine Lüge."),
        ("de", "Mein Freund (Tom) schläft.", "Mein Freund schläft."),
    ]:  # fmt: skip
        assert read(text, language).plain == shown


def test_the_brackets_take_the_places_of_the_commas():
    for language, given, written in [
        ("de", "Tom, <(der alt ist)>, schläft.", "Tom (der alt ist) schläft."),
        ("de", "Der Ort, in <(dem ich war)> oft, ist da.", "Der Ort (in dem ich war oft) ist da."),
        ("de", "Ruf mich <(an, wenn du da bist)|.", "Ruf mich an (wenn du da bist)."),
        ("de", "Drück, während du <(Shift)| hältst.", "Drück (während du Shift hältst)."),
        ("de", "Tom, der Hund, <(der alt ist)>, und ich", "Tom, der Hund (der alt ist) und ich"),
        ("de", "Er sah, was er sah und mochte <(was er sah)|.",
         "Er sah, was er sah und mochte (was er sah)."),
        ("de", "Er kam, <(weil es regnete)_, nicht ich", "Er kam (weil es regnete), nicht ich"),
        ("de", "Er kam, <(weil es goss, nicht)_ ich.", "Er kam (weil es goss), nicht ich."),
        ("en", "My brother, <(who is old, is)> coming.", "My brother (who is old) is coming."),
        ("en", "In Rome, the man <(I know)> sleeps.", "In Rome, the man (I know) sleeps."),
        ("en", "In Rome, the man <(I know)>, sleeps.", "In Rome, the man (I know) sleeps."),
        ("en", "The man, <(who is old)> sleeps, too.", "The man (who is old) sleeps, too."),
        ("de", "Tom, <b><(der alt ist)></b>, schläft.", "Tom <b>(der alt ist)</b> schläft."),
        ("en", "A, <(b)>, c, <(d, e)> f.", "A (b) c (d) e f."),
    ]:  # fmt: skip
        marks = str.maketrans({"<": ADDED, ">": ADDED, "_": GIVEN, "|": END})
        tags = re.split(r"(</?b>)", given)
        marked = "".join(part if part.endswith("b>") else part.translate(marks) for part in tags)
        assert with_brackets_at_commas(marked, language) == written


def test_a_text_without_marks_keeps_the_words_of_its_clauses():
    marks = read("Tom (who is 25) knows Ann (not me).").marks
    words = words_without_marks("Tom (der 25 ist) kennt Ann (not me).", marks)
    assert words == ["Tom", "der", "25", "ist", "kennt", "Ann", "."]
    marks = read("Tom knows Ann (not me).").marks
    assert words_without_marks("Tom kennt Ann (mich nicht).", marks) == ["Tom", "kennt", "Ann."]
