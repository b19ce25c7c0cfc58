"""The demo corpus as it comes with the program: its identity, its split and its tokens."""

import lzma

from translator.base.cache import key_of, sha256
from translator.corpora.demo import PAIRS, load_demo_corpus, read_identity, split_tokens


def test_pairs_are_those_of_the_recorded_identity():
    """If the pairs change, so must ``identity.json``, and both of these."""
    text_hash = "eaca779596cc40dc4dac718c1c7fff62b29602c4c4db973696170afc23d95ec9"
    assert sha256(lzma.decompress(PAIRS.read_bytes())) == text_hash
    assert key_of(read_identity()) == "7ecfb3b02e5404cdd0f113c9feae6637"


def test_splits_have_the_promised_sizes():
    assert [len(pairs) for pairs in load_demo_corpus()] == [30_000, 500, 1_600]


def test_split_tokens_keeps_numbers_and_abbreviations_whole():
    assert split_tokens("Mr. Bay left at 7:30.") == ("Mr.", "Bay", "left", "at", "7:30", ".")
    assert split_tokens("It is ten o'clock, is it?") == (
        "It", "is", "ten", "o'clock", ",", "is", "it", "?",
    )  # fmt: skip
    assert split_tokens("Am 3. Mai kostete es 1.500,50 Euro.") == (
        "Am", "3.", "Mai", "kostete", "es", "1.500,50", "Euro", ".",
    )  # fmt: skip
