"""The models that come with the program: their size, their languages, and what they say first."""

from pathlib import Path

import pytest

import translator
from translator.addons.attention.picture_content import hide_ends, merge_words
from translator.runs.choosing import shipped_models
from translator.text.alignment_heads import pointing_heads

FIRST_SENTENCES = {
    "en-de": {
        "Good morning.": "Guten Morgen.",
        "Where is the nearest hospital?": "Wo ist das nächste Krankenhaus?",
        "WHERE IS THE NEAREST HOSPITAL?": "WO IST DAS NÄCHSTE KRANKENHAUS?",
        "if it rains tomorrow, we will stay at home": (
            "Wenn es morgen regnet, bleiben wir zu Hause"
        ),
        "Keanu was born in 1964.": "Keanu wurde 1964 geboren.",
        "Read <b>the book</b> on https://example.org/a?b=1.": (
            "Lies <b>das Buch</b> auf https://example.org/a?b=1."
        ),
        "My brother (who lives in Berlin) is coming tomorrow.": (
            "Mein Bruder, der in Berlin lebt, kommt morgen."
        ),
    },
    "de-en": {
        "Guten Morgen.": "Good morning.",
        "Wo ist das nächste Krankenhaus?": "Where's the nearest hospital?",
        "WO IST DAS NÄCHSTE KRANKENHAUS?": "WHERE'S THE NEAREST HOSPITAL?",
        "wenn es morgen regnet, bleiben wir zu hause": "If it rains tomorrow, we'll stay at home",
        "Keanu wohnt seit 2013 in Boston.": "Keanu has been living in Boston since 2013.",
        "Lies <b>das Buch</b> auf https://example.org/a?b=1.": (
            "Read <b>the book</b> in https://example.org/a?b=1."
        ),
        "Mein Bruder (der in Berlin lebt) kommt morgen.": (
            "My brother (he lives in Berlin) will come tomorrow."
        ),
    },
}
ALIGNED = {  # a sentence, and the word that each of some words looks at most
    "en-de": (
        "The old woman bought three red apples.",
        {"alte": "old", "Frau": "woman", "drei": "three", "rote": "red", "Äpfel": "apples"},
    ),
    "de-en": (
        "Die alte Frau kaufte drei rote Äpfel.",
        {"old": "alte", "woman": "Frau", "three": "drei", "red": "rote", "apples": "Äpfel"},
    ),
}


@pytest.fixture(scope="module", params=shipped_models().items(), ids=shipped_models())
def shipped(request) -> tuple[str, Path]:
    """The name of a model, and its folder."""
    return request.param


def test_all_models_together_are_small():
    files = [path for folder in shipped_models().values() for path in folder.rglob("*")]
    assert 0 < sum(path.stat().st_size for path in files) <= 40e6


def test_each_model_has_first_sentences():
    assert shipped_models().keys() == FIRST_SENTENCES.keys() == ALIGNED.keys()


def test_a_folder_is_named_after_the_languages_of_its_model(shipped):
    name, folder = shipped
    assert "-".join(translator.load(folder).config.corpus.languages) == name


@pytest.mark.parametrize("engine", ["ctranslate2", "keras"])
def test_the_first_sentences_of_a_newcomer(shipped, engine):
    name, folder = shipped
    expected = FIRST_SENTENCES[name]
    if engine == "keras":  # which takes seconds to compile for each length
        expected = dict(list(expected.items())[:1])
    found = translator.load(folder, engine).translate(expected)
    assert {each.source: each.text for each in found} == expected


def test_the_heads_find_the_words_that_belong_together(shipped):
    name, folder = shipped
    sentence, partners = ALIGNED[name]
    model = translator.load(folder)
    [record] = model.attention(model.translate([sentence]))
    sizes = model.config.model
    assert record.cross.shape[:2] == (sizes.num_layers, sizes.num_heads)
    heads = pointing_heads(model.run.read_record().alignment, model.config.model)
    maps = merge_words(hide_ends(record.maps("cross")))
    strongest = maps.scores[heads.layer, list(heads.heads)].mean(axis=0).argmax(axis=1)
    found = {word: maps.keys[key] for word, key in zip(maps.queries, strongest)}
    assert {word: found[word] for word in partners} == partners


def test_a_long_sentence_that_repeats_a_word_is_translated_in_parts():
    [translation] = translator.load("en-de").translate(["dog " * 150])
    assert "hund" in translation.text.lower()


@pytest.mark.parametrize("initials", ["(WHO)", "(IT)", "(NATO)"])
def test_initials_in_brackets_stay_though_they_may_be_words(initials):
    [found] = translator.load("en-de").translate([f"He works for a big company {initials} here."])
    assert initials in found.text
