"""Reads a public model in the form of Hugging Face's transformers: MarianMTModel.

Wolf et al. (2020), "Transformers", https://aclanthology.org/2020.emnlp-demos.6
"""

import itertools
import json
import re
from pathlib import Path
from typing import Any

import numpy as np

from translator.addons.public_models.public_model import (
    MAX_LENGTH,
    READERS,
    STACKS,
    Arrays,
    PublicModel,
    TokenizerFiles,
    Weights,
    make_model_config,
    read_choice,
    read_whole_number,
)
from translator.base.errors import InputError
from translator.base.files import read_file
from translator.base.gone import gone_line
from translator.base.texts import quoted
from translator.config.schema import ModelConfig
from translator.model.constants import sinusoidal_positions

CONFIG = "config.json"
GENERATION_CONFIG = "generation_config.json"  # of newer folders; it overrides config.json
TOKENIZER_CONFIG = "tokenizer_config.json"
# By transformers' names; its gelu is the exact one, like ours.
ACTIVATIONS = {"swish": "silu", "silu": "silu", "relu": "relu", "gelu": "gelu"}
EXPECTED = {  # the only values that our model can have
    "scale_embedding": True,
    "static_position_embeddings": True,
    "normalize_before": False,
    "normalize_embedding": False,
    "add_final_layer_norm": False,
}
SUB_LAYERS = {"self": "self_attn", "cross": "encoder_attn"}
PROJECTIONS = {"query": "q_proj", "key": "k_proj", "value": "v_proj", "output": "out_proj"}
DENSE = {  # of a decoder layer: our names, and those of transformers
    **{
        f"{kind}_attention/{part}": f"{module}.{projection}"
        for kind, module in SUB_LAYERS.items()
        for part, projection in PROJECTIONS.items()
    },
    "feed_forward/inner": "fc1",
    "feed_forward/outer": "fc2",
}
NORMS = {
    **{f"{kind}_residual/norm": f"{module}_layer_norm" for kind, module in SUB_LAYERS.items()},
    "feed_forward_residual/norm": "final_layer_norm",
}
SHARED = "model.shared.weight"
EMBED_TOKENS = tuple(f"model.{stack}.embed_tokens.weight" for stack in STACKS)
LM_HEAD = "lm_head.weight"
POSITIONS = tuple(f"model.{stack}.embed_positions.weight" for stack in STACKS)
LOGITS_BIAS = "final_logits_bias"
PICKLE = "pytorch_model.bin"
CONVERSION = "convert it with from_pretrained and save_pretrained of transformers' MarianMTModel"
BEAM_SIZE = 4  # if no file names it


def read_hugging_face(folder: Path) -> PublicModel:
    """Reads a folder that ``save_pretrained`` of MarianMTModel and its tokenizer wrote."""
    if not folder.is_dir():
        raise InputError(
            f"{folder}: expected the folder of a public model, found"
            f" {'a file; unpack it first' if folder.exists() else 'no such folder'}"
        )
    path = folder / CONFIG
    if not path.is_file():
        is_archive = (folder / "decoder.yml").is_file()
        expected = f"expected a public model in the form of Hugging Face, found no {CONFIG}"
        raise InputError(f"{folder}: {gone_line('import decoder.yml') if is_archive else expected}")
    values = read_settings(path)
    _check(values, path)
    separate = (folder / "target_vocab.json").is_file()
    vocabularies = folder / "vocab.json", folder / ("target_" * separate + "vocab.json")
    files = TokenizerFiles((folder / "source.spm", folder / "target.spm"), vocabularies)
    for file in (*files.models, *files.vocabularies):
        if not file.is_file():
            raise InputError(f"{file}: expected this file of a Marian model, found none")
    arrays = _read_arrays(folder)
    tying, tables = _read_tables(arrays, values, path)
    model = make_model_config(
        path,
        num_layers=values["encoder_layers"],
        d_model=values["d_model"],
        num_heads=values["encoder_attention_heads"],
        dff=values["encoder_ffn_dim"],
        activation=read_choice(values, "activation_function", ACTIVATIONS, path),
        **tying,
    )
    layers = _read_layers(model, arrays)
    arrays.check_rest()
    settings = read_settings(folder / TOKENIZER_CONFIG, required=False)
    values |= read_settings(folder / GENERATION_CONFIG, required=False)
    return PublicModel(
        model,
        files,
        tables | layers,
        max_length=read_whole_number(values, "max_length", folder, MAX_LENGTH),
        beam_size=read_whole_number(values, "num_beams", folder, BEAM_SIZE),
        languages=(settings.get("source_lang"), settings.get("target_lang")),
    )


