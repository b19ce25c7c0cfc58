"""Batches planned from the lengths of encoded pairs.

The plan of an epoch follows from the lengths, the seed and the epoch's number
alone. So the position (epoch, batch) determines which sentences come next, and a
resumed run continues exactly where it stopped.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from translator.config.schema import DataConfig
from translator.data.encoded_pairs import EncodedPairs
from translator.tokenizers.subword import Tokenizers

# Where batches must have few different shapes, sentences are padded to one of these lengths: two
# or four in each doubling, and 8 or 4 at least.
COARSE_EDGES = (8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024)
FINE_EDGES = (4, *(2**power + 2**power // 4 * step for power in range(3, 11) for step in range(4)))
PADDING_ALONE = np.array([-1])  # rows of a batch that holds no pair


def pad(sentences: Sequence[Sequence[int] | np.ndarray], padding_id: int) -> np.ndarray:
    """Stacks sentences of ids into one (B, S) int32 array, filled up with padding."""
    longest = max(map(len, sentences))
    batch = np.full((len(sentences), longest), padding_id, dtype=np.int32)
    for row, sentence in zip(batch, sentences):
        row[: len(sentence)] = sentence
    return batch


def plan_batches(
    pairs: EncodedPairs,
    config: DataConfig,
    seed: tuple[int, int] | None = None,
    edges: Sequence[int] = (),
    chosen: np.ndarray | None = None,
) -> list[np.ndarray]:
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
        The numbers of each batch's pairs. How many batches there are depends on the pairs that
        are taken, not on the seed.
    """
    lengths_of_sides = [side.lengths if chosen is None else side.lengths[chosen] for side in pairs]
    source, target = lengths_of_sides
    longest, shortest = np.maximum(source, target - bool(edges)), np.minimum(source, target)
    random = np.random.default_rng(seed)
    ties = random.permutation(len(longest)) if seed is not None else np.arange(len(longest))
    order = np.lexsort((ties, shortest, longest))
    ascending = longest[order]
    lengths = _round_up(ascending, edges, config) if edges else ascending
    cuts = _cut(lengths, config, bool(edges))
    batches = np.split(order if chosen is None else chosen[order], cuts)
    if seed is not None:
        random.shuffle(batches)
    return batches


def _cut(ascending_lengths: np.ndarray, config: DataConfig, at_each_length: bool) -> list[int]:
    cuts, start = [], 0
    for position, length in enumerate(ascending_lengths.tolist()):
        is_full = position - start >= _max_sentences(config, length)
        if is_full or (at_each_length and length != ascending_lengths[start]):
            cuts.append(position)
            start = position
    return cuts


