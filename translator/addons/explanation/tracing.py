"""Runs the model once over a sentence pair and keeps every number of one head on the way.

The model's own layers compute each of them, one after the other, as `Transformer.forward` does.
"""

from collections.abc import Sequence
from typing import Any

import keras
import numpy as np
from keras import ops

from translator.addons.explanation.trace import EmbeddingTrace, HeadTrace, LayerTrace, Trace
from translator.model.decoder import DecoderLayer
from translator.model.encoder import EncoderLayer
from translator.model.feed_forward import FeedForward
from translator.model.masks import padding_mask, target_mask
from translator.model.multi_head_attention import HIDDEN, MultiHeadAttention
from translator.model.positional_encoding import TokenEmbedding
from translator.model.residual import Residual
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
    source_mask = padding_mask(source, model.padding_ids[0])
    masks = target_mask(target, model.padding_ids[1]), source_mask
    found: list[tuple[LayerTrace, HeadTrace]] = []

    embedded_source = trace_embedding(model.source_embedding, source)
    x = ops.convert_to_tensor(embedded_source.sum[None])
    for number, encoder_layer in enumerate(model.encoder.layers, start=1):
        if kind == "encoder" and number == layer:
            found.append(trace_encoder_layer(encoder_layer, x, source_mask, head))
        x = encoder_layer(x, source_mask).output
    memory = x if model.encoder.norm is None else model.encoder.norm(x)

    embedded_target = trace_embedding(model.target_embedding, target, model.config.zero_start)
    x = ops.convert_to_tensor(embedded_target.sum[None])
    for number, decoder_layer in enumerate(model.decoder.layers, start=1):
        if kind != "encoder" and number == layer:
            found.append(trace_decoder_layer(decoder_layer, x, memory, masks, kind, head))
        x = decoder_layer(x, memory, *masks).hidden
    hidden = x if model.decoder.norm is None else model.decoder.norm(x)
    kernel, bias = model.output_weights()
    logits = ops.matmul(hidden, kernel)
    logits = logits if bias is None else logits + bias

    [(around, attention)] = found
    return Trace(
        kind,
        layer,
        head,
        embedded_source,
        embedded_target,
        around,
        attention,
        _numbers(hidden),
        _numbers(logits),
        _logits_without(model, source, target, kind, layer, head),
    )


def _logits_without(
    model: Transformer, source: np.ndarray, target: np.ndarray, kind: str, layer: int, head: int
) -> np.ndarray:
    """The logits (T, V) with the head's rows of the output matrix set to 0."""
    if kind == "encoder":
        attention = model.encoder.layers[layer - 1].self_attention
    else:
        name = "self_attention" if kind == "decoder" else "cross_attention"
        attention = getattr(model.decoder.layers[layer - 1], name)
    kernel = attention.output_dense.kernel
    silenced = variable_value(kernel).copy()
    silenced[places_of_heads([head - 1], attention.head_dim)] = 0
    with keras.StatelessScope([(kernel, ops.convert_to_tensor(silenced))]):
        return _numbers(model.forward(source, target, training=False).logits)


def trace_embedding(
    embedding: TokenEmbedding, ids: np.ndarray, zero_start: bool = False
) -> EmbeddingTrace:
    """How ids (1, length) become vectors."""
    vectors = embedding.vectors(ids, zero_start=zero_start)
    positions = embedding.encodings(np.arange(ids.shape[1]))
    total = embedding(ids, training=False, zero_start=zero_start)
    return EmbeddingTrace(_numbers(vectors), ops.convert_to_numpy(positions), _numbers(total))


def trace_encoder_layer(
    layer: EncoderLayer, x: Any, mask: Any, head: int
) -> tuple[LayerTrace, HeadTrace]:
    """The self-attention of an encoder layer, and the rest of the layer."""
    query = layer.attention_residual.before(x)
    attention = trace_attention(layer.self_attention, query, query, mask, head)
    after = layer.attention_residual.after(x, attention.output[None])
    rest = trace_feed_forward(layer.feed_forward, layer.feed_forward_residual, after)
    return LayerTrace(_numbers(x), _numbers(after), None, *rest), attention


