"""The decoder, section 3.1 of the paper: for whole sentences or one token at a time."""

import itertools
from typing import Any, NamedTuple

import keras
from keras import ops

from translator.base.backends import JAX
from translator.model.basic_layers import Shape
from translator.model.multi_head_attention import KeyValues
from translator.model.outputs import LayerTrace, SubLayerTrace
from translator.model.sub_layers import LayerStack, LayerWithSettings


class DecoderOutput(NamedTuple):
    """The output of a decoder layer, or of the whole decoder.

    Attributes:
        hidden: (B, T, D).
        self_attention_scores: for a layer (B, N, T, T), for the decoder (B, L, N, T, T).
        cross_attention_scores: for a layer (B, N, T, S), for the decoder (B, L, N, T, S).
            Both scores are None if they were not requested.
        trace: if requested, for a layer its `LayerTrace`, for the decoder one for each layer.
    """

    hidden: Any
    self_attention_scores: Any
    cross_attention_scores: Any
    trace: Any = ()


@keras.saving.register_keras_serializable(package="translator")
class DecoderLayer(LayerWithSettings):
    """Self-attention, cross-attention, feed-forward network, each in its `Residual`.

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
        self.cross_attention = settings.attention("cross_attention")
        self.feed_forward = settings.feed_forward("feed_forward")
        self.self_residual = settings.residual("self_residual")
        self.cross_residual = settings.residual("cross_residual")
        self.feed_forward_residual = settings.residual("feed_forward_residual")

    def build(self, x_shape: Shape, memory_shape: Shape) -> None:
        self.cross_attention.build(x_shape, memory_shape)
        for layer in (
            self.self_attention,
            self.self_residual,
            self.cross_residual,
            self.feed_forward,
            self.feed_forward_residual,
        ):
            layer.build(x_shape)

    def call(
        self,
        x: Any,
        memory: Any,
        self_mask: Any = None,
        cross_mask: Any = None,
        training: bool | None = None,
        return_attention_scores: bool = True,
        return_trace: bool = False,
    ) -> DecoderOutput:
        """Runs the layer over whole sentences.

        Args:
            x: (B, T, D).
            memory: (B, S, D), the encoder's output, or its keys and values.
            self_mask: broadcasts to (B, N, T, T), True = may attend.
            cross_mask: broadcasts to (B, N, T, S).
            training: whether dropout is on.
            return_attention_scores: whether to return the scores.
            return_trace: whether to return intermediate values.

        Returns:
            The hidden states and the scores of every head.
        """
        query = self.self_residual.before(x)
        target = self.self_attention.project_all(query)
        if not isinstance(memory, KeyValues):
            memory = self.cross_attention.project(memory)
        masks = self_mask, cross_mask
        output = self._attend(x, query, target, memory, *masks, training, return_attention_scores)
        return output if return_trace else output._replace(trace=())

    def step(
        self,
        x: Any,
        position: Any,
        cache: KeyValues,
        memory: KeyValues,
        self_mask: Any,
        cross_mask: Any,
    ) -> tuple[DecoderOutput, KeyValues]:
        """Runs the layer over the next tokens: one for each of K hypotheses per sentence.

        Args:
            x: (B, K, D).
            position: the tokens' place in their sentences, from 0: an integer or a scalar tensor.
            cache: keys and values (B, N, T * K, H) of the tokens so far. Hypothesis k wrote entry
                t * K + k at position t.
            memory: keys and values of the encoder's output, from `Decoder.project`.
            self_mask: (B, 1, K, T * K), True for the tokens of the same hypothesis.
            cross_mask: (B, 1, 1, S).

        Returns:
            The output for this token, as from `call`, and the cache with the token added.
        """
        query = self.self_residual.before(x)
        positions = ops.reshape(position, (1, 1))
        new = self.self_attention.project(query, positions)  # (B, N, K, H)
        entry = position * x.shape[1]
        cache = KeyValues(
            *(
                ops.slice_update(old, (0, 0, entry, 0), added)  # (B, N, T * K, H)
                for old, added in zip(cache, new)
            )
        )
        target = self.self_attention.queries(query, positions), cache
        return self._attend(x, query, target, memory, self_mask, cross_mask, False, True), cache

    def _attend(
        self,
        x: Any,
        query: Any,
        target: tuple[Any, KeyValues],
        source: KeyValues,
        self_mask: Any,
        cross_mask: Any,
        training: bool | None,
        return_scores: bool,
    ) -> DecoderOutput:
        written = self.self_attention.attend(*target, self_mask, training, return_scores)
        after_self = self.self_residual.after(x, written.output, training)
        cross_query = self.cross_residual.before(after_self)
        queries = self.cross_attention.queries(cross_query)
        read = self.cross_attention.attend(queries, source, cross_mask, training, return_scores)
        after_cross = self.cross_residual.after(after_self, read.output, training)
        entering = self.feed_forward_residual.before(after_cross)
        network = self.feed_forward(entering, training=training)
        hidden = self.feed_forward_residual.after(after_cross, network.output, training)
        trace = LayerTrace(
            SubLayerTrace(x, query, written, after_self),
            SubLayerTrace(after_cross, entering, network, hidden),
            SubLayerTrace(after_self, cross_query, read, after_cross),
        )
        return DecoderOutput(hidden, written.attention_scores, read.attention_scores, trace)


@keras.saving.register_keras_serializable(package="translator")
class Decoder(LayerStack):
    """A stack of `DecoderLayer`; see `LayerStack`."""

    kind = DecoderLayer

    def build(self, x_shape: Shape, memory_shape: Shape) -> None:
        for layer in self.layers:
            layer.build(x_shape, memory_shape)
        if self.norm is not None:
            self.norm.build(x_shape)

    def call(
        self,
        x: Any,
        memory: Any,
        self_mask: Any = None,
        cross_mask: Any = None,
        training: bool | None = None,
        return_attention_scores: bool = True,
        return_trace: bool = False,
    ) -> DecoderOutput:
        """Runs the stack over whole sentences; arguments as in `DecoderLayer.call`."""
        outputs = []
        is_jax = keras.backend.backend() == JAX  # JAX joins the products of all layers
        memories = self.project(memory) if is_jax else [memory] * self.num_layers
        for layer, memory in zip(self.layers, memories):
            output = layer(
                x,
                memory,
                self_mask,
                cross_mask,
                training=training,
                return_attention_scores=return_attention_scores,
                return_trace=return_trace,
            )
            outputs.append(output)
            x = output.hidden
        traces = tuple(output.trace for output in outputs) if return_trace else ()
        return self._collect(outputs, return_attention_scores)._replace(trace=traces)

    def project(self, memory: Any) -> tuple[KeyValues, ...]:
        """The cross-attention keys and values of ``memory`` (B, S, D), one pair a layer."""
        attentions = [layer.cross_attention for layer in self.layers]
        denses = [(attention.key_dense, attention.value_dense) for attention in attentions]
        heads = attentions[0].heads_of(memory, *itertools.chain.from_iterable(denses))
        return tuple(map(KeyValues, heads[::2], heads[1::2]))

    def step(
        self,
        x: Any,
        position: Any,
        cache: tuple[KeyValues, ...],
        memory: tuple[KeyValues, ...],
        self_mask: Any,
        cross_mask: Any,
    ) -> tuple[DecoderOutput, tuple[KeyValues, ...]]:
        """Runs the stack over the next token; arguments as in `DecoderLayer.step`."""
        outputs, caches = [], []
        for layer, layer_cache, layer_memory in zip(self.layers, cache, memory):
            output, layer_cache = layer.step(
                x, position, layer_cache, layer_memory, self_mask, cross_mask
            )
            outputs.append(output)
            caches.append(layer_cache)
            x = output.hidden
        return self._collect(outputs), tuple(caches)

    def _collect(
        self, outputs: list[DecoderOutput], return_attention_scores: bool = True
    ) -> DecoderOutput:
        hidden = outputs[-1].hidden
        hidden = hidden if self.norm is None else self.norm(hidden)
        if not return_attention_scores:
            return DecoderOutput(hidden, None, None)
        return DecoderOutput(
            hidden,
            ops.stack([output.self_attention_scores for output in outputs], axis=1),
            ops.stack([output.cross_attention_scores for output in outputs], axis=1),
        )
