"""The batches planned from the lengths of encoded pairs, and `tf.data` to carry them.

The plan of an epoch follows from the lengths, the seed and the epoch's number
alone. So the position (epoch, batch) says which sentences come next, and a run
goes on where it stopped.
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from translator.config import DataConfig
from translator.encoding import EncodedPairs, TokenArray
from translator.tokenizer import Tokenizers

if TYPE_CHECKING:
    import tensorflow as tf


NOTHING = np.array([-1])  # as a batch's only row: padding alone


def pad(sentences: Sequence[Sequence[int] | np.ndarray], padding_id: int) -> np.ndarray:
    """Stacks sentences of ids into one (B, S) int32 array, filled up with padding."""
    longest = max(map(len, sentences))
    batch = np.full((len(sentences), longest), padding_id, dtype=np.int32)
    for row, sentence in zip(batch, sentences):
        row[: len(sentence)] = sentence
    return batch


def plan_batches(
    pairs: EncodedPairs, config: DataConfig, seed: tuple[int, int] | None = None
) -> list[np.ndarray]:
    """Decides which pairs form a batch: neighbours in length, in random order.

    Args:
        pairs: the split.
        config: ``batch_tokens`` bounds sentences x longest side of a batch,
            padding included; ``batch_size`` its sentences.
        seed: (seed, epoch); None keeps everything in order of length.

    Returns:
        The indices of each batch's pairs. How many batches there are does not
        depend on the seed.
    """
    longest = np.maximum(pairs.source.lengths, pairs.target.lengths)
    shortest = np.minimum(pairs.source.lengths, pairs.target.lengths)
    random = np.random.default_rng(seed)
    ties = random.permutation(len(pairs)) if seed is not None else np.arange(len(pairs))
    order = np.lexsort((ties, shortest, longest))
    cuts = _cut(longest[order], config)
    batches = np.split(order, cuts)
    if seed is not None:
        random.shuffle(batches)
    return batches


def _cut(ascending_lengths: np.ndarray, config: DataConfig) -> list[int]:
    if config.batch_size is not None:
        return list(range(config.batch_size, len(ascending_lengths), config.batch_size))
    cuts, start = [], 0
    for position, length in enumerate(ascending_lengths):
        if (position + 1 - start) * length > config.batch_tokens:
            cuts.append(position)
            start = position
    return cuts


class Batches:
    """The updates of an epoch of a split, one or more batches each, as `tf.data`.

    Args:
        pairs: the split.
        config: the batches' size.
        tokenizers: know the padding ids.
        seed: (seed, epoch); None keeps the order, for validation.
        accumulation_steps: batches of an update.

    Attributes:
        count: updates in the epoch.
    """

    def __init__(
        self,
        pairs: EncodedPairs,
        config: DataConfig,
        tokenizers: Tokenizers,
        seed: tuple[int, int] | None = None,
        accumulation_steps: int = 1,
    ) -> None:
        self.pairs = pairs
        self.padding_ids = tuple(tokenizer.padding_id for tokenizer in tokenizers)
        self.plan = plan_batches(pairs, config, seed)
        self.accumulation_steps = accumulation_steps
        self.count = -(-len(self.plan) // accumulation_steps)

    @property
    def padding_share(self) -> float:
        """Padding as a share of all positions, both sides together."""
        sides = [side.lengths for side in self.pairs]
        positions = sum(len(rows) * lengths[rows].max() for lengths in sides for rows in self.plan)
        return 1 - sum(lengths.sum() for lengths in sides) / positions

    def rows(self, update: int) -> list[np.ndarray]:
        """The pairs of each batch of an update, by their numbers."""
        first = update * self.accumulation_steps
        return self.plan[first : first + self.accumulation_steps]

    def dataset(self, start: int = 0, end: int | None = None, copies: int = 1) -> "tf.data.Dataset":
        """Some of the epoch's updates, gathered a few ahead of the step that needs them.

        Args:
            start: the first update, from 0.
            end: the one after the last; None for all.
            copies: how many times each batch holds its pairs, one after the other.

        Returns:
            A dataset of ((source ids (B, S), target ids but the last (B, T)),
            target ids but the first (B, T)); of tuples of these where an update
            takes several batches. An epoch's last update is filled up with
            batches of padding alone.
        """
        import tensorflow as tf

        steps = self.accumulation_steps
        plan = [
            rows
            for update in range(start, self.count if end is None else end)
            for rows in [*self.rows(update), *[NOTHING] * steps][:steps]
        ]
        rows = tf.RaggedTensor.from_row_lengths(np.concatenate(plan), [len(rows) for rows in plan])
        source, target = (
            _gatherer(side, padding_id) for side, padding_id in zip(self.pairs, self.padding_ids)
        )

        @tf.autograph.experimental.do_not_convert
        def batch(rows: tf.Tensor) -> tuple[tuple[tf.Tensor, tf.Tensor], tf.Tensor]:
            rows = tf.tile(rows, [copies])
            target_ids = target(rows)
            return (source(rows), target_ids[:, :-1]), target_ids[:, 1:]

        @tf.autograph.experimental.do_not_convert
        def update(rows: tf.RaggedTensor) -> tuple:
            return tuple(batch(rows[i]) for i in range(steps))

        options = tf.data.Options()
        options.autotune.enabled = False  # its thread sleeps on when an epoch's iterator goes
        batches = tf.data.Dataset.from_tensor_slices(rows)
        batches = batches.map(batch) if steps == 1 else batches.ragged_batch(steps).map(update)
        return batches.prefetch(4).with_options(options)


def _gatherer(sentences: TokenArray, padding_id: int) -> Callable[["tf.Tensor"], "tf.Tensor"]:
    """A function from (B,) sentence numbers to (B, S) padded ids, in TensorFlow."""
    import tensorflow as tf

    ids, offsets = _tensor(sentences.ids), _tensor(sentences.offsets)

    def gather(rows: tf.Tensor) -> tf.Tensor:
        starts = tf.gather(offsets, tf.maximum(rows, 0))[:, None]  # (B, 1)
        ends = tf.where(rows >= 0, tf.gather(offsets, rows + 1), 0)[:, None]
        longest = tf.maximum(tf.reduce_max(ends - starts), 2)
        places = starts + tf.range(longest)[None]  # (B, S)
        found = tf.cast(tf.gather(ids, tf.clip_by_value(places, 0, ends - 1)), tf.int32)
        return tf.where(places < ends, found, padding_id)

    return gather


def _tensor(array: np.ndarray) -> "tf.Tensor":
    """A tensor of an array's values; of a memory-mapped one it is a view, and stays on disk."""
    import tensorflow as tf

    if isinstance(array, np.memmap):
        return tf.experimental.dlpack.from_dlpack(array.__dlpack__())
    return tf.constant(array)
