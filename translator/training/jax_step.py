"""JAX's steps of training and validation."""

from typing import Any, NamedTuple

import keras
from keras import ops

from translator.model.keras_internals import compiled_metrics, loss_tracker
from translator.model.transformer import Transformer
from translator.training.losses import token_weights
from translator.training.packed_state import Packed, PackedState, Values, pack_state

MicroBatch = tuple[tuple[Any, Any], Any]  # (source ids (B, S), target ids (B, T)), (B, T)


class Sums(NamedTuple):
    """What an update's batches add up to.

    Attributes:
        others: the values of the variables that are not trained, such as the seeds of dropout.
        metrics: the values of the metrics' variables.
    """

    gradients: Values
    others: Values
    metrics: Values


def together(values: Values) -> Values:
    """The values, each times a one that all of them read.

    XLA joins kernels that compute the same for arrays of one shape and have an argument in common.
    Most variables are so small that a GPU needs more time to start a kernel than to run it.
    """
    import jax

    one = jax.lax.optimization_barrier(ops.ones(2))[0]
    return [value * ops.cast(one, value.dtype) for value in values]


class JaxTransformer(PackedState, Transformer):
    """A Transformer with the steps that `fit` and `evaluate` compile under JAX.

    The gradient of an update is that of the mean over all its target tokens, on
    however many devices and in however many batches they are. The batches of an update
    have one shape, and `jax.lax.scan` goes through them, so that one of them is in memory at a time
    and a compilation serves any number.
    """

    def train_step(
        self, state: tuple[Packed, ...], data: tuple[tuple[MicroBatch, ...]]
    ) -> tuple[dict[str, Any], tuple[Packed, ...]]:
        """Makes an update.

        Returns:
            The metrics so far, and the new state.
        """
        trained, others, of_optimizer, of_metrics = self.unpack_state(state)
        (batches,) = data
        total = ops.maximum(sum(self._count_tokens(y) for _, y in batches), 1.0)
        sums = Sums([ops.zeros_like(value) for value in trained], others, of_metrics)
        sums = self._add_batches(sums, batches, trained, of_optimizer, total)
        trained, of_optimizer = self.optimizer.stateless_apply(
            of_optimizer, together(self._without_key_biases(sums.gradients)), trained
        )
        return self._results(sums.metrics), pack_state(
            (trained, sums.others, of_optimizer, sums.metrics)
        )

    def test_step(
        self, state: tuple[Values, ...], data: tuple[tuple[MicroBatch, ...]]
    ) -> tuple[dict[str, Any], tuple[Values, ...]]:
        """Measures a batch, as `train_step`, with a state not packed and without optimiser."""
        trained, others, of_metrics = state
        [[(x, y)]] = data
        logits, others = self.stateless_call(trained, others, x, training=False)
        of_metrics = self._measure(of_metrics, y, logits, self.loss(y, logits))
        return self._results(of_metrics), (trained, others, of_metrics)

    def _add_batches(
        self,
        sums: Sums,
        batches: tuple[MicroBatch, ...],
        trained: Values,
        of_optimizer: Values,
        total: Any,
    ) -> Sums:
        import jax

        def add(sums: Sums, batch: MicroBatch) -> tuple[Sums, None]:
            gradients, others, metrics = self._differentiate(
                batch, trained, sums.others, of_optimizer, sums.metrics, total
            )
            gradients = [sum_ + more for sum_, more in zip(sums.gradients, gradients)]
            return Sums(gradients, others, metrics), None

        if len(batches) == 1:
            return add(sums, batches[0])[0]
        trained, sums = together(trained), sums._replace(others=together(sums.others))
        stacked = jax.tree.map(lambda *arrays: ops.stack(arrays), *batches)
        sums, _ = jax.lax.scan(add, sums, stacked)
        return sums

    def _differentiate(
        self,
        batch: MicroBatch,
        trained: Values,
        others: Values,
        of_optimizer: Values,
        of_metrics: Values,
        total: Any,
    ) -> Sums:
        """One batch's part of the gradient of an update with ``total`` target tokens."""
        import jax

        x, y = batch
        trained, others = together(trained), together(others)

        def scaled_loss(trained: Values) -> tuple[Any, Any]:
            logits, new_others = self.stateless_call(trained, others, x, training=True)
            loss = self.loss(y, logits)
            share = loss * (self._count_tokens(y) / total)
            with keras.StatelessScope(list(zip(self.optimizer.variables, of_optimizer))):
                scaled = self.optimizer.scale_loss(share)
            return scaled, (loss, logits, new_others)

        gradients, (loss, logits, others) = jax.grad(scaled_loss, has_aux=True)(trained)
        return Sums(gradients, others, self._measure(of_metrics, y, logits, loss))

    def _measure(self, of_metrics: Values, y: Any, logits: Any, loss: Any) -> Values:
        """The metrics' variables after a batch; the loss weighs as much as the batch's tokens."""
        with keras.StatelessScope(list(zip(self.metrics_variables, of_metrics))) as scope:
            loss_tracker(self).update_state(loss, sample_weight=self._count_tokens(y))
            for metric in compiled_metrics(self):
                metric.update_state(y, logits)
            return [scope.get_current_value(variable) for variable in self.metrics_variables]

    def _results(self, of_metrics: Values) -> dict[str, Any]:
        with keras.StatelessScope(list(zip(self.metrics_variables, of_metrics))):
            results: dict[str, Any] = self.get_metrics_result()
        return results

    def _count_tokens(self, y: Any) -> Any:
        return ops.sum(token_weights(y, self.padding_ids[1]))

    def _without_key_biases(self, gradients: Values) -> Values:
        """Gradients in which those of the key projections' biases are 0, as they are in theory.

        A bias adds the same to all logits of a query, which softmax does not see. What is
        computed is rounding error, different on each number of devices, and Adam
        makes steps of it.
        """
        return [
            ops.zeros_like(gradient) if variable.path.endswith("/key/bias") else gradient
            for gradient, variable in zip(gradients, self.trainable_variables)
        ]
