"""Sentence pairs in temporary files."""

import numpy as np
import pytest

from translator.corpora import pairs
from translator.corpora.cleaning import digests_of, first_occurrences
from translator.corpora.pairs import PairBlock, SentencePairs, in_chunks

LINES = [
    (f"sentence {i} " + "ü" * (i % 40), "" if i % 9 == 0 else f"Satz\n{i}") for i in range(999)
]


@pytest.fixture(params=["in memory", "in a file"])
def stored(request, own_home, monkeypatch) -> SentencePairs:
    """`LINES`, read in small blocks."""
    monkeypatch.setattr(pairs, "BLOCK", 100)
    monkeypatch.setattr(pairs, "CHUNK", 10)
    if request.param == "in a file":
        monkeypatch.setattr(pairs, "IN_MEMORY", 50)
    return SentencePairs.from_pairs(iter(LINES))


def test_sentences_come_back_each_time(stored):
    assert len(stored) == len(stored.targets) == 999
    assert list(zip(*stored)) == LINES
    assert list(zip(stored.sources, stored.sources)) == [(line[0], line[0]) for line in LINES]
    assert "Satz\n1" in stored.targets
    assert "Satz" not in stored.targets


def test_equal_sentences_make_equal_pairs(stored):
    sides = tuple(zip(*LINES))
    assert stored == sides
    assert sides == stored
    assert stored == SentencePairs.from_pairs(LINES)
    assert stored != SentencePairs.from_pairs(LINES[:-1])
    assert stored != SentencePairs.from_pairs([*LINES[:-1], ("a", "b")])


def test_pairs_are_selected_in_their_order(stored):
    chosen = np.arange(999) % 7 == 3
    assert list(zip(*stored.select(chosen))) == LINES[3::7]
    assert len(stored.select(chosen & False)) == 0
    assert stored.select(chosen | True) is stored


def test_the_file_has_no_name(stored, own_home):
    assert not [path for path in own_home.rglob("*") if path.is_file()]


def test_a_cache_that_cannot_be_made_does_not_matter(tmp_path, monkeypatch):
    (tmp_path / "file").touch()
    monkeypatch.setenv("TRANSLATOR_HOME", str(tmp_path / "file" / "home"))
    monkeypatch.setattr(pairs, "IN_MEMORY", 50)
    assert list(zip(*SentencePairs.from_pairs(LINES))) == LINES


def test_the_first_of_equal_pairs_is_known():
    lines = [(str(i * i % 83), str(i % 3)) for i in range(500)]
    first = first_occurrences(map(digests_of, map(PairBlock.of, in_chunks(lines))), 500)
    assert [line for line, is_first in zip(lines, first) if is_first] == list(dict.fromkeys(lines))
    assert 100 < first.sum() < 300
    assert first_occurrences([digests_of(PairBlock.of([("a", "bc"), ("ab", "c")]))], 2).all()
    assert len(first_occurrences([], 0)) == 0


def test_some_of_many_pairs_are_drawn_in_their_order():
    lines = [(str(i), str(-i)) for i in range(20_000)]
    whole = SentencePairs.from_pairs(lines)
    assert whole.sample(20_000) is whole
    drawn = list(zip(*whole.sample(2000)))
    assert 1800 < len(drawn) < 2200
    assert drawn == sorted(set(drawn), key=lambda pair: int(pair[0]))
    assert set(drawn) < set(lines)
    tenths = np.bincount([int(source) // 2000 for source, _ in drawn], minlength=10)
    assert tenths.min() > 140
    assert list(zip(*whole.sample(2000))) == drawn
