"""Files of named arrays: safetensors, Keras's HDF5, and PyTorch's, without running code in them."""

import contextlib
import errno
import json
import math
import pickle
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from translator.base.errors import InputError

MAX_HEADER = 100 << 20  # bytes, the format's own limit
# The kinds of numbers of weights in safetensors; bfloat16 is the upper half of a float32.
FLOATS = {"F64": "<f8", "F32": "<f4", "F16": "<f2", "BF16": "<u2"}
OLDEST_TORCH = (2, 6)  # before it, weights_only could be got round: CVE-2025-32434


@contextlib.contextmanager
def expected_weights(path: Path, form: str) -> Iterator[None]:
    """Makes one line of whatever goes wrong where a file of weights is read.

    Args:
        path: the file.
        form: how errors name what it should be.

    Raises:
        InputError: it is damaged, or too large for the memory.
    """
    try:
        yield
    except InputError:
        raise
    except MemoryError:
        raise InputError(
            f"{path}: expected {form}, found arrays that do not fit into this machine's memory"
        ) from None
    except Exception as error:  # readers fail in dozens of ways at a damaged file
        if isinstance(error, OSError) and error.errno not in (None, errno.EINVAL):
            raise  # of the system: no permission, a broken disk
        raise InputError(f"{path}: expected {form}, found a damaged file or another one") from None


def read_safetensors(path: Path) -> dict[str, np.ndarray]:
    """Reads a file of safetensors: the length of a header, the header in JSON, then raw bytes.

    https://huggingface.co/docs/safetensors

    Returns:
        The arrays by name, as float32; those of integers are left out.

    Raises:
        InputError: the file is damaged, cut short or something else.
    """
    with expected_weights(path, "weights in safetensors"):
        content = np.memmap(path, np.uint8, "r")
        length = int.from_bytes(content[:8].tobytes(), "little")
        if length > min(MAX_HEADER, len(content) - 8):
            raise ValueError
        header = json.loads(content[8 : 8 + length].tobytes())
        data = content[8 + length :]
        return {
            name: _tensor(data, entry)
            for name, entry in header.items()
            if name != "__metadata__" and entry["dtype"] in FLOATS
        }


def _tensor(data: np.ndarray, entry: dict[str, Any]) -> np.ndarray:
    """One array of the file.

    Raises:
        ValueError: its place does not fit its shape or the file.
    """
    kind = FLOATS[entry["dtype"]]
    first, end = entry["data_offsets"]
    shape = tuple(entry["shape"])
    if not 0 <= first <= end <= len(data) or end - first != math.prod(shape) * int(kind[-1]):
        raise ValueError
    numbers = data[first:end].view(kind)
    if entry["dtype"] == "BF16":
        numbers = (numbers.astype("<u4") << 16).view("<f4")
    return np.array(numbers, np.float32).reshape(shape)


def read_hdf5(path: Path) -> dict[str, np.ndarray]:
    """Reads the weights that a Keras model wrote, which needs h5py.

    Returns:
        The arrays by their paths in the file, as float32.

    Raises:
        InputError: the file is damaged or something else, or h5py is not installed.
    """
    try:
        import h5py
    except ModuleNotFoundError:
        raise InputError(
            f"{path}: expected h5py to read it, found it not installed; pip install"
            " 'keras-translator[train]' adds it, or put model.safetensors beside it"
        ) from None
    arrays: dict[str, np.ndarray] = {}
    size = path.stat().st_size

    def visit(name: str, item: Any) -> None:
        if isinstance(item, h5py.Dataset):
            if item.nbytes > size:  # a shape alone, which would be filled with zeros
                raise ValueError
            arrays[name] = np.array(item, np.float32)

    with expected_weights(path, "weights in HDF5"), h5py.File(path, "r") as file:
        file.visititems(visit)
    return arrays


def read_pytorch(path: Path) -> dict[str, np.ndarray]:
    """Reads PyTorch's own file, a pickle, of which nothing but arrays is read; needs PyTorch.

    Returns:
        The arrays by name, as float32.

    Raises:
        InputError: the file is damaged, has anything but arrays, or PyTorch is not installed or
            older than `OLDEST_TORCH`.
    """
    oldest = ".".join(map(str, OLDEST_TORCH))
    advice = f'pip install "torch>={oldest}", or put model.safetensors or tf_model.h5 beside it'
    try:
        import torch
    except ModuleNotFoundError:
        raise InputError(
            f"{path}: expected PyTorch to read it, found it not installed; {advice}"
        ) from None
    if not _is_safe(torch.__version__):
        raise InputError(
            f"{path}: expected PyTorch {oldest} or newer, which reads it safely, found version"
            f" {torch.__version__}; {advice}"
        )
    with expected_weights(path, "weights of PyTorch"):
        try:
            values = torch.load(path, map_location="cpu", weights_only=True)
        except pickle.UnpicklingError:
            raise InputError(
                f"{path}: expected weights alone, found a pickle of something else, which could"
                " run a program; it was not loaded"
            ) from None
        return {
            name: value.float().numpy()
            for name, value in values.items()
            if value.is_floating_point()
        }


def _is_safe(version: str) -> bool:
    """Whether a version of PyTorch, such as 2.6.0+cpu, loads a file without running it."""
    return tuple(map(int, re.findall(r"\d+", version)[:2])) >= OLDEST_TORCH


# In the order in which they are looked for.
READERS: dict[str, Callable[[Path], dict[str, np.ndarray]]] = {
    "model.safetensors": read_safetensors,
    "tf_model.h5": read_hdf5,
    "pytorch_model.bin": read_pytorch,
}
