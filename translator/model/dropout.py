"""Dropout that draws one random byte per element."""

from typing import Any

import keras
from keras import ops

from translator.model.shapes import Shape

BYTES = 256


@keras.saving.register_keras_serializable(package="translator")
class Dropout(keras.layers.Layer):
    """Sets elements to 0 at random in training, and scales the others up to keep the mean.

    Srivastava et al. (2014), "Dropout", https://jmlr.org/papers/v15/srivastava14a.html

    Keras's own layer draws a float per element, which takes twice as long.

    Args:
        rate: share of the elements that are set to 0, rounded to 256ths.
        **kwargs: of `keras.layers.Layer`.
    """

    def __init__(self, rate: float, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.rate = rate
        share = min(max(round(rate * BYTES), 1), BYTES - 1)
        self.dropped = share if rate else 0  # of the 256 values of a byte
        self.seed_generator = keras.random.SeedGenerator()
        self.built = True

    def call(self, x: Any, training: bool | None = None) -> Any:
        """Returns the same shape; x itself outside training."""
        if not training or not self.dropped:
            return x
        shape = ops.shape(x)
        count = 1
        for size in shape:
            count = count * size
        drawn = keras.random.randint(
            ((count + 3) // 4, 1), -(2**31), 2**31 - 1, seed=self.seed_generator
        )
        random = ops.reshape(ops.reshape(ops.view(drawn, "uint8"), (-1,))[:count], shape)
        kept = ops.cast(random >= ops.cast(self.dropped, "uint8"), x.dtype)
        return x * (kept * (BYTES / (BYTES - self.dropped)))

    def compute_output_shape(self, input_shape: Shape) -> Shape:
        return input_shape

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "rate": self.rate}
