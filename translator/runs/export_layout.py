"""Finds the weights of each layer and head, in a run and in an export for CTranslate2.

CTranslate2's own writer, ``ctranslate2/specs/model_spec.py``, describes its format:
https://github.com/OpenNMT/CTranslate2
"""

import struct
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import numpy as np

from translator.base.errors import InputError
from translator.config.schema import ModelConfig
from translator.runs.directory import RunDirectory
from translator.runs.exports import MODEL_FILE, check_engine_files
from translator.text.alignment_heads import PointingHeads, pointing_heads

# For each kind of attention: its stack, and its name in a layer of this stack.
_ATTENTIONS = {
    "encoder": ("encoder", "self_attention"),
    "decoder": ("decoder", "self_attention"),
    "cross": ("decoder", "cross_attention"),
}


def attention_name(kind: str, layer: int) -> str:
    """The beginning of the names of one attention's weights; layers are numbered from 0."""
    stack, attention = _ATTENTIONS[kind]
    return f"{stack}/layer_{layer + 1}/{attention}"


def places_of_heads(heads: Iterable[int], width: int) -> np.ndarray:
    """The columns of some heads in the projections; also their rows in the output matrix."""
    return (np.array(list(heads), int)[:, None] * width + np.arange(width)).ravel()


Arrays = Mapping[str, np.ndarray]


class Dense(NamedTuple):
    """Dense layers with the same input. CTranslate2 joins them into one layer.

    Attributes:
        path: the layer's name in CTranslate2, such as ``encoder/layer_0/ffn/linear_0``.
        names: our names of the layers, in the order of their outputs.
    """

    path: str
    names: tuple[str, ...]

    def join(self, weights: Arrays) -> dict[str, np.ndarray]:
        """CTranslate2's variables of the layer.

        Args:
            weights: arrays by the names of `translator.runs.weights.model_weights`. Kernels are
                (inputs, outputs) here, and (outputs, inputs) in CTranslate2.
        """
        kernels = [weights[f"{name}/kernel"].T for name in self.names]
        biases = [weights[f"{name}/bias"] for name in self.names]
        return {"weight": np.concatenate(kernels), "bias": np.concatenate(biases)}

    def separate(self, variables: Arrays) -> dict[str, np.ndarray]:
        """The opposite of `join`: weights by our names.

        Args:
            variables: the arrays of the whole export, by CTranslate2's names.
        """
        count = len(self.names)
        kernels = np.split(variables[f"{self.path}/weight"], count)
        biases = np.split(variables[f"{self.path}/bias"], count)
        weights = {}
        for name, kernel, bias in zip(self.names, kernels, biases):
            weights[f"{name}/kernel"] = np.ascontiguousarray(kernel.T)
            weights[f"{name}/bias"] = bias
        return weights


class Plain(NamedTuple):
    """A layer whose arrays CTranslate2 stores as they are: a norm or an embedding table.

    Attributes:
        path: the layer's name in CTranslate2.
        names: our name of each of CTranslate2's variables.
    """

    path: str
    names: Mapping[str, str]

    def join(self, weights: Arrays) -> dict[str, np.ndarray]:
        """See `Dense.join`."""
        return {key: weights[name] for key, name in self.names.items()}

    def separate(self, variables: Arrays) -> dict[str, np.ndarray]:
        """See `Dense.separate`."""
        return {name: variables[f"{self.path}/{key}"] for key, name in self.names.items()}


def parts_of(model: ModelConfig) -> Iterator[Dense | Plain]:
    """All parts of a model that have weights."""
    is_shared = model.tied_embeddings == "all"
    source, target = (
        f"{'shared' if is_shared else side}_embedding/embedding/embeddings"
        for side in ("source", "target")
    )
    yield Plain("encoder/embeddings_0", {"weight": source})
    yield Plain("decoder/embeddings", {"weight": target})
    if model.tied_embeddings == "none":
        yield Dense("decoder/projection", ("projection",))
    else:
        bias = {"bias": target.replace("embedding/embeddings", "output_bias")}
        yield Plain("decoder/projection", {"weight": target, **(bias if model.output_bias else {})})
    for stack in ("encoder", "decoder"):
        for i in range(model.layers_of(stack)):
            yield from _parts_of_layer(f"{stack}/layer_{i}", f"{stack}/layer_{i + 1}")
        if model.normalize_first:
            yield _norm(f"{stack}/layer_norm", f"{stack}/norm")


def _parts_of_layer(path: str, name: str) -> Iterator[Dense | Plain]:
    decodes = name.startswith("decoder")
    self_attention, cross_attention = f"{name}/self_attention", f"{name}/cross_attention"
    residual = f"{name}/{'self' if decodes else 'attention'}_residual"
    yield Dense(f"{path}/self_attention/linear_0", _within(self_attention, "query", "key", "value"))
    yield Dense(f"{path}/self_attention/linear_1", _within(self_attention, "output"))
    yield _norm(f"{path}/self_attention/layer_norm", f"{residual}/norm")
    if decodes:
        yield Dense(f"{path}/attention/linear_0", _within(cross_attention, "query"))
        yield Dense(f"{path}/attention/linear_1", _within(cross_attention, "key", "value"))
        yield Dense(f"{path}/attention/linear_2", _within(cross_attention, "output"))
        yield _norm(f"{path}/attention/layer_norm", f"{name}/cross_residual/norm")
    yield Dense(f"{path}/ffn/linear_0", (f"{name}/feed_forward/inner",))
    yield Dense(f"{path}/ffn/linear_1", (f"{name}/feed_forward/outer",))
    yield _norm(f"{path}/ffn/layer_norm", f"{name}/feed_forward_residual/norm")


def _within(name: str, *layers: str) -> tuple[str, ...]:
    return tuple(f"{name}/{layer}" for layer in layers)


