"""Misaligned lines by their scores, without a model."""

import math
import random

import numpy as np
import pytest

from translator.addons.inspection.findings import Stretch
from translator.addons.inspection.pair_scores import (
    BEGINS,
    ENDS,
    FEATURES,
    find_stretches,
    judge,
    misalignment,
    put_together_by_chance,
)


class WordScorer:
    """Takes the share of words that are missing for the log probability, times 3."""

    def features(self, pairs, name=None) -> np.ndarray:
        rows = np.full((len(pairs), FEATURES), math.nan)
        for row, (source, target) in zip(rows, pairs):
            if source and target:
                words = set(source.split()), set(target.split())
                row[:] = -3 * len(words[0] - words[1]) / len(words[0])
        return rows


def test_one_line_that_fits_badly_is_no_stretch_and_many_are():
    odds = np.full(100, 5.0)
    odds[20] = -50.0
    odds[50:60] = -2.0
    odds[55] = 3.0
    odds[57] = math.nan
    found = np.flatnonzero(misalignment(odds) > 0.5)
    assert found.tolist() == list(range(50, 60))


def test_misalignment_is_the_posterior_of_all_sequences_of_states():
    odds = [1.0, -2.0, -3.0, 0.5]
    total, apart = 0.0, np.zeros(4)
    start = {0: ENDS / (BEGINS + ENDS), 1: BEGINS / (BEGINS + ENDS)}
    step = {(0, 0): 1 - BEGINS, (0, 1): BEGINS, (1, 0): ENDS, (1, 1): 1 - ENDS}
    for number in range(16):
        states = [number >> i & 1 for i in range(4)]
        weight = start[states[0]] * math.prod(step[s] for s in zip(states, states[1:]))
        weight *= math.prod(math.exp(x) for x, state in zip(odds, states) if not state)
        total += weight
        apart += weight * np.array(states)
    np.testing.assert_allclose(misalignment(np.array(odds)), apart / total)


def test_pairs_and_chance_are_told_apart_though_some_pairs_are_wrong():
    draw = np.random.default_rng(0)
    good, chance = draw.normal(2, 1, (500, 2)), draw.normal(-2, 1, (300, 2))
    features = np.vstack([good, draw.normal(-2, 1, (60, 2)), [[math.nan, math.nan]]])
    scores = judge(features, chance)
    assert np.mean(scores[:500] > 0) > 0.98
    assert np.mean(scores[500:560] < 0) > 0.98
    assert math.isnan(scores[560])


def test_too_few_pairs_have_no_scores():
    assert judge(np.zeros((5, 2)), np.ones((5, 2))) is None
    assert judge(np.full((50, 2), math.nan), np.ones((50, 2))) is None


def test_by_chance_no_sentence_keeps_its_translation():
    pairs = [(f"s{n}", f"t{n}") for n in range(50)]
    chance = put_together_by_chance(pairs, np.random.default_rng(1))
    assert sorted(source for source, _ in chance) == sorted(source for source, _ in pairs)
    assert all(source[1:] != target[1:] for source, target in chance)


@pytest.mark.parametrize(("shift", "found"), [(-3, -3), (1, 1), (2, 2), (50, None)])
def test_the_shift_of_a_stretch_is_found_where_it_is_near(shift, found):
    draw = random.Random(1)
    lines = [f"text {n} {' '.join(draw.sample('abcdefghij', 6))}" for n in range(120)]
    inside = range(80, 100)
    pairs = [(line, lines[n - shift] if n in inside else line) for n, line in enumerate(lines)]
    is_misaligned = np.array([n in inside for n in range(len(lines))])
    assert find_stretches(is_misaligned, pairs, WordScorer()) == [Stretch(80, 99, found)]
