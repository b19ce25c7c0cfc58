"""Which pairs form a batch, decided from their lengths: of a thousand pairs, or of a billion.

Each step reads its arrays from the beginning to the end, some pairs at a time, but for one
permutation. Those of many pairs are in files, and little of them is in memory.
"""

import os
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple, overload

import numpy as np

from translator.base.cache import temporary_folder
from translator.config.schema import DataConfig
from translator.data.encoded_pairs import EncodedPairs

CHUNK = 1 << 20  # pairs that are looked at at a time
LARGE = 1 << 22  # pairs from which on arrays are in files
PADDING_ALONE = np.array([-1])  # rows of a batch that holds no pair
NUMBERS, BATCHES = "numbers.npy", "batches.npy"


class BatchPlan(Sequence[np.ndarray]):
    """The batches of an epoch; each item is the numbers of one's pairs.

    Args:
        numbers: (pairs,) of all batches, those of each together.
        batches: (batches, 6) int64: the place in ``numbers`` where each begins; its pairs, 0 for
            one of padding alone; the tokens of its longest source and target; those of all.
    """

    def __init__(self, numbers: np.ndarray, batches: np.ndarray) -> None:
        self.numbers = numbers
        self.batches = batches

    @property
    def shapes(self) -> np.ndarray:
        """Pairs, and tokens of the longest source and target, of each batch: (batches, 3)."""
        return self.batches[:, 1:4]

    @property
    def tokens(self) -> np.ndarray:
        """Source tokens and target tokens of each batch: (batches, 2)."""
        return self.batches[:, 4:]

    def __len__(self) -> int:
        return len(self.batches)

    @overload
    def __getitem__(self, index: int) -> np.ndarray: ...
    @overload
    def __getitem__(self, index: slice) -> list[np.ndarray]: ...
    def __getitem__(self, index: int | slice) -> np.ndarray | list[np.ndarray]:
        if isinstance(index, slice):
            return [self._rows(*batch) for batch in self.batches[index, :2].tolist()]
        return self._rows(*self.batches[index, :2].tolist())

    def _rows(self, start: int, size: int) -> np.ndarray:
        if size == 0:
            return PADDING_ALONE
        return self.numbers[start : start + size].astype(np.int64)

    def select(self, chosen: Any) -> "BatchPlan":
        """Those of the batches that an index of NumPy's says; -1 is one of padding alone."""
        batches = self.batches[chosen]
        if isinstance(chosen, np.ndarray):
            batches[chosen < 0] = 0
        return BatchPlan(self.numbers, batches)

    def save(self, folder: Path) -> None:
        """Writes what `load` reads.

        Raises:
            OSError: the disk is full.
        """
        for name, array in ((NUMBERS, self.numbers), (BATCHES, self.batches)):
            with (folder / name).open("wb") as file:  # np.save of a path is silent on a full disk
                np.lib.format.write_array(file, array)

    @classmethod
    def load(cls, folder: Path) -> "BatchPlan":
        """Opens a plan, memory-mapped."""
        return cls(np.load(folder / NUMBERS, mmap_mode="r"), np.load(folder / BATCHES))


class _Lengths(NamedTuple):
    """The lengths of the pairs that are taken."""

    pairs: EncodedPairs
    chosen: np.ndarray | None

    def __len__(self) -> int:
        return len(self.pairs) if self.chosen is None else len(self.chosen)

    def of(self, begin: int, end: int) -> list[np.ndarray]:
        """(end - begin,) tokens of each source and of each target, uint16."""
        if self.chosen is None:
            sides = [np.diff(side.offsets[begin : end + 1]) for side in self.pairs]
        else:
            rows = self.chosen[begin:end]
            sides = [side.offsets[rows + 1] - side.offsets[rows] for side in self.pairs]
        return [side.astype(np.uint16) for side in sides]


def plan_batches(
    pairs: EncodedPairs,
    config: DataConfig,
    seed: tuple[int, int] | None = None,
    edges: Sequence[int] = (),
    chosen: np.ndarray | None = None,
) -> BatchPlan:
    """Decides which pairs form a batch: pairs of similar length; the batches in random order.

    Args:
        pairs: the split.
        config: ``batch_tokens`` bounds sentences x longest side of a batch,
            padding included; ``batch_size`` its sentences.
        seed: (seed, epoch); None keeps everything in order of length.
        edges: all sources of a batch are padded to the same one of these lengths, and its targets
            to a token more, as the model reads and predicts a token less; to the longest of each
            side if there are none.
        chosen: the numbers of the pairs to take; None for each once.

    Returns:
        The plan. How many batches there are depends on the pairs that are taken, not on the seed.
    """
    lengths = _Lengths(pairs, chosen)
    count = len(lengths)
    kind = np.dtype(np.uint32 if max(count, len(pairs)) <= 1 << 32 else np.int64)
    random = np.random.default_rng(seed)
    ties = _array(count if seed is not None else 0, kind)
    if seed is not None:
        for begin, end in _chunks(count):
            ties[begin:end] = np.arange(begin, end)
        random.shuffle(ties)
    numbers = _array(count, kind)
    per_length, sizes = _sort(lengths, ties, bool(edges), numbers)
    if chosen is not None:
        for begin, end in _chunks(count):
            numbers[begin:end] = chosen[numbers[begin:end]]
    starts = np.array([0, *_cut(per_length, config, edges)] if count else [], np.int64)
    plan = BatchPlan(numbers, _describe(starts, sizes))
    if seed is None:
        return plan
    order = list(range(len(plan)))
    random.shuffle(order)
    return plan.select(np.array(order, np.int64))


