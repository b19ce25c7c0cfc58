"""One update of several parts: batches in turn, and the shards of a batch side by side."""

from collections.abc import Sequence
from typing import Any

from translator.model.keras_internals import compiled_metrics, loss_tracker
from translator.model.transformer import Transformer
from translator.training.chunked_loss import chunked_loss
from translator.training.losses import token_weights

Part = tuple[tuple[Any, Any], Any]


class PartsTransformer(Transformer):
    """A Transformer whose training step takes several parts and makes one update of them.

    The gradient is that of the mean over all their target tokens, as if they had
    been one batch, however unequal they are; optimiser, schedule and moving
    averages see one update. Keras's own ``gradient_accumulation_steps`` averages
    the batches' means and lets the schedule count batches. For TensorFlow alone.

    Args:
        args: as `Transformer`'s.
        shards: how many parts that follow each other are computed at the same time.
        in_chunks: whether the loss is `chunked_loss`; the one given to ``compile`` otherwise.
    """

    def __init__(self, *args: Any, shards: int = 1, in_chunks: bool = False, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.shards = shards
        self.in_chunks = in_chunks

    def train_step(self, data: Part | tuple[Part, ...]) -> dict[str, Any]:
        """Makes an update.

        Args:
            data: a part, or several, as `Batches.dataset` gives them, of any shapes.

        Returns:
            The metrics so far.
        """
        import tensorflow as tf

        if not isinstance(data[0][0], tuple):
            data = (data,)
        counts = [tf.reduce_sum(token_weights(y, self.padding_ids[1])) for _, y in data]
        total = tf.maximum(tf.add_n(counts), 1.0)
        parts = [(part, count / total) for part, count in zip(data, counts)]
        if len(parts) == self.shards:
            loss, gradients = self._sum(parts)
        else:
            loss, gradients = self._accumulate(parts)
        sentences = sum(tf.shape(y)[0] for _, y in data)  # by which Keras weighs a batch's loss
        loss_tracker(self).update_state(loss, sample_weight=sentences)
        self.optimizer.apply(gradients, self.trainable_weights)
        return self.get_metrics_result()

    def _accumulate(self, parts: Sequence[tuple[Part, Any]]) -> tuple[Any, list[Any]]:
        """Sums up batch after batch: no two of them are in memory at the same time."""
        import tensorflow as tf

        ids = tf.TensorSpec((None, None), "int32")
        part = (((ids, ids), ids), tf.TensorSpec(()))
        of_batch = tf.function(self._sum, input_signature=([part] * self.shards,))
        loss, gradients = tf.zeros(()), [tf.zeros(v.shape) for v in self.trainable_weights]
        for first in range(0, len(parts), self.shards):
            its_loss, its_gradients = of_batch(parts[first : first + self.shards])
            loss += its_loss
            gradients = [ours + its for ours, its in zip(gradients, its_gradients)]
        return loss, gradients

    def _sum(self, parts: Sequence[tuple[Part, Any]]) -> tuple[Any, list[Any]]:
        """Sums up what TensorFlow may compute at the same time, as nothing makes one part wait."""
        import tensorflow as tf

        losses, gradients = zip(*(self._differentiate(part, share) for part, share in parts))
        return tf.add_n(losses), [tf.add_n(theirs) for theirs in zip(*gradients)]

    def _differentiate(self, part: Part, share: Any) -> tuple[Any, list[Any]]:
        import tensorflow as tf

        with tf.GradientTape() as tape:
            loss = (self._chunked_loss if self.in_chunks else self._whole_loss)(*part) * share
            scaled = self.optimizer.scale_loss(loss)
        gradients = tape.gradient(scaled, self.trainable_weights)
        return loss, [tf.convert_to_tensor(gradient) for gradient in gradients]

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
