"""Lists parts, shapes and parameters of a Transformer from its configuration; no Keras."""

from typing import NamedTuple

from translator.config.model import ModelConfig

SOURCE, TARGET = "S", "T"  # pieces of the source, and of the translation so far
STACKS = {"encoder": SOURCE, "decoder": TARGET}


class ModelPart(NamedTuple):
    """A part of the model.

    Attributes:
        name: its name in a word or two.
        detail: its sizes or its task.
        shape: the shape of its output, for one sentence.
        kind: encoder, decoder or cross for an attention; empty for other parts.
        heads: the number of heads of an attention; 0 for other parts.
    """

    name: str
    detail: str
    shape: str
    parameters: int = 0
    kind: str = ""
    heads: int = 0


class Stack(NamedTuple):
    """The encoder or the decoder.

    Attributes:
        entering: the parts that turn ids into vectors.
        layer: the parts of one layer, in the order in which they compute.
        layers: how many such layers follow each other.
        leaving: the parts after the last layer; empty if each layer normalises its own output.
    """

    name: str
    entering: tuple[ModelPart, ...]
    layer: tuple[ModelPart, ...]
    layers: int
    leaving: tuple[ModelPart, ...]

    @property
    def parameters(self) -> int:
        """The number of all parameters."""
        return _sum(self.entering) + self.layers * _sum(self.layer) + _sum(self.leaving)


class Architecture(NamedTuple):
    """A whole model.

    Attributes:
        decoder: reads the encoder's output and the pieces written so far.
        output: turns the decoder's output into probabilities.
    """

    encoder: Stack
    decoder: Stack
    output: tuple[ModelPart, ...]

    @property
    def parameters(self) -> int:
        """The number of all parameters."""
        return self.encoder.parameters + self.decoder.parameters + _sum(self.output)


def _sum(parts: tuple[ModelPart, ...]) -> int:
    return sum(part.parameters for part in parts)


def make_architecture(
    config: ModelConfig, source_vocab_size: int, target_vocab_size: int
) -> Architecture:
    """The parts of the model that a configuration describes.

    Args:
        config: the section ``model``.
    """
    width, tied = config.d_model, config.tied_embeddings
    own_output = tied == "none"
    has_bias = own_output or config.output_bias
    encoder = _stack(config, "encoder", source_vocab_size, is_shared=False)
    decoder = _stack(config, "decoder", target_vocab_size, is_shared=tied == "all")
    projection = ModelPart(
        "projection",
        f"{width:,} to {target_vocab_size:,}" + ("" if own_output else ", the embedding's table"),
        f"{TARGET} x {target_vocab_size:,}",
        width * target_vocab_size * own_output + target_vocab_size * has_bias,
    )
    softmax = ModelPart("softmax", "of the next piece", projection.shape)
    return Architecture(encoder, decoder, (projection, softmax))


def _stack(config: ModelConfig, name: str, vocab_size: int, is_shared: bool) -> Stack:
    length, width = STACKS[name], config.d_model
    shape = f"{length} x {width:,}"
    embedding = ModelPart(
        "embedding",
        f"{vocab_size:,} pieces" + ", the encoder's table" * is_shared,
        shape,
        0 if is_shared else vocab_size * width,
    )
    positions = ModelPart("positions", "add sines and cosines", shape)
    entering = (embedding,) if config.positions == "rotary" else (embedding, positions)
    normalise = ModelPart("normalise", "mean 0, variance 1", shape, 2 * width)
    attentions = [_attention(config, name, name, shape)]
    if name == "decoder":
        attentions.append(_attention(config, name, "cross", shape))
    network = ModelPart(
        "feed-forward",
        f"{width:,} to {config.dff:,} to {width:,}, {config.activation}",
        shape,
        2 * width * config.dff + width + config.dff,
    )
    add = ModelPart("add", "the sub-layer's input", shape)
    layer = []
    for part in (*attentions, network):
        parts = [normalise, part, add] if config.normalize_first else [part, add, normalise]
        layer += parts
    last = (normalise,) if config.normalize_first else ()
    return Stack(name, entering, tuple(layer), config.layers_of(name), last)


def _attention(config: ModelConfig, stack: str, kind: str, shape: str) -> ModelPart:
    heads, width = config.heads_of(stack), config.head_dim_of(stack)
    inner = heads * width
    name = "cross-attention" if kind == "cross" else "self-attention"
    seen = {"encoder": "", "decoder": ", no later pieces", "cross": ", to the source"}[kind]
    matrices = 3 * (config.d_model * inner + inner) + inner * config.d_model + config.d_model
    rotated = ", rotated by position" * (config.positions == "rotary" and kind != "cross")
    detail = f"{heads} head{'s' * (heads > 1)} of {width}{seen}{rotated}"
    return ModelPart(name, detail, shape, matrices, kind, heads)
