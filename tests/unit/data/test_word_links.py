"""Translations are found by counting words in sentence pairs."""

from collections.abc import Sequence

import numpy as np

from tests.builders import VERBS, article_pairs
from translator.corpora.pairs import SentencePairs
from translator.data.word_links import WordLinks, translations_of_words

ARTICLE_PAIRS = SentencePairs.from_pairs(article_pairs())


def translations_in(pairs: Sequence[tuple[str, str]]) -> dict[str, dict[str, int]]:
    return translations_of_words(WordLinks.of(SentencePairs.from_pairs(pairs)))


def test_translations_are_the_words_that_are_often_in_the_same_pairs():
    translations = translations_in(article_pairs())
    best = {word: max(its, key=its.get) for word, its in translations.items()}
    assert {verb: best[verb] for verb in VERBS} == VERBS
    assert {"der", "hund"} <= translations["dog"].keys()
    assert all(0 < share <= 100 for its in translations.values() for share in its.values())
    assert "katze" not in translations["dog"]


def test_words_that_are_together_once_are_no_translations():
    once = [*article_pairs(), ("an igloo", "ein Iglu")]
    assert "igloo" not in translations_in(once)
    assert "iglu" in translations_in([*once, ("an igloo", "ein Iglu")])["igloo"]


def test_no_words_have_no_translations():
    assert translations_in([]) == {}


def test_words_are_linked_in_parts_as_all_at_once(monkeypatch):
    whole = WordLinks.of(ARTICLE_PAIRS)
    monkeypatch.setattr("translator.data.word_links.PART", 3)
    monkeypatch.setattr("translator.data.word_links.SORTED", 200)
    parts = WordLinks.of(ARTICLE_PAIRS)
    for name in ("keys", "places", "forward", "backward"):
        assert np.array_equal(getattr(whole, name), getattr(parts, name))
