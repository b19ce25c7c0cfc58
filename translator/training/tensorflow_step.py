"""TensorFlow's steps of training and validation."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

import keras

from translator.model.keras_internals import compiled_metrics, loss_tracker
from translator.model.transformer import Transformer
from translator.training.chunked_loss import chunked_loss
from translator.training.losses import token_weights

MicroBatch = tuple[tuple[Any, Any], Any]  # (source ids (B, S), target ids (B, T)), (B, T)


class CountingScope(keras.StatelessScope):
    """Keeps what is written to variables away from them, and counts it by the variable's id."""

    def __init__(self, state_mapping: Any) -> None:
        super().__init__(state_mapping)
        self.written: Counter[int] = Counter()

    def add_update(self, update: tuple[Any, Any]) -> None:
        """Keeps a value."""
        self.written[id(update[0])] += 1
        super().add_update(update)


class TensorFlowTransformer(Transformer):
    """A Transformer with the steps that `fit` and `evaluate` run under TensorFlow.

    An update takes one micro-batch or several: batches in turn, and shards of a batch in
    parallel. The gradient is that of the mean over all their target tokens, as if they had
    been one batch, however unequal they are; optimiser, schedule and moving
    averages see one update. Keras's own ``gradient_accumulation_steps`` averages
    the means of the batches and lets the schedule count batches.

    Args:
        in_chunks: whether the loss is `chunked_loss` instead of the one given to ``compile``.
        compile_batches: whether XLA compiles the work on each micro-batch; where ``compile`` has
            XLA compile the whole step, it compiles for every combination of their shapes.
    """

    def __init__(
        self,
        *args: Any,
        shards: int = 1,
        in_chunks: bool = False,
        compile_batches: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.shards = shards
        self.in_chunks = in_chunks
        self.compile_batches = compile_batches

    def train_step(self, data: MicroBatch | tuple[MicroBatch, ...]) -> dict[str, Any]:
        """Makes an update.

        Args:
            data: one micro-batch or several, as `make_dataset` returns them, of any shapes.
        """
        import tensorflow as tf

        batches: Any = data if isinstance(data[0][0], tuple) else (data,)
        counts = [self._count_tokens(y) for _, y in batches]
        tokens = tf.add_n(counts)
        if len(batches) == 1:
            loss, gradients = self._differentiate(batches[0])
        else:
            total = tf.maximum(tokens, 1.0)
            weighted = [(batch, count / total) for batch, count in zip(batches, counts)]
            accumulate = len(weighted) > self.shards
            loss, gradients = (self._accumulate if accumulate else self._sum_in_parallel)(weighted)
        loss_tracker(self).update_state(loss, sample_weight=tokens)
        self.optimizer.apply(gradients, self.trainable_weights)
        metrics: dict[str, Any] = self.get_metrics_result()
        return metrics

    def test_step(self, data: MicroBatch) -> dict[str, Any]:
        """Measures a batch; the loss weighs as much as the batch's tokens."""
        x, y = data
        predictions = self(x, training=False)
        loss = self.compute_loss(x=x, y=y, y_pred=predictions, training=False)
        loss_tracker(self).update_state(loss, sample_weight=self._count_tokens(y))
        metrics: dict[str, Any] = self.compute_metrics(x, y, predictions)
        return metrics

    def _accumulate(self, weighted: Sequence[tuple[MicroBatch, Any]]) -> tuple[Any, list[Any]]:
        """Sums over one batch after the other: no two of them are in memory at the same time."""
        import tensorflow as tf

        ids = tf.TensorSpec((None, None), "int32")
        micro_batch = (((ids, ids), ids), tf.TensorSpec(()))
        of_batch = tf.function(
            self._sum_in_parallel,
            input_signature=([micro_batch] * self.shards,),
            jit_compile=self.compile_batches,
        )
        loss, gradients = tf.zeros(()), [tf.zeros(v.shape) for v in self.trainable_weights]
        for first in range(0, len(weighted), self.shards):
            batch_loss, batch_gradients = of_batch(weighted[first : first + self.shards])
            loss += batch_loss
            gradients = [total + added for total, added in zip(gradients, batch_gradients)]
        return loss, gradients

    def _sum_in_parallel(self, weighted: Sequence[tuple[MicroBatch, Any]]) -> tuple[Any, list[Any]]:
        """Sums over shards, which do not depend on each other: TensorFlow may run them together.

        They are calls of one function, which is traced and optimised once. Calls that write to
        variables would wait for each other, so what dropout and metrics write is written here.
        """
        import tensorflow as tf

        if len(weighted) == 1:
            return self._differentiate(*weighted[0])
        seeds = [v for v in self.non_trainable_variables if "seed_generator" in v.path]
        sums = [v for metric in compiled_metrics(self) for v in metric.variables]
        states = tf.stack([v.value for v in seeds])  # (seeds, 2)
        drawn: Counter[int] = Counter()

        def shard(batch: MicroBatch, share: Any, states: Any) -> tuple[Any, list[Any], list[Any]]:
            given = [*zip(seeds, tf.unstack(states)), *((v, tf.zeros(v.shape)) for v in sums)]
            with CountingScope(given) as scope:
                loss, gradients = self._differentiate(batch, share)
            drawn.update(scope.written)
            return loss, gradients, [scope.get_current_value(v) for v in sums]

        ids = tf.TensorSpec((None, None), "int32")
        signature = ((ids, ids), ids), tf.TensorSpec(()), tf.TensorSpec(states.shape, states.dtype)
        apart = {"_noinline": True}  # or the graph would hold a copy for each call
        call = tf.function(shard, signature, autograph=False, experimental_attributes=apart)
        call = call.get_concrete_function()
        draws = tf.constant([[0, drawn[id(v)]] for v in seeds], states.dtype)  # of a shard
        found = [call(*each, states + number * draws) for number, each in enumerate(weighted)]
        for seed, state in zip(seeds, tf.unstack(states + len(weighted) * draws)):
            seed.assign(state)
        losses, gradients, measured = zip(*found)
        for more in measured:
            for variable, value in zip(sums, more):
                variable.assign_add(value)
        return tf.add_n(losses), [tf.add_n(of_variable) for of_variable in zip(*gradients)]

    def _differentiate(self, batch: MicroBatch, share: Any = None) -> tuple[Any, list[Any]]:
        import tensorflow as tf

        with tf.GradientTape() as tape:
            loss = (self._chunked_loss if self.in_chunks else self._whole_loss)(*batch)
            loss = loss if share is None else loss * share
            scaled = self.optimizer.scale_loss(loss)
        gradients = tape.gradient(scaled, self.trainable_weights)
        return loss, [tf.convert_to_tensor(gradient) for gradient in gradients]

    def _count_tokens(self, y: Any) -> Any:
        import tensorflow as tf

        return tf.reduce_sum(token_weights(y, self.padding_ids[1]))

    def _whole_loss(self, x: tuple[Any, Any], y: Any) -> Any:
        predictions = self(x, training=True)
        self.compute_metrics(x, y, predictions)
        return self.compute_loss(x=x, y=y, y_pred=predictions, training=True)

    def _chunked_loss(self, x: tuple[Any, Any], y: Any) -> Any:
        import tensorflow as tf

        hidden = self.hidden(*x, training=True)
        real = tf.where(tf.not_equal(y, self.padding_ids[1]))
        states, ids = tf.gather_nd(hidden, real), tf.gather_nd(y, real)
        settings = self.loss.label_smoothing, self.loss.r_drop_alpha
        sums = chunked_loss(states, ids, *self.output_weights(), *settings)
        tokens = tf.cast(tf.shape(real)[0], "float32")
        for metric in compiled_metrics(self):
            metric.add(getattr(sums, metric.name), tokens)
        return sums.loss / tf.maximum(tokens, 1.0)
