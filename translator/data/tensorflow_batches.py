"""Batches for TensorFlow: `tf.data` gathers them."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from translator.data.batches import Batches
from translator.data.encoded_pairs import TokenArray

if TYPE_CHECKING:
    import tensorflow as tf


def make_dataset(
    batches: Batches, start: int = 0, end: int | None = None, copies: int = 1
) -> "tf.data.Dataset":
    """Some of an epoch's updates. They are gathered before the step needs them.

    Args:
        start: the first update, from 0.
        end: the update after the last one; None for all.
        copies: how often the pairs are repeated in their shard, such as 2 for R-Drop. With 2,
            the first half of a shard equals the second half.

    Returns:
        A dataset of ((source ids (B, S), target ids without the last (B, T)), target ids without
        the first (B, T)). It has tuples of these if an update takes several batches or a batch is
        cut into shards. The last update of an epoch is completed with batches of padding.
    """
    import tensorflow as tf

    steps, shards = batches.layout.accumulation_steps, batches.layout.shards
    plan, shapes = batches.batches_of(start, end)
    rows = tf.RaggedTensor.from_row_lengths(np.concatenate(plan), [len(rows) for rows in plan])
    widths = np.array(shapes)[:, 1:]
    source, target = (
        _gatherer(side, padding_id) for side, padding_id in zip(batches.pairs, batches.padding_ids)
    )

    def part(rows: tf.Tensor, widths: tf.Tensor) -> Any:
        rows = tf.tile(rows, [copies])
        target_ids = target(rows, widths[1])
        return (source(rows, widths[0]), target_ids[:, :-1]), target_ids[:, 1:]

    def in_shards(rows: tf.Tensor, widths: tf.Tensor) -> Any:
        return tuple(part(rows[i::shards], widths) for i in range(shards))

    @tf.autograph.experimental.do_not_convert  # type: ignore[untyped-decorator]  # TensorFlow's
    def batch(rows: tf.Tensor, widths: tf.Tensor) -> Any:
        return part(rows, widths) if shards == 1 else in_shards(rows, widths)

    @tf.autograph.experimental.do_not_convert  # type: ignore[untyped-decorator]  # TensorFlow's
    def update(rows: tf.RaggedTensor, widths: tf.Tensor) -> Any:
        return sum((in_shards(rows[i], widths[i]) for i in range(steps)), ())

    options = tf.data.Options()
    options.autotune.enabled = False  # autotune's thread outlives an epoch's iterator
    dataset = tf.data.Dataset.from_tensor_slices((rows, widths))
    dataset = dataset.map(batch) if steps == 1 else dataset.ragged_batch(steps).map(update)
    return dataset.prefetch(4).with_options(options)


def _gatherer(
    sentences: TokenArray, padding_id: int
) -> Callable[["tf.Tensor", "tf.Tensor"], "tf.Tensor"]:
    """Makes a function from (B,) sentence numbers and S to (B, S) padded ids, in TensorFlow.

    The number -1 is a sentence of padding.
    """
    import tensorflow as tf

    ids, offsets = _tensor(sentences.ids), _tensor(sentences.offsets)

    def gather(rows: tf.Tensor, width: tf.Tensor) -> tf.Tensor:
        starts = tf.gather(offsets, tf.maximum(rows, 0))[:, None]  # (B, 1)
        ends = tf.where(rows >= 0, tf.gather(offsets, rows + 1), 0)[:, None]
        places = starts + tf.range(width)[None]  # (B, S)
        gathered = tf.cast(tf.gather(ids, tf.clip_by_value(places, 0, ends - 1)), tf.int32)
        return tf.where(places < ends, gathered, padding_id)

    return gather


def _tensor(array: np.ndarray) -> "tf.Tensor":
    """A tensor of an array's values. For a memory-mapped array it is a view: data stay on disk."""
    import tensorflow as tf

    if isinstance(array, np.memmap):
        return tf.experimental.dlpack.from_dlpack(array.__dlpack__())
    return tf.constant(array)
