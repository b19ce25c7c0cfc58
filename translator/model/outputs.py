"""The outputs of the `Transformer`, for whole sentences and for a step, and layers' traces."""

from typing import Any, NamedTuple

from translator.model.multi_head_attention import KeyValues


class TransformerOutput(NamedTuple):
    """The output of the model for whole sentences.

    Attributes:
        logits: (B, T, V).
        encoder_attention: (B, L, N, S, S).
        decoder_attention: (B, L, N, T, T).
        cross_attention: (B, L, N, T, S).
        trace: an `EncoderOutput` and a `DecoderOutput` with their traces, if requested.
    """

    logits: Any
    encoder_attention: Any
    decoder_attention: Any
    cross_attention: Any
    trace: Any = ()


class Memory(NamedTuple):
    """The encoded source that step-by-step decoding attends to, computed once.

    Attributes:
        key_values: cross-attention keys and values, one pair per layer.
        mask: (B, 1, 1, S), False on padding.
    """

    key_values: tuple[KeyValues, ...]
    mask: Any


class StepOutput(NamedTuple):
    """The output of one decoding step.

    Attributes:
        logits: (B, K, V), of the next tokens.
        cache: the self-attention buffers with the current tokens added.
        self_attention_scores: (B, L, N, K, T * K), over the cache's entries.
        cross_attention_scores: (B, L, N, K, S).
    """

    logits: Any
    cache: tuple[KeyValues, ...]
    self_attention_scores: Any
    cross_attention_scores: Any


class SubLayerTrace(NamedTuple):
    """The values of a sub-layer and of its `Residual`; (B, T, D) each, except ``inside``.

    Attributes:
        x: the input of the residual.
        entering: the sub-layer's input: x, normalised if the model normalises first.
        inside: the output of the sub-layer, such as an `AttentionOutput`.
        result: x plus the sub-layer's output, normalised if the model normalises last.
    """

    x: Any
    entering: Any
    inside: Any
    result: Any


class LayerTrace(NamedTuple):
    """The sub-layers of a layer of the encoder or of the decoder.

    Attributes:
        self_attention: with an `AttentionOutput` inside.
        feed_forward: with a `FeedForwardOutput` inside.
        cross_attention: in the decoder, between the other two, with an `AttentionOutput` inside;
            empty in the encoder.
    """

    self_attention: SubLayerTrace
    feed_forward: SubLayerTrace
    cross_attention: SubLayerTrace | tuple[()] = ()
