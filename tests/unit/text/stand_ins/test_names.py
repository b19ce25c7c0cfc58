"""Names are told from nouns by what is around them, and names with a title are carried over."""

import numpy as np
import pytest

from translator.corpora import SentencePairs
from translator.text.punctuation import plain_word
from translator.text.restoration import Restoration
from translator.text.stand_in_codec import learn_names
from translator.text.stand_ins.known_names import KnownNames
from translator.text.stand_ins.name_contexts import NameContexts, is_known_noun
from translator.text.stand_ins.restoring import restore_spans
from translator.text.stand_ins.showing import show_spans
from translator.text.stand_ins.titled_names import Titles, without_title
from translator.text.stand_ins.unseen_names import NameKind
from translator.text.stand_ins.writing import show_prefix

NAMES = ("Tom", "Anna", "Boston", "Daniel", "Helena")
NOUNS = {
    "Hund": "dog", "Stuhl": "chair", "Brief": "letter", "Baum": "tree", "Wagen": "car",
    "Zug": "train",
}  # fmt: skip
PATTERNS = (
    ("Ich kenne {name}.", "I know {name}."),
    ("{name} kommt heute.", "{name} comes today."),
    ("Wir fahren nach {name} und bleiben.", "We go to {name} and stay."),
    ("Er sieht den {noun}.", "He sees the {english}."),
    ("Ein {noun} ist da, sagt {name}.", "A {english} is here, says {name}."),
    ("{noun} und {noun} nach {noun}", "{english} and {english} after {english}"),
)
PAIRS = [
    tuple(side.format(name=NAMES[i % len(NAMES)], noun=noun, english=english) for side in pattern)
    for i, (noun, english) in enumerate(NOUNS.items())
    for pattern in PATTERNS
]
SOURCES, TARGETS = zip(*PAIRS)
CONTEXTS = NameContexts.learn(SOURCES, TARGETS)
WORDS = frozenset(plain_word(word) for source in SOURCES for word in source.split())
GERMAN = NameKind(KnownNames(WORDS, "Tom", contexts=CONTEXTS), ("de", "fr"))


def test_a_new_name_is_told_from_a_new_noun():
    for sentence, shown in [
        ("Keanu kommt heute.", "Tom kommt heute."),
        ("Wir fahren nach Hvar und bleiben.", "Wir fahren nach Tom und bleiben."),
        ("Er sieht den Xylo.", "Er sieht den Xylo."),
        ("Ein Xylo ist da, sagt Keanu.", "Ein Xylo ist da, sagt Tom."),
        ("Ich kenne Briefhund.", "Ich kenne Briefhund."),
        ("Er sieht Keanus Wagen.", "Er sieht Toms Wagen."),
        ("Ich kenne Keanu Reeves.", "Ich kenne Tom."),
        ("Heute sieht Keanu Hund und Zug.", "Heute sieht Tom Hund und Zug."),
    ]:
        assert show_spans(sentence, [GERMAN]).text == shown


def test_contexts_of_the_source_language_tell_nothing_about_a_prefix():
    assert show_spans("Er sieht den Keanu", [GERMAN]).text == "Er sieht den Keanu"
    prefix = show_prefix("Er sieht den Keanu", ["Ich kenne Keanu."], [GERMAN])
    assert [word.text for word in prefix] == ["Er", "sieht", "den", "Tom"]


def test_a_context_counts_by_its_different_words():
    often = [("Das heißt Tom.", "That is called Tom.")] * 50
    contexts = NameContexts.learn(*zip(*PAIRS, *often))
    assert contexts.before["heißt"] < contexts.before["kenne"] + 1
    assert "sieht" not in contexts.before  # no word with a capital follows it
    assert "." not in contexts.before  # it ends sentences, and is not before their first words
    assert NameContexts.learn([], []) == NameContexts({}, {}, {}, {})
    assert NameContexts.learn(["Er sieht den Hund."] * 9, ["He sees the dog."] * 9).before == {}


def test_compounds_and_forms_of_known_words_are_nouns():
    words = ("hunde", "hundebaum", "zugs", "zugx", "anhund")
    known = {"hund", "zug", "baum"}
    assert [is_known_noun(word, known) for word in words] == [True, True, True, False, False]


