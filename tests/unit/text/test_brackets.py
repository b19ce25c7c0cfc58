"""Clauses in brackets are shown between commas; words that a sentence needs stay in it."""

import pytest

from translator.text.spans.brackets import COMMA, END, with_brackets_alone
from translator.text.spans.formats import ASIDE
from translator.text.spans.inline import plain_words, take_out_marks


def read(text: str, language: str = "en"):
    return take_out_marks(text, is_spelt=lambda sign: True, language=language)


@pytest.mark.parametrize(("language", "text", "shown"), [
    ("en", "Tom (who is old) sleeps.", "Tom, who is old, sleeps."),
    ("en", "The file (which is called a.txt), too", "The file, which is called a.txt, too"),
    ("en", "Ann [whose car it is] and Tom (to whom she wrote).",
     "Ann, whose car it is, and Tom, to whom she wrote."),
    ("en", "It (if it rains) is wet (because it rains).",
     "It, if it rains, is wet because it rains."),
    ("en", "Tom, (who is old), sleeps.", "Tom, who is old, sleeps."),
    ("de", "Ein Mantel (weil es kalt ist).", "Ein Mantel, weil es kalt ist."),
    ("de", "Die Frau (mit denen <b>ich</b> rede) ist da.", "Die Frau, mit denen ich rede, ist da."),
])  # fmt: skip
def test_a_clause_that_cannot_stand_alone_is_shown_between_commas(language, text, shown):
    inline = read(text, language)
    assert inline.plain == shown
    assert inline.joined() == text


@pytest.mark.parametrize(("language", "text"), [
    ("en", "It was late (as usual)."),
    ("en", "Tom (who knows?) sleeps."),
    ("en", "Tom (Who is old) sleeps."),
    ("en", "Tom (he is old) sleeps."),
    ("de", "Berlin (die Hauptstadt) ist groß."),
    ("fr", "Tom (qui est vieux) dort."),
])  # fmt: skip
def test_other_words_in_brackets_are_an_aside(language, text):
    [aside] = read(text, language).marks
    assert aside.name == ASIDE


def test_what_begins_a_text_or_is_glued_to_a_word_is_no_clause():
    assert [mark.name for mark in read("(who is old) sleeps").marks] == [ASIDE]
    assert read("Call f(if x is 1) now.").marks == ()


@pytest.mark.parametrize(("language", "text", "shown"), [
    ("en", "I live in (Berlin).", "I live in Berlin."),
    ("en", "He (Tom) sleeps.", "He sleeps."),
    ("de", "Das ist eine (Lüge).", "Das ist eine Lüge."),
    ("de", "Mein Freund (Tom) schläft.", "Mein Freund schläft."),
])  # fmt: skip
def test_a_name_in_brackets_stays_where_the_word_before_needs_one(language, text, shown):
    assert read(text, language).plain == shown


@pytest.mark.parametrize(("language", "given", "written"), [
    ("de", "Tom, <(der alt ist)>, schläft.", "Tom (der alt ist) schläft."),
    ("de", "Der Ort, in <(dem ich war)> oft, ist da.", "Der Ort (in dem ich war oft) ist da."),
    ("de", "Drück, während du <(Shift)| hältst.", "Drück (während du Shift hältst)."),
    ("de", "Tom, mein Freund, <(der alt ist)>, und ich", "Tom, mein Freund (der alt ist) und ich"),
    ("de", "Er sah, was er sah und mochte <(was er sah)|.",
     "Er sah, was er sah und mochte (was er sah)."),
    ("de", "Er kam <(weil es regnete)|, nicht ich", "Er kam (weil es regnete), nicht ich"),
    ("en", "In Rome, the man <(I know)>, sleeps.", "In Rome, the man (I know) sleeps."),
    ("en", "The man, <(who is old)> sleeps.", "The man (who is old) sleeps."),
])  # fmt: skip
def test_the_brackets_take_the_places_of_the_commas(language, given, written):
    marks = str.maketrans({"<": COMMA, ">": COMMA, "|": END})
    assert with_brackets_alone(given.translate(marks), language) == written


def test_a_text_without_marks_keeps_the_words_of_its_clauses():
    marks = read("Tom (who is 25) knows Ann (not me).").marks
    assert (
        plain_words("Tom (der 25 ist) kennt Ann (not me).", marks) == "Tom der 25 ist kennt Ann ."
    )
    assert plain_words("Tom kennt Ann (mich nicht).", read("Tom knows Ann (not me).").marks) == (
        "Tom kennt Ann."
    )
