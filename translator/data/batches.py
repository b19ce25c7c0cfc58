"""Batches planned from the lengths of encoded pairs, and `tf.data` to deliver them.

The plan of an epoch follows from the lengths, the seed and the epoch's number
alone. So the position (epoch, batch) determines which sentences come next, and a
resumed run continues exactly where it stopped.
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from translator.config.schema import DataConfig
from translator.data.encoding import EncodedPairs, TokenArray
from translator.tokenizers.subword import Tokenizers

if TYPE_CHECKING:
    import tensorflow as tf

# Where batches must have few different shapes, sentences are padded to one of these lengths.
EDGES = np.array([8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024])
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
    pad_to_edges: bool = False,
) -> list[np.ndarray]:
    """Decides which pairs form a batch: pairs of similar length; the batches in random order.

    Args:
        pairs: the split.
        config: ``batch_tokens`` bounds sentences x longest side of a batch,
            padding included; ``batch_size`` its sentences.
        seed: (seed, epoch); None keeps everything in order of length.
        pad_to_edges: whether all pairs of a batch are padded to the same one of `EDGES`.

    Returns:
        The indices of each batch's pairs. How many batches there are does not
        depend on the seed.
    """
    longest = np.maximum(pairs.source.lengths, pairs.target.lengths)
    shortest = np.minimum(pairs.source.lengths, pairs.target.lengths)
    random = np.random.default_rng(seed)
    ties = random.permutation(len(pairs)) if seed is not None else np.arange(len(pairs))
    order = np.lexsort((ties, shortest, longest))
    ascending = longest[order]
    lengths = _edges(ascending, config) if pad_to_edges else ascending
    cuts = _cut(lengths, config, pad_to_edges)
    batches = np.split(order, cuts)
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


def _edges(lengths: np.ndarray, config: DataConfig) -> np.ndarray:
    """Each length rounded up to the next of `EDGES` and ``max_length``."""
    edges = np.append(EDGES[config.max_length > EDGES], config.max_length)
    return edges[np.searchsorted(edges, lengths)]


class Batches:
    """The updates of an epoch of a split, one or more batches each, as `tf.data`.

    Args:
        pairs: the split.
        config: the batches' size.
        tokenizers: know the padding ids.
        seed: (seed, epoch); None keeps the order, for validation.
        accumulation_steps: number of batches of an update.
        pad_to_edges: whether batches are padded to `EDGES`, for XLA, which compiles
            again for each shape.
        shards: parts that each batch is cut into.

    Attributes:
        count: updates in the epoch.
        shapes: sentences, source tokens and target tokens of each batch, (batches, 3).
    """

    def __init__(
        self,
        pairs: EncodedPairs,
        config: DataConfig,
        tokenizers: Tokenizers,
        seed: tuple[int, int] | None = None,
        accumulation_steps: int = 1,
        pad_to_edges: bool = False,
        shards: int = 1,
    ) -> None:
        self.pairs = pairs
        self.config = config
        self.padding_ids = tuple(tokenizer.padding_id for tokenizer in tokenizers)
        self.pad_to_edges = pad_to_edges
        self.shards = shards
        self.plan = plan_batches(pairs, config, seed, pad_to_edges)
        self.shapes = _shapes(pairs, self.plan)
        if pad_to_edges:
            self.shapes[:, 1:] = _edges(self.shapes[:, 1:].max(axis=1), config)[:, None]
            self.shapes[:, 0] = [_max_sentences(config, width) for width in self.shapes[:, 1]]
        self.accumulation_steps = accumulation_steps
        self.count = -(-len(self.plan) // accumulation_steps)

    @property
    def padding_share(self) -> float:
        """Padding as a share of all positions, both sides together."""
        real = sum(int(side.lengths.sum()) for side in self.pairs)
        return 1 - real / int(np.sum(self.shapes[:, 0] * self.shapes[:, 1:].sum(axis=1)))

    def dataset(self, start: int = 0, end: int | None = None, copies: int = 1) -> "tf.data.Dataset":
        """Some of the epoch's updates, gathered a few ahead of the step that needs them.

        Args:
            start: the first update, from 0.
            end: the one after the last; None for all.
            copies: how many times the pairs are repeated in their shard, such as 2 for R-Drop.

        Returns:
            A dataset of ((source ids (B, S), target ids but the last (B, T)),
            target ids but the first (B, T)); of tuples of these if an update takes
            several batches or a batch is cut into shards. The last update of an epoch is
            completed with batches that hold only padding.
        """
        import tensorflow as tf

        steps = self.accumulation_steps
        plan, shapes = self._batches_of(start, self.count if end is None else end)
        rows = tf.RaggedTensor.from_row_lengths(np.concatenate(plan), [len(rows) for rows in plan])
        widths = np.array(shapes)[:, 1:]
        source, target = (
            _gatherer(side, padding_id) for side, padding_id in zip(self.pairs, self.padding_ids)
        )

        def part(rows: tf.Tensor, widths: tf.Tensor) -> Any:
            rows = tf.tile(rows, [copies])
            target_ids = target(rows, widths[1])
            return (source(rows, widths[0]), target_ids[:, :-1]), target_ids[:, 1:]

        def shards(rows: tf.Tensor, widths: tf.Tensor) -> Any:
            return tuple(part(rows[i :: self.shards], widths) for i in range(self.shards))

        @tf.autograph.experimental.do_not_convert  # type: ignore[untyped-decorator]  # TensorFlow's
        def batch(rows: tf.Tensor, widths: tf.Tensor) -> Any:
            return part(rows, widths) if self.shards == 1 else shards(rows, widths)

        @tf.autograph.experimental.do_not_convert  # type: ignore[untyped-decorator]  # TensorFlow's
        def update(rows: tf.RaggedTensor, widths: tf.Tensor) -> Any:
            return sum((shards(rows[i], widths[i]) for i in range(steps)), ())

        options = tf.data.Options()
        options.autotune.enabled = False  # its thread outlives an epoch's iterator
        batches = tf.data.Dataset.from_tensor_slices((rows, widths))
        batches = batches.map(batch) if steps == 1 else batches.ragged_batch(steps).map(update)
        return batches.prefetch(4).with_options(options)

    def _batches_of(self, start: int, end: int) -> tuple[list[np.ndarray], list[list[int]]]:
        """The indices of the pairs and the shape of each batch of some updates, as `dataset`."""
        steps = self.accumulation_steps
        chosen = slice(start * steps, end * steps)
        plan, shapes = self.plan[chosen], self.shapes[chosen].tolist()
        missing = (end - start) * steps - len(plan)
        plan = plan + [PADDING_ALONE] * missing
        shapes = shapes + [min(self.shapes.tolist())] * missing
        if self.pad_to_edges:
            plan = [_fill(rows, shape[0]) for rows, shape in zip(plan, shapes)]
        return plan, shapes


def _shapes(pairs: EncodedPairs, plan: list[np.ndarray]) -> np.ndarray:
    """Sentences, source tokens and target tokens of each batch, (batches, 3)."""
    sizes = np.array([len(rows) for rows in plan])
    order, starts = np.concatenate(plan), np.cumsum(sizes) - sizes
    longest = (np.maximum.reduceat(side.lengths[order], starts) for side in pairs)
    return np.stack([sizes, *longest], axis=1)


def _fill(rows: np.ndarray, count: int) -> np.ndarray:
    return np.pad(rows, (0, count - len(rows)), constant_values=-1)


def _gatherer(
    sentences: TokenArray, padding_id: int
) -> Callable[["tf.Tensor", "tf.Tensor"], "tf.Tensor"]:
    """A function from (B,) sentence numbers and S to (B, S) padded ids, in TensorFlow.

    The number -1 stands for a sentence of padding alone.
    """
    import tensorflow as tf

    ids, offsets = _tensor(sentences.ids), _tensor(sentences.offsets)

    def gather(rows: tf.Tensor, width: tf.Tensor) -> tf.Tensor:
        starts = tf.gather(offsets, tf.maximum(rows, 0))[:, None]  # (B, 1)
        ends = tf.where(rows >= 0, tf.gather(offsets, rows + 1), 0)[:, None]
        places = starts + tf.range(width)[None]  # (B, S)
        found = tf.cast(tf.gather(ids, tf.clip_by_value(places, 0, ends - 1)), tf.int32)
        return tf.where(places < ends, found, padding_id)

    return gather


def _tensor(array: np.ndarray) -> "tf.Tensor":
    """A tensor of an array's values; of a memory-mapped one it is a view, and stays on disk."""
    import tensorflow as tf

    if isinstance(array, np.memmap):
        return tf.experimental.dlpack.from_dlpack(array.__dlpack__())
    return tf.constant(array)