def _max_sentences(config: DataConfig, length: int) -> int:
    """The most sentences of a batch whose longest side has this many tokens."""
    if config.batch_tokens is None:
        return config.batch_size or 1
    return max(config.batch_tokens // length, 1)


def _round_up(lengths: np.ndarray, edges: Sequence[int], config: DataConfig) -> np.ndarray:
    """Each length rounded up to the next of the edges and ``max_length``."""
    values = np.array([*(edge for edge in edges if edge < config.max_length), config.max_length])
    rounded: np.ndarray = values[np.searchsorted(values, lengths)]
    return rounded


class BatchLayout(NamedTuple):
    """How the batches of an epoch become the arrays of its updates.

    Attributes:
        accumulation_steps: number of batches of an update.
        edges: the lengths that batches are padded to, for XLA, which compiles again for each
            shape; batches are as long as their longest sentence if there are none.
        equal_shapes: whether all batches of an update have one shape; an update then takes
            batches of one edge, and its last ones may hold padding alone.
        shards: parts that each batch is cut into.
        devices: rows of padding make the rows of each batch a multiple of this.
    """

    accumulation_steps: int = 1
    edges: tuple[int, ...] = ()
    equal_shapes: bool = False
    shards: int = 1
    devices: int = 1


class Batches:
    """The updates of an epoch of a split, one or more batches each.

    Args:
        pairs: the split.
        config: the batches' size.
        tokenizers: know the padding ids.
        seed: (seed, epoch); None keeps the order, for validation.
        layout: of the arrays.
        chosen: the numbers of the pairs to take; None for each once.

    Attributes:
        count: updates in the epoch.
        plan: the numbers of each batch's pairs; -1 stands for a pair of padding alone.
        shapes: sentences, source tokens and target tokens of each batch, (batches, 3).
        padding_ids: of source and target.
    """

    def __init__(
        self,
        pairs: EncodedPairs,
        config: DataConfig,
        tokenizers: Tokenizers,
        seed: tuple[int, int] | None = None,
        layout: BatchLayout = BatchLayout(),  # noqa: B008  # it cannot be changed
        chosen: np.ndarray | None = None,
    ) -> None:
        self.pairs = pairs
        self.config = config
        self.padding_ids = tuple(tokenizer.padding_id for tokenizer in tokenizers)
        self.layout = layout
        self.plan = plan_batches(pairs, config, seed, layout.edges, chosen)
        self.shapes = _shapes(pairs, self.plan)
        if layout.edges:
            longest = np.maximum(self.shapes[:, 1], self.shapes[:, 2] - 1)
            widths = _round_up(longest, layout.edges, config)
            sentences = [_max_sentences(config, width) for width in widths]
            self.shapes = np.stack([sentences, widths, widths + 1], axis=1)
        if layout.equal_shapes and layout.accumulation_steps > 1:
            self._group(np.random.default_rng(seed))
        self.count = -(-len(self.plan) // layout.accumulation_steps)

    @property
    def padding_share(self) -> float:
        """Padding as a share of all positions, both sides together."""
        rows = np.concatenate(self.plan)
        real = sum(int(side.lengths[rows[rows >= 0]].sum()) for side in self.pairs)
        return 1 - real / int(np.sum(self.shapes[:, 0] * self.shapes[:, 1:].sum(axis=1)))

    def target_tokens(self) -> np.ndarray:
        """The target tokens that are predicted before each update, (count + 1,)."""
        lengths = np.append(self.pairs.target.lengths - 1, 0)  # -1 finds the 0
        of_batches = [int(lengths[rows].sum()) for rows in self.plan]
        sums = np.concatenate([[0], np.cumsum(of_batches)])
        ends = np.arange(self.count + 1) * self.layout.accumulation_steps
        return np.asarray(sums[np.minimum(ends, len(self.plan))])

    def batches_of(self, start: int, end: int | None) -> tuple[list[np.ndarray], list[list[int]]]:
        """The rows and the shape of each batch of some updates.

        Args:
            start: the first update, from 0.
            end: the one after the last; None for all.

        Returns:
            The numbers of each batch's pairs, and its sentences, source and target tokens. The
            last update of an epoch is completed with batches that hold only padding.
        """
        steps = self.layout.accumulation_steps
        end = self.count if end is None else end
        chosen = slice(start * steps, end * steps)
        plan, shapes = self.plan[chosen], self.shapes[chosen].tolist()
        missing = (end - start) * steps - len(plan)
        plan = plan + [PADDING_ALONE] * missing
        shapes = shapes + [min(self.shapes.tolist())] * missing
        if self.layout.edges:
            multiple = self.layout.devices
            counts = (-(-shape[0] // multiple) * multiple for shape in shapes)
            plan = [_fill(rows, count) for rows, count in zip(plan, counts)]
        return plan, shapes

    def _group(self, random: np.random.Generator) -> None:
        """Puts batches of one shape together, in the order in which the plan has them."""
        steps, alone = self.layout.accumulation_steps, len(self.plan)
        plan = [*self.plan, PADDING_ALONE]
        updates = []
        for width in np.unique(self.shapes[:, 1]):
            numbers = np.flatnonzero(self.shapes[:, 1] == width)
            missing = -len(numbers) % steps
            shape = self.shapes[numbers[0]]
            filled = np.append(numbers, np.full(missing, alone)).reshape(-1, steps)
            updates += [([plan[i] for i in its], shape) for its in filled.tolist()]
        order = random.permutation(len(updates))
        self.plan = [rows for i in order for rows in updates[i][0]]
        self.shapes = np.array([updates[i][1] for i in order for _ in range(steps)])


def _shapes(pairs: EncodedPairs, plan: list[np.ndarray]) -> np.ndarray:
    """Sentences, source tokens and target tokens of each batch, (batches, 3)."""
    sizes = np.array([len(rows) for rows in plan])
    order, starts = np.concatenate(plan), np.cumsum(sizes) - sizes
    longest = (np.maximum.reduceat(side.lengths[order], starts) for side in pairs)
    return np.stack([sizes, *longest], axis=1)


def _fill(rows: np.ndarray, count: int) -> np.ndarray:
    return np.pad(rows, (0, count - len(rows)), constant_values=-1)
