"""Decides from the lengths of pairs which pairs form a batch."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from translator.config.schema import DataConfig
from translator.data.encoded_pairs import EncodedPairs

PADDING_ALONE = np.array([-1])  # rows of a batch without pairs


class BatchPlan:
    """The batches of an epoch; a slice returns the numbers of each batch's pairs.

    Args:
        batches: (batches, 6) int64. For each batch: its first place in ``numbers``; its pairs (0 if
            it has only padding); tokens of the longest source, longest target, sources, targets.
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

    def __getitem__(self, index: slice) -> list[np.ndarray]:
        return [
            self.numbers[start : start + size].astype(np.int64) if size else PADDING_ALONE
            for start, size in self.batches[index, :2].tolist()
        ]

    def select(self, index: Any) -> "BatchPlan":
        """Selects batches by a NumPy index; -1 is a batch of padding."""
        batches = self.batches[index]
        if isinstance(index, np.ndarray):
            batches[index < 0] = 0
        return BatchPlan(self.numbers, batches)


def plan_batches(
    pairs: EncodedPairs,
    config: DataConfig,
    seed: tuple[int, int] | None = None,
    edges: Sequence[int] = (),
    pair_numbers: np.ndarray | None = None,
) -> BatchPlan:
    """Puts pairs of similar length into the same batch; the batches are in random order.

    Args:
        config: ``batch_tokens`` bounds a batch's number of sentences times its longest
            side, padding included. ``batch_size`` bounds the number of sentences.
        seed: (seed, epoch); None keeps everything in order of length.
        edges: a batch's sources are padded to one of these lengths. Its targets get one token
            more, because the model reads and predicts one token less. Without edges, each side is
            padded to its longest sentence.
        pair_numbers: the pairs to take; None for each pair once.

    Returns:
        The plan. The number of batches depends on the pairs, not on the seed.
    """
    rows = np.arange(len(pairs), dtype=np.uint32) if pair_numbers is None else pair_numbers
    random = np.random.default_rng(seed)
    ties = np.arange(len(rows), dtype=np.uint32)
    if seed is not None:
        random.shuffle(ties)
    source, target = (side.lengths[rows].astype(np.uint16) for side in pairs)
    counted = np.minimum(target, target - bool(edges))  # 0 stays 0
    longest = np.maximum(source, counted)
    order = np.lexsort((ties, np.minimum(source, target), longest))
    cuts = [0, *_cut(np.bincount(longest), config, edges)] if len(rows) else []
    starts = np.array(cuts, np.int64)
    plan = BatchPlan(rows[order], _describe(starts, [source[order], target[order]]))
    if seed is None:
        return plan
    return plan.select(random.permutation(len(plan)))


def _cut(per_length: np.ndarray, config: DataConfig, edges: Sequence[int]) -> Iterator[int]:
    """Yields where each batch except the first begins, in pairs that are sorted by length.

    Args:
        per_length: the number of pairs of each length, from 0.
        edges: if there are any, all pairs of a batch are padded to the same edge.
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
        sides: the tokens of each source and of each target, in the order of the batches.
    """
    sizes = np.diff(starts, append=len(sides[0]))
    longest = [np.maximum.reduceat(side, starts) for side in sides]
    tokens = [np.add.reduceat(side, starts, dtype=np.int64) for side in sides]
    return np.stack([starts, sizes, *longest, *tokens], axis=1)


def max_sentences(config: DataConfig, length: int) -> int:
    """The largest number of sentences in a batch whose longest side has this many tokens."""
    if config.batch_tokens is None:
        return config.batch_size or 1
    return max(config.batch_tokens // max(length, 1), 1)


def round_up(lengths: np.ndarray, edges: Sequence[int], config: DataConfig) -> np.ndarray:
    """Rounds each length up to the next edge; ``max_length`` counts as an edge."""
    values = np.array([*(edge for edge in edges if edge < config.max_length), config.max_length])
    rounded: np.ndarray = values[np.searchsorted(values, lengths)]
    return rounded
