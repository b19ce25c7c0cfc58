"""The export of a run: found, completed, and read back as a Keras model's weights.

CTranslate2's format is described by its own writer, ``ctranslate2/specs/model_spec.py``:
https://github.com/OpenNMT/CTranslate2
"""

import shutil
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from translator.base.cache import crc32
from translator.base.errors import InputError
from translator.config.schema import ModelConfig
from translator.config.yaml_file import read_config_of_run
from translator.corpora.corpus import HeldOutPairs
from translator.runs.choosing import is_shipped
from translator.runs.directory import RunDirectory
from translator.runs.export_layout import parts_of, with_heads_in_place
from translator.runs.record import check_unchanged, fixed_settings
from translator.runs.weights import weights_fingerprint
from translator.text.word_alignment import PointingHeads, pointing_heads
from translator.tokenizers.subword import FILE_NAMES, VOCABULARY_NAMES


def find_export(
    run: RunDirectory,
    required: bool = False,
    report: Callable[[str], None] = lambda line: None,
) -> Path | None:
    """The folder of a run's export for CTranslate2, or the directory itself if that is one.

    Args:
        required: whether an error is raised if no export can be used.
        report: is given a line if the export is not of the run's weights.

    Returns:
        The folder; None if there is no export, or only one of other weights.
    """
    if is_export(run.path):
        _check_files(run)
        return run.path
    if not is_export(run.export):
        if required:
            raise InputError(
                f"{run.path}: expected an export in it, found none; write one with"
                f" translator export {run.path}"
            )
        return None
    advice = f"write a new one with translator export {run.path}"
    export = RunDirectory(run.export)
    record = export.read_record() if export.record.is_file() else None
    other = "tokenizers" if record is None else run.owner.other_than(export.owner)
    if record is None or other:
        raise InputError(
            f"{run.export}: expected an export of this run, found one of other {other};"
            f" {advice}, or use --engine keras"
        )
    if record.weights != weights_fingerprint(run.weights):
        if required:
            raise InputError(
                f"{run.export}: expected an export of this run's weights, found one of other"
                f" weights; {advice}, or use --engine keras"
            )
        report(f"{run.export}: found an export of other weights, using Keras; {advice}")
        return None
    _check_files(export)
    if not record.settings:  # an earlier version did not record them, but its export has a copy
        exported = fixed_settings(read_config_of_run(export.config))
        check_unchanged(exported, fixed_settings(run.read_config()), run.config)
    return run.export


def load_weights(run: RunDirectory) -> dict[str, np.ndarray]:
    """The best weights of a run, by the names of `translator.runs.weights.model_weights`.

    Args:
        run: a run; or an export, whose weights are restored, rounded as it was quantized.
    """
    if run.weights.exists() or not run.read_record().is_export:
        return run.read_weights(run.weights)
    _check_files(run)
    return restore_weights(run, run.read_config().model)


def is_export(folder: Path) -> bool:
    """Whether a folder has the model of an export for CTranslate2."""
    return (folder / MODEL_FILE).is_file()


def own_names(export: RunDirectory) -> set[str]:
    """The names of the files of an export that its engine does not read, without the record."""
    own = (export.config, *export.learnt, export.held_out)
    return {*(path.name for path in own), *FILE_NAMES, *VOCABULARY_NAMES}


def describe_export(run: RunDirectory, folder: Path, is_own: bool = False) -> None:
    """Completes an export with the run's configuration, tokenizers, what was learnt from
    text, and record, and with held-out pairs where it stands apart from the run and their licence
    lets them be passed on.

    Args:
        is_own: whether it is the run's own export, which has the run beside it.
    """
    run.copy_settings(folder)
    for path in run.learnt:
        if path.exists():
            shutil.copy(path, folder)
    if not is_own and run.held_out.is_file() and HeldOutPairs.read(run.held_out).licence:
        shutil.copy(run.held_out, folder)
    files = {file.name: crc32(file) for file in sorted(folder.iterdir())}
    fingerprint = weights_fingerprint(run.weights)
    # A comparison with another model is of an earlier export.
    run.read_record()._replace(weights=fingerprint, files=files, known=None).write(folder)


def put_into_export(run: RunDirectory, path: Path) -> None:
    """Copies a file of a run into its export, or removes it there if the run has none."""
    copy = run.export / path.name
    record = RunDirectory(run.export).read_record()
    files = {name: checksum for name, checksum in (record.files or {}).items() if name != copy.name}
    if path.exists():
        shutil.copy(path, copy)
        files[copy.name] = crc32(copy)
    else:
        copy.unlink(missing_ok=True)
    record._replace(files=files).write(run.export)


def check_installed(run: RunDirectory) -> None:
    """Checks that a model that comes with the program is as it was installed; others pass."""
    if not is_shipped(run.path):
        return
    try:
        damage = _find_damage(run, run.read_record().files or {})
    except InputError:
        damage = f"a damaged {run.record.name}" if run.record.exists() else f"no {run.record.name}"
    if damage is not None:
        raise InputError(
            f"{run.path}: expected the model that comes with the program, found {damage};"
            " install the program again"
        )


def _check_files(export: RunDirectory) -> None:
    """Compares the files that the engine reads with their checksums; the others may be edited."""
    files = export.read_record().files or {export.record.name: 0}
    own = own_names(export)
    of_engine = {name: checksum for name, checksum in files.items() if name not in own}
    damage = _find_damage(export, of_engine)
    if damage is not None:
        raise InputError(
            f"{export.path}: expected an unchanged export, found {damage}; write a new one with"
            " translator export"
        )


def _find_damage(run: RunDirectory, files: dict[str, int]) -> str | None:
    """The first file that is missing or does not have its checksum, for an error."""
    for name, checksum in files.items():
        path = run.path / name
        if not path.is_file():
            return f"no {name}"
        if crc32(path) != checksum:
            return f"another {name}"
    return None


MODEL_FILE = "model.bin"  # of an export for CTranslate2
FORMAT_VERSION = 6  # of that file
# By their numbers in that file; NumPy has no bfloat16, which is the upper half of a float32.
_TYPES = ("float32", "int8", "int16", "int32", "float16", "bfloat16")


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
