"""Runs the model once over a sentence pair and keeps the numbers around one head.

The model's own layers return the numbers. Shapes: S source tokens, T target tokens,
Q queries, M keys (the memory), D model, H head, N heads, V vocabulary.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import keras
import numpy as np
from keras import ops

from translator.model.masks import padding_mask, target_mask
from translator.model.multi_head_attention import MultiHeadAttention
from translator.model.outputs import LayerTrace, SubLayerTrace
from translator.model.transformer import Transformer
from translator.runs.export_layout import places_of_heads
from translator.runs.weights import variable_value


class HeadTrace(NamedTuple):
    """The numbers of a head and of the steps around it, as NumPy arrays without the batch axis.

    Attributes:
        kind: the kind of its attention: encoder, decoder or cross.
        layer: number of the layer, from 1.
        head: number of the head, from 1.
        vectors: (Q, D), the embeddings of the tokens that look, times sqrt(D).
        positions: (Q, D), the vectors added for their positions; 0 if nothing is added.
        embedded: (Q, D), vectors + positions, the input of the first layer.
        attention: the sub-layer of the head, with all heads inside.
        memory: (M, D), the vectors from which keys and values are computed.
        mask: (Q, M), True = may attend.
        outputs: (N, Q, D), the result that each head adds: context times its output matrix rows.
        hidden: (T, D), the decoder's output.
        logits: (T, V) of the next token.
        logits_without: the same if the head added nothing.
    """

    kind: str
    layer: int
    head: int
    vectors: np.ndarray
    positions: np.ndarray
    embedded: np.ndarray
    around: LayerTrace
    attention: SubLayerTrace
    memory: np.ndarray
    mask: np.ndarray
    outputs: np.ndarray
    hidden: np.ndarray
    logits: np.ndarray
    logits_without: np.ndarray


def trace_head(
    model: Transformer,
    source_ids: Sequence[int],
    target_ids: Sequence[int],
    kind: str,
    layer: int,
    head: int,
) -> HeadTrace:
    """Runs the model over a sentence pair.

    Args:
        model: with its weights, in float32.
        source_ids: (S,), start and end included where the tokenizer has them.
        target_ids: (T,), the decoder's input: start included, without the end.
        layer: number of the layer, from 1.
        head: number of the head, from 1.

    Returns:
        The numbers of that head and around it.
    """
    source, target = np.asarray([source_ids]), np.asarray([target_ids])
    output = model.forward(source, target, training=False, return_trace=True)
    encoded, decoded = output.trace
    layers = (encoded if kind == "encoder" else decoded).trace
    if kind == "encoder":
        ids, embedding, zero_start = source, model.source_embedding, False
    else:
        ids, embedding, zero_start = target, model.target_embedding, model.config.zero_start
    vectors = embedding.vectors(ids, zero_start=zero_start)
    positions = embedding.positions.add(ops.zeros_like(vectors), np.arange(ids.shape[1]))
    around: LayerTrace = keras.tree.map_structure(_numbers, layers[layer - 1])
    name = "cross_attention" if kind == "cross" else "self_attention"
    attended: SubLayerTrace = getattr(around, name)
    stack = model.encoder if kind == "encoder" else model.decoder
    attention: MultiHeadAttention = getattr(stack.layers[layer - 1], name)
    if kind == "decoder":
        mask = target_mask(target, model.padding_ids[1])
    else:
        mask = padding_mask(source, model.padding_ids[0])
    kernel = variable_value(attention.output_dense.kernel)
    by_head = kernel.reshape(attention.num_heads, attention.head_dim, attention.d_model)
    scores = attended.inside.attention_scores  # (N, Q, M)
    return HeadTrace(
        kind,
        layer,
        head,
        _numbers(vectors),
        _numbers(positions),
        _numbers(layers[0].self_attention.x),
        around,
        attended,
        _numbers(encoded.hidden) if kind == "cross" else attended.entering,
        np.broadcast_to(_numbers(mask)[0], scores.shape[1:]),
        attended.inside.context @ by_head,
        _numbers(decoded.hidden),
        _numbers(output.logits),
        _logits_without(model, attention, source, target, head),
    )


def _logits_without(
    model: Transformer,
    attention: MultiHeadAttention,
    source: np.ndarray,
    target: np.ndarray,
    head: int,
) -> np.ndarray:
    """The logits (T, V) with the head's rows of the output matrix set to 0."""
    kernel = attention.output_dense.kernel
    silenced = variable_value(kernel).copy()
    silenced[places_of_heads([head - 1], attention.head_dim)] = 0
    with keras.StatelessScope([(kernel, ops.convert_to_tensor(silenced))]):
        return _numbers(model.forward(source, target, training=False).logits)


def _numbers(array: Any) -> np.ndarray:
    """The first row of a batch in NumPy."""
    numbers: np.ndarray = ops.convert_to_numpy(array)[0]
    return numbers
