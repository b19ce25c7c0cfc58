"""Batches planned from the lengths of encoded pairs.

Only the lengths, the seed and the epoch's number decide the plan of an epoch. So the
position (epoch, batch) determines the next sentences, and a resumed run continues
exactly where it stopped.
"""

import copy
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from translator.config.schema import DataConfig
from translator.data.encoded_pairs import EncodedPairs
from translator.data.planning import (
    PADDING_ALONE,
    max_sentences,
    plan_batches,
    round_up,
)
from translator.tokenizers.subword import Tokenizers

# If batches must have few different shapes, sentences are padded to one of these lengths. There are
# four in each doubling.
EDGES = (4, *(2**power + 2**power // 4 * step for power in range(3, 11) for step in range(4)))


def pad(sentences: Sequence[Sequence[int] | np.ndarray], padding_id: int) -> np.ndarray:
    """Stacks sentences of ids into one (B, S) int32 array, filled up with padding."""
    longest = max(map(len, sentences))
    batch = np.full((len(sentences), longest), padding_id, dtype=np.int32)
    for row, sentence in zip(batch, sentences):
        row[: len(sentence)] = sentence
    return batch


class BatchLayout(NamedTuple):
    """How the batches of an epoch become the arrays of its updates.

    Attributes:
        accumulation_steps: number of batches of an update.
        edges: batches are padded to one of these lengths. JAX needs them, because it compiles again
            for each shape. All batches of an update have the same edge; its last batches may have
            only padding. Without edges, a batch is as long as its longest sentence.
        shards: parts that each batch is cut into.
        devices: rows of padding are added until a batch's rows are a multiple of this.
    """

    accumulation_steps: int = 1
    edges: tuple[int, ...] = ()
    shards: int = 1
    devices: int = 1


class Batches:
    """The updates of an epoch of a split, one or more batches each.

    Args:
        seed: (seed, epoch); None keeps the order, for validation.
        pair_numbers: the pairs to take; None for each pair once.

    Attributes:
        plan: the numbers of each batch's pairs; -1 for a row of padding.
        shapes: sentences, source tokens and target tokens of each batch, (batches, 3).
    """

    def __init__(
        self,
        pairs: EncodedPairs,
        config: DataConfig,
        tokenizers: Tokenizers,
        seed: tuple[int, int] | None = None,
        layout: BatchLayout = BatchLayout(),  # noqa: B008  # it cannot be changed
        pair_numbers: np.ndarray | None = None,
    ) -> None:
        self.pairs = pairs
        self.config = config
        self.padding_ids = tuple(tokenizer.padding_id for tokenizer in tokenizers)
        self.layout = layout
        self.plan = plan_batches(pairs, config, seed, layout.edges, pair_numbers)
        self.shapes = self.plan.shapes
        if layout.edges:
            longest = np.maximum(self.shapes[:, 1], self.shapes[:, 2] - 1)
            widths = round_up(longest, layout.edges, config)
            sentences = [max_sentences(config, width) for width in widths.tolist()]
            self.shapes = np.stack([sentences, widths, widths + 1], axis=1)
        if layout.edges and layout.accumulation_steps > 1:
            self._group(np.random.default_rng(seed))

    @property
    def count(self) -> int:
        return -(-len(self.plan) // self.layout.accumulation_steps)

    def part(self, start: int, end: int) -> "Batches":
        """The updates from ``start`` up to, but without, ``end``."""
        steps = self.layout.accumulation_steps
        batches = slice(start * steps, end * steps)
        part = copy.copy(self)
        part.plan, part.shapes = self.plan.select(batches), self.shapes[batches]
        return part

    @property
    def padding_share(self) -> float:
        """Padding as a share of all positions, both sides together."""
        real = int(self.plan.tokens.sum())
        return 1 - real / int(np.sum(self.shapes[:, 0] * self.shapes[:, 1:].sum(axis=1)))

    def target_tokens(self) -> np.ndarray:
        """The number of target tokens that are predicted before each update, (count + 1,)."""
        of_batches = self.plan.tokens[:, 1] - self.plan.shapes[:, 0]
        sums = np.concatenate([[0], np.cumsum(of_batches)])
        ends = np.arange(self.count + 1) * self.layout.accumulation_steps
        return np.asarray(sums[np.minimum(ends, len(self.plan))])

    def batches_of(self, start: int, end: int | None) -> tuple[list[np.ndarray], list[list[int]]]:
        """The rows and the shape of each batch of some updates.

        Args:
            start: the first update, from 0.
            end: the update after the last one; None for all.

        Returns:
            The numbers of each batch's pairs, and its sentences, source and target tokens. The last
            update of an epoch is completed with batches of padding.
        """
        steps = self.layout.accumulation_steps
        end = self.count if end is None else end
        batches = slice(start * steps, end * steps)
        plan, shapes = self.plan[batches], self.shapes[batches].tolist()
        if missing := (end - start) * steps - len(plan):
            plan = plan + [PADDING_ALONE] * missing
            shapes = shapes + [min(self.shapes.tolist())] * missing
        if self.layout.edges:
            multiple = self.layout.devices
            counts = (-(-shape[0] // multiple) * multiple for shape in shapes)
            plan = [_fill(rows, count) for rows, count in zip(plan, counts)]
        return plan, shapes

    def _group(self, random: np.random.Generator) -> None:
        """Puts batches of the same shape together, and keeps their order."""
        steps, widths = self.layout.accumulation_steps, self.shapes[:, 1]
        updates = []
        for width in np.unique(widths):
            numbers = np.flatnonzero(widths == width)
            missing = np.full(-len(numbers) % steps, PADDING_ALONE)
            updates.append(np.append(numbers, missing).reshape(-1, steps))
        in_order = np.concatenate(updates)
        shuffled = in_order[random.permutation(len(in_order))]
        self.plan = self.plan.select(shuffled.ravel())
        self.shapes = np.repeat(self.shapes[shuffled[:, 0]], steps, axis=0)


def _fill(rows: np.ndarray, count: int) -> np.ndarray:
    return np.pad(rows, (0, count - len(rows)), constant_values=-1)
