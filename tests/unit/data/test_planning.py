"""Which pairs form a batch: as sorting and cutting plainly would have it."""

import itertools

import numpy as np
import pytest

from translator.config.schema import DataConfig
from translator.data.batches import EDGES
from translator.data.encoded_pairs import EncodedPairs, TokenArray
from translator.data.planning import max_sentences, plan_batches, round_up


def pairs_of(count: int, seed: int = 0) -> EncodedPairs:
    """Pairs of which only the lengths are known."""
    lengths = np.random.default_rng(seed).integers(2, 40, (2, count))
    offsets = (np.concatenate([[0], np.cumsum(its)]) for its in lengths)
    return EncodedPairs(*(TokenArray(np.zeros(0, np.uint16), its) for its in offsets))


def plainly(pairs, config, seed, edges, chosen) -> list[list[int]]:
    """The numbers of each batch's pairs, by a loop over all."""
    numbers = np.arange(len(pairs)) if chosen is None else chosen
    source, target = (side.lengths[numbers] for side in pairs)
    longest = np.maximum(source, target - bool(edges))
    random = np.random.default_rng(seed)
    ties = random.permutation(len(numbers)) if seed else np.arange(len(numbers))
    batches: list[list[int]] = []
    before = 0
    for place in np.lexsort((ties, np.minimum(source, target), longest)):
        length = int(longest[place])
        if edges:
            length = int(round_up(np.array([length]), edges, config)[0])
        is_full = not batches or len(batches[-1]) >= max_sentences(config, length)
        if is_full or (edges and length != before):
            batches.append([])
            before = length
        batches[-1].append(int(numbers[place]))
    if seed:
        random.shuffle(batches)
    return batches


@pytest.mark.parametrize("size", [{"batch_tokens": 120}, {"batch_size": 7}])
@pytest.mark.parametrize("edges", [(), EDGES])
def test_pairs_are_sorted_cut_and_shuffled(size, edges):
    config = DataConfig(max_length=40, **size)
    for count, seed, some in itertools.product((1, 5, 900), (None, (3, 2)), (False, True)):
        pairs = pairs_of(count)
        chosen = np.random.default_rng(1).integers(0, count, count // 2 + 1) if some else None
        plan = plan_batches(pairs, config, seed, edges, chosen)
        expected = plainly(pairs, config, seed, edges, chosen)
        assert [rows.tolist() for rows in plan[:]] == expected
        sides = [[side.lengths[rows] for rows in expected] for side in pairs]
        sizes = list(map(len, expected))
        longest = [[max(its) for its in side] for side in sides]
        assert plan.shapes.T.tolist() == [sizes, *longest]
        assert plan.tokens.T.tolist() == [[sum(its) for its in side] for side in sides]
