"""The steps of a training under TensorFlow, on a CPU.

A batch is cut into shards, which are computed at the same time, and the loss is computed in chunks.
"""

import contextlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import keras
import tensorflow as tf

from translator.data.batches import Batches
from translator.data.tensorflow_batches import make_dataset
from translator.model.chunked_loss import chunked_loss
from translator.model.losses import TokenSums, sum_tokens
from translator.runs.weights import variable_value
from translator.training.backends import Backend, Figures, MicroBatch, as_sums
from translator.training.hardware import shard_count
from translator.training.optimizer import moving_averages

IDS = tf.TensorSpec((None, None), "int32")
Weighted = tuple[MicroBatch, Any]  # a batch, and its share of the tokens of its update


class Part(NamedTuple):
    """The contribution of one or several batches to an update.

    Attributes:
        gradients: the gradients of the trained variables, in their order.
        sums: `as_sums` of each batch, without its loss.
    """

    loss: Any
    gradients: list[Any]
    sums: list[Any]


class CountingScope(keras.StatelessScope):
    """Prevents dropout from writing its seeds, and counts the writes by the seed's id."""

    def __init__(self, state_mapping: Any) -> None:
        super().__init__(state_mapping)
        self.written: Counter[int] = Counter()

    def add_update(self, update: tuple[Any, Any]) -> None:
        """Keeps a value."""
        self.written[id(update[0])] += 1
        super().add_update(update)


