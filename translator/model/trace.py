"""What the layers of a stack compute on the way to their output, by name."""

from typing import Any, NamedTuple


class SubLayerTrace(NamedTuple):
    """A sub-layer between the two halves of its `Residual`, (B, T, D) each but for ``inside``.

    Attributes:
        x: what comes in.
        entering: the sub-layer's input: x, normalised where the model normalises first.
        inside: what the sub-layer returns, such as an `AttentionOutput`.
        result: x and the sub-layer's output, normalised where the model normalises last.
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
        cross_attention: between the two in the decoder, with an `AttentionOutput` inside; empty in
            the encoder.
    """

    self_attention: SubLayerTrace
    feed_forward: SubLayerTrace
    cross_attention: SubLayerTrace | tuple[()] = ()
