"""The sizes and rates that every layer of the encoder and of the decoder shares."""

from typing import Any, NamedTuple

import keras

from translator.model.constants import LAYER_NORM_EPSILON
from translator.model.feed_forward import FeedForward
from translator.model.multi_head_attention import MultiHeadAttention
from translator.model.normalization import LayerNorm
from translator.model.residual import Residual


class LayerSettings(NamedTuple):
    """What an `EncoderLayer` and a `DecoderLayer` are made of; the same for all layers of a stack.

    Attributes:
        d_model: D.
        num_heads: N.
        dff: inner width of the feed-forward network.
        head_dim: H; D / N if None.
        dropout_rate: dropout of each sub-layer's output, in training.
        attention_dropout_rate: dropout of the attention scores.
        activation_dropout_rate: dropout after the feed-forward network's activation.
        activation: of the feed-forward network, by its Keras name.
        normalize_first: whether to normalise before each sub-layer; see `Residual`.
        layer_norm_epsilon: added to the variance in normalisation.
        positions: kind of positions; see `make_positions`.
    """

    d_model: int
    num_heads: int
    dff: int
    head_dim: int | None = None
    dropout_rate: float = 0.0
    attention_dropout_rate: float = 0.0
    activation_dropout_rate: float = 0.0
    activation: str = "relu"
    normalize_first: bool = False
    layer_norm_epsilon: float = LAYER_NORM_EPSILON
    positions: str | None = None

    def attention(self, name: str, positions: str | None = None) -> MultiHeadAttention:
        """An attention sub-layer of these settings; ``positions`` are for self-attention."""
        sizes = self.num_heads, self.d_model, self.head_dim, self.attention_dropout_rate
        return MultiHeadAttention(*sizes, positions, name=name)

    def feed_forward(self, name: str) -> FeedForward:
        """A feed-forward sub-layer of these settings."""
        return FeedForward(
            self.dff, self.d_model, self.activation, self.activation_dropout_rate, name=name
        )

    def residual(self, name: str) -> Residual:
        """The connection around one sub-layer."""
        return Residual(self.dropout_rate, self.normalize_first, self.layer_norm_epsilon, name=name)

    def final_norm(self, name: str) -> LayerNorm | None:
        """The normalisation after a stack; None where every layer normalises its own output."""
        return LayerNorm(self.layer_norm_epsilon, name=name) if self.normalize_first else None


class LayerWithSettings(keras.layers.Layer):
    """A layer that is made from `LayerSettings` and survives a serialisation round trip.

    Args:
        settings: of the layer.
        **kwargs: of `keras.layers.Layer`.
    """

    def __init__(self, settings: LayerSettings, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.settings = settings

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "settings": self.settings._asdict()}

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> "LayerWithSettings":
        return cls(**{**config, "settings": LayerSettings(**config["settings"])})
