"""The sections ``model`` and ``decoding``: the Transformer's shape, and how to search."""

from collections.abc import Iterator
from typing import Literal

from pydantic import Field

from translator.config.section import Section, Share

MAX_LENGTH_PENALTY = 100.0
MAX_BEAM_SIZE = 1000  # nobody has studied wider beams; memory grows with the width


class ModelConfig(Section):
    """The size and shape of the Transformer; its keywords are the keys of the section ``model``.

    Its bounds allow every published Transformer for translation.

    Raises:
        ValueError: a keyword is unknown, or a value has the wrong type or is out of range.
    """

    num_layers: int = Field(default=4, ge=1, le=1000, description="Layers of the encoder.")
    decoder_num_layers: int | None = Field(
        default=None, ge=1, le=1000, description="Layers of the decoder. null: num_layers."
    )
    d_model: int = Field(
        default=128,
        ge=2,
        le=16_384,
        multiple_of=2,
        description="Width of each layer's input and output; an even number.",
    )
    num_heads: int = Field(default=8, ge=1, le=1024, description="Attention heads of each layer.")
    decoder_num_heads: int | None = Field(
        default=None,
        ge=1,
        le=1024,
        description="Attention heads of each layer of the decoder. null: num_heads.",
    )
    head_dim: int | None = Field(
        default=None, ge=1, le=16_384, description="Width of a head. null: d_model / num_heads."
    )
    dff: int = Field(
        default=512, ge=1, le=131_072, description="Inner width of the feed-forward networks."
    )
    dropout_rate: Share = Field(
        default=0.1,
        description="Share of the embeddings, and of each sub-layer's output, that is dropped.",
    )
    attention_dropout_rate: Share = Field(
        default=0.0, description="Dropout rate of the attention scores."
    )
    activation_dropout_rate: Share = Field(
        default=0.0, description="Share that is dropped inside the feed-forward networks."
    )
    activation: Literal["relu", "gelu", "silu"] = Field(
        default="relu", description="Activation function of the feed-forward networks."
    )
    normalize_first: bool = Field(
        default=False,
        description="Normalise before each sub-layer (pre-norm) instead of after the residual sum"
        " (post-norm).",
    )
    layer_norm_epsilon: float = Field(
        default=1e-6,
        gt=0.0,
        le=1.0,
        description="Added to the variance in layer normalisation.",
    )
    positions: Literal["interleaved", "halves", "rotary"] = Field(
        default="interleaved",
        description="How positions of tokens are encoded. interleaved: sinusoids are added, sines"
        " and cosines in turn, as in the paper. halves: all sines, then all cosines, as in Marian."
        " rotary: queries and keys are rotated, as in RoFormer.",
    )
    zero_start: bool = Field(
        default=False,
        description="The decoder starts from a vector of zeros instead of the start token's"
        " embedding, as in Marian.",
    )
    tied_embeddings: Literal["none", "target", "all"] = Field(
        default="none",
        description="target: the target embedding is also the output projection. all: it is also"
        " the source embedding, which needs tokenizer.shared.",
    )
    output_bias: bool = Field(
        default=False,
        description="Add a bias to a tied output projection, as Marian does. A projection that is"
        " not tied always has one.",
    )

    def _problems(self) -> Iterator[str]:
        if self.output_bias and self.tied_embeddings == "none":
            yield (
                "output_bias: expected tied_embeddings of target or all, found none; a projection"
                " that is not tied always has a bias"
            )
        for name in ("num_heads", "decoder_num_heads"):
            heads = getattr(self, name)
            if self.head_dim is None and heads and self.d_model % heads:
                yield (
                    f"{name} ({heads}) must divide d_model ({self.d_model})"
                    " if there is no head_dim; set both numbers, or head_dim"
                )
        for kind in ("encoder", "decoder"):
            width = self.head_dim_of(kind)
            if self.positions == "rotary" and width % 2:
                yield (
                    f"positions: rotary needs heads of an even width, found {width} in the {kind};"
                    " set head_dim, or other numbers of heads"
                )

    def layers_of(self, kind: str) -> int:
        """The number of layers of a stack or of a kind of attention: encoder, decoder or cross."""
        return self.num_layers if kind == "encoder" else self.decoder_num_layers or self.num_layers

    def heads_of(self, kind: str) -> int:
        """The number of heads in each layer of a kind of attention: encoder, decoder or cross."""
        return self.num_heads if kind == "encoder" else self.decoder_num_heads or self.num_heads

    def head_dim_of(self, kind: str) -> int:
        """The width of each head of a kind of attention."""
        return self.head_dim or self.d_model // self.heads_of(kind)


class DecodingConfig(Section):
    """How ``translate`` and ``evaluate`` search; options replace these keys."""

    beam_size: int = Field(
        default=4,
        ge=1,
        le=MAX_BEAM_SIZE,
        description="Hypotheses kept at each step; 1 is greedy search.",
    )
    length_penalty: float = Field(
        default=1.0,
        ge=0.0,
        le=MAX_LENGTH_PENALTY,
        description="Hypotheses are ranked by log probability / length^length_penalty.",
    )
    max_length: int | None = Field(
        default=None,
        ge=1,
        description="The most tokens of a translation. null: twice the tokens of the source, plus"
        " 10.",
    )
