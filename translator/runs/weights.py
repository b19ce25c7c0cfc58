"""Weights in NumPy archives, with one named array per variable, and the model for them.

Reading them needs neither pickle nor Keras. A file is written under a temporary name and renamed
when it is complete, so that a run always has its last complete weights.
"""

import contextlib
import hashlib
import os
import zipfile
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from translator.base.errors import InputError
from translator.base.files import open_file, whole_file
from translator.base.machine import describe_memory
from translator.base.texts import quoted
from translator.config.schema import Config
from translator.tokenizers.subword import Tokenizers

if TYPE_CHECKING:
    from translator.model.transformer import Transformer

MAX_UNPACKED = 20  # limit in sizes of the archive, which is not compressed


def make_model(
    config: Config, tokenizers: Tokenizers, dtype_policy: str = "float32"
) -> "Transformer":
    """Makes a built Transformer with new weights, for a configuration and its tokenizers."""
    from translator.model.transformer import Transformer, layers_of

    with layers_of(dtype_policy):
        model = Transformer(
            config.model,
            tokenizers.source.size,
            tokenizers.target.size,
            config.data.max_length,
            tokenizers.source.padding_id,
            tokenizers.target.padding_id,
        )
        model.build()
    return model


def save_arrays(
    path: Path,
    arrays: Mapping[str, np.ndarray],
    former: Path | None = None,
    comment: bytes = b"",
) -> None:
    """Writes named arrays to ``path``; if this fails, the old file is unchanged.

    Args:
        former: a new name for the old file at ``path``; None removes the old file.
    """
    with whole_file(path, former) as file, zipfile.ZipFile(file, "w") as archive:
        archive.comment = comment
        for name, array in arrays.items():
            with archive.open(f"{name}.npy", "w", force_zip64=True) as member:
                np.lib.format.write_array(member, np.asarray(array), allow_pickle=False)


def load_arrays(path: Path) -> dict[str, np.ndarray]:
    """Reads what `save_arrays` wrote."""
    with (
        _expect_weights(path),
        open_file(path) as file,
        np.load(file, allow_pickle=False) as archive,
    ):
        unpacked = sum(member.file_size for member in archive.zip.infolist())
        if unpacked > MAX_UNPACKED * os.fstat(file.fileno()).st_size:
            raise ValueError
        return dict(archive)


@contextlib.contextmanager
def _expect_weights(path: Path) -> Iterator[None]:
    try:
        yield
    except FileNotFoundError:
        raise InputError(
            f"{path}: expected the weights of a run, found none; did its training finish an epoch?"
        ) from None
    except (InputError, OSError):
        raise
    except MemoryError:
        raise InputError(
            f"{path}: expected arrays that fit into the memory, found {describe_memory()}, or a"
            " damaged file"
        ) from None
    except Exception:  # a damaged archive makes zipfile and NumPy fail in dozens of ways
        raise InputError(
            f"{path}: expected undamaged weights, found a damaged file; train again"
        ) from None


def weights_fingerprint(path: Path) -> str:
    """A hash of the values in a file of weights. It is made from the archive's own checksums."""
    with _expect_weights(path), open_file(path) as file, zipfile.ZipFile(file) as archive:
        members = sorted((member.filename, member.CRC) for member in archive.infolist())
    return hashlib.sha256(repr(members).encode()).hexdigest()


def model_weights(model: Any) -> dict[str, np.ndarray]:
    """A built model's weights by name, such as ``encoder/layer_1/self_attention/query/kernel``."""
    return named_values(model.weights)


def set_model_weights(model: Any, arrays: Mapping[str, np.ndarray], origin: Path) -> None:
    """Sets the weights of a built model."""
    assign_named(model.weights, arrays, origin)
    superfluous = sorted(arrays.keys() - named_values(model.weights).keys())
    if superfluous:
        raise InputError(
            f"{origin}: does not fit its config.yaml: found {superfluous[0]}, which this model does"
            " not have; restore the config.yaml of its training"
        )


def named_values(variables: Iterable[Any], prefix: str = "") -> dict[str, np.ndarray]:
    """The values of Keras variables by their paths, without the model's own name."""
    return {_name(variable, prefix): variable_value(variable) for variable in variables}


def variable_value(variable: Any) -> np.ndarray:
    """A copy of a Keras variable's value; later updates do not change it."""
    value = variable.value  # a TensorFlow variable or a JAX array
    return np.array(value.numpy() if hasattr(value, "numpy") else value)


def assign_named(
    variables: Iterable[Any], arrays: Mapping[str, np.ndarray], origin: Path, prefix: str = ""
) -> None:
    """Sets Keras variables to values from `named_values`."""
    for variable in variables:
        name = _name(variable, prefix)
        array = arrays.get(name)
        if array is None or array.shape != tuple(variable.shape):
            problem = "nothing" if array is None else f"shape {array.shape}"
            raise InputError(
                f"{origin}: does not fit its config.yaml: expected {name} of shape"
                f" {tuple(variable.shape)}, found {problem}; restore the config.yaml of its"
                " training"
            )
        variable.assign(array)


def _name(variable: Any, prefix: str) -> str:
    path: str = variable.path
    return prefix + path.partition("/")[2]


def frozen_names(names: Collection[str], parts: Sequence[str]) -> set[str]:
    """The names of the weights that ``training.freeze`` excludes from training.

    Args:
        parts: the beginnings of these names, such as ``encoder`` or ``decoder/layer_1``.
    """
    frozen: set[str] = set()
    for part in parts:
        matches = {name for name in names if name.startswith(f"{part.rstrip('/')}/")}
        if not matches:
            known = dict.fromkeys(name.partition("/")[0] for name in names)
            raise InputError(
                f"training.freeze: expected parts of the model such as {', '.join(known)} or"
                f" encoder/layer_1, found {quoted(part)}"
            )
        frozen |= matches
    if len(frozen) == len(names):
        raise InputError(
            "training.freeze: expected a part that is trained, found only frozen parts; remove one"
        )
    return frozen
