"""The encoder, section 3.1 of the paper: a stack of equal layers."""

from typing import Any, NamedTuple

import keras
from keras import ops

from translator.model.basic_layers import Shape
from translator.model.outputs import LayerTrace, SubLayerTrace
from translator.model.sub_layers import LayerStack, LayerWithSettings


class EncoderOutput(NamedTuple):
    """The output of an encoder layer, or of the whole encoder.

    Attributes:
        hidden: (B, S, D). The decoder attends to the vectors of the whole encoder.
        attention_scores: for a layer (B, N, S, S), for the encoder (B, L, N, S, S); None if they
            were not requested.
        trace: if requested, for a layer its `LayerTrace`, for the encoder one for each layer.
    """

    hidden: Any
    attention_scores: Any
    trace: Any = ()


@keras.saving.register_keras_serializable(package="translator")
class EncoderLayer(LayerWithSettings):
    """Self-attention, then the feed-forward network, each in its `Residual`.

    Args:
        d_model: D.
        num_heads: N.
        dff: inner width of the feed-forward network.
        **kwargs: keywords of `LayerSettings`, such as ``dropout_rate=0.1``, and of a Keras layer.
    """

    def __init__(self, d_model: int, num_heads: int, dff: int, **kwargs: Any) -> None:
        super().__init__(d_model, num_heads, dff, **kwargs)
        settings = self.settings
        self.self_attention = settings.attention("self_attention", settings.positions)
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
        return_trace: bool = False,
    ) -> EncoderOutput:
        """Runs the layer.

        Args:
            x: (B, S, D).
            attention_mask: broadcasts to (B, N, S, S), True = may attend.
            training: whether dropout is on.
            return_attention_scores: whether to return the scores.
            return_trace: whether to return intermediate values.

        Returns:
            The hidden states and the scores of every head.
        """
        query = self.attention_residual.before(x)
        attention = self.self_attention(
            query,
            query,
            attention_mask,
            training=training,
            return_attention_scores=return_attention_scores,
        )
        attended = self.attention_residual.after(x, attention.output, training)
        entering = self.feed_forward_residual.before(attended)
        network = self.feed_forward(entering, training=training)
        hidden = self.feed_forward_residual.after(attended, network.output, training)
        trace = LayerTrace(
            SubLayerTrace(x, query, attention, attended),
            SubLayerTrace(attended, entering, network, hidden),
        )
        return EncoderOutput(hidden, attention.attention_scores, trace if return_trace else ())


@keras.saving.register_keras_serializable(package="translator")
class Encoder(LayerStack):
    """A stack of `EncoderLayer`; see `LayerStack`."""

    kind = EncoderLayer

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
        return_trace: bool = False,
    ) -> EncoderOutput:
        """Runs the stack; arguments as in `EncoderLayer.call`."""
        scores, traces = [], []
        for layer in self.layers:
            x, layer_scores, trace = layer(
                x,
                attention_mask,
                training=training,
                return_attention_scores=return_attention_scores,
                return_trace=return_trace,
            )
            scores.append(layer_scores)
            traces.append(trace)
        if self.norm is not None:
            x = self.norm(x)
        stacked = ops.stack(scores, axis=1) if return_attention_scores else None
        return EncoderOutput(x, stacked, tuple(traces) if return_trace else ())
