"""The encoder, section 3.1 of the paper: a stack of equal layers."""

from typing import Any, NamedTuple

import keras
from keras import ops

from translator.model.feed_forward import FeedForward
from translator.model.multi_head_attention import AttentionOutput, MultiHeadAttention
from translator.model.normalization import LayerNorm
from translator.model.residual import Residual


class EncoderOutput(NamedTuple):
    """What the encoder gives.

    Attributes:
        hidden: (B, S, D), the source as the decoder sees it.
        attention_scores: (B, L, N, S, S), every head of every layer.
    """

    hidden: Any
    attention_scores: Any


@keras.saving.register_keras_serializable(package="translator")
class EncoderLayer(keras.layers.Layer):
    """Self-attention, then the feed-forward network, each in its `Residual`.

    Args:
        d_model: D.
        num_heads: N.
        dff: the feed-forward network's inner width.
        head_dim: H, D / N where None.
        dropout_rate: of each sub-layer's output.
        attention_dropout_rate: of the scores.
        activation_dropout_rate: of what the feed-forward network's activation gives.
        activation: of the feed-forward network.
        normalize_first: see `Residual`.
    """

    def __init__(
        self,
        d_model: int,
        num_heads: int,
        dff: int,
        head_dim: int | None = None,
        dropout_rate: float = 0.0,
        attention_dropout_rate: float = 0.0,
        activation_dropout_rate: float = 0.0,
        activation: str = "relu",
        normalize_first: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.sizes = {
            "d_model": d_model,
            "num_heads": num_heads,
            "dff": dff,
            "head_dim": head_dim,
            "dropout_rate": dropout_rate,
            "attention_dropout_rate": attention_dropout_rate,
            "activation_dropout_rate": activation_dropout_rate,
            "activation": activation,
            "normalize_first": normalize_first,
        }
        self.self_attention = MultiHeadAttention(
            num_heads, d_model, head_dim, attention_dropout_rate, name="self_attention"
        )
        self.feed_forward = FeedForward(
            dff, d_model, activation, activation_dropout_rate, name="feed_forward"
        )
        self.attention_residual = Residual(dropout_rate, normalize_first, name="attention_residual")
        self.feed_forward_residual = Residual(
            dropout_rate, normalize_first, name="feed_forward_residual"
        )

    def build(self, x_shape: tuple) -> None:
        for layer in (
            self.self_attention,
            self.attention_residual,
            self.feed_forward,
            self.feed_forward_residual,
        ):
            layer.build(x_shape)

    def call(
        self, x: Any, attention_mask: Any = None, training: bool | None = None
    ) -> AttentionOutput:
        """Runs the layer.

        Args:
            x: (B, S, D).
            attention_mask: broadcasts to (B, N, S, S), True = may attend.
            training: whether dropout is on.

        Returns:
            (B, S, D) and the scores (B, N, S, S).
        """
        query = self.attention_residual.before(x)
        attention = self.self_attention(query, query, attention_mask, training=training)
        x = self.attention_residual.after(x, attention.output, training)
        output = self.feed_forward(self.feed_forward_residual.before(x), training=training)
        x = self.feed_forward_residual.after(x, output, training)
        return AttentionOutput(x, attention.attention_scores)

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), **self.sizes}


@keras.saving.register_keras_serializable(package="translator")
class Encoder(keras.layers.Layer):
    """``num_layers`` layers, and a final normalisation where they normalise first.

    Args:
        num_layers: L.
        **sizes: those of `EncoderLayer`.
    """

    def __init__(
        self,
        num_layers: int,
        *,
        normalize_first: bool = False,
        name: str | None = None,
        **sizes: Any,
    ) -> None:
        layer_arguments = {key: sizes.pop(key) for key in ("dtype", "trainable") if key in sizes}
        super().__init__(name=name, **layer_arguments)
        self.num_layers = num_layers
        self.sizes = {**sizes, "normalize_first": normalize_first}
        self.layers = [EncoderLayer(**self.sizes, name=f"layer_{i + 1}") for i in range(num_layers)]
        self.norm = LayerNorm(name="norm") if normalize_first else None

    def build(self, x_shape: tuple) -> None:
        for layer in self.layers:
            layer.build(x_shape)
        if self.norm is not None:
            self.norm.build(x_shape)

    def call(
        self, x: Any, attention_mask: Any = None, training: bool | None = None
    ) -> EncoderOutput:
        """Runs the stack.

        Args:
            x: (B, S, D), embedded.
            attention_mask: (B, 1, 1, S), True = may attend.
            training: whether dropout is on.

        Returns:
            The hidden states and the scores of every layer and head.
        """
        scores = []
        for layer in self.layers:
            x, layer_scores = layer(x, attention_mask, training=training)
            scores.append(layer_scores)
        if self.norm is not None:
            x = self.norm(x)
        return EncoderOutput(x, ops.stack(scores, axis=1))

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "num_layers": self.num_layers, **self.sizes}