def _check(values: dict[str, Any], path: Path) -> None:
    """Checks that our model can compute the same."""
    kind = values.get("model_type")
    if kind != "marian":
        names = values.get("architectures")
        architecture = names[0] if isinstance(names, list) and names else kind
        raise InputError(
            f"{path}: expected a Marian Transformer (model_type marian, MarianMTModel), found"
            f" {quoted(architecture)}; models of other architectures cannot be imported"
        )
    for key, expected in EXPECTED.items():
        if values.get(key, expected) != expected:
            raise InputError(
                f"{path}: expected {key}: {json.dumps(expected)}, found {quoted(values[key])}"
            )
    for key in ("layers", "attention_heads", "ffn_dim"):
        encoder, decoder = (values.get(f"{stack}_{key}") for stack in ("encoder", "decoder"))
        if encoder != decoder:
            raise InputError(
                f"{path}: expected an encoder and a decoder of the same {key}, found"
                f" {quoted(encoder)} and {quoted(decoder)}"
            )
        read_whole_number(values, f"encoder_{key}", path)
    for key in ("d_model", "vocab_size", "pad_token_id"):
        read_whole_number(values, key, path)
    padding, start = values["pad_token_id"], values.get("decoder_start_token_id")
    if start != padding:
        raise InputError(
            f"{path}: expected decoder_start_token_id: {padding}, the same as pad_token_id, found"
            f" {quoted(start)}"
        )


def read_settings(path: Path, required: bool = True) -> dict[str, Any]:
    try:
        values = json.loads(read_file(path))
    except FileNotFoundError:
        if required:
            raise
        return {}
    except (ValueError, RecursionError):
        values = None
    if not isinstance(values, dict):
        raise InputError(f"{path}: expected settings in JSON, found something else")
    return values


def _read_arrays(folder: Path) -> Arrays:
    """Reads the arrays of the first existing file of weights; they get PyTorch's names."""
    for name, read in READERS.items():
        path = folder / name
        if path.is_file():
            arrays = read(path)
            return Arrays(_rename_as_pytorch(arrays) if name.endswith(".h5") else arrays, path)
    is_pickle = (folder / PICKLE).is_file()
    available = f"only {PICKLE}, which may contain a program; {CONVERSION}" if is_pickle else "none"
    raise InputError(f"{folder}: expected one of {', '.join(READERS)} in it, found {available}")


