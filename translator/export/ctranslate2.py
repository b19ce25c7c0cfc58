"""The format of CTranslate2: plain CTranslate2 loads it, and so does ``translate``.

https://opennmt.net/CTranslate2
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from ml_dtypes import bfloat16

from translator.base.errors import InputError
from translator.config.schema import Config, ModelConfig
from translator.model.constants import LAYER_NORM_EPSILON, sinusoidal_positions
from translator.runs.directory import RunDirectory
from translator.runs.weights import load_arrays
from translator.text.restoration import Restoration
from translator.text.word_alignment import PointingHeads, pointing_heads
from translator.tokenizers.subword import Tokenizers

# What CTranslate2 writes; a vocabulary that both sides share has one file.
CTRANSLATE2_FILES = (
    "model.bin",
    "config.json",
    "source_vocabulary.json",
    "target_vocabulary.json",
    "shared_vocabulary.json",
)
QUANTIZATIONS = ("float32", "int8", "int16", "float16", "bfloat16")

Arrays = Mapping[str, np.ndarray]


def write_ctranslate2(run: RunDirectory, folder: Path, quantization: str) -> None:
    """Writes the best weights of a run as CTranslate2 reads them.

    Args:
        run: a trained run.
        folder: an empty folder.
        quantization: one of `QUANTIZATIONS`, of the weights.

    Raises:
        InputError: this is not a trained run, or the quantization is unknown.
    """
    if quantization not in QUANTIZATIONS:
        raise InputError(
            f"quantization: expected one of {', '.join(QUANTIZATIONS)}, found {quantization}"
        )
    config = run.read_config()
    tokenizers = run.read_tokenizers(config)
    weights = load_arrays(run.find_weights())
    found = Restoration.load(run.restoration).alignment
    heads = pointing_heads(found, config.model.num_layers, config.model.num_heads)
    make_spec(config, tokenizers, weights, quantization, heads).save(str(folder))


def make_spec(
    config: Config,
    tokenizers: Tokenizers,
    weights: Arrays,
    quantization: str,
    alignment: PointingHeads,
) -> Any:
    """Arranges a model's weights as CTranslate2 expects them.

    CTranslate2 returns the mean attention of the first heads of one layer, so
    the heads that align best are put first there.

    Args:
        config: the run's.
        tokenizers: the run's.
        weights: by the names of `translator.runs.weights.model_weights`.
        quantization: one of `QUANTIZATIONS`.
        alignment: the heads whose attention CTranslate2 is to return.

    Returns:
        A ``ctranslate2.specs.TransformerSpec``, ready to be saved.
    """
    from ctranslate2 import specs

    model = config.model
    positions = sinusoidal_positions(config.data.max_length, model.d_model)
    if quantization == "bfloat16":  # CTranslate2's own conversion needs PyTorch
        weights = {name: array.astype(bfloat16) for name, array in weights.items()}
        positions = positions.astype(bfloat16)
    encoder, decoder = _make_stacks(model, alignment)
    weights = _with_heads_first(weights, alignment, model)
    spec = specs.TransformerSpec(encoder, decoder)
    source, target = _embeddings(model, weights)
    for stack, embeddings, table in (
        (encoder, encoder.embeddings[0], source),
        (decoder, decoder.embeddings, target),
    ):
        embeddings.weight = table
        stack.position_encodings.encodings = positions
    for name, stack in (("encoder", encoder), ("decoder", decoder)):
        for i, layer in enumerate(stack.layer, start=1):
            _set_layer(layer, weights, f"{name}/layer_{i}/")
        if model.normalize_first:
            _set_norm(stack.layer_norm, weights, f"{name}/norm/")
    if model.tied_embeddings == "none":
        _set_dense(decoder.projection, weights, "projection/")
    else:
        decoder.projection.weight = target
    for register, tokenizer in (
        (spec.register_source_vocabulary, tokenizers.source),
        (spec.register_target_vocabulary, tokenizers.target),
    ):
        register(tokenizer.pieces(range(tokenizer.size)))
    spec.config.layer_norm_epsilon = LAYER_NORM_EPSILON
    spec.config.add_source_bos = spec.config.add_source_eos = True
    spec.validate()
    spec.optimize(quantization)
    return spec


def _make_stacks(model: ModelConfig, alignment: PointingHeads) -> tuple[Any, Any]:
    """The specifications of the encoder and of the decoder, still without weights."""
    from ctranslate2 import specs

    sizes: dict[str, Any] = {"pre_norm": model.normalize_first, "activation": _activation(model)}
    if model.head_dim is not None:
        sizes["head_dim"] = model.head_dim
    encoder = specs.TransformerEncoderSpec(model.num_layers, model.num_heads, **sizes)
    decoder = specs.TransformerDecoderSpec(
        model.num_layers,
        model.num_heads,
        alignment_layer=alignment.layer,
        alignment_heads=len(alignment.heads),
        **sizes,
    )
    return encoder, decoder


def _with_heads_first(weights: Arrays, alignment: PointingHeads, model: ModelConfig) -> Arrays:
    """The same weights with the heads of one cross-attention in another order."""
    rest = [head for head in range(model.num_heads) if head not in alignment.heads]
    head_dim = model.head_dim or model.d_model // model.num_heads
    order = np.concatenate(
        [np.arange(head * head_dim, (head + 1) * head_dim) for head in (*alignment.heads, *rest)]
    )
    name = f"decoder/layer_{alignment.layer + 1}/cross_attention/"
    moved = {name + "output/kernel": weights[name + "output/kernel"][order]}
    for part in ("query", "key", "value"):
        moved[f"{name}{part}/kernel"] = weights[f"{name}{part}/kernel"][:, order]
        moved[f"{name}{part}/bias"] = weights[f"{name}{part}/bias"][order]
    return {**weights, **moved}


def _activation(model: ModelConfig) -> Any:
    from ctranslate2.specs import Activation

    # Keras's gelu by name is the exact one, not its approximation by tanh.
    known = {"relu": Activation.RELU, "gelu": Activation.GELU, "silu": Activation.SWISH}
    return known[model.activation]


def _embeddings(model: ModelConfig, weights: Arrays) -> tuple[np.ndarray, np.ndarray]:
    names = ("shared", "shared") if model.tied_embeddings == "all" else ("source", "target")
    source, target = (weights[f"{name}_embedding/embedding/embeddings"] for name in names)
    return source, target


def _set_layer(layer: Any, weights: Arrays, name: str) -> None:
    decodes = hasattr(layer, "attention")  # to the encoder's output
    residuals = ("self_residual" if decodes else "attention_residual", "feed_forward_residual")
    _set_attention(layer.self_attention, weights, name + "self_attention/", residuals[0])
    if decodes:
        _set_attention(layer.attention, weights, name + "cross_attention/", "cross_residual")
    _set_dense(layer.ffn.linear_0, weights, name + "feed_forward/inner/")
    _set_dense(layer.ffn.linear_1, weights, name + "feed_forward/outer/")
    _set_norm(layer.ffn.layer_norm, weights, f"{name}{residuals[1]}/norm/")


def _set_attention(attention: Any, weights: Arrays, name: str, residual: str) -> None:
    """Sets the projections: CTranslate2 joins three in self-attention, two in cross-attention."""
    groups = (
        (("query", "key", "value"),)
        if len(attention.linear) == 2
        else (("query",), ("key", "value"))
    )
    for linear, parts in zip(attention.linear, (*groups, ("output",))):
        _set_dense(linear, weights, *(f"{name}{part}/" for part in parts))
    _set_norm(attention.layer_norm, weights, f"{name.rsplit('/', 2)[0]}/{residual}/norm/")


def _set_dense(linear: Any, weights: Arrays, *names: str) -> None:
    linear.weight = np.concatenate([weights[name + "kernel"].T for name in names])
    linear.bias = np.concatenate([weights[name + "bias"] for name in names])


def _set_norm(norm: Any, weights: Arrays, name: str) -> None:
    norm.gamma = weights[name + "gamma"]
    norm.beta = weights[name + "beta"]
