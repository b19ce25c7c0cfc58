"""What a run knows of its source language: words, letters, and lines in another language."""

import dataclasses
import itertools
import time

import pytest

from tests.builders import table_of
from translator.addons.confidence.source_words import (
    FOREIGN,
    LARGE,
    LOWEST,
    SEEN,
    UNSEEN,
    SourceWords,
)
from translator.text.word_table import WordTable

KNOWN = SourceWords(
    table_of(["the", "cat", "sees", "tom", "was", "hard", "working"]),
    {"was": 0.4, "die": -3.5, "katze": -3.5, "tag": -3.5, "tom": 0.0},
)

LARGE_WORDS = table_of([*KNOWN.words, *(f"{chr(0xAC00 + i)}q" for i in range(LARGE))])


def test_unseen_words_of_a_line():
    for line, unseen in [
        ("The cat sees Tom.", []),
        ("The CAT sees the badger!", ["badger"]),
        ("Hard-working cat's.", []),  # parts of a compound are enough
        ("The half-cat sees", ["half-cat"]),
        ("Xaver sees Ludmilla", ["Xaver"]),  # a capital inside a line marks a name
        ("THE BADGER SEES", ["BADGER"]),
        ("2013 1.5 - ... €", []),
        ("e.g. the U.S.", []),
        ("the\u200b cat\u00ad sees b\u200badgers\u200b", ["badgers"]),
        ("the *cat* _sees_ `the` [cat] **was** __hard__ #", []),
        ("«The cat» ¿sees ¡the cat… – — the» -cat' 'tom.'", []),
        ('the _badger_ [sees] "**badgers**"!', ["badger", "badgers"]),
        ("the…cat cat;the cat,the cat—the (cat),tom", []),
        ("the badger—the cat", ["badger"]),
        ("*e.g.* 'U.S.' the.badger <unk>badger,badger 3:30pm x=3", []),
        ("हिन्दी été", ["हिन्दी", "été"]),  # marks of letters
        ("", []),
    ]:
        assert KNOWN.unseen(line.split()) == unseen
    german = SourceWords(table_of(["die", "sieht"]), {}, capitalizes_nouns=True)
    assert german.unseen(["Die", "Katze", "sieht"]) == ["Katze"]
    assert KNOWN.unseen_share(["The", "badger", "sees", "3", "badgers."]) == 0.5
    assert KNOWN.unseen_share(["3", "."]) == 0.0


def test_log_odds_are_summed_over_the_words():
    few = len(KNOWN.words) / LARGE
    assert KNOWN.log_odds(["The", "cat", "was"]) == 2 * SEEN + 0.4
    assert KNOWN.log_odds(["Tag", "die"]) == -7.0
    assert KNOWN.log_odds(["the", "badger"]) == pytest.approx(SEEN + UNSEEN * few)
    assert KNOWN.log_odds(["the", "Xaver"]) == SEEN
    assert KNOWN.log_odds(["我不明白"]) == LOWEST
    assert KNOWN.log_odds(["Die", "cat,", "die!", "Cat"]) == SEEN - 3.5, "each counts once"


def test_single_letters_say_nothing_unless_they_are_of_another_alphabet():
    large = dataclasses.replace(KNOWN, words=LARGE_WORDS)
    assert large.log_odds(["m", "=", "n", "+", "q"]) == 0.0
    assert large.log_odds(["m", "我"]) == LOWEST


def test_a_line_of_another_language_is_foreign_and_a_short_one_is_not():
    for line in ("Die Katze.", "DIE KATZE", "guten Tag, die", "我不明白。"):
        assert KNOWN.is_foreign(line.split()), line
        assert KNOWN.log_odds(line.split()) < FOREIGN
    for line in ("Tom.", "Tag", "Hotel", "Katze.", "Die Cat", "", "3 : 4"):
        assert not KNOWN.is_foreign(line.split()), line


def test_a_long_line_in_capitals_takes_little_time():
    line = ["BADGER"] * 20_000
    start = time.perf_counter()
    assert len(KNOWN.unseen(line)) == 20_000
    KNOWN.log_odds(line)
    assert time.perf_counter() - start < 5


SYLLABLES = ("ka", "lo", "mi", "ten", "rus")
ENGLISH = [f"{a}{b}{c} the dog" for a, b, c in itertools.product(SYLLABLES, repeat=3)]
OTHER = [f"z{a}w{b}x der hund" for a, b in itertools.product(SYLLABLES, repeat=2)]


def test_words_are_learnt_from_both_sides_if_they_have_some():
    words = table_of(word for sentence in ENGLISH for word in sentence.split())
    known = SourceWords.learn(words, ENGLISH, OTHER)
    assert known.frequent["der"] < -3
    assert "the" not in known.frequent
    assert SourceWords.learn(WordTable(), ["1 2"], ["3"]) is None
