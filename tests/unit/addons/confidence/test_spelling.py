"""Words that are one edit away from a known word."""

import time

from translator.addons.confidence.source_words import LONGEST, may_be_misspelt

KNOWN = {"the", "received", "package", "which", "dog"}
LETTERS = frozenset("".join(KNOWN))


def test_a_word_one_edit_away_may_be_misspelt():
    for words, may_be in (
        ("recieved teh", True),  # swapped letters
        ("recceived xpackage dogs packagex", True),  # a letter too many
        ("receved packag ackage", True),  # one too few
        ("raceived packagh", True),  # a wrong one
        ("e ht badger recieveds", False),  # two edits at least
        ("tha wich", False),  # short words are often that close to another word
    ):
        for word in words.split():
            assert may_be_misspelt(word, KNOWN, LETTERS) == may_be, word
    assert not may_be_misspelt("", KNOWN, LETTERS)


def test_very_long_words_are_not_looked_up():
    word = "ab" * LONGEST
    assert not may_be_misspelt(word + "a", {word}, {"a"})
    start = time.perf_counter()
    assert not may_be_misspelt("ab" * 500_000, {word}, {"a", "b"})
    assert time.perf_counter() - start < 1
