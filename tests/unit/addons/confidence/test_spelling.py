"""Words that are one edit away from a known word."""

import time

from translator.addons.confidence.source_words import LONGEST, may_be_misspelt

KNOWN = {"the", "received", "package", "which", "dog"}
LETTERS = frozenset("".join(KNOWN))


def test_a_word_one_edit_away_may_be_misspelt():
    for word in [
        "recieved",  # swapped
        "teh",
        "recceived",  # a letter too many
        "xpackage",
        "dogs",
        "packagex",
        "receved",  # one too few
        "packag",
        "ackage",
        "raceived",  # a wrong one
        "packagh",
    ]:
        assert may_be_misspelt(word, KNOWN, LETTERS)


def test_other_words_are_not():
    for word in [
        "",
        "e",
        "ht",
        "badger",
        "recieveds",  # two edits
        "tha",  # short words are often that close to another word
        "wich",
    ]:
        assert not may_be_misspelt(word, KNOWN, LETTERS)


def test_very_long_words_are_not_looked_up():
    word = "ab" * LONGEST
    assert not may_be_misspelt(word + "a", {word}, {"a"})
    start = time.perf_counter()
    assert not may_be_misspelt("ab" * 500_000, {word}, {"a", "b"})
    assert time.perf_counter() - start < 1
