"""Which pairs form a batch, decided from their lengths."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from translator.config.schema import DataConfig
from translator.data.encoded_pairs import EncodedPairs

PADDING_ALONE = np.array([-1])  # rows of a batch that holds no pair


class BatchPlan:
    """The batches of an epoch; a slice has the numbers of the pairs of each.

    Args:
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

    def __getitem__(self, chosen: slice) -> list[np.ndarray]:
        return [
            self.numbers[start : start + size].astype(np.int64) if size else PADDING_ALONE
            for start, size in self.batches[chosen, :2].tolist()
        ]

    def select(self, chosen: Any) -> "BatchPlan":
        """Those of the batches that an index of NumPy's says; -1 is one of padding alone."""
        batches = self.batches[chosen]
        if isinstance(chosen, np.ndarray):
            batches[chosen < 0] = 0
        return BatchPlan(self.numbers, batches)


def plan_batches(
    pairs: EncodedPairs,
    config: DataConfig,
    seed: tuple[int, int] | None = None,
    edges: Sequence[int] = (),
    chosen: np.ndarray | None = None,
) -> BatchPlan:
    """Decides which pairs form a batch: pairs of similar length; the batches in random order.

    Args:
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
    rows = np.arange(len(pairs), dtype=np.uint32) if chosen is None else chosen
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
    """The places where batches begin, but for the first, in pairs that ascend by length.

    Args:
        per_length: how many have each length, from 0.
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
        sides: tokens of each source and of each target, in the batches' order.
    """
    sizes = np.diff(starts, append=len(sides[0]))
    longest = [np.maximum.reduceat(side, starts) for side in sides]
    tokens = [np.add.reduceat(side, starts, dtype=np.int64) for side in sides]
    return np.stack([starts, sizes, *longest, *tokens], axis=1)


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