def _norm(path: str, name: str) -> Plain:
    return Plain(path, {key: f"{name}/{key}" for key in ("gamma", "beta")})


def with_heads_first(
    weights: Arrays, first: PointingHeads, model: ModelConfig
) -> dict[str, np.ndarray]:
    """Returns the weights with the heads of one cross-attention in another order.

    CTranslate2 returns the mean attention of the first heads of one layer.
    """
    return _reorder(weights, first.layer, _order(first, model), model)


def with_heads_in_place(
    weights: Arrays, first: PointingHeads, model: ModelConfig
) -> dict[str, np.ndarray]:
    """The opposite of `with_heads_first`."""
    return _reorder(weights, first.layer, np.argsort(_order(first, model)).tolist(), model)


def _order(first: PointingHeads, model: ModelConfig) -> list[int]:
    return [
        *first.heads,
        *(head for head in range(model.heads_of("cross")) if head not in first.heads),
    ]


def _reorder(
    weights: Arrays, layer: int, heads: Iterable[int], model: ModelConfig
) -> dict[str, np.ndarray]:
    head_dim = model.head_dim_of("cross")
    order = np.concatenate([np.arange(head * head_dim, (head + 1) * head_dim) for head in heads])
    name = f"decoder/layer_{layer + 1}/cross_attention"
    moved = {f"{name}/output/kernel": weights[f"{name}/output/kernel"][order]}
    for part in ("query", "key", "value"):
        moved[f"{name}/{part}/kernel"] = weights[f"{name}/{part}/kernel"][:, order]
        moved[f"{name}/{part}/bias"] = weights[f"{name}/{part}/bias"][order]
    return {**weights, **moved}


FORMAT_VERSION = 6  # the version of CTranslate2's file format
# Types by their numbers in this format. NumPy has no bfloat16: it is the upper half of a float32.
_TYPES = ("float32", "int8", "int16", "int32", "float16", "bfloat16")


def load_weights(run: RunDirectory) -> dict[str, np.ndarray]:
    """The best weights of a run, by the names of `translator.runs.weights.model_weights`.

    Args:
        run: a run or an export. Weights of an export are restored from their quantization.
    """
    if run.weights.exists() or not run.read_record().is_export:
        return run.read_weights(run.weights)
    check_engine_files(run)
    return restore_weights(run, run.read_config().model)


def restore_weights(export: RunDirectory, model: ModelConfig) -> dict[str, np.ndarray]:
    """The weights of an export as float32.

    Without quantization, they are equal to the exported weights. With it, they are rounded to the
    steps of the quantization.

    Returns:
        Arrays by the names of `translator.runs.weights.model_weights`.
    """
    path = export.path / MODEL_FILE
    try:
        variables = read_variables(path)
        weights: dict[str, np.ndarray] = {}
        for part in parts_of(model):
            weights |= part.separate(variables)
        stored = PointingHeads(
            int(variables["decoder/alignment_layer"]),
            tuple(range(int(variables["decoder/alignment_heads"]))),
        )
    except (KeyError, ValueError, IndexError, TypeError, MemoryError, struct.error) as error:
        raise InputError(
            f"{path}: expected a model that 'translator export' wrote for this run's configuration,"
            f" found something else ({type(error).__name__}: {error}); export the run again"
        ) from None
    heads = pointing_heads(export.read_record().alignment, model)
    if (stored.layer, len(stored.heads)) != (heads.layer, len(heads.heads)):
        raise InputError(
            f"{export.record}: expected this export's own file with the order of heads, found"
            " another file; export the run again"
        )
    return with_heads_in_place(weights, heads, model)


def read_variables(path: Path) -> dict[str, np.ndarray]:
    """All variables of a model that CTranslate2 reads, without quantization.

    Args:
        path: the model's ``model.bin``.

    Returns:
        Arrays by CTranslate2's names; weights are float32.

    Raises:
        ValueError: the file has another version.
        struct.error: the file is cut off.
    """
    with open(path, "rb") as file:
        version = _number(file, "I")
        if version != FORMAT_VERSION:
            raise ValueError(f"version {version} of the format instead of {FORMAT_VERSION}")
        _text(file)  # the kind of model
        _number(file, "I")  # its revision
        stored = dict(_variable(file) for _ in range(_number(file, "I")))
        aliases = [(_text(file), _text(file)) for _ in range(_number(file, "I"))]
    plain = {
        name: array / _divisor(array, stored[f"{name}_scale"])
        if f"{name}_scale" in stored
        else array
        for name, array in stored.items()
    }
    return plain | {alias: plain[name] for alias, name in aliases}


def _divisor(array: np.ndarray, scale: np.ndarray) -> np.ndarray:
    """The divisor of quantized numbers: a scale for each row, or one scale for all rows."""
    return scale.reshape(-1, *[1] * (array.ndim - 1)) if scale.ndim else scale


def _variable(file: BinaryIO) -> tuple[str, np.ndarray]:
    name = _text(file)
    shape = [_number(file, "I") for _ in range(_number(file, "B"))]
    kind = _TYPES[_number(file, "B")]
    content = file.read(_number(file, "I"))
    if kind == "bfloat16":
        upper = np.frombuffer(content, "uint16").astype("uint32") << 16
        array = upper.view("float32")
    else:
        array = np.frombuffer(content, kind)
    if kind == "float16":
        array = array.astype("float32")
    return name, array.reshape(shape)


def _text(file: BinaryIO) -> str:
    return file.read(_number(file, "H"))[:-1].decode()  # the last byte is 0


def _number(file: BinaryIO, form: str) -> Any:
    """A number in one of `struct`'s forms."""
    [number] = struct.unpack(f"={form}", file.read(struct.calcsize(f"={form}")))
    return number
