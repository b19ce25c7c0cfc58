"""How the kernels of dense layers begin; Keras itself begins as Glorot and Bengio have it."""

from typing import Any

import keras

INITIALIZERS = {
    "glorot_uniform": ("fan_avg", "uniform"),
    "glorot_normal": ("fan_avg", "truncated_normal"),
    "lecun_normal": ("fan_in", "truncated_normal"),
    "he_normal": ("fan_in", "truncated_normal"),
}


def initialize(model: Any, name: str, gain: float) -> None:
    """Draws the kernels of a built model's dense layers.

    Glorot and Bengio (2010), https://proceedings.mlr.press/v9/glorot10a.html; He
    et al. (2015), https://arxiv.org/abs/1502.01852. Embeddings and normalisation
    stay as they are.

    Args:
        model: built.
        name: one of `INITIALIZERS`.
        gain: what the kernels are multiplied by.
    """
    mode, distribution = INITIALIZERS[name]
    scale = gain**2 * (2.0 if name == "he_normal" else 1.0)
    for layer in model._flatten_layers():
        if isinstance(layer, keras.layers.Dense):
            draw = keras.initializers.VarianceScaling(scale, mode, distribution)
            layer.kernel.assign(draw(layer.kernel.shape, layer.kernel.dtype))
