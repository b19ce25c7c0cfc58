"""Normalisation of the hidden states."""

from typing import Any

import keras
from keras import ops

from translator.base.backends import JAX
from translator.model.constants import LAYER_NORM_EPSILON
from translator.model.shapes import Shape


@keras.saving.register_keras_serializable(package="translator")
class LayerNorm(keras.layers.Layer):
    """Layer normalisation over D, with the gradient written by hand.

    In training it takes a third as many operations as Keras's own layer.

    Ba et al. (2016), "Layer Normalization", https://arxiv.org/abs/1607.06450

    Args:
        epsilon: added to the variance.
        **kwargs: of `keras.layers.Layer`.
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
    """Keeps x and two numbers of each row for the gradient, which computes the rest anew."""

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
    """That of each row of x (B, T, D); of half precision on a GPU x is read once for it.

    That formula loses less than the rounding of x does.
    """
    values = _float32(x)
    if _waits_for_memory(x):
        return ops.maximum(_mean(ops.square(values)) - ops.square(mean), 0)
    return _mean(ops.square(values - mean))


def _read_again(x: Any, upstream: Any) -> Any:
    """The two; on a GPU nothing in float32 is kept from when they were read before."""
    if not _waits_for_memory(x):
        return x, upstream
    import jax

    return jax.lax.optimization_barrier((x, upstream))


def _waits_for_memory(x: Any) -> bool:
    """Whether x is of half precision under JAX, as on a GPU; that computes faster than it reads."""
    is_half: bool = keras.backend.standardize_dtype(x.dtype) != "float32"
    return is_half and keras.backend.backend() == JAX


def _mean(x: Any) -> Any:
    return ops.mean(x, axis=-1, keepdims=True)


def _float32(x: Any) -> Any:
    return ops.cast(x, "float32")
