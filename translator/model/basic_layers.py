"""Dense, dropout and layer normalisation: Keras's layers, computed with fewer operations."""

from typing import Any

import keras
from keras import ops

from translator.base.backends import JAX, TENSORFLOW
from translator.model.constants import LAYER_NORM_EPSILON

Shape = tuple[int | None, ...]  # None where a dimension is not known yet


@keras.saving.register_keras_serializable(package="translator")
class Dense(keras.layers.Dense):
    """A dense layer that multiplies matrices, not tensors of any rank, under TensorFlow.

    The result has the same bits. It needs a fifth of the operations, because none finds the shape.
    """

    def call(self, inputs: Any, training: bool | None = None) -> Any:
        """Maps (..., D) to (..., units)."""
        if keras.backend.backend() != TENSORFLOW or len(inputs.shape) < 3:
            return super().call(inputs, training)
        import tensorflow as tf

        rows = super().call(tf.reshape(inputs, (-1, inputs.shape[-1])), training)
        return tf.reshape(rows, tf.concat([tf.shape(inputs)[:-1], [self.units]], 0))


BYTES, WORDS = 2**8, 2**32  # the number of values of a byte and of a word
TOLERANCE = 0.1  # the largest relative error of a rate that is rounded to bytes


@keras.saving.register_keras_serializable(package="translator")
class Dropout(keras.layers.Layer):
    """Sets elements to 0 at random in training, and scales the others up to keep the mean.

    Srivastava et al. (2014), "Dropout", https://jmlr.org/papers/v15/srivastava14a.html

    Keras's own layer draws a float per element. That takes twice as long.

    Args:
        rate: share of the elements that are set to 0, rounded to 256ths if that is close.
    """

    def __init__(self, rate: float, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.rate = rate
        by_byte = round(rate * BYTES)
        error = abs(by_byte / BYTES - rate)
        self.values = BYTES if error <= TOLERANCE * min(rate, 1 - rate) else WORDS
        self.dropped = round(rate * self.values)  # how many of the values mean dropped
        self.seed_generator = keras.random.SeedGenerator()
        self.built = True

    def call(self, x: Any, training: bool | None = None) -> Any:
        """Returns the same shape; x itself outside training."""
        if not training or not self.dropped:
            return x
        is_kept = ops.cast(self._draw_kept(ops.shape(x)), x.dtype)
        return x * (is_kept * (self.values / (self.values - self.dropped)))

    def _draw_kept(self, shape: tuple[Any, ...]) -> Any:
        """Draws which elements are kept, as booleans of this shape."""
        if self.values == WORDS:
            return self._draw_words(shape) >= self.dropped - WORDS // 2
        least = ops.cast(self.dropped, "uint8")
        if keras.backend.backend() == "jax":  # with all axes, each device draws its own rows
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


@keras.saving.register_keras_serializable(package="translator")
class LayerNorm(keras.layers.Layer):
    """Layer normalisation over D, with the gradient written by hand.

    In training it takes a third as many operations as Keras's own layer.

    Ba et al. (2016), "Layer Normalization", https://arxiv.org/abs/1607.06450

    Args:
        epsilon: added to the variance.
    """

    def __init__(self, epsilon: float = LAYER_NORM_EPSILON, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.epsilon = epsilon

    def build(self, input_shape: Shape) -> None:
        width = input_shape[-1:]
        self.gamma = self.add_weight(name="gamma", shape=width, initializer="ones")
        self.beta = self.add_weight(name="beta", shape=width, initializer="zeros")

    def call(self, x: Any) -> Any:
        """Normalises x (B, T, D) over D; computes in float32 and returns the type of x."""
        return _layer_norm(x, _float32(self.gamma), _float32(self.beta), self.epsilon)

    def compute_output_shape(self, input_shape: Shape) -> Shape:
        return input_shape

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "epsilon": self.epsilon}


def _layer_norm(x: Any, gamma: Any, beta: Any, epsilon: float) -> Any:
    """Normalises x. For the gradient it keeps x and two numbers a row, and recomputes the rest."""

    @ops.custom_gradient
    def normalize(x: Any, gamma: Any, beta: Any) -> tuple[Any, Any]:
        mean = _mean(_float32(x))
        inverse = ops.rsqrt(_variance(x, mean) + epsilon)  # (B, T, 1)

        def normal(x: Any) -> Any:
            return (_float32(x) - mean) * inverse

        def gradient(upstream: Any) -> tuple[Any, Any, Any]:
            inner, along = _float32(upstream) * gamma, _float32(upstream) * normal(x)
            x_gradient = inverse * (inner - _mean(inner) - normal(x) * _mean(along * gamma))
            rows = tuple(range(len(x.shape) - 1))
            again, upstream = _read_again(x, upstream)
            gamma_gradient = ops.sum(_float32(upstream) * normal(again), rows)
            beta_gradient = ops.sum(_float32(upstream), rows)
            return ops.cast(x_gradient, x.dtype), gamma_gradient, beta_gradient

        return ops.cast(normal(x) * gamma + beta, x.dtype), gradient

    return normalize(x, gamma, beta)


def _variance(x: Any, mean: Any) -> Any:
    """The variance of each row of x (B, T, D). In half precision on a GPU, it reads x only once.

    The formula with one reading loses less precision than the rounding of x.
    """
    values = _float32(x)
    if _waits_for_memory(x):
        return ops.maximum(_mean(ops.square(values)) - ops.square(mean), 0)
    return _mean(ops.square(values - mean))


def _read_again(x: Any, upstream: Any) -> Any:
    """Returns both arrays. On a GPU, it stops XLA from storing float32 copies of them."""
    if not _waits_for_memory(x):
        return x, upstream
    import jax

    return jax.lax.optimization_barrier((x, upstream))


def _waits_for_memory(x: Any) -> bool:
    """Whether x has half precision under JAX. A GPU then computes faster than it reads."""
    is_half: bool = keras.backend.standardize_dtype(x.dtype) != "float32"
    return is_half and keras.backend.backend() == JAX


def _mean(x: Any) -> Any:
    return ops.mean(x, axis=-1, keepdims=True)


def _float32(x: Any) -> Any:
    return ops.cast(x, "float32")
