"""The weights of a run, also those of an export for CTranslate2, which are restored.

CTranslate2's format is described by its own writer, ``ctranslate2/specs/model_spec.py``:
https://github.com/OpenNMT/CTranslate2
"""

import struct
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from translator.base.errors import InputError
from translator.config.schema import ModelConfig
from translator.runs.directory import RunDirectory
from translator.runs.export_layout import parts_of, with_heads_in_place
from translator.runs.exports import MODEL_FILE, check_engine_files
from translator.text.alignment_heads import PointingHeads, pointing_heads

FORMAT_VERSION = 6  # of that file
# By their numbers in that file; NumPy has no bfloat16, which is the upper half of a float32.
_TYPES = ("float32", "int8", "int16", "int32", "float16", "bfloat16")


def load_weights(run: RunDirectory) -> dict[str, np.ndarray]:
    """The best weights of a run, by the names of `translator.runs.weights.model_weights`.

    Args:
        run: a run; or an export, whose weights are restored, rounded as it was quantized.
    """
    if run.weights.exists() or not run.read_record().is_export:
        return run.read_weights(run.weights)
    check_engine_files(run)
    return restore_weights(run, run.read_config().model)


def restore_weights(export: RunDirectory, model: ModelConfig) -> dict[str, np.ndarray]:
    """The weights of an export as float32.

    They are those that were exported, bit by bit for an export without quantization, otherwise
    rounded to its steps.

    Returns:
        Arrays by the names of `translator.runs.weights.model_weights`.
    """
    path = export.path / MODEL_FILE
    try:
        variables = read_variables(path)
        weights: dict[str, np.ndarray] = {}
        for part in parts_of(model):
            weights |= part.separate(variables)
        found = PointingHeads(
            int(variables["decoder/alignment_layer"]),
            tuple(range(int(variables["decoder/alignment_heads"]))),
        )
    except (KeyError, ValueError, IndexError, TypeError, MemoryError, struct.error) as error:
        raise InputError(
            f"{path}: expected a model of this run's configuration as translator export writes it,"
            f" found something else ({type(error).__name__}: {error}); write the export again"
        ) from None
    heads = pointing_heads(export.read_record().alignment, model)
    if (found.layer, len(found.heads)) != (heads.layer, len(heads.heads)):
        raise InputError(
            f"{export.record}: expected the file that the export was written with, which tells the"
            " order of heads, found another; write the export again"
        )
    return with_heads_in_place(weights, heads, model)


def read_variables(path: Path) -> dict[str, np.ndarray]:
    """All variables of a model that CTranslate2 reads, without quantization.

    Args:
        path: its ``model.bin``.

    Returns:
        Arrays by CTranslate2's names; those of weights are float32.

    Raises:
        ValueError: it is of another version.
        struct.error: it is cut off.
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
    """What quantized numbers are divided by: one scale for each row, or one for all."""
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
