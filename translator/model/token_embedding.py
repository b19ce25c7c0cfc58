"""Token embeddings, with or without positions: sections 3.4 and 3.5 of the paper."""

from typing import Any

import keras
from keras import ops

from translator.model.basic_layers import Dropout, Shape
from translator.model.positions import make_positions


@keras.saving.register_keras_serializable(package="translator")
class TokenEmbedding(keras.layers.Layer):
    """Token vectors times sqrt(D), plus positions, then dropout.

    The table may also be the output projection; see `logits`.

    Args:
        vocab_size: V.
        d_model: D.
        max_length: the longest sentence, in tokens.
        dropout_rate: share of the sum's elements that is dropped in training.
        positions: kind of positions; see `make_positions`.
        output_bias: whether `logits` adds a bias.
    """

    def __init__(
        self,
        vocab_size: int,
        d_model: int,
        max_length: int,
        dropout_rate: float = 0.0,
        positions: str = "interleaved",
        output_bias: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.vocab_size = vocab_size
        self.d_model = d_model
        self.max_length = max_length
        self.dropout_rate = dropout_rate
        self.embedding = keras.layers.Embedding(
            vocab_size,
            d_model,
            embeddings_initializer=keras.initializers.RandomNormal(stddev=d_model**-0.5),
            name="embedding",
        )
        self.positions_kind = positions
        self.positions = make_positions(positions, max_length)
        self.has_output_bias = output_bias
        self.output_bias: Any = None
        self.dropout = Dropout(dropout_rate, name="dropout")

    def build(self, ids_shape: Shape) -> None:
        self.embedding.build(ids_shape)
        self.positions.build((*ids_shape, self.d_model))
        if self.has_output_bias:
            self.output_bias = self.add_weight(
                name="output_bias", shape=(self.vocab_size,), initializer="zeros"
            )

    def call(
        self,
        ids: Any,
        positions: Any = None,
        training: bool | None = None,
        zero_start: bool = False,
    ) -> Any:
        """Embeds ids.

        Args:
            ids: (B, T) token ids.
            positions: integers that broadcast to (B, T); 0 to T - 1 if None.
            training: whether dropout is on.
            zero_start: whether the token at position 0 has a vector of zeros.

        Returns:
            (B, T, D).
        """
        if positions is None:
            positions = ops.arange(ops.shape(ids)[1])  # (T,)
        vectors = self.vectors(ids, positions, zero_start)
        return self.dropout(self.positions.add(vectors, positions), training=training)

    def vectors(self, ids: Any, positions: Any = None, zero_start: bool = False) -> Any:
        """Token vectors times sqrt(D), (B, T, D), with positions added; see `call`."""
        vectors = self.embedding(ids) * self.d_model**0.5
        if not zero_start:
            return vectors
        if positions is None:
            positions = ops.arange(ops.shape(ids)[1])
        return ops.where(ops.expand_dims(positions, -1) > 0, vectors, 0.0)

    def logits(self, hidden: Any) -> Any:
        """Scores the vocabulary with the embedding table itself (tied weights).

        Press and Wolf (2017), "Using the Output Embedding to Improve Language
        Models", https://arxiv.org/abs/1608.05859

        Args:
            hidden: (B, T, D).

        Returns:
            (B, T, V).
        """
        table = ops.cast(self.embedding.embeddings, hidden.dtype)  # (V, D)
        logits = ops.matmul(hidden, ops.transpose(table))
        if self.output_bias is None:
            return logits
        return logits + ops.cast(self.output_bias, logits.dtype)

    def compute_output_shape(self, ids_shape: Shape) -> Shape:
        return (*ids_shape, self.d_model)

    def get_config(self) -> dict[str, Any]:
        return {
            **super().get_config(),
            "vocab_size": self.vocab_size,
            "d_model": self.d_model,
            "max_length": self.max_length,
            "dropout_rate": self.dropout_rate,
            "positions": self.positions_kind,
            "output_bias": self.has_output_bias,
        }
