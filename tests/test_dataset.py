"""Batches: every pair once an epoch, within bounds, the same for the same seed."""

import numpy as np
import pytest

from translator.config import DataConfig
from translator.corpora import SentencePairs
from translator.dataset import Batches, EncodedPairs, TokenArray, encode_pairs, pad, plan_batches
from translator.errors import InputError


class FakeTokenizer:
    """Words of one letter; only what batches need to know."""

    padding_id = 99

    def encode(self, sentences):
        return [[1, *(ord(c) - 87 for c in sentence), 2] for sentence in sentences]


TOKENIZERS = (FakeTokenizer(), FakeTokenizer())


@pytest.fixture
def pairs() -> EncodedPairs:
    """200 pairs of 3 to 30 tokens a side; the first word is the pair's own."""
    random = np.random.default_rng(5)
    sides = [
        [[1, 1000 + i, *random.integers(4, 90, length), 2] for i, length in enumerate(lengths)]
        for lengths in random.integers(0, 28, (2, 200))
    ]
    return EncodedPairs(*map(TokenArray.from_lists, sides))


def test_pad_fills_up_to_the_longest():
    assert pad([[1, 2], [3]], 9).tolist() == [[1, 2], [3, 9]]


@pytest.mark.parametrize("size", [{"batch_tokens": 120}, {"batch_size": 7}])
def test_every_pair_comes_once_an_epoch_within_bounds(pairs, size):
    config = DataConfig(max_length=40, **size)
    plan = plan_batches(pairs, config, (1, 0))
    assert sorted(np.concatenate(plan)) == list(range(200))
    longest = np.maximum(pairs.source.lengths, pairs.target.lengths)
    for rows in plan:
        assert len(rows) <= size.get("batch_size", 200)
        assert len(rows) * longest[rows].max() <= size.get("batch_tokens", 10**9)


def test_seed_and_epoch_alone_decide_the_order(pairs):
    config = DataConfig(max_length=40, batch_tokens=120)

    def order(seed, epoch):
        return np.concatenate(plan_batches(pairs, config, (seed, epoch))).tolist()

    assert order(1, 0) == order(1, 0)
    assert order(1, 0) != order(1, 1)
    assert order(1, 0) != order(2, 0)
    assert len(plan_batches(pairs, config, (1, 0))) == len(plan_batches(pairs, config, (9, 3)))


def test_batches_hold_sentences_of_like_length(pairs):
    plan = plan_batches(pairs, DataConfig(max_length=40, batch_size=10), (1, 0))
    longest = np.maximum(pairs.source.lengths, pairs.target.lengths)
    positions = sum(len(rows) * longest[rows].max() for rows in plan)
    assert longest.sum() / positions > 0.9


def test_dataset_shifts_the_target_and_pads_with_its_own_id(pairs):
    batches = Batches(pairs, DataConfig(max_length=40, batch_size=8), TOKENIZERS, seed=1)
    seen = []
    for (source, target_in), target_out in batches.dataset(epoch=2).as_numpy_iterator():
        for row in range(len(source)):
            number = source[row, 1] - 1000
            seen.append(number)
            whole = [
                *target_in[row][target_in[row] != 99][:1],
                *target_out[row][target_out[row] != 99],
            ]
            start, end = pairs.target.offsets[number : number + 2]
            assert whole == pairs.target.ids[start:end].tolist()
            assert np.array_equal(target_in[row, 1:], target_out[row, :-1])
            start, end = pairs.source.offsets[number : number + 2]
            assert source[row][source[row] != 99].tolist() == pairs.source.ids[start:end].tolist()
    assert sorted(seen) == list(range(200))


def test_skipped_batches_leave_the_rest_as_it_was(pairs):
    batches = Batches(pairs, DataConfig(max_length=40, batch_size=8), TOKENIZERS, seed=1)
    whole = [target for _, target in batches.dataset(epoch=1).as_numpy_iterator()]
    rest = [target for _, target in batches.dataset(epoch=1, skip=20).as_numpy_iterator()]
    assert len(whole) == batches.count == 25
    assert len(rest) == 5
    assert all(np.array_equal(a, b) for a, b in zip(whole[20:], rest))


def test_too_long_and_empty_pairs_are_dropped_and_counted():
    pairs = SentencePairs(("aaa", "aaaaaaaaa", "", "a"), ("bbb", "b", "b", "bb"))
    encoded, report = encode_pairs(pairs, TOKENIZERS, max_length=6, name="train")
    assert report == (2, 1, 1)
    assert encoded.source.lengths.tolist() == [5, 3]
    assert encoded.target_tokens == 4 + 3


def test_nothing_left_is_refused_with_the_counts():
    pairs = SentencePairs(("aaaaaaaa", ""), ("b", "b"))
    with pytest.raises(
        InputError, match=r"none of 2 pairs is left: 1 are longer .* 1 have an empty"
    ):
        encode_pairs(pairs, TOKENIZERS, max_length=6, name="train")
