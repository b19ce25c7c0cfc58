"""Batches as arrays of ids: padded, shifted, in shards."""

from typing import NamedTuple

import numpy as np
import pytest

from translator.config.schema import DataConfig
from translator.data.batches import EDGES, Batches, BatchLayout, pad
from translator.data.encoded_pairs import EncodedPairs, TokenArray
from translator.data.tensorflow_batches import make_dataset


class FakeTokenizer(NamedTuple):
    """Only what batches need to know."""

    padding_id: int = 99


TOKENIZERS = (FakeTokenizer(), FakeTokenizer())


def pack(sentences: list[list[int]]) -> TokenArray:
    offsets = np.cumsum([0, *map(len, sentences)])
    return TokenArray(np.concatenate(sentences).astype(np.uint16), offsets)


@pytest.fixture
def pairs() -> EncodedPairs:
    """200 pairs of 3 to 30 tokens a side; the first word is the pair's own."""
    random = np.random.default_rng(5)
    sides = [
        [[1, 1000 + i, *random.integers(4, 90, length), 2] for i, length in enumerate(lengths)]
        for lengths in random.integers(0, 28, (2, 200))
    ]
    return EncodedPairs(*map(pack, sides))


def batches_of(pairs, seed=(1, 1), layout=BatchLayout(), **size) -> Batches:  # noqa: B008
    return Batches(pairs, DataConfig(max_length=40, **size), TOKENIZERS, seed, layout)


def test_pad_fills_up_to_the_longest():
    assert pad([[1, 2], [3]], 9).tolist() == [[1, 2], [3, 9]]


def test_dataset_shifts_the_target_and_pads_with_its_own_id(pairs):
    batches = batches_of(pairs, (1, 2), batch_size=8)
    seen = []
    for (source, target_in), target_out in make_dataset(batches).as_numpy_iterator():
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


def test_left_out_updates_leave_the_rest_as_it_was(pairs):
    batches = batches_of(pairs, batch_size=8)
    whole = [target for _, target in make_dataset(batches).as_numpy_iterator()]
    rest = [target for _, target in make_dataset(batches, start=20).as_numpy_iterator()]
    assert len(whole) == batches.count == 25
    assert len(rest) == 5
    assert all(np.array_equal(a, b) for a, b in zip(whole[20:], rest))


@pytest.mark.parametrize("size", [{"batch_size": 8}, {"batch_tokens": 120}])
def test_padding_to_edges_keeps_the_sentences_and_adds_padding_only(pairs, size):
    """At most as many shapes as edges, however many batches."""
    batches = batches_of(pairs, layout=BatchLayout(edges=EDGES), **size)
    widths = {edge for edge in EDGES if edge < 40} | {40}
    shapes, numbers, padding, positions = set(), [], 0, 0
    for (source, target_in), target_out in make_dataset(batches).as_numpy_iterator():
        shapes.add((source.shape, target_in.shape, target_out.shape))
        assert source.shape[1] == target_in.shape[1] == target_out.shape[1]
        assert source.shape[1] in widths
        real = source[:, 0] != 99
        numbers += (source[real, 1] - 1000).tolist()
        assert np.all(source[~real] == 99)
        assert np.all(target_out[~real] == 99)
        whole = np.concatenate([target_in[:, :1], target_out], axis=1)
        padding += np.sum(source == 99) + np.sum(whole == 99)
        positions += source.size + whole.size
    assert sorted(numbers) == list(range(200))
    assert len(shapes) <= len(widths)
    assert batches.padding_share == pytest.approx(padding / positions)


def test_updates_of_several_batches(pairs):
    """The last is filled up with a batch of padding."""
    single = batches_of(pairs, batch_size=8)
    joined = batches_of(pairs, layout=BatchLayout(accumulation_steps=3), batch_size=8)
    assert (single.count, joined.count) == (25, 9)
    batches = [batch for update in make_dataset(joined).as_numpy_iterator() for batch in update]
    assert len(batches) == 27
    for ((source, target_in), target_out), ((s, t), u) in zip(
        make_dataset(single).as_numpy_iterator(), batches
    ):
        assert all(np.array_equal(a, b) for a, b in ((source, s), (target_in, t), (target_out, u)))
    for (source, target_in), target_out in batches[25:]:
        assert all(np.all(ids == 99) for ids in (source, target_in, target_out))
    later = [u for u in make_dataset(joined, start=8).as_numpy_iterator()]
    assert np.array_equal(later[0][0][0][0], batches[24][0][0])


def test_shards_are_the_rows_of_a_batch_in_turn(pairs):
    plain = batches_of(pairs, batch_size=7)
    for steps in (1, 2):
        parted = batches_of(pairs, layout=BatchLayout(steps, shards=3), batch_size=7)
        parts = [part for update in make_dataset(parted).as_numpy_iterator() for part in update]
        for i, ((source, target_in), target_out) in enumerate(
            make_dataset(plain).as_numpy_iterator()
        ):
            for k, ((s, t), u) in enumerate(parts[3 * i : 3 * i + 3]):
                for whole, its in ((source, s), (target_in, t), (target_out, u)):
                    assert np.array_equal(whole[k::3], its)


@pytest.mark.parametrize("shards", [1, 2])
def test_copies_repeat_every_pair(pairs, shards):
    """Both of a pair in one shard."""
    batches = batches_of(pairs, layout=BatchLayout(shards=shards), batch_size=8)
    for parts in make_dataset(batches, copies=2).as_numpy_iterator():
        for (source, _), target_out in [parts] if shards == 1 else parts:
            for ids in (source, target_out):
                assert np.array_equal(*np.split(ids, 2))
