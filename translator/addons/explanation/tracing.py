"""Runs the model once over a sentence pair and keeps every number of one head on the way.

The numbers are those that the model's own layers return.
"""

from collections.abc import Sequence
from typing import Any

import keras
import numpy as np
from keras import ops

from translator.addons.explanation.trace import EmbeddingTrace, HeadTrace, LayerTrace, Trace
from translator.model import trace as model_trace
from translator.model.masks import padding_mask, target_mask
from translator.model.multi_head_attention import HIDDEN, MultiHeadAttention
from translator.model.token_embedding import TokenEmbedding
from translator.model.transformer import Transformer
from translator.runs.heads import places_of_heads
from translator.runs.weights import variable_value


def trace_head(
    model: Transformer,
    source_ids: Sequence[int],
    target_ids: Sequence[int],
    kind: str,
    layer: int,
    head: int,
) -> Trace:
    """Runs the model over a sentence pair.

    Args:
        model: with its weights, in float32.
        source_ids: (S,), start and end included where the tokenizer has them.
        target_ids: (T,), the decoder's input: start included, without the end.
        kind: encoder, decoder or cross.
        layer: number of the layer, from 1.
        head: number of the head, from 1.

    Returns:
        The numbers of that head, and what is around it.
    """
    source, target = np.asarray([source_ids]), np.asarray([target_ids])
    output = model.forward(source, target, training=False, return_trace=True)
    encoded, decoded = output.trace
    around = (encoded if kind == "encoder" else decoded).trace[layer - 1]
    attended = around.cross_attention if kind == "cross" else around.self_attention
    if kind == "decoder":
        mask = target_mask(target, model.padding_ids[1])
    else:
        mask = padding_mask(source, model.padding_ids[0])
    memory = encoded.hidden if kind == "cross" else attended.entering
    attention = _attention_layer(model, kind, layer)
    return Trace(
        kind,
        layer,
        head,
        _trace_embedding(model.source_embedding, source, False, encoded.trace[0]),
        _trace_embedding(model.target_embedding, target, model.config.zero_start, decoded.trace[0]),
        _trace_layer(around, attended),
        _trace_attention(attention, attended, memory, mask, head),
        _numbers(decoded.hidden),
        _numbers(output.logits),
        _logits_without(model, attention, source, target, head),
    )


def _attention_layer(model: Transformer, kind: str, layer: int) -> MultiHeadAttention:
    stack = model.encoder if kind == "encoder" else model.decoder
    name = "cross_attention" if kind == "cross" else "self_attention"
    attention: MultiHeadAttention = getattr(stack.layers[layer - 1], name)
    return attention


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


def _trace_embedding(
    embedding: TokenEmbedding,
    ids: np.ndarray,
    zero_start: bool,
    first_layer: model_trace.LayerTrace,
) -> EmbeddingTrace:
    """How ids (1, length) become the vectors that the first layer gets."""
    vectors = embedding.vectors(ids, zero_start=zero_start)
    positions = embedding.positions.add(ops.zeros_like(vectors), np.arange(ids.shape[1]))
    return EmbeddingTrace(
        _numbers(vectors), _numbers(positions), _numbers(first_layer.self_attention.x)
    )


def _trace_layer(layer: model_trace.LayerTrace, attended: model_trace.SubLayerTrace) -> LayerTrace:
    """What a layer does around one of its attentions."""
    network, cross = layer.feed_forward, layer.cross_attention
    return LayerTrace(
        x=_numbers(attended.x),
        attended=_numbers(attended.result),
        other=_numbers(cross.result) if cross and cross is not attended else None,
        feed_forward_input=_numbers(network.entering),
        inner=_numbers(network.inside.inner),
        feed_forward=_numbers(network.inside.output),
        result=_numbers(network.result),
    )


def _trace_attention(
    attention: MultiHeadAttention,
    traced: model_trace.SubLayerTrace,
    memory: Any,
    mask: Any,
    head: int,
) -> HeadTrace:
    """The steps of one head, and what all heads add.

    The model divides the queries, not the products, and adds all heads in one product. So these
    three are computed here from what it returns: products, logits, and each head's output.

    Args:
        attention: the sub-layer.
        traced: what it computed.
        memory: (1, M, D).
        mask: booleans that broadcast to (1, N, Q, M).
        head: number of the head, from 1.
    """
    found = traced.inside
    queries, keys, values, weights, contexts = (
        _numbers(array)  # (N, Q or M, H or M)
        for array in (found.queries, *found.key_values, found.attention_scores, found.context)
    )
    products = queries[head - 1] @ keys[head - 1].T  # (Q, M)
    logits = products * attention.head_dim**-0.5
    visible = np.broadcast_to(_numbers(mask)[0], logits.shape)
    kernel = variable_value(attention.output_dense.kernel)
    by_head = kernel.reshape(attention.num_heads, attention.head_dim, attention.d_model)
    return HeadTrace(
        query_input=_numbers(traced.entering),
        memory=_numbers(memory),
        queries=queries[head - 1],
        keys=keys[head - 1],
        values=values[head - 1],
        products=products,
        logits=logits,
        mask=visible,
        masked=np.where(visible, logits, np.float32(HIDDEN)),
        weights=weights[head - 1],
        context=contexts[head - 1],
        outputs=contexts @ by_head,
        bias=variable_value(attention.output_dense.bias),
        output=_numbers(found.output),
    )


def _numbers(array: Any) -> np.ndarray:
    """The first row of a batch in NumPy."""
    numbers: np.ndarray = ops.convert_to_numpy(array)[0]
    return numbers