class TensorFlowBackend(Backend):
    """A model in training under TensorFlow.

    An update takes one or several batches. Batches are computed in turn, and shards of a batch in
    parallel. The gradient belongs to the mean over all target tokens, as for one batch. Optimiser,
    schedule and moving averages count one update. (Keras's own ``gradient_accumulation_steps``
    averages the means of the batches, and its schedule counts batches.)
    """

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.shards = shard_count(self.config.training)
        self._steps: dict[float, Callable[..., Any]] = {}
        signature = (((IDS, IDS), IDS), tf.TensorSpec((6,)))
        self._measure = tf.function(self._measure_batch, signature, autograph=False)

    def feed(self, batches: Batches, start: int = 0, end: int | None = None) -> Iterable[Any]:
        """See `Backend`; returns a dataset of TensorFlow."""
        updates: Iterable[Any] = make_dataset(batches, start, end, self.copies)
        return updates

    def update(self, batch: Any, skipped: int = 0) -> Figures:
        """See `Backend`."""
        if self.r_drop_alpha not in self._steps:
            signature = (tf.nest.map_structure(lambda _: IDS, batch), tf.TensorSpec((), "int32"))
            self._steps[self.r_drop_alpha] = tf.function(self._update, signature, autograph=False)
        sums = self._steps[self.r_drop_alpha](batch, skipped)
        self.schedule.skipped = skipped  # was a tensor while the step was traced
        return Figures(sums)

    def measure(self, batches: Batches) -> dict[str, float]:
        """See `Backend`."""
        with self._averages_in_place():
            sums = tf.zeros(6)
            for batch in make_dataset(batches):
                sums = self._measure(batch, sums)
        return Figures(sums).read()

    def _update(self, data: MicroBatch | tuple[MicroBatch, ...], skipped: Any) -> Any:
        """An update with one batch or several, of any shapes; returns the sums after it."""
        batches: Any = data if isinstance(data[0][0], tuple) else (data,)
        counts = [self.count_tokens(y) for _, y in batches]
        tokens = tf.add_n(counts)
        total = tf.maximum(tokens, 1.0)
        weighted = [(batch, count / total) for batch, count in zip(batches, counts)]
        add = self._accumulate if len(weighted) > self.shards else self._add_in_parallel
        part = add(weighted)
        self.schedule.skipped = skipped
        self.optimizer.apply(part.gradients, self.model.trainable_weights)
        for sums in part.sums:
            self.sums.assign_add(sums)
        self.sums.assign_add(as_sums(part.loss, tokens))
        return tf.convert_to_tensor(self.sums.value)

    def _measure_batch(self, batch: MicroBatch, sums: Any) -> Any:
        """Adds the sums of a batch."""
        x, y = batch
        logits = self.model(x, training=False)
        tokens = sum_tokens(y, logits, self.padding_id)
        return sums + as_sums(self.loss(0.0)(y, logits), tokens.tokens, tokens)

    def _accumulate(self, weighted: Sequence[Weighted]) -> Part:
        """Adds the parts of batches one after the other. Only one batch is in memory at a time."""
        signature = ([(((IDS, IDS), IDS), tf.TensorSpec(()))] * self.shards,)
        of_batch = tf.function(self._add_in_parallel, signature)
        variables = self.model.trainable_weights
        sum_ = Part(tf.zeros(()), [tf.zeros(variable.shape) for variable in variables], [])
        for first in range(0, len(weighted), self.shards):
            part = Part(*of_batch(weighted[first : first + self.shards]))
            gradients = [total + added for total, added in zip(sum_.gradients, part.gradients)]
            sum_ = Part(sum_.loss + part.loss, gradients, [*sum_.sums, *part.sums])
        return sum_

    def _add_in_parallel(self, weighted: Sequence[Weighted]) -> Part:
        """Adds shards. They do not depend on each other, so TensorFlow may run them in parallel.

        Shards are calls of one function, which is traced and optimised once. Calls that write to
        variables would wait for each other. So the new seeds of dropout are written here.
        """
        if len(weighted) == 1:
            return self._differentiate(*weighted[0])
        states = tf.stack([seed.value for seed in self.seeds])  # (seeds, 2)
        drawn: Counter[int] = Counter()

        def shard(batch: MicroBatch, share: Any, states: Any) -> Part:
            with CountingScope(list(zip(self.seeds, tf.unstack(states)))) as scope:
                part = self._differentiate(batch, share)
            drawn.update(scope.written)
            return part

        signature = ((IDS, IDS), IDS), tf.TensorSpec(()), tf.TensorSpec(states.shape, states.dtype)
        apart = {"_noinline": True}  # otherwise the graph has a copy for each call
        call = tf.function(shard, signature, autograph=False, experimental_attributes=apart)
        call = call.get_concrete_function()
        draws = tf.constant([[0, drawn[id(seed)]] for seed in self.seeds], states.dtype)
        parts = [call(*part, states + number * draws) for number, part in enumerate(weighted)]
        for seed, state in zip(self.seeds, tf.unstack(states + len(weighted) * draws)):
            seed.assign(state)
        losses, gradients, sums = zip(*parts)
        added = [tf.add_n(of_variable) for of_variable in zip(*gradients)]
        return Part(tf.add_n(losses), added, [sum_ for (sum_,) in sums])

    def _differentiate(self, batch: MicroBatch, share: Any) -> Part:
        with tf.GradientTape() as tape:
            mean, tokens = self._loss(*batch)
            loss = mean * share
        gradients = tape.gradient(loss, self.model.trainable_weights)
        dense = [tf.convert_to_tensor(gradient) for gradient in gradients]
        return Part(loss, dense, [as_sums(tokens=tokens)])

    def _loss(self, x: tuple[Any, Any], y: Any) -> tuple[Any, TokenSums]:
        hidden = self.model.hidden(*x, training=True)
        real = tf.where(tf.not_equal(y, self.padding_id))
        states, ids = tf.gather_nd(hidden, real), tf.gather_nd(y, real)
        settings = self.config.training.label_smoothing, self.r_drop_alpha
        sums = chunked_loss(states, ids, *self.model.output_weights(), *settings)
        tokens = tf.cast(tf.shape(real)[0], "float32")
        return (
            sums.loss / tf.maximum(tokens, 1.0),
            TokenSums(sums.cross_entropy, sums.accuracy, tokens),
        )

    @contextlib.contextmanager
    def _averages_in_place(self) -> Iterator[None]:
        """Swaps the model's weights with their moving averages during the block."""
        self._exchange()
        try:
            yield
        finally:
            self._exchange()

    def _exchange(self) -> None:
        for variable, average in moving_averages(self.adam):
            value = variable_value(variable)
            variable.assign(average)
            average.assign(value)
