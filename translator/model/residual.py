"""The connection around every sub-layer: dropout, addition, normalisation."""

from typing import Any

import keras

from translator.model.constants import LAYER_NORM_EPSILON
from translator.model.dropout import Dropout
from translator.model.normalization import LayerNorm
from translator.model.shapes import Shape


@keras.saving.register_keras_serializable(package="translator")
class Residual(keras.layers.Layer):
    """The residual connection around a sub-layer f, in two halves: `before` and `after`.

    As in the paper (section 5.4) it computes LayerNorm(x + Dropout(f(x))); with
    ``normalize_first`` it computes x + Dropout(f(LayerNorm(x))), which is more stable in
    training: Xiong et al. (2020), "On Layer Normalization in the Transformer
    Architecture", https://arxiv.org/abs/2002.04745

    Args:
        dropout_rate: share of the sub-layer's output dropped in training.
        normalize_first: normalise before the sub-layer instead of after the sum.
        epsilon: of the normalisation.
        **kwargs: of `keras.layers.Layer`.
    """

    def __init__(
        self,
        dropout_rate: float = 0.0,
        normalize_first: bool = False,
        epsilon: float = LAYER_NORM_EPSILON,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.dropout_rate = dropout_rate
        self.normalize_first = normalize_first
        self.epsilon = epsilon
        self.norm = LayerNorm(epsilon, name="norm")
        self.dropout = Dropout(dropout_rate, name="dropout")

    def build(self, input_shape: Shape) -> None:
        self.norm.build(input_shape)

    def before(self, x: Any) -> Any:
        """The input of the sub-layer: x (B, T, D), normalised with ``normalize_first``."""
        return self.norm(x) if self.normalize_first else x

    def after(self, x: Any, output: Any, training: bool | None = None) -> Any:
        """Adds the sub-layer's output (B, T, D) to x (B, T, D)."""
        x = x + self.dropout(output, training=training)
        return x if self.normalize_first else self.norm(x)

    def call(self, x: Any, output: Any, training: bool | None = None) -> Any:
        """The same as `after`."""
        return self.after(x, output, training)

    def get_config(self) -> dict[str, Any]:
        return {
            **super().get_config(),
            "dropout_rate": self.dropout_rate,
            "normalize_first": self.normalize_first,
            "epsilon": self.epsilon,
        }
