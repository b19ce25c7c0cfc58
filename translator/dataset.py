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
    """The batches of a split, epoch after epoch, as `tf.data`.

    Args:
        pairs: the split.
        config: the batches' size.
        tokenizers: know the padding ids.
        seed: shuffles each epoch anew; None keeps the order, for validation.

    Attributes:
        count: batches an epoch.
        padding_share: of all positions of the first epoch's batches, both sides together.
    """

    def __init__(
        self,
        pairs: EncodedPairs,
        config: DataConfig,
        tokenizers: Tokenizers,
        seed: int | None = None,
    ) -> None:
        self.pairs = pairs
        self.config = config
        self.padding_ids = tuple(tokenizer.padding_id for tokenizer in tokenizers)
        self.seed = seed
        plan = plan_batches(pairs, config, None if seed is None else (seed, 0))
        self.count = len(plan)
        self.padding_share = _padding_share(pairs, plan)

    def dataset(self, epoch: int = 0, skip: int = 0) -> "tf.data.Dataset":
        """One epoch's batches, gathered a few ahead of the step that needs them.

        Args:
            epoch: whose plan to follow, from 0.
            skip: batches at its beginning to leave out.

        Returns:
            A dataset of ((source ids (B, S), target ids but the last (B, T)),
            target ids but the first (B, T)).
        """
        import tensorflow as tf

        seed = None if self.seed is None else (self.seed, epoch)
        plan = plan_batches(self.pairs, self.config, seed)[skip:]
        rows = tf.RaggedTensor.from_row_lengths(np.concatenate(plan), [len(rows) for rows in plan])
        source, target = (
            _gatherer(side, padding_id) for side, padding_id in zip(self.pairs, self.padding_ids)
        )

        @tf.autograph.experimental.do_not_convert
        def batch(rows: tf.Tensor) -> tuple[tuple[tf.Tensor, tf.Tensor], tf.Tensor]:
            target_ids = target(rows)
            return (source(rows), target_ids[:, :-1]), target_ids[:, 1:]

        options = tf.data.Options()
        options.autotune.enabled = False  # its thread sleeps on when an epoch's iterator goes
        return tf.data.Dataset.from_tensor_slices(rows).map(batch).prefetch(4).with_options(options)


def _padding_share(pairs: EncodedPairs, plan: list[np.ndarray]) -> float:
    sides = [side.lengths for side in pairs]
    positions = sum(len(rows) * lengths[rows].max() for lengths in sides for rows in plan)
    return 1 - sum(lengths.sum() for lengths in sides) / positions


def _gatherer(sentences: TokenArray, padding_id: int) -> Callable[["tf.Tensor"], "tf.Tensor"]:
    """A function from (B,) sentence numbers to (B, S) padded ids, in TensorFlow."""
    import tensorflow as tf

    ids, offsets = _tensor(sentences.ids), _tensor(sentences.offsets)

    def gather(rows: tf.Tensor) -> tf.Tensor:
        starts = tf.gather(offsets, rows)[:, None]  # (B, 1)
        ends = tf.gather(offsets, rows + 1)[:, None]
        places = starts + tf.range(tf.reduce_max(ends - starts))[None]  # (B, S)
        found = tf.cast(tf.gather(ids, tf.minimum(places, ends - 1)), tf.int32)
        return tf.where(places < ends, found, padding_id)

    return gather


def _tensor(array: np.ndarray) -> "tf.Tensor":
    """A tensor of an array's values; of a memory-mapped one it is a view, and stays on disk."""
    import tensorflow as tf

    if isinstance(array, np.memmap):
        return tf.experimental.dlpack.from_dlpack(array.__dlpack__())
    return tf.constant(array)
