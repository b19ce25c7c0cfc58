"""The encoder, section 3.1 of the paper: a stack of equal layers."""

from typing import Any, NamedTuple

import keras
from keras import ops

from translator.model.layer_settings import LayerSettings, LayerWithSettings
from translator.model.multi_head_attention import AttentionOutput
from translator.model.shapes import Shape


class EncoderOutput(NamedTuple):
    """What the encoder returns.

    Attributes:
        hidden: (B, S, D), the vectors that the decoder attends to.
        attention_scores: (B, L, N, S, S), every head of every layer; None if not asked for.
    """

    hidden: Any
    attention_scores: Any


@keras.saving.register_keras_serializable(package="translator")
class EncoderLayer(LayerWithSettings):
    """Self-attention, then the feed-forward network, each in its `Residual`.

    Args:
        settings: the layer's sizes and rates.
        **kwargs: of `keras.layers.Layer`.
    """

    def __init__(self, settings: LayerSettings, **kwargs: Any) -> None:
        super().__init__(settings, **kwargs)
        self.self_attention = settings.attention("self_attention")
        self.feed_forward = settings.feed_forward("feed_forward")
        self.attention_residual = settings.residual("attention_residual")
        self.feed_forward_residual = settings.residual("feed_forward_residual")

    def build(self, x_shape: Shape) -> None:
        for layer in (
            self.self_attention,
            self.attention_residual,
            self.feed_forward,
            self.feed_forward_residual,
        ):
            layer.build(x_shape)

    def call(
        self,
        x: Any,
        attention_mask: Any = None,
        training: bool | None = None,
        return_attention_scores: bool = True,
    ) -> AttentionOutput:
        """Runs the layer.

        Args:
            x: (B, S, D).
            attention_mask: broadcasts to (B, N, S, S), True = may attend.
            training: whether dropout is on.
            return_attention_scores: whether they are needed.

        Returns:
            (B, S, D) and the scores (B, N, S, S).
        """
        query = self.attention_residual.before(x)
        attention = self.self_attention(
            query,
            query,
            attention_mask,
            training=training,
            return_attention_scores=return_attention_scores,
        )
        x = self.attention_residual.after(x, attention.output, training)
        output = self.feed_forward(self.feed_forward_residual.before(x), training=training)
        x = self.feed_forward_residual.after(x, output, training)
        return AttentionOutput(x, attention.attention_scores)


@keras.saving.register_keras_serializable(package="translator")
class Encoder(LayerWithSettings):
    """``num_layers`` equal layers, and a final normalisation where they normalise first.

    Args:
        num_layers: L.
        settings: of every layer.
        **kwargs: of `keras.layers.Layer`.
    """

    def __init__(self, num_layers: int, settings: LayerSettings, **kwargs: Any) -> None:
        super().__init__(settings, **kwargs)
        self.num_layers = num_layers
        self.layers = [EncoderLayer(settings, name=f"layer_{i + 1}") for i in range(num_layers)]
        self.norm = settings.final_norm("norm")

    def build(self, x_shape: Shape) -> None:
        for layer in self.layers:
            layer.build(x_shape)
        if self.norm is not None:
            self.norm.build(x_shape)

    def call(
        self,
        x: Any,
        attention_mask: Any = None,
        training: bool | None = None,
        return_attention_scores: bool = True,
    ) -> EncoderOutput:
        """Runs the stack.

        Args:
            x: (B, S, D), embedded.
            attention_mask: (B, 1, 1, S), True = may attend.
            training: whether dropout is on.
            return_attention_scores: whether they are needed.

        Returns:
            The hidden states and the scores of every layer and head.
        """
        scores = []
        for layer in self.layers:
            x, layer_scores = layer(
                x,
                attention_mask,
                training=training,
                return_attention_scores=return_attention_scores,
            )
            scores.append(layer_scores)
        if self.norm is not None:
            x = self.norm(x)
        return EncoderOutput(x, ops.stack(scores, axis=1) if return_attention_scores else None)

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "num_layers": self.num_layers}
