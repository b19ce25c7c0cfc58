"""Multi-head attention (section 3.2 of the paper). It returns the scores of every head."""

from collections.abc import Callable
from typing import Any, NamedTuple

import keras
from keras import ops

from translator.base.backends import JAX
from translator.model.basic_layers import Dense, Dropout, Shape
from translator.model.positions import make_positions

HIDDEN = -1e9  # replaces the logits of positions that the mask hides
FUSED_FROM = 64  # fewest keys; fewer would fill only a part of the kernel's tiles


class KeyValues(NamedTuple):
    """The keys and values that queries attend to, each (B, N, S, H)."""

    keys: Any
    values: Any


class AttentionOutput(NamedTuple):
    """The output of attention.

    Attributes:
        output: (B, T, D).
        attention_scores: (B, N, T, S) float32, the weights after the softmax; each row sums to 1,
            and hidden positions have weight 0. None if they were not requested.
        queries: (B, N, T, H). With fused attention, this and the next attributes are None.
        key_values: the keys and values that the queries attended to.
        context: (B, N, T, H), the weighted sum of the values.
    """

    output: Any
    attention_scores: Any
    queries: Any = None
    key_values: KeyValues | None = None
    context: Any = None


def scaled_dot_product_attention(
    queries: Any,
    keys: Any,
    values: Any,
    mask: Any = None,
    drop: Callable[[Any], Any] = lambda scores: scores,
) -> tuple[Any, Any]:
    """softmax(Q K^T / sqrt(H)) V, section 3.2.1 of the paper.

    Args:
        queries: (..., T, H).
        keys: (..., S, H).
        values: (..., S, H).
        mask: booleans that broadcast to (..., T, S), True = may attend.
        drop: drops scores before they weight the values.

    Returns:
        (..., T, H), and the scores (..., T, S) in float32, whose rows sum to 1.
    """
    scaled = queries * queries.shape[-1] ** -0.5
    logits = ops.cast(ops.matmul(scaled, ops.swapaxes(keys, -1, -2)), "float32")  # (..., T, S)
    if mask is not None:
        logits = ops.where(mask, logits, HIDDEN)
    scores = ops.softmax(logits, axis=-1)
    return ops.matmul(drop(ops.cast(scores, values.dtype)), values), scores


