"""Gradient accumulation: one update of several batches."""

from typing import Any

from translator.model.transformer import Transformer
from translator.training.losses import token_weights


class AccumulatingTransformer(Transformer):
    """A Transformer whose training step takes several batches and makes one update of them.

    The gradient is that of the mean over all their target tokens, as if they had
    been one batch, however unequal they are; optimiser, schedule and moving
    averages see one update. Keras's own ``gradient_accumulation_steps`` averages
    the batches' means and lets the schedule count batches. For TensorFlow alone.
    """

    def train_step(self, data: tuple[Any, ...]) -> dict[str, Any]:
        """Makes an update.

        Args:
            data: batches as `Batches.dataset` gives them, of any shapes.

        Returns:
            The metrics so far.
        """
        import tensorflow as tf

        counts = [tf.reduce_sum(token_weights(y, self.padding_ids[1])) for _, y in data]
        total = tf.maximum(tf.add_n(counts), 1.0)
        anything = tf.TensorSpec((None, None), "int32")

        @tf.function(input_signature=(((anything, anything), anything), tf.TensorSpec(())))
        def of_batch(batch: tuple[Any, Any], share: Any) -> tuple[Any, list[Any]]:
            x, y = batch
            with tf.GradientTape() as tape:
                predictions = self(x, training=True)
                loss = self._compute_loss(x=x, y=y, y_pred=predictions, training=True) * share
                scaled = self.optimizer.scale_loss(loss)
            self.compute_metrics(x, y, predictions)
            gradients = tape.gradient(scaled, self.trainable_weights)
            return loss, [tf.convert_to_tensor(gradient) for gradient in gradients]

        loss, gradients = tf.zeros(()), [tf.zeros(v.shape) for v in self.trainable_weights]
        for batch, count in zip(data, counts):
            its_loss, its_gradients = of_batch(batch, count / total)
            loss += its_loss
            gradients = [ours + its for ours, its in zip(gradients, its_gradients)]
        self._loss_tracker.update_state(loss, sample_weight=total)
        self.optimizer.apply(gradients, self.trainable_weights)
        return self.get_metrics_result()
