"""Names with a title are carried over, and their titles are translated."""

import numpy as np

from translator.text.spans.restoring import restore_spans
from translator.text.spans.showing import show_spans
from translator.text.spans.titled_names import Titles, without_title
from translator.text.spans.unseen_names import KnownNames, NameKind

WORDS = "i saw is here car smith mr miller with said red das ist sein auto tom"
ENGLISH = KnownNames(frozenset(WORDS.split()), "Tom", ("Boston", "London"))


def found_in(text: str, source: str = "en", target: str = "de") -> list[str]:
    """The names with a title in a text; unknown words that begin with Z are names."""

    def is_name(words, place):
        return words[place].startswith("Z")

    titles = Titles.of_languages(source, target)
    return [text[each.start : each.end] for each in titles.find(text, is_name)]


def test_english_titles():
    for text, names in [
        ("Where is Mr. Smith?", ["Mr. Smith"]),
        ("Mr. John Fitzgerald Kennedy Smith left.", ["Mr. John Fitzgerald Kennedy"]),
        ("Mrs O'Brien's and Ms. Lee-Jones's dogs", ["Mrs O'Brien", "Ms. Lee-Jones"]),
        ("Mr. and Mrs. Smith", ["Mr. and Mrs. Smith"]),
        ("Mr. Dr. J. Smith met Miss Jones", ["Mr. Dr. J. Smith", "Miss Jones"]),
        ("Mr. President, I miss Boston, not a Mr. but mr. Smith", []),
        ("XMr. Smith and Dr. Smith", []),
    ]:
        assert found_in(text) == names


def test_german_titles():
    for text, names in [
        ("Wo ist Herr Müller?", ["Herr Müller"]),
        ("Ich gab Herrn Müller Geld.", ["Herrn Müller"]),
        ("Ich gab Herrn Peter Zander Geld.", ["Herrn Peter Zander"]),
        ("Herr Hans Zander ruft Frau Dr. Weber an", ["Herr Hans Zander", "Frau Dr. Weber"]),
        ("Das ist Frau Müllers Zaun und Herrn Müllers Hund", ["Frau Müller", "Herrn Müller"]),
        ("Meine Frau Anna kennt die Frau Maria", []),
        ("Herr Ober! Frau Professor!", []),
    ]:
        assert found_in(text, "de", "en") == names


def test_titles_of_other_languages_are_left_to_the_model():
    assert Titles.of_languages("en", "fr") is None
    assert NameKind(ENGLISH, ("en", "fr")).titles is None


def test_titles_are_translated_with_the_form_of_their_case():
    for text, target, translation in [
        ("Mr. Smith is here", "Tom ist hier", "Herr Smith ist hier"),
        ("I saw Mr. Smith", "Ich sah Tom", "Ich sah Herrn Smith"),
        ("I saw Mrs. Smith", "Ich sah Tom", "Ich sah Frau Smith"),
        ("Mr. Smith's car is red", "Toms Auto ist rot", "Herrn Smiths Auto ist rot"),
        ("Red, Mr. Krzxs said", "Rot, sagte Tom", "Rot, sagte Herr Krzxs"),
        ("Is Mr. and Mrs. Smith here", "Ist Tom hier", "Ist Herr und Frau Smith hier"),
        ("Krxzy saw Mr. Smith", "Tom sah Boston", "Krxzy sah Herrn Smith"),
    ]:
        kind = NameKind(ENGLISH, ("en", "de"))
        words = show_spans(text, [kind]).words
        restored = restore_spans([kind], target.split(), words, np.zeros((9, len(words))))
        assert " ".join(restored.words) == translation


def test_a_usual_name_with_a_title_is_exchanged_with_it():
    kind = NameKind(ENGLISH, ("en", "de"), exchanges_usual=True)
    shown = show_spans("Mr. Tom saw Tom", [kind])
    assert shown.text == "London saw Boston"
    assert [word.given for word in shown.words] == ["Mr. Tom", "saw", "Tom"]


def test_german_titles_are_translated():
    kind = NameKind(ENGLISH, ("de", "en"))
    words = show_spans("Das ist Herrn Smith sein Auto", [kind]).words
    restored = restore_spans([kind], ["Tom's", "car"], words, np.zeros((2, len(words))))
    assert restored.words == ["Mr. Smith's", "car"]


def test_a_name_without_its_title():
    assert without_title("Mr. John Smith") == "John Smith"
    assert without_title("Mr. and Mrs. Smith") == without_title("Herrn Smith") == "Smith"
    assert without_title("Dr. Smith") == "Dr. Smith"
    assert without_title("Frau") == "Frau"