@keras.saving.register_keras_serializable(package="translator")
class MultiHeadAttention(keras.layers.Layer):
    """softmax(Q K^T / sqrt(H)) V in N heads, each with its own projections.

    A call has two steps: `queries` and `project` make queries, keys and values, per sentence or per
    token, and `attend` lets the queries attend. Decoding takes these steps separately.

    Args:
        num_heads: N.
        d_model: D, the width of the output.
        head_dim: H; None for D / N.
        dropout_rate: share of the scores that is dropped in training. The layer returns the scores
            before dropout.
        positions: kind of positions that rotate queries and keys, see `make_positions`; None in
            cross-attention.

    Raises:
        ValueError: ``num_heads`` does not divide ``d_model``, and there is no ``head_dim``.
    """

    def __init__(
        self,
        num_heads: int,
        d_model: int,
        head_dim: int | None = None,
        dropout_rate: float = 0.0,
        positions: str | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        if head_dim is None and d_model % num_heads:
            raise ValueError(
                f"num_heads ({num_heads}) must divide d_model ({d_model}) if there is no head_dim"
            )
        self.num_heads = num_heads
        self.d_model = d_model
        self.head_dim = head_dim or d_model // num_heads
        self.dropout_rate = dropout_rate
        width = self.num_heads * self.head_dim
        self.query_dense = Dense(width, name="query")
        self.key_dense = Dense(width, name="key")
        self.value_dense = Dense(width, name="value")
        self.output_dense = Dense(d_model, name="output")
        self.dropout = Dropout(dropout_rate, name="dropout")
        self.positions_kind = positions
        self.positions = make_positions(positions)

    def build(self, query_shape: Shape, memory_shape: Shape | None = None) -> None:
        memory_shape = memory_shape or query_shape
        self.query_dense.build(query_shape)
        self.key_dense.build(memory_shape)
        self.value_dense.build(memory_shape)
        self.output_dense.build((*query_shape[:-1], self.num_heads * self.head_dim))

    def call(
        self,
        query: Any,
        memory: Any,
        attention_mask: Any = None,
        training: bool | None = None,
        return_attention_scores: bool = True,
    ) -> AttentionOutput:
        """Lets each query attend to the memory.

        Args:
            query: (B, T, D).
            memory: (B, S, D); the query itself in self-attention.
            attention_mask: booleans that broadcast to (B, N, T, S), True = may attend.
            training: whether dropout is on.
            return_attention_scores: whether to return the scores. Without them, long sentences
                under JAX use the backend's fused attention, and scores are never stored.

        Returns:
            The output and every head's scores.
        """
        if memory is query:
            queries, key_values = self.project_all(query)
        else:
            key_values, queries = self.project(memory), self.queries(query)
        return self.attend(queries, key_values, attention_mask, training, return_attention_scores)

    def queries(self, query: Any, positions: Any = None) -> Any:
        """Makes the queries (B, N, T, H) of ``query`` (B, T, D).

        ``positions`` are integers that broadcast to (B, T); 0 to T - 1 if None.
        """
        return self.positions.rotate(self.split_heads(self.query_dense(query)), positions)

    def project(self, memory: Any, positions: Any = None) -> KeyValues:
        """Makes the keys and values of ``memory`` (B, S, D). For positions see `queries`."""
        keys = self.split_heads(self.key_dense(memory))  # (B, N, S, H)
        values = self.split_heads(self.value_dense(memory))
        return KeyValues(self.positions.rotate(keys, positions), values)

    def project_all(self, x: Any) -> tuple[Any, KeyValues]:
        """Makes queries, keys and values for self-attention of sentences x (B, T, D)."""
        layers = self.key_dense, self.value_dense, self.query_dense
        keys, values, queries = self.heads_of(x, *layers)
        return self.positions.rotate(queries), KeyValues(self.positions.rotate(keys), values)

    def heads_of(self, x: Any, *layers: Dense) -> list[Any]:
        """Applies each dense layer to x (B, T, D), and returns heads (B, N, T, H).

        Under JAX, for GPUs, this is one product, and so is its gradient.
        """
        if keras.backend.backend() != JAX:
            return [self.split_heads(layer(x)) for layer in layers]
        x = ops.cast(x, layers[0].compute_dtype)
        kernel, bias = (
            ops.concatenate([ops.cast(part, x.dtype) for part in parts], axis=-1)
            for parts in zip(*((layer.kernel, layer.bias) for layer in layers))
        )
        shape = *ops.shape(x)[:2], len(layers), self.num_heads, self.head_dim
        heads = ops.reshape(ops.matmul(x, kernel) + bias, shape)
        return list(ops.unstack(ops.transpose(heads, (2, 0, 3, 1, 4))))

    def attend(
        self,
        queries: Any,
        key_values: KeyValues,
        attention_mask: Any = None,
        training: bool | None = None,
        return_attention_scores: bool = True,
    ) -> AttentionOutput:
        """Lets queries (B, N, T, H) attend to keys and values; see `call`."""
        if not return_attention_scores and self._may_fuse(key_values, training):
            return AttentionOutput(self._attend_fused(queries, key_values, attention_mask), None)

        def drop(scores: Any) -> Any:
            return self.dropout(scores, training=training)

        context, scores = scaled_dot_product_attention(queries, *key_values, attention_mask, drop)
        output = self.output_dense(self.join_heads(context))
        scores = scores if return_attention_scores else None
        return AttentionOutput(output, scores, queries, key_values, context)

    def _may_fuse(self, key_values: KeyValues, training: bool | None) -> bool:
        """Whether the backend's fused attention gives the same result and is faster."""
        drops = bool(training) and self.dropout_rate > 0  # fused attention cannot drop scores
        length = key_values.keys.shape[2]  # not a number while a model is built
        is_long = isinstance(length, int) and length >= FUSED_FROM
        return keras.backend.backend() == JAX and is_long and not drops

    def _attend_fused(self, queries: Any, key_values: KeyValues, attention_mask: Any) -> Any:
        """The output (B, T, D), from the fused kernel of cuDNN, or otherwise from XLA.

        The kernel needs even lengths and a mask of every position.
        """
        batch, _, length, _ = ops.shape(queries)
        memory_length = ops.shape(key_values.keys)[2]
        more, more_memory = length % 2, memory_length % 2
        heads = (ops.swapaxes(array, 1, 2) for array in (queries, *key_values))
        queries, keys, values = heads  # (B, S, N, H)
        mask = ops.ones((1, 1, 1, 1), "bool") if attention_mask is None else attention_mask
        mask = ops.broadcast_to(mask, (batch, mask.shape[1], length, memory_length))
        context = ops.dot_product_attention(
            ops.pad(queries, ((0, 0), (0, more), (0, 0), (0, 0))),
            ops.pad(keys, ((0, 0), (0, more_memory), (0, 0), (0, 0))),
            ops.pad(values, ((0, 0), (0, more_memory), (0, 0), (0, 0))),
            mask=ops.pad(mask, ((0, 0), (0, 0), (0, more), (0, more_memory))),
            scale=self.head_dim**-0.5,
        )[:, :length]
        return self.output_dense(ops.reshape(context, (batch, length, -1)))

    def split_heads(self, x: Any) -> Any:
        """(B, T, N * H) to (B, N, T, H)."""
        batch, length = ops.shape(x)[:2]
        return ops.swapaxes(ops.reshape(x, (batch, length, self.num_heads, self.head_dim)), 1, 2)

    def join_heads(self, x: Any) -> Any:
        """(B, N, T, H) to (B, T, N * H)."""
        batch, _, length, _ = ops.shape(x)
        return ops.reshape(ops.swapaxes(x, 1, 2), (batch, length, self.num_heads * self.head_dim))

    def get_config(self) -> dict[str, Any]:
        return {
            **super().get_config(),
            "num_heads": self.num_heads,
            "d_model": self.d_model,
            "head_dim": self.head_dim,
            "dropout_rate": self.dropout_rate,
            "positions": self.positions_kind,
        }
