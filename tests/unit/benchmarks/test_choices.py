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
        ("train", "ein Zug mit vielen alten Wagen und einer Lok, " * 3, True),
        ("train train train", "Zug Zug Zug", False),
        ("train", "Der Zug der Zeit", False),
    ],
)
def test_text_three_times_in_a_row_is_a_loop(source, text, repeats):
    from text_rules import has_no_loop

    assert has_no_loop(source, text) is not repeats


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
    from text_rules import is_whole

    assert is_whole(["<b>", "</b>"], text) is whole


def test_numbers_and_names_are_right_as_often_as_the_source_has_them():
    from text_rules import has_names, has_numbers

    assert has_numbers(Counter(["1.250", "7:30"]), "Um 7:30 Uhr waren es 1.250.")
    assert not has_numbers(Counter(["1.250"]), "Es waren 1,250.")
    assert not has_numbers(Counter(["3"]), "3 und 3")
    assert has_numbers(Counter(["19:30", "0:05"]), "At 7:30 pm or 12:05 a.m.")
    assert not has_numbers(Counter(["19:30"]), "At 7:30 am.")
    unseen = ["Keanu", "Xaver"]
    assert has_names("Mr. Keanu met Xaver.", "Herr Keanu", unseen, "Herr Keanu traf Xaver.")
    for wrong in ("Keanu traf Xaver.", "Herr Keanu traf Tom.", "Herr Keanu Xaver, Xaver."):
        assert not has_names("Mr. Keanu met Xaver.", "Herr Keanu", unseen, wrong)


def test_fragments_are_words_and_parts_of_sentences():
    from text_rules import fragment_cases

    sentences = ["The old man sees the cat today.", "A dog barks at the tall woman again."]
    cases = list(fragment_cases(sentences, 12))
    assert len(cases) == len({case.source for case in cases}) == 8
    assert Counter(case.kind for case in cases) == {"words": 6, "fragments": 2}
    assert all(case.source in " ".join(sentences) for case in cases)


def test_noise_is_the_same_for_the_same_seed_and_each_kind_has_its_share():
    from inspection import add_noise

    pairs = [(pair.source, pair.target) for pair in load_demo_corpus().test[:600]]
    first, kinds = add_noise(pairs, SHARE, 3)
    assert (first, kinds) == add_noise(pairs, SHARE, 3)
    assert first != add_noise(pairs, SHARE, 4)[0]
    assert set(Counter(kinds).values()) == {480, 15}
    assert all((old == new) is (not kind) for old, new, kind in zip(pairs, first, kinds))


def test_marks_count_once_and_whole():
    from same_words import Case, is_there, without_mark, words_of

    word = Case("", "", (), "**", "**")
    for text, there in [
        ("Die **rote** Katze", True), ("**Die rote** Katze", True), ("Die ** Katze", False),
        ("Die **rote Katze", False), ("**a** **b**", False),
    ]:  # fmt: skip
        assert is_there(word, text) is there
    line = Case("", "", (), "1) ", is_line=True)
    assert is_there(line, "1) Die Katze.")
    assert not is_there(line, "Die 1) Katze.")
    assert words_of(without_mark(line, "1) Die Katze.")) == ["Die", "Katze"]
    aside = Case("", "", (), "(", ")", is_aside=True)
    assert words_of(without_mark(aside, "Die Katze (wie immer) kommt.")) == [
        "Die",
        "Katze",
        "kommt",
    ]


def test_characters_are_exchanged_and_every_place_is_marked():
    from same_words import CHARACTERS, cases

    assert CHARACTERS["ligatures"]("offen, fliegt", 0) == "oﬀen, ﬂiegt"
    assert CHARACTERS["apostrophes"]("it's", 1) == "it‘s"
    sources = [case.source for case in cases(["Aa bb cc."] * 3, ["en", "de"], 3)][:3]
    assert sources[:2] == ["(Aa) bb cc.", "Aa bb (cc)."]
