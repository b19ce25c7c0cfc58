"""The decoder, section 3.1 of the paper, whole sentences or one token at a time."""

from typing import Any, NamedTuple

import keras
from keras import ops

from translator.model.feed_forward import FeedForward
from translator.model.multi_head_attention import KeyValues, MultiHeadAttention
from translator.model.normalization import LayerNorm
from translator.model.residual import Residual


class DecoderOutput(NamedTuple):
    """What a decoder layer, or the decoder, gives.

    Attributes:
        hidden: (B, T, D).
        self_attention_scores: (B, N, T, T) of a layer, (B, L, N, T, T) of the decoder.
        cross_attention_scores: (B, N, T, S) of a layer, (B, L, N, T, S) of the decoder.
    """

    hidden: Any
    self_attention_scores: Any
    cross_attention_scores: Any


@keras.saving.register_keras_serializable(package="translator")
class DecoderLayer(keras.layers.Layer):
    """Self-attention, cross-attention, feed-forward network, each in its `Residual`.

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
        self.cross_attention = MultiHeadAttention(
            num_heads, d_model, head_dim, attention_dropout_rate, name="cross_attention"
        )
        self.feed_forward = FeedForward(
            dff, d_model, activation, activation_dropout_rate, name="feed_forward"
        )
        self.self_residual = Residual(dropout_rate, normalize_first, name="self_residual")
        self.cross_residual = Residual(dropout_rate, normalize_first, name="cross_residual")
        self.feed_forward_residual = Residual(
            dropout_rate, normalize_first, name="feed_forward_residual"
        )

    def build(self, x_shape: tuple, memory_shape: tuple) -> None:
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
    ) -> DecoderOutput:
        """Runs the layer over whole sentences.

        Args:
            x: (B, T, D).
            memory: (B, S, D), the encoder's output.
            self_mask: broadcasts to (B, N, T, T), True = may attend.
            cross_mask: broadcasts to (B, N, T, S).
            training: whether dropout is on.

        Returns:
            The hidden states and the scores of every head.
        """
        query = self.self_residual.before(x)
        own = self.self_attention.project(query)
        sentence = self.cross_attention.project(memory)
        return self._look(x, query, own, sentence, self_mask, cross_mask, training)

    def step(
        self,
        x: Any,
        slot: Any,
        cache: KeyValues,
        memory: KeyValues,
        self_mask: Any,
        cross_mask: Any,
    ) -> tuple[DecoderOutput, KeyValues]:
        """Runs the layer over one more token of each of K hypotheses a sentence.

        Args:
            x: (B, K, D).
            slot: where in the cache the tokens go, an integer or a scalar tensor.
            cache: keys and values (B, N, T * K, H) of the tokens so far; beam k
                at slot t has the entry t * K + k.
            memory: keys and values of the source, from ``cross_attention.project``.
            self_mask: (B, 1, K, T * K), True for each hypothesis's own past.
            cross_mask: (B, 1, 1, S).

        Returns:
            What `call` gives for this token, and the cache with it written in.
        """
        query = self.self_residual.before(x)
        new = self.self_attention.project(query)  # (B, N, K, H)
        entry = slot * x.shape[1]
        cache = KeyValues(
            *(ops.slice_update(old, (0, 0, entry, 0), one) for old, one in zip(cache, new))
        )
        return self._look(x, query, cache, memory, self_mask, cross_mask, False), cache

    def _look(
        self,
        x: Any,
        query: Any,
        own: KeyValues,
        memory: KeyValues,
        self_mask: Any,
        cross_mask: Any,
        training: bool | None,
    ) -> DecoderOutput:
        self_attention = self.self_attention.attend(query, own, self_mask, training)
        x = self.self_residual.after(x, self_attention.output, training)
        query = self.cross_residual.before(x)
        cross_attention = self.cross_attention.attend(query, memory, cross_mask, training)
        x = self.cross_residual.after(x, cross_attention.output, training)
        output = self.feed_forward(self.feed_forward_residual.before(x), training=training)
        x = self.feed_forward_residual.after(x, output, training)
        return DecoderOutput(x, self_attention.attention_scores, cross_attention.attention_scores)

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), **self.sizes}


@keras.saving.register_keras_serializable(package="translator")
class Decoder(keras.layers.Layer):
    """``num_layers`` layers, and a final normalisation where they normalise first.

    Args:
        num_layers: L.
        **sizes: those of `DecoderLayer`.
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
        self.layers = [DecoderLayer(**self.sizes, name=f"layer_{i + 1}") for i in range(num_layers)]
        self.norm = LayerNorm(name="norm") if normalize_first else None

    def build(self, x_shape: tuple, memory_shape: tuple) -> None:
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
    ) -> DecoderOutput:
        """Runs the stack over whole sentences; arguments as in `DecoderLayer.call`."""
        outputs = []
        for layer in self.layers:
            outputs.append(layer(x, memory, self_mask, cross_mask, training=training))
            x = outputs[-1].hidden
        return self._collect(outputs)

    def project(self, memory: Any) -> tuple[KeyValues, ...]:
        """Each layer's cross-attention keys and values of ``memory`` (B, S, D)."""
        return tuple(layer.cross_attention.project(memory) for layer in self.layers)

    def empty_cache(self, batch_size: int, entries: int) -> tuple[KeyValues, ...]:
        """Zeroed self-attention buffers (B, N, entries, H), one pair a layer."""
        attention = self.layers[0].self_attention
        shape = (batch_size, attention.num_heads, entries, attention.head_dim)
        zeros = ops.zeros(shape, attention.compute_dtype)
        return tuple(KeyValues(zeros, zeros) for _ in self.layers)

    def step(
        self,
        x: Any,
        slot: Any,
        cache: tuple[KeyValues, ...],
        memory: tuple[KeyValues, ...],
        self_mask: Any,
        cross_mask: Any,
    ) -> tuple[DecoderOutput, tuple[KeyValues, ...]]:
        """Runs the stack over one more token; arguments as in `DecoderLayer.step`."""
        outputs, caches = [], []
        for layer, layer_cache, layer_memory in zip(self.layers, cache, memory):
            output, layer_cache = layer.step(
                x, slot, layer_cache, layer_memory, self_mask, cross_mask
            )
            outputs.append(output)
            caches.append(layer_cache)
            x = output.hidden
        return self._collect(outputs), tuple(caches)

    def _collect(self, outputs: list[DecoderOutput]) -> DecoderOutput:
        hidden = outputs[-1].hidden
        return DecoderOutput(
            hidden if self.norm is None else self.norm(hidden),
            ops.stack([output.self_attention_scores for output in outputs], axis=1),
            ops.stack([output.cross_attention_scores for output in outputs], axis=1),
        )

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "num_layers": self.num_layers, **self.sizes}