def _sort(
    lengths: _Lengths, ties: np.ndarray, has_edges: bool, numbers: np.ndarray
) -> tuple[np.ndarray, list[np.ndarray]]:
    """Sorts pairs by their longest side, then by the shortest, then by their ties.

    Args:
        lengths: of the pairs.
        ties: a number for each, no two of which are equal; none for their order.
        has_edges: whether the first token of a target does not count for the longest side.
        numbers: the places of the pairs are put into it.

    Returns:
        How many have a longest side of each length, and the lengths of all in their new order, as
        `_Lengths.of` gives them.
    """
    count = len(lengths)

    def longest(source: np.ndarray, target: np.ndarray) -> np.ndarray:
        counted = np.minimum(target, target - has_edges)  # 0 stays 0
        return np.asarray(np.maximum(source, counted))

    per_length = np.zeros(1 << 16, np.int64)
    for begin, end in _chunks(count):
        per_length += np.bincount(longest(*lengths.of(begin, end)), minlength=len(per_length))
    ends = np.cumsum(per_length)
    free = ends - per_length  # the next place of each length
    sides = [_array(count, np.dtype(np.uint16)) for _ in lengths.pairs]
    ranks = _array(count, numbers.dtype)
    for begin, end in _chunks(count):
        its = lengths.of(begin, end)
        keys = longest(*its)
        order = np.argsort(keys, kind="stable")
        keys, counts = keys[order], np.bincount(keys, minlength=len(per_length))
        places = (free - np.cumsum(counts) + counts)[keys] + np.arange(end - begin)
        free += counts
        for side, each in zip(sides, its):
            side[places] = each[order]
        numbers[places] = begin + order
        ranks[places] = ties[begin:end][order] if len(ties) else begin + order
    for length in np.flatnonzero(per_length):
        equal = slice(ends[length] - per_length[length], ends[length])
        shortest = np.minimum(*(side[equal] for side in sides)).astype(np.uint64)
        order = np.argsort(shortest * np.uint64(count) + ranks[equal])
        for each in (*sides, numbers):
            each[equal] = each[equal][order]
    return per_length, sides


def _cut(per_length: np.ndarray, config: DataConfig, edges: Sequence[int]) -> Iterator[int]:
    """The places where batches begin, but for the first, in pairs that ascend by length.

    Args:
        per_length: how many have each length, from 0.
        config: with the size of a batch.
        edges: a batch is of one of these lengths, if there are any.
    """
    present = np.flatnonzero(per_length)
    lengths = round_up(present, edges, config) if edges else present
    ends = np.cumsum(per_length[present]).tolist()
    start, before = 0, int(lengths[0])
    for begin, end, length in zip([0, *ends], ends, lengths.tolist()):
        if edges and length != before and start < begin:
            yield begin
            start = begin
        size, before = max_sentences(config, length), length
        for cut in range(max(start + size, begin), end, size):
            yield cut
            start = cut


def _describe(starts: np.ndarray, sides: Sequence[np.ndarray]) -> np.ndarray:
    """The ``batches`` of a `BatchPlan`.

    Args:
        starts: the place of each batch's first pair.
        sides: tokens of each source and of each target, in the batches' order.
    """
    count = len(sides[0])
    sizes = np.diff(starts, append=count)
    batches = np.empty((len(starts), 6), np.int64)
    batches[:, 0], batches[:, 1] = starts, sizes
    first = 0
    while first < len(starts):
        last = max(int(np.searchsorted(starts, starts[first] + CHUNK)), first + 1)
        begin = starts[first]
        end = starts[last] if last < len(starts) else count
        for column, side in enumerate(sides, start=2):
            its, places = side[begin:end], starts[first:last] - begin
            batches[first:last, column] = np.maximum.reduceat(its, places)
            batches[first:last, column + 2] = np.add.reduceat(its, places, dtype=np.int64)
        first = last
    return batches


def max_sentences(config: DataConfig, length: int) -> int:
    """The most sentences of a batch whose longest side has this many tokens."""
    if config.batch_tokens is None:
        return config.batch_size or 1
    return max(config.batch_tokens // max(length, 1), 1)


def round_up(lengths: np.ndarray, edges: Sequence[int], config: DataConfig) -> np.ndarray:
    """Each length rounded up to the next of the edges and ``max_length``."""
    values = np.array([*(edge for edge in edges if edge < config.max_length), config.max_length])
    rounded: np.ndarray = values[np.searchsorted(values, lengths)]
    return rounded


def _chunks(count: int) -> Iterator[tuple[int, int]]:
    for begin in range(0, count, CHUNK):
        yield begin, min(begin + CHUNK, count)


def _array(count: int, kind: np.dtype[Any]) -> np.ndarray:
    """An array to fill: of many pairs in a file without a name, which goes with it.

    Raises:
        OSError: the disk is full.
    """
    if count < LARGE:
        return np.empty(count, kind)
    with tempfile.TemporaryFile(dir=temporary_folder()) as file:
        if hasattr(os, "posix_fallocate"):  # else a full disk would end the process
            os.posix_fallocate(file.fileno(), 0, count * kind.itemsize)
        return np.asarray(np.memmap(file, kind, "w+", shape=(count,)))