@pytest.mark.parametrize("language", ["de", "en"])
def test_contexts_are_learnt_where_nouns_have_capitals_and_kept_with_the_run(tmp_path, language):
    names = learn_names(SentencePairs(SOURCES, TARGETS), language)
    Restoration(names=names).save(tmp_path / "restoration.json")
    learnt = KnownNames.from_json(Restoration.load(tmp_path / "restoration.json").names)
    assert learnt.contexts == (CONTEXTS if language == "de" else None)
    assert {"hund", "kommt"} <= learnt.words


ENGLISH = KnownNames(
    frozenset(["i", "saw", "is", "here", "car", "smith", "mr", "miller", "said", "red", "das",
               "ist", "sein", "auto", "tom"]),
    "Tom",
    ("Boston", "London"),
)  # fmt: skip


def test_titles_are_told_from_common_nouns():
    for languages, text, names in [
        (("en", "de"), "Where is Mr. Smith?", ["Mr. Smith"]),
        (("en", "de"), "Mr. John Fitzgerald Kennedy Smith left.", ["Mr. John Fitzgerald Kennedy"]),
        (("en", "de"), "Mrs O'Brien's and Ms. Lee-Jones's dogs", ["Mrs O'Brien", "Ms. Lee-Jones"]),
        (("en", "de"), "Mr. and Mrs. Smith", ["Mr. and Mrs. Smith"]),
        (("en", "de"), "Mr. Dr. J. Smith met Miss Jones", ["Mr. Dr. J. Smith", "Miss Jones"]),
        (("en", "de"), "Mr. President, I miss Boston, not a Mr. but mr. Smith or XMr. Smith", []),
        (("de", "en"), "Ich gab Herrn Peter Zander Geld.", ["Herrn Peter Zander"]),
        (("de", "en"), "Herr Hans Zander ruft Frau Dr. Weber an",
         ["Herr Hans Zander", "Frau Dr. Weber"]),
        (("de", "en"), "Das ist Frau Müllers Zaun und Herrn Müllers Hund",
         ["Frau Müller", "Herrn Müller"]),
        (("de", "en"), "Meine Frau Anna kennt die Frau Maria. Frau Professor!", []),
    ]:  # fmt: skip
        titles = Titles.of_languages(*languages)
        found = titles.find(text, lambda words, place: words[place].startswith("Z"))
        assert [text[start:end] for start, end in found] == names
    assert Titles.of_languages("en", "fr") is None  # they are left to the model


def test_titles_are_translated_with_the_form_of_their_case():
    for languages, text, target, translation in [
        (("en", "de"), "Mr. Smith is here", "Tom ist hier", "Herr Smith ist hier"),
        (("en", "de"), "I saw Mr. Smith", "Ich sah Tom", "Ich sah Herrn Smith"),
        (("en", "de"), "I saw Mrs. Smith", "Ich sah Tom", "Ich sah Frau Smith"),
        (("en", "de"), "Mr. Smith's car is red", "Toms Auto ist rot", "Herrn Smiths Auto ist rot"),
        (("en", "de"), "Red, Mr. Krzxs said", "Rot, sagte Tom", "Rot, sagte Herr Krzxs"),
        (("en", "de"), "Is Mr. and Mrs. Smith here", "Ist Tom hier",
         "Ist Herr und Frau Smith hier"),
        (("en", "de"), "Krxzy saw Mr. Smith", "Tom sah Boston", "Krxzy sah Herrn Smith"),
        (("de", "en"), "Das ist Herrn Smith sein Auto", "Tom's car", "Mr. Smith's car"),
    ]:  # fmt: skip
        kind = NameKind(ENGLISH, languages)
        words = show_spans(text, [kind]).words
        restored = restore_spans([kind], target.split(), words, np.zeros((9, len(words))))
        assert " ".join(restored.words) == translation


def test_a_usual_name_with_a_title_is_exchanged_with_it():
    kind = NameKind(ENGLISH, ("en", "de"), exchanges_usual=True)
    shown = show_spans("Mr. Tom saw Tom", [kind])
    assert shown.text == "London saw Boston"
    assert [word.given for word in shown.words] == ["Mr. Tom", "saw", "Tom"]


def test_a_name_without_its_title():
    names = ["Mr. John Smith", "Mr. and Mrs. Smith", "Herrn Smith", "Dr. Smith", "Frau"]
    assert list(map(without_title, names)) == ["John Smith", "Smith", "Smith", "Dr. Smith", "Frau"]
