"""A lexicon is found by counting words in sentence pairs."""

import numpy as np

from tests.builders import VERBS, article_pairs
from translator.corpora import SentencePairs
from translator.data.word_links import WordLinks, make_lexicon

ARTICLE_PAIRS = SentencePairs.from_pairs(article_pairs())


def test_a_lexicon_has_the_words_that_are_often_in_the_same_pairs():
    lexicon = make_lexicon(WordLinks.of(ARTICLE_PAIRS))
    best = {word: max(its, key=its.get) for word, its in lexicon.translations.items()}
    assert {verb: best[verb] for verb in VERBS} == VERBS
    assert {"der", "hund"} <= lexicon.translations["dog"].keys()
    assert all(0 < share <= 1 for its in lexicon.translations.values() for share in its.values())
    assert "katze" not in lexicon.translations["dog"]


def test_a_lexicon_leaves_out_words_that_are_together_once():
    once = [*article_pairs(), ("an igloo", "ein Iglu")]
    assert "igloo" not in make_lexicon(WordLinks.of(SentencePairs.from_pairs(once))).translations
    twice = [*once, ("an igloo", "ein Iglu")]
    lexicon = make_lexicon(WordLinks.of(SentencePairs.from_pairs(twice)))
    assert "iglu" in lexicon.translations["igloo"]


def test_no_words_make_an_empty_lexicon():
    assert make_lexicon(WordLinks.of(SentencePairs((), ()))).translations == {}


def test_words_are_linked_in_parts_as_all_at_once(monkeypatch):
    whole = WordLinks.of(ARTICLE_PAIRS)
    monkeypatch.setattr("translator.data.word_links.PART", 3)
    monkeypatch.setattr("translator.data.word_links.SORTED", 200)
    parts = WordLinks.of(ARTICLE_PAIRS)
    for name in ("keys", "places", "forward", "backward"):
        assert np.array_equal(getattr(whole, name), getattr(parts, name))
