"""What benchmarks of translations decide: loops, whole spans, fragments, noise."""

from collections import Counter

import pytest

from translator.corpora.demo import load_demo_corpus

SHARE = 0.2


@pytest.mark.parametrize(
    ("source", "text", "repeats"),
    [
        ("train", "Zug-Zug-Zug", True),
        ("train", "Der Zug, der Zug der Zug", True),
        ("train train train", "Zug Zug Zug", False),
        ("train", "Der Zug der Zeit", False),
    ],
)
def test_text_three_times_in_a_row_is_a_loop(source, text, repeats):
    from typed_text import repeats_itself

    assert repeats_itself(source, text) is repeats


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("Die <b>Katze</b> kommt.", True),
        ("Die </b>Katze<b> kommt.", False),
        ("Die <b>Katze</b> kommt</b>.", False),
        ("Die <b>Katze kommt.", False),
    ],
)
def test_a_sentence_is_whole_with_all_that_was_put_in_once_and_in_order(text, whole):
    from spans import Case, is_whole

    assert is_whole(Case("tags", "The <b>cat</b> comes.", ("<b>", "</b>")), text) is whole


def test_fragments_are_words_and_parts_of_sentences():
    from typed_text import draw_fragments

    sentences = ["The old man sees the cat today.", "A dog barks at the tall woman again."]
    fragments = draw_fragments(sentences, 12)
    assert len(fragments) == len(set(fragments)) == 8
    assert sum(" " not in fragment for fragment in fragments) == 6
    assert all(fragment in " ".join(sentences) for fragment in fragments)


def test_noise_is_the_same_for_the_same_seed_and_each_kind_has_its_share():
    from inspection import add_noise

    pairs = [(pair.source, pair.target) for pair in load_demo_corpus().test[:600]]
    first, kinds = add_noise(pairs, SHARE, 3)
    assert (first, kinds) == add_noise(pairs, SHARE, 3)
    assert first != add_noise(pairs, SHARE, 4)[0]
    assert set(Counter(kinds).values()) == {480, 24}
    assert all((old == new) is (not kind) for old, new, kind in zip(pairs, first, kinds))
