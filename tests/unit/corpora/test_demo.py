"""The demo corpus as it comes with the program: its split, its tokens and its alignments."""

import lzma
from collections import Counter

import pytest

from translator.base.cache import key_of, sha256
from translator.corpora.demo import (
    iterate_demo_pairs,
    load_demo_corpus,
    read_identity,
    split_tokens,
)
from translator.corpora.demo.pairs import PAIRS

REQUIRED = {
    "He admired her as a great director.": "Er bewunderte sie als großartige Regisseurin.",
    "I went to the shop to buy something to drink.": (
        "Ich ging in den Laden, um etwas zu trinken zu kaufen."
    ),
    "Anthony Hopkins admired Michael Bay as a great director.": (
        "Anthony Hopkins bewunderte Michael Bay als großartigen Regisseur."
    ),
}


@pytest.fixture(scope="module")
def corpus():
    return load_demo_corpus()


@pytest.fixture(scope="module")
def everything(corpus):
    return [*corpus.train, *corpus.validation, *corpus.test]


def test_pairs_are_those_of_the_recorded_identity():
    """If the pairs change, so must ``identity.json``, and both of these."""
    text_hash = "eaca779596cc40dc4dac718c1c7fff62b29602c4c4db973696170afc23d95ec9"
    assert sha256(lzma.decompress(PAIRS.read_bytes())) == text_hash
    assert key_of(read_identity()) == "7ecfb3b02e5404cdd0f113c9feae6637"


def test_splits_have_the_promised_sizes(corpus, everything):
    assert [len(pairs) for pairs in corpus] == [30_000, 500, 1_600]
    assert [pair for _, pair in iterate_demo_pairs()] == everything


def test_parts_of_the_split_share_no_sentence(corpus):
    for side in ("source", "target"):
        sentences = [{getattr(drawn, side).casefold() for drawn in part} for part in corpus]
        train, validation, test = sentences
        assert not train & validation
        assert not train & test
        assert not validation & test


def test_required_sentences_are_in_the_test_set(corpus):
    test = {drawn.source: drawn for drawn in corpus.test}
    for source, target in REQUIRED.items():
        assert test[source].target == target


def test_required_sentences_are_aligned(corpus):
    test = {drawn.source: drawn for drawn in corpus.test}
    links = {source: test[source].alignment for source in REQUIRED}
    admired, shop, names = links.values()
    assert admired == ((0, 0), (1, 1), (2, 2), (3, 3), (5, 4), (6, 5), (7, 6))
    assert set(shop) == {
        (0, 0), (1, 1), (2, 2), (3, 3), (4, 4), (5, 6), (5, 10), (6, 11), (7, 7), (8, 8), (9, 9),
        (10, 12),
    }  # fmt: skip
    assert names == (
        (0, 0), (1, 1), (2, 2), (3, 3), (4, 4), (5, 5), (7, 6), (8, 7), (9, 8),
    )  # fmt: skip


def test_held_out_sentences_contain_only_words_seen_in_training(corpus):
    for side in ("source_tokens", "target_tokens"):
        counts = Counter(word for drawn in corpus.train for word in getattr(drawn, side))
        rarest = min(
            counts[word]
            for drawn in (*corpus.validation, *corpus.test)
            for word in getattr(drawn, side)
        )
        assert rarest >= 10


def test_split_tokens_keeps_numbers_and_abbreviations_whole():
    assert split_tokens("Mr. Bay left at 7:30.") == ("Mr.", "Bay", "left", "at", "7:30", ".")
    assert split_tokens("It is ten o'clock, is it?") == (
        "It", "is", "ten", "o'clock", ",", "is", "it", "?",
    )  # fmt: skip
    assert split_tokens("Am 3. Mai kostete es 1.500,50 Euro.") == (
        "Am", "3.", "Mai", "kostete", "es", "1.500,50", "Euro", ".",
    )  # fmt: skip


def test_alignments_are_sorted_links_inside_the_sentences(everything):
    for drawn in everything:
        links = drawn.alignment
        assert list(links) == sorted(set(links))
        assert max(i for i, _ in links) < len(drawn.source_tokens)
        assert max(j for _, j in links) < len(drawn.target_tokens)
