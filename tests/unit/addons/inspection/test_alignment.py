"""Misaligned lines by their scores, without a model."""

import math

import numpy as np

from translator.addons.inspection.findings import Stretch
from translator.addons.inspection.pair_scores import (
    BEGINS,
    ENDS,
    find_stretches,
    judge,
    misalignment,
)


def test_one_line_that_fits_badly_is_no_stretch_and_many_are():
    odds = np.full(100, 5.0)
    odds[20] = -50.0
    odds[50:60] = -2.0
    odds[55] = 3.0
    odds[57] = math.nan
    misaligned = np.flatnonzero(misalignment(odds) > 0.5)
    assert misaligned.tolist() == list(range(50, 60))


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
    assert judge(np.zeros((5, 2)), np.ones((5, 2))) is None
    assert judge(np.full((50, 2), math.nan), np.ones((50, 2))) is None


def test_neighbours_that_are_misaligned_are_one_stretch():
    is_misaligned = np.isin(np.arange(9), (0, 3, 4, 5, 8))
    assert find_stretches(is_misaligned) == [Stretch(0, 0), Stretch(3, 5), Stretch(8, 8)]
    assert find_stretches(np.zeros(9, bool)) == []