def _rename_as_pytorch(arrays: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Replaces Keras's paths by PyTorch's names; the paths differ between versions."""
    renamed = {}
    for path, array in arrays.items():
        names = re.sub(r":0$", "", path).replace("layers.", "layers/").split("/")
        if names[-1] == LOGITS_BIAS:
            renamed[LOGITS_BIAS] = array
        elif any(name.endswith("shared") for name in names):
            renamed[SHARED] = array
        elif names[-1].startswith("embeddings") and {"embed_positions", "embed_tokens"} & {*names}:
            renamed[".".join(["model", *names[-3:-1], "weight"])] = array
        elif "layers" in names and names[-1] in ("kernel", "bias", "gamma", "beta"):
            first = names.index("layers") - 1
            kind = {"kernel": "weight", "gamma": "weight", "beta": "bias"}.get(names[-1], "bias")
            name = ".".join(["model", *names[first:-1], kind])
            renamed[name] = array.T if names[-1] == "kernel" else array
        else:
            renamed[path] = array
    return renamed


def _read_tables(
    arrays: Arrays, values: dict[str, Any], path: Path
) -> tuple[dict[str, Any], Weights]:
    """Reads the settings that tie the token tables, the tables, and the output's bias."""
    width, size = values["d_model"], values["vocab_size"]
    sizes = size, read_whole_number(values, "decoder_vocab_size", path, size)
    if SHARED in arrays.values:
        source = target = arrays.take(SHARED, sizes[0], width)
    else:
        source, target = (arrays.take(name, n, width) for name, n in zip(EMBED_TOKENS, sizes))
    bias = arrays.take(LOGITS_BIAS, 1, sizes[1])[0]
    start = values["pad_token_id"]
    if start >= sizes[1] or target[start].any():
        raise InputError(
            f"{arrays.origin}: expected zeros in the vector of pad_token_id ({start}), found other"
            " numbers; this token begins the target, so get a model with zeros there"
        )
    is_tied = bool(values.get("tie_word_embeddings", True))
    copies = dict(zip((*EMBED_TOKENS, LM_HEAD), (source, target, target)[: 2 + is_tied]))
    _check_copies(arrays, copies, width)
    is_shared = np.array_equal(source, target)
    if is_shared and is_tied:
        table = {"shared_embedding/embedding/embeddings": target}
        tied = {"tied_embeddings": "all", "output_bias": True}
        return tied, {**table, "shared_embedding/output_bias": bias}
    tables = {
        "source_embedding/embedding/embeddings": source,
        "target_embedding/embedding/embeddings": target,
    }
    if is_tied:
        tied = {"tied_embeddings": "target", "output_bias": True}
        return tied, {**tables, "target_embedding/output_bias": bias}
    projection = arrays.take(LM_HEAD, sizes[1], width).T
    output = {"projection/kernel": projection, "projection/bias": bias}
    return {"tied_embeddings": "none"}, {**tables, **output}


def _check_copies(arrays: Arrays, copies: Weights, width: int) -> None:
    """Checks copies of tied tables and of positions; some files have such copies."""
    for name in POSITIONS:
        if name in arrays.values:
            count = arrays.values[name].size // width
            copies = {**copies, name: sinusoidal_positions(count, width, "halves")}
    for name, copy in copies.items():
        if name not in arrays.values:
            continue
        tolerance = 0.01 if name in POSITIONS else 0.0
        if not np.allclose(arrays.take(name, *copy.shape), copy, 0.0, tolerance, equal_nan=True):
            content = "sinusoids" if name in POSITIONS else "a copy of the table of tokens"
            raise InputError(f"{arrays.origin}: expected {content} in {name}, found other numbers")


def _read_layers(model: ModelConfig, arrays: Arrays) -> Weights:
    """The arrays of all layers by our names, with kernels as (inputs, outputs)."""
    width, inner = model.d_model, model.dff
    shapes = {"feed_forward/inner": (width, inner), "feed_forward/outer": (inner, width)}
    weights: Weights = {}
    for stack, number in itertools.product(STACKS, range(model.num_layers)):
        places = DENSE | NORMS
        if stack == "encoder":
            places = {place: name for place, name in places.items() if "cross" not in place}
        for place, module in places.items():
            name = f"model.{stack}.layers.{number}.{module}"
            path = f"{stack}/layer_{number + 1}/{place}"
            if place in DENSE:
                inputs, outputs = shapes.get(place, (width, width))
                kernel = arrays.take(f"{name}.weight", outputs, inputs).T
                weights[f"{path}/kernel"] = np.ascontiguousarray(kernel)
                weights[f"{path}/bias"] = arrays.take(f"{name}.bias", outputs)
            else:
                if stack == "encoder":
                    path = path.replace("self_residual", "attention_residual")
                weights[f"{path}/gamma"] = arrays.take(f"{name}.weight", width)
                weights[f"{path}/beta"] = arrays.take(f"{name}.bias", width)
    return weights
