"""Dropout that draws one random byte per element, or a word where a byte is too coarse."""

from typing import Any

import keras
from keras import ops

from translator.model.shapes import Shape

BYTES, WORDS = 2**8, 2**32  # how many values each has
TOLERANCE = 0.1  # how far a rate in bytes may be from the configured one, as a share of it


@keras.saving.register_keras_serializable(package="translator")
class Dropout(keras.layers.Layer):
    """Sets elements to 0 at random in training, and scales the others up to keep the mean.

    Srivastava et al. (2014), "Dropout", https://jmlr.org/papers/v15/srivastava14a.html

    Keras's own layer draws a float per element, which takes twice as long.

    Args:
        rate: share of the elements that are set to 0, rounded to 256ths if that is close to it.
        **kwargs: of `keras.layers.Layer`.
    """

    def __init__(self, rate: float, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.rate = rate
        by_byte = round(rate * BYTES)
        error = abs(by_byte / BYTES - rate)
        self.values = BYTES if error <= TOLERANCE * min(rate, 1 - rate) else WORDS
        self.dropped = round(rate * self.values)  # of the values
        self.seed_generator = keras.random.SeedGenerator()
        self.built = True

    def call(self, x: Any, training: bool | None = None) -> Any:
        """Returns the same shape; x itself outside training."""
        if not training or not self.dropped:
            return x
        kept = ops.cast(self._draw_kept(ops.shape(x)), x.dtype)
        return x * (kept * (self.values / (self.values - self.dropped)))

    def _draw_kept(self, shape: tuple[Any, ...]) -> Any:
        """Which elements are kept, booleans of this shape."""
        if self.values == WORDS:
            return self._draw_words(shape) >= self.dropped - WORDS // 2
        least = ops.cast(self.dropped, "uint8")
        if keras.backend.backend() == "jax":  # keeps the axes, so that devices draw their own rows
            *rows, width = shape
            words = self._draw_words((*rows, -(-width // 4)))
            return ops.view(words, "uint8")[..., :width] >= least
        count = 1
        for size in shape:
            count = count * size
        words = self._draw_words(((count + 3) // 4, 1))
        drawn = ops.reshape(ops.view(words, "uint8"), (-1,))[:count]
        return ops.reshape(drawn, shape) >= least

    def _draw_words(self, shape: tuple[Any, ...]) -> Any:
        """Random int32 of this shape."""
        if keras.backend.backend() == "jax":
            import jax

            return ops.view(jax.random.bits(self.seed_generator.next(), shape), "int32")
        return keras.random.randint(shape, -(2**31), 2**31 - 1, seed=self.seed_generator)

    def compute_output_shape(self, input_shape: Shape) -> Shape:
        return input_shape

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "rate": self.rate}
