"""The numbers of one head on the way of a sentence pair through the model. NumPy only.

Shapes: S source tokens, T target tokens, Q queries, M keys (the memory), D model, H head, N heads,
F the feed-forward network, V vocabulary.
"""

from typing import NamedTuple

import numpy as np


class EmbeddingTrace(NamedTuple):
    """How the tokens of one side become vectors, (length, D) each.

    Attributes:
        vectors: of the tokens, times sqrt(D).
        positions: the encodings of the positions.
        sum: of the two, what the first layer gets.
    """

    vectors: np.ndarray
    positions: np.ndarray
    sum: np.ndarray


class HeadTrace(NamedTuple):
    """The numbers of one head.

    Attributes:
        query_input: (Q, D), what queries are made from: ``x``, normalised where the model
            normalises first.
        memory: (M, D), what keys and values are made from: the same in self-attention.
        queries: (Q, H).
        keys: (M, H).
        values: (M, H).
        products: (Q, M), each query times each key.
        logits: (Q, M), divided by sqrt(H).
        mask: (Q, M), True = may attend.
        masked: (Q, M), the logits with a very low number where the mask hides.
        weights: (Q, M), after the softmax; each row sums to 1.
        context: (Q, H), the weighted sum of the values.
        outputs: (N, Q, D), what each head adds: its context times its rows of the output matrix.
        bias: (D,) of the output.
        output: (Q, D), the sum of all heads and the bias.
    """

    query_input: np.ndarray
    memory: np.ndarray
    queries: np.ndarray
    keys: np.ndarray
    values: np.ndarray
    products: np.ndarray
    logits: np.ndarray
    mask: np.ndarray
    masked: np.ndarray
    weights: np.ndarray
    context: np.ndarray
    outputs: np.ndarray
    bias: np.ndarray
    output: np.ndarray


class LayerTrace(NamedTuple):
    """What a layer does around one of its attentions, (Q, D) each but for ``inner``.

    Attributes:
        x: before the attention.
        attended: after it, with what was there before added, normalised where the model normalises
            last.
        other: likewise after the cross-attention that follows a self-attention in the decoder;
            None elsewhere.
        feed_forward_input: of the feed-forward network.
        inner: (Q, F), after its activation.
        feed_forward: its output.
        result: of the layer.
    """

    x: np.ndarray
    attended: np.ndarray
    other: np.ndarray | None
    feed_forward_input: np.ndarray
    inner: np.ndarray
    feed_forward: np.ndarray
    result: np.ndarray


class Trace(NamedTuple):
    """A sentence pair on its way through the model.

    Attributes:
        kind: of the attention: encoder, decoder or cross.
        layer: number of the layer, from 1.
        head: number of the head, from 1.
        source: how the source tokens become vectors.
        target: how the target tokens become vectors.
        around: the layer.
        attention: the head.
        hidden: (T, D), the decoder's output.
        logits: (T, V) of the next token.
        logits_without: the same if the head added nothing.
    """

    kind: str
    layer: int
    head: int
    source: EmbeddingTrace
    target: EmbeddingTrace
    around: LayerTrace
    attention: HeadTrace
    hidden: np.ndarray
    logits: np.ndarray
    logits_without: np.ndarray
