"""The position-wise feed-forward network, section 3.3 of the paper."""

from typing import Any, NamedTuple

import keras

from translator.model.dense import Dense
from translator.model.dropout import Dropout
from translator.model.shapes import Shape


class FeedForwardOutput(NamedTuple):
    """The output of a feed-forward network.

    Attributes:
        output: (B, T, D).
        inner: (B, T, dff), after the activation.
    """

    output: Any
    inner: Any


@keras.saving.register_keras_serializable(package="translator")
class FeedForward(keras.layers.Layer):
    """Two dense layers, the same for every position: D to ``dff`` and back.

    Args:
        dff: the inner width.
        d_model: D.
        activation: between the two, by its Keras name.
        dropout_rate: share of the activation's output that is dropped in training.
        **kwargs: of `keras.layers.Layer`.
    """

    def __init__(
        self,
        dff: int,
        d_model: int,
        activation: str = "relu",
        dropout_rate: float = 0.0,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.dff = dff
        self.d_model = d_model
        self.activation = activation
        self.dropout_rate = dropout_rate
        self.inner = Dense(dff, activation=activation, name="inner")
        self.outer = Dense(d_model, name="outer")
        self.dropout = Dropout(dropout_rate, name="dropout")

    def build(self, input_shape: Shape) -> None:
        self.inner.build(input_shape)
        self.outer.build((*input_shape[:-1], self.dff))

    def call(self, x: Any, training: bool | None = None) -> FeedForwardOutput:
        """Maps (B, T, D) to (B, T, D)."""
        inner = self.inner(x)
        return FeedForwardOutput(self.outer(self.dropout(inner, training=training)), inner)

    def get_config(self) -> dict[str, Any]:
        return {
            **super().get_config(),
            "dff": self.dff,
            "d_model": self.d_model,
            "activation": self.activation,
            "dropout_rate": self.dropout_rate,
        }
