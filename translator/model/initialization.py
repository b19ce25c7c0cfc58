"""How layers are made: their precision, and the initial values of the dense layers' kernels."""

import contextlib
from collections.abc import Iterator
from typing import Any

import keras

from translator.model.keras_internals import flatten_layers

INITIALIZERS = {
    "glorot_uniform": ("fan_avg", "uniform"),
    "glorot_normal": ("fan_avg", "truncated_normal"),
    "lecun_normal": ("fan_in", "truncated_normal"),
    "he_normal": ("fan_in", "truncated_normal"),
}


def initialize(model: Any, name: str, gain: float) -> None:
    """Draws new values for the kernels of a built model's dense layers.

    Glorot and Bengio (2010), https://proceedings.mlr.press/v9/glorot10a.html; He
    et al. (2015), https://arxiv.org/abs/1502.01852. Embeddings and normalisation
    keep their values.

    Args:
        model: built.
        name: one of `INITIALIZERS`.
        gain: factor of the kernels.
    """
    mode, distribution = INITIALIZERS[name]
    scale = gain**2 * (2.0 if name == "he_normal" else 1.0)
    for layer in flatten_layers(model):
        if isinstance(layer, keras.layers.Dense):
            draw = keras.initializers.VarianceScaling(scale, mode, distribution)
            layer.kernel.assign(draw(layer.kernel.shape, layer.kernel.dtype))


@contextlib.contextmanager
def layers_of(dtype_policy: str) -> Iterator[None]:
    """Gives all layers that are made inside the block this policy, by its Keras name."""
    previous = keras.config.dtype_policy()
    keras.config.set_dtype_policy(dtype_policy)
    try:
        yield
    finally:
        keras.config.set_dtype_policy(previous)
