"""Word alignments: how they are read from attention, and their error rate."""

import numpy as np
import pytest

from translator.addons.attention.alignments import (
    AlignmentCounter,
    LinkCounter,
    WordAttention,
    most_attended,
    word_attention,
)
from translator.translation.records import AttentionRecord


def error_rate_of(sources, gold) -> float:
    """The alignment error rate of one pair, by the source word of each target word."""
    counter = LinkCounter()
    counter.add(sources, frozenset(gold))
    return counter.rate()


def diagonal(count: int) -> frozenset[tuple[int, int]]:
    return frozenset((i, i) for i in range(count))


def test_error_rate_by_hand():
    gold = {(0, 0), (1, 1), (2, 1)}
    # 2 of 3 links are right: 1 - 2 * 2 / (3 + 3)
    assert error_rate_of([0, 1, 3], gold) == pytest.approx(1 / 3)
    assert error_rate_of([0, 1, 2], diagonal(3)) == 0
    assert error_rate_of([5], gold) == 1
    assert error_rate_of([-1, -1], gold) == 1  # no links at all
    assert error_rate_of([-1], []) == 0
    counter = LinkCounter()
    counter.add([0, 1], diagonal(2))
    counter.add([-1], diagonal(1))
    assert counter.sentences == 2
    assert counter.rate() == pytest.approx(1 - 4 / (2 + 3))  # of the links of both together
    scores = np.array([[0.1, 0.5, 0.4], [0.0, 0.0, 0.0], [0.2, 0.2, 0.6]])
    assert most_attended(scores).tolist() == [1, -1, 2]


TARGET_WORDS = ("schönes", "haus", ".")


def record(places: list[int]) -> AttentionRecord:
    """One head whose steps look at the given source pieces.

    Its steps write ▁schö, nes, ▁haus, . and end.
    """
    source = ("<s>", "▁nice", "▁hou", "se.", "</s>")
    target = ("<s>", "▁schö", "nes", "▁haus", ".", "</s>")
    cross, even = 0.9 * np.eye(5)[places] + 0.1 / 5, np.ones((1, 1, 5, 5)) / 5
    texts = "nice house.", "schönes haus."
    return AttentionRecord(*texts, source, target, even, even, cross[None, None])


def sources_of(scores: np.ndarray) -> list[int]:
    return most_attended(scores[0, 0]).tolist()


def test_a_word_is_written_by_its_steps_and_read_one_step_later():
    """The steps that write "haus" attend to start most, and yet it is aligned with a word."""
    made = record([1, 2, 0, 3, 4])
    made.cross[0, 0, 2] = [0.8, 0.05, 0.1, 0.05, 0.0]
    words = word_attention(made, ("nice", "house."), TARGET_WORDS)
    # of "nice" one of two steps is sure; into "house." the scores of its pieces are summed
    assert np.allclose(words.written[0, 0, 0], [(0.92 + 0.02) / 2, (0.04 + 0.94) / 2])
    assert np.allclose(words.written[0, 0, 1], [0.05, 0.15])
    assert sources_of(words.written) == [1, 1, 1]
    # the steps that write ▁schö nes ▁haus . end look at the word written before them
    words = word_attention(record([4, 1, 1, 2, 3]), ("nice", "house."), TARGET_WORDS)
    assert sources_of(words.read) == [0, 1, 1]
    assert sources_of(words.written)[1] == 0
    made = record([1, 1, 2, 3, 4])
    assert word_attention(made, ("a", "nice", "house."), TARGET_WORDS) is None
    assert word_attention(made, (), TARGET_WORDS) is None
    words = word_attention(made, ("nice", "house", "."), TARGET_WORDS)
    assert sources_of(words.written) == [0, 1, 1]  # "se." is in house
    one = made._replace(target_tokens=("<s>", "▁sc", "h", "önes", "▁haus.", "</s>"))
    words = word_attention(one, ("nice", "house."), TARGET_WORDS)
    assert sources_of(words.written) == [0, 1, -1]


def pointing(*places: tuple[int, ...]) -> np.ndarray:
    """(2, 2, target words, source words) of two layers' heads that look at one word each."""
    return np.eye(3)[list(places)].reshape(2, 2, len(places[0]), 3)


def test_the_rates_of_all_heads_are_counted_and_the_best_is_named():
    random = np.random.default_rng(1)
    words = WordAttention(*random.dirichlet(np.ones(4), size=(2, 2, 3, 5)))
    counter, gold = AlignmentCounter(), diagonal(4)
    assert counter.result() is None
    for _ in range(2):
        counter.add(words, gold)
    found = counter.result()
    assert found.sentences == 2
    for reading in ("written", "read"):
        scores = getattr(words, reading)
        for layer, head in np.ndindex(2, 3):
            rate = error_rate_of(most_attended(scores[layer, head]), gold)
            assert found.heads[reading][layer, head] == rate
    best = found.best_head()
    assert found.heads[best.reading][best.layer - 1, best.head - 1] == best.aer
    assert best.aer == min(rates.min() for rates in found.heads.values())
    counter = AlignmentCounter()
    words = pointing((0, 0, 0), (0, 1, 2), (0, 0, 0), (0, 0, 0))
    counter.add(WordAttention(words * 0, words), diagonal(3))
    found = counter.result().to_json()
    assert found["best_head"] == {"layer": 1, "head": 2, "reading": "read", "aer": 0.0}
    assert found["heads"]["written"] == [[1.0, 1.0], [1.0, 1.0]]  # looks nowhere, links nothing
