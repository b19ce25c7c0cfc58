"""What stands around every sub-layer: dropout, residual connection, normalisation."""

from typing import Any

import keras

from translator.model.dropout import Dropout
from translator.model.normalization import LayerNorm


@keras.saving.register_keras_serializable(package="translator")
class Residual(keras.layers.Layer):
    """The frame of a sub-layer f, in two halves: `before` and `after`.

    As in the paper (section 5.4) the frame is LayerNorm(x + Dropout(f(x))); with
    ``normalize_first`` it is x + Dropout(f(LayerNorm(x))), which trains more
    steadily: Xiong et al. (2020), "On Layer Normalization in the Transformer
    Architecture", https://arxiv.org/abs/2002.04745

    Args:
        dropout_rate: share of the sub-layer's output dropped in training.
        normalize_first: normalise before the sub-layer instead of after the sum.
    """

    def __init__(
        self, dropout_rate: float = 0.0, normalize_first: bool = False, **kwargs: Any
    ) -> None:
        super().__init__(**kwargs)
        self.dropout_rate = dropout_rate
        self.normalize_first = normalize_first
        self.norm = LayerNorm(name="norm")
        self.dropout = Dropout(dropout_rate, name="dropout")

    def build(self, input_shape: tuple) -> None:
        self.norm.build(input_shape)

    def before(self, x: Any) -> Any:
        """What the sub-layer is given: x (B, T, D) or its normalised form."""
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
        }
