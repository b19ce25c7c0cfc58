"""Keras's dense layer, over sentences of any length."""

from typing import Any

import keras

from translator.base.backends import TENSORFLOW


@keras.saving.register_keras_serializable(package="translator")
class Dense(keras.layers.Dense):
    """Multiplies rows of one matrix, where TensorFlow has Keras multiply tensors of any rank.

    That takes five times as many operations, which find out the shape, and gives the same bits.
    """

    def call(self, inputs: Any, training: bool | None = None) -> Any:
        """Maps (..., D) to (..., units)."""
        if keras.backend.backend() != TENSORFLOW or len(inputs.shape) < 3:
            return super().call(inputs, training)
        import tensorflow as tf

        rows = super().call(tf.reshape(inputs, (-1, inputs.shape[-1])), training)
        return tf.reshape(rows, tf.concat([tf.shape(inputs)[:-1], [self.units]], 0))
