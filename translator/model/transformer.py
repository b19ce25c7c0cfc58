"""The whole model: from token ids to logits of the vocabulary."""

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import keras
import numpy as np
from keras import ops

from translator.base.errors import InputError
from translator.config.schema import ModelConfig
from translator.model.checked_inputs import SOURCE, ModelOfIds, make_config
from translator.model.decoder import Decoder, DecoderOutput
from translator.model.encoder import Encoder, EncoderOutput
from translator.model.masks import padding_mask, target_mask
from translator.model.multi_head_attention import HIDDEN, KeyValues
from translator.model.outputs import Memory, StepOutput, TransformerOutput
from translator.model.sub_layers import LayerSettings
from translator.model.token_embedding import TokenEmbedding

KERAS_KEYWORDS = ("name", "trainable", "dtype")  # keywords of every `keras.Model`


@contextlib.contextmanager
def layers_of(dtype_policy: str) -> Iterator[None]:
    """Gives a policy, by its Keras name, to all layers that are made in the block."""
    previous = keras.config.dtype_policy()
    keras.config.set_dtype_policy(dtype_policy)
    try:
        yield
    finally:
        keras.config.set_dtype_policy(previous)


@keras.saving.register_keras_serializable(package="translator")
class Transformer(ModelOfIds):
    """Encoder and decoder with their embeddings and the output projection.

    A call with values checks their ids; a compiled step checks nothing.

    Args:
        config: sizes and shape; it may be a dictionary; None if they are keywords.
        source_vocab_size: V of the source side.
        target_vocab_size: V of the target side.
        max_length: the longest sentence, in tokens with start and end.
        source_padding_id: the source side's padding id. No other token has it.
        target_padding_id: the target side's padding id.
        **kwargs: keywords of `ModelConfig`, such as ``num_layers=4``, and of `keras.Model`.

    Raises:
        InputError: a size is missing, or the sizes do not fit each other. A call raises it if
            ids are no pair, outside the vocabulary or longer than ``max_length``.
    """

    def __init__(
        self,
        config: ModelConfig | Mapping[str, Any] | None = None,
        source_vocab_size: int | None = None,
        target_vocab_size: int | None = None,
        max_length: int | None = None,
        source_padding_id: int | None = None,
        target_padding_id: int | None = None,
        **kwargs: Any,
    ) -> None:
        keras_options = {key: kwargs.pop(key) for key in KERAS_KEYWORDS if key in kwargs}
        super().__init__(**{"name": "transformer", **keras_options})
        config = make_config(config, kwargs)
        if (
            source_vocab_size is None
            or target_vocab_size is None
            or max_length is None
            or source_padding_id is None
            or target_padding_id is None
        ):
            raise InputError(
                "Transformer: expected source_vocab_size, target_vocab_size, max_length,"
                " source_padding_id and target_padding_id, found one of them missing"
            )
        self.config = config
        self.vocab_sizes = (source_vocab_size, target_vocab_size)
        self.max_length = max_length
        self.padding_ids = (source_padding_id, target_padding_id)
        settings = {name: value for name, value in config if name in LayerSettings._fields}
        tied = config.tied_embeddings

        def embedding(vocab_size: int, name: str) -> TokenEmbedding:
            return TokenEmbedding(
                vocab_size,
                config.d_model,
                max_length,
                config.dropout_rate,
                config.positions,
                config.output_bias and name != "source_embedding",
                name=name,
            )

        if tied == "all":
            shared = embedding(target_vocab_size, "shared_embedding")
            self.source_embedding = self.target_embedding = shared
        else:
            self.source_embedding = embedding(source_vocab_size, "source_embedding")
            self.target_embedding = embedding(target_vocab_size, "target_embedding")
        self.encoder = Encoder(config.num_layers, **settings, name="encoder")
        settings["num_heads"] = config.heads_of("decoder")
        self.decoder = Decoder(config.layers_of("decoder"), **settings, name="decoder")
        self.projection = (
            keras.layers.Dense(target_vocab_size, name="projection") if tied == "none" else None
        )

    def build(self, input_shape: Any = None) -> None:
        hidden = (None, None, self.config.d_model)
        self.source_embedding.build((None, None))
        if self.target_embedding is not self.source_embedding:
            self.target_embedding.build((None, None))
        self.encoder.build(hidden)
        self.decoder.build(hidden, hidden)
        if self.projection is not None:
            self.projection.build(hidden)

    def call(self, inputs: tuple[Any, Any], training: bool | None = None) -> Any:
        """Computes logits of every next token of whole sentences, as `fit` needs them.

        Args:
            inputs: source ids (B, S) and target ids (B, T). Target ids begin with
                the start token and are padded.
            training: whether dropout is on.

        Returns:
            (B, T, V) logits; position t predicts the token at t + 1.

        Raises:
            InputError: this is no pair of ids, an id is outside its vocabulary, or S or T is above
                ``max_length``.
        """
        return self._logits(self.hidden(*inputs, training=training))

    def forward(
        self,
        source_ids: Any,
        target_ids: Any,
        training: bool | None = None,
        return_trace: bool = False,
    ) -> TransformerOutput:
        """Runs whole sentences and returns the attention scores of every layer and head.

        Args:
            source_ids: (B, S), start first, padded.
            target_ids: (B, T), start first, padded.
            training: whether dropout is on.
            return_trace: whether to return the intermediate values of every layer.

        Returns:
            Logits and scores; see `TransformerOutput`.

        Raises:
            InputError: for the same reasons as in `call`.
        """
        self.check_pair((source_ids, target_ids))
        encoded, decoded = self._run(source_ids, target_ids, training, return_trace=return_trace)
        return TransformerOutput(
            self._logits(decoded.hidden),
            encoded.attention_scores,
            decoded.self_attention_scores,
            decoded.cross_attention_scores,
            (encoded, decoded) if return_trace else (),
        )

    def hidden(self, source_ids: Any, target_ids: Any, training: bool | None = None) -> Any:
        """The input of the output projection, (B, T, D); see `forward`."""
        _, decoded = self._run(source_ids, target_ids, training, return_attention_scores=False)
        return decoded.hidden

    def output_weights(self) -> tuple[Any, Any]:
        """The output projection's kernel (D, V) and bias (V,). The bias may be None."""
        if self.projection is not None:
            return self.projection.kernel, self.projection.bias
        embedding = self.target_embedding
        return ops.transpose(embedding.embedding.embeddings), embedding.output_bias

    def encode(self, source_ids: Any) -> Memory:
        """Encodes the source once, for `decode_step`.

        Args:
            source_ids: (B, S), start first, padded.

        Returns:
            Cross-attention keys and values of every layer, with their mask.
        """
        self.check_ids(source_ids, SOURCE)
        mask = padding_mask(source_ids, self.padding_ids[0])
        encoded = self._encode(source_ids, mask, training=False)
        return Memory(self.decoder.project(encoded.hidden), mask)

    def decode_step(
        self,
        ids: Any,
        position: Any,
        visible: Any,
        cache: tuple[KeyValues, ...],
        memory: Memory,
        table: Any = None,
    ) -> StepOutput:
        """Computes logits of the next token of K hypotheses per sentence.

        The hypotheses of a sentence are queries of one attention, so they share
        its memory and its cache; ``visible`` separates their past tokens.

        Args:
            ids: (B, K), the last token of each hypothesis.
            position: the place of the tokens in their sentences, from 0 to below T; an integer or a
                scalar tensor.
            visible: (B, 1, K, T * K), True for the entries of the cache that belong to the
                hypothesis, including these tokens.
            cache: the result of `empty_cache` or of the previous step.
            memory: the result of `encode`.
            table: the result of `output_table`. It makes many steps faster.

        Returns:
            The logits, the cache with these tokens added, and the scores.
        """
        decoded, cache = self.decoder.step(
            self._embed_target(ids, ops.reshape(position, (1, 1)), training=False),
            position,
            cache,
            memory.key_values,
            visible,
            memory.mask,
        )
        hidden = decoded.hidden
        if table is None:
            logits = self._logits(hidden)
        else:
            logits = ops.matmul(ops.pad(hidden, ((0, 0), (0, 0), (0, 1)), constant_values=1), table)
        return StepOutput(
            ops.cast(logits, "float32"),
            cache,
            decoded.self_attention_scores,
            decoded.cross_attention_scores,
        )

    def output_table(self, forbidden_ids: Sequence[int]) -> Any:
        """The output projection with its bias as one table, with some tokens excluded.

        Args:
            forbidden_ids: tokens whose logits become so low that they are never chosen.

        Returns:
            (D + 1, V); the last row is the bias.
        """
        kernel, bias = self.output_weights()
        forbidden = np.zeros(kernel.shape[1], "float32")
        forbidden[list(forbidden_ids)] = HIDDEN
        bias = forbidden if bias is None else bias + forbidden
        table = ops.concatenate([kernel, bias[None]], axis=0)
        return ops.cast(table, self.compute_dtype)

    def empty_cache(
        self, batch_size: int, length: int, beam_size: int = 1
    ) -> tuple[KeyValues, ...]:
        """Makes an empty cache for the keys and values of ``length`` steps.

        Args:
            batch_size: B.
            length: T, the largest number of steps.
            beam_size: K.

        Returns:
            Buffers (B, N, T * K, H) of zeros, one pair per layer.
        """
        attention = self.decoder.layers[0].self_attention
        shape = (batch_size, attention.num_heads, length * beam_size, attention.head_dim)
        zeros = ops.zeros(shape, attention.compute_dtype)
        return tuple(KeyValues(zeros, zeros) for _ in self.decoder.layers)

    def _run(
        self,
        source_ids: Any,
        target_ids: Any,
        training: bool | None,
        return_attention_scores: bool = True,
        return_trace: bool = False,
    ) -> tuple[EncoderOutput, DecoderOutput]:
        source_mask = padding_mask(source_ids, self.padding_ids[0])
        returned = return_attention_scores, return_trace
        encoded = self._encode(source_ids, source_mask, training, *returned)
        decoded = self.decoder(
            self._embed_target(target_ids, training=training),
            encoded.hidden,
            target_mask(target_ids, self.padding_ids[1]),
            source_mask,
            training=training,
            return_attention_scores=return_attention_scores,
            return_trace=return_trace,
        )
        return encoded, decoded

    def _embed_target(self, ids: Any, positions: Any = None, training: bool | None = None) -> Any:
        return self.target_embedding(
            ids, positions=positions, training=training, zero_start=self.config.zero_start
        )

    def _encode(
        self,
        source_ids: Any,
        mask: Any,
        training: bool | None,
        return_attention_scores: bool = False,
        return_trace: bool = False,
    ) -> EncoderOutput:
        embedded = self.source_embedding(source_ids, training=training)
        encoded: EncoderOutput = self.encoder(
            embedded,
            mask,
            training=training,
            return_attention_scores=return_attention_scores,
            return_trace=return_trace,
        )
        return encoded

    def _logits(self, hidden: Any) -> Any:
        project = self.projection or self.target_embedding.logits
        return ops.cast(project(hidden), "float32")

    def get_config(self) -> dict[str, Any]:
        return {
            **super().get_config(),
            "config": self.config.model_dump(),
            "source_vocab_size": self.vocab_sizes[0],
            "target_vocab_size": self.vocab_sizes[1],
            "max_length": self.max_length,
            "source_padding_id": self.padding_ids[0],
            "target_padding_id": self.padding_ids[1],
        }

    @classmethod
    def from_config(cls, config: dict[str, Any], custom_objects: Any = None) -> "Transformer":
        return cls(**config)