def trace_decoder_layer(
    layer: DecoderLayer, x: Any, memory: Any, masks: tuple[Any, Any], kind: str, head: int
) -> tuple[LayerTrace, HeadTrace]:
    """One of the two attentions of a decoder layer, and the rest of the layer."""
    self_mask, cross_mask = masks
    query = layer.self_residual.before(x)
    if kind == "decoder":
        attention = trace_attention(layer.self_attention, query, query, self_mask, head)
        after_self = layer.self_residual.after(x, attention.output[None])
    else:
        output = layer.self_attention(query, query, self_mask).output
        after_self = layer.self_residual.after(x, output)
    query = layer.cross_residual.before(after_self)
    if kind == "cross":
        attention = trace_attention(layer.cross_attention, query, memory, cross_mask, head)
        after_cross = layer.cross_residual.after(after_self, attention.output[None])
        before, attended, other = after_self, after_cross, None
    else:
        output = layer.cross_attention(query, memory, cross_mask).output
        after_cross = layer.cross_residual.after(after_self, output)
        before, attended, other = x, after_self, _numbers(after_cross)
    rest = trace_feed_forward(layer.feed_forward, layer.feed_forward_residual, after_cross)
    return LayerTrace(_numbers(before), _numbers(attended), other, *rest), attention


def trace_attention(
    attention: MultiHeadAttention, query: Any, memory: Any, mask: Any, head: int
) -> HeadTrace:
    """The steps of one head, and what all heads add.

    Args:
        attention: the sub-layer.
        query: (1, Q, D).
        memory: (1, M, D).
        mask: booleans that broadcast to (1, N, Q, M).
        head: number of the head, from 1.
    """
    queries = attention.split_heads(attention.query_dense(query))  # (1, N, Q, H)
    keys, values = attention.project(memory)  # (1, N, M, H)
    products = ops.matmul(queries, ops.swapaxes(keys, -1, -2))  # (1, N, Q, M)
    logits = products * attention.head_dim**-0.5
    mask = ops.broadcast_to(mask, logits.shape)
    masked = ops.where(mask, logits, HIDDEN)
    weights = ops.softmax(masked, axis=-1)
    contexts = ops.matmul(weights, values)  # (1, N, Q, H)
    kernel, bias = attention.output_dense.kernel, attention.output_dense.bias
    by_head = ops.reshape(kernel, (attention.num_heads, attention.head_dim, attention.d_model))
    outputs = ops.matmul(contexts, by_head)  # (1, N, Q, D)
    output = ops.sum(outputs, axis=1) + bias  # (1, Q, D)

    def of_head(array: Any) -> np.ndarray:
        numbers: np.ndarray = _numbers(array)[head - 1]
        return numbers

    return HeadTrace(
        query_input=_numbers(query),
        memory=_numbers(memory),
        queries=of_head(queries),
        keys=of_head(keys),
        values=of_head(values),
        products=of_head(products),
        logits=of_head(logits),
        mask=of_head(mask),
        masked=of_head(masked),
        weights=of_head(weights),
        context=of_head(contexts),
        outputs=_numbers(outputs),
        bias=variable_value(bias),
        output=_numbers(output),
    )


def trace_feed_forward(
    feed_forward: FeedForward, residual: Residual, x: Any
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """The last four attributes of a `LayerTrace`."""
    entering = residual.before(x)
    inner = feed_forward.inner(entering)
    output = feed_forward.outer(inner)
    result = residual.after(x, output)
    return _numbers(entering), _numbers(inner), _numbers(output), _numbers(result)


def _numbers(array: Any) -> np.ndarray:
    """The first row of a batch in NumPy."""
    numbers: np.ndarray = ops.convert_to_numpy(array)[0]
    return numbers
