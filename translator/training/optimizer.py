"""Adam with one operation per variable."""

from collections.abc import Sequence
from typing import Any

import keras
from keras import ops

from translator.model.keras_internals import adam_moments, tensorflow_resource


@keras.saving.register_keras_serializable(package="translator")
class FusedAdam(keras.optimizers.Adam):
    """Keras's Adam, computed by TensorFlow's fused kernel where TensorFlow is the backend.

    Kingma and Ba (2015), "Adam", https://arxiv.org/abs/1412.6980. The kernel does in one
    operation what Keras does in eight, each of which reads and writes an array of the
    variable's size.
    """

    def apply(self, grads: Sequence[Any], trainable_variables: Any = None) -> None:
        """Updates the variables.

        The gradient of an embedding is a list of rows, and a row may occur twice. Clipping
        needs the norm of their sum, so they are summed first.
        """
        if self.global_clipnorm is not None and keras.backend.backend() == "tensorflow":
            import tensorflow as tf

            grads = [tf.convert_to_tensor(gradient) for gradient in grads]
        super().apply(grads, trainable_variables)

    def finalize_variable_values(self, var_list: Sequence[Any]) -> None:
        """Does nothing; Keras would replace the weights by their averages after `fit`."""

    def update_step(self, gradient: Any, variable: Any, learning_rate: Any) -> None:
        """Updates a variable and its two moments."""
        if keras.backend.backend() != "tensorflow" or self.amsgrad:
            super().update_step(gradient, variable, learning_rate)
            return
        import tensorflow as tf

        dtype = variable.dtype
        step = ops.cast(self.iterations + 1, dtype)
        momentum, velocity = adam_moments(self, variable)
        tf.raw_ops.ResourceApplyAdam(
            var=tensorflow_resource(variable),
            m=tensorflow_resource(momentum),
            v=tensorflow_resource(velocity),
            beta1_power=ops.power(ops.cast(self.beta_1, dtype), step),
            beta2_power=ops.power(ops.cast(self.beta_2, dtype), step),
            lr=ops.cast(learning_rate, dtype),
            beta1=ops.cast(self.beta_1, dtype),
            beta2=ops.cast(self.beta_2, dtype),
            epsilon=ops.cast(self.epsilon, dtype),
            grad=ops.cast(tf.convert_to_tensor(gradient), dtype),
        )
