"""Files of named arrays: safetensors, Keras's HDF5, and PyTorch's, without running code in them."""

import json
import math
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from translator.base.errors import InputError

MAX_HEADER = 100 << 20  # bytes, the format's own limit
# The kinds of numbers of weights in safetensors; bfloat16 is the upper half of a float32.
FLOATS = {"F64": "<f8", "F32": "<f4", "F16": "<f2", "BF16": "<u2"}


def read_safetensors(path: Path) -> dict[str, np.ndarray]:
    """Reads a file of safetensors: the length of a header, the header in JSON, then raw bytes.

    https://huggingface.co/docs/safetensors

    Returns:
        The arrays by name, as float32; those of integers are left out.

    Raises:
        InputError: the file is damaged, cut short or something else.
    """
    content = np.memmap(path, np.uint8, "r") if path.stat().st_size else np.empty(0, np.uint8)
    try:
        length = int.from_bytes(content[:8].tobytes(), "little")
        if length > min(MAX_HEADER, len(content) - 8):
            raise ValueError
        header = json.loads(content[8 : 8 + length].tobytes())
        data = content[8 + length :]
        arrays = {
            name: _tensor(data, entry)
            for name, entry in header.items()
            if name != "__metadata__" and entry["dtype"] in FLOATS
        }
    except (ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError):
        raise InputError(
            f"{path}: expected weights in safetensors, found a damaged file or another one"
        ) from None
    return arrays


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
    import h5py

    arrays: dict[str, np.ndarray] = {}

    def visit(name: str, item: Any) -> None:
        if isinstance(item, h5py.Dataset):
            arrays[name] = np.array(item, np.float32)

    try:
        with h5py.File(path, "r") as file:
            file.visititems(visit)
    except (OSError, ValueError, TypeError, KeyError, RuntimeError):
        raise InputError(
            f"{path}: expected weights in HDF5, found a damaged file or another one"
        ) from None
    return arrays


def read_pytorch(path: Path) -> dict[str, np.ndarray]:
    """Reads PyTorch's own file, a pickle, of which nothing but arrays is read; needs PyTorch.

    Returns:
        The arrays by name, as float32.

    Raises:
        InputError: the file is damaged, has anything but arrays, or PyTorch is not installed.
    """
    try:
        import torch
    except ModuleNotFoundError:
        raise InputError(
            f"{path}: expected PyTorch to read it, found it not installed; pip install torch, or"
            " put model.safetensors or tf_model.h5 beside it"
        ) from None
    try:
        values = torch.load(path, map_location="cpu", weights_only=True)
        return {
            name: value.float().numpy()
            for name, value in values.items()
            if value.is_floating_point()
        }
    except pickle.UnpicklingError:
        raise InputError(
            f"{path}: expected weights alone, found a pickle of something else, which could run a"
            " program; it was not loaded"
        ) from None
    except (RuntimeError, ValueError, KeyError, AttributeError, EOFError, TypeError):
        raise InputError(
            f"{path}: expected weights of PyTorch, found a damaged file or another one"
        ) from None


# In the order in which they are looked for.
READERS: dict[str, Callable[[Path], dict[str, np.ndarray]]] = {
    "model.safetensors": read_safetensors,
    "tf_model.h5": read_hdf5,
    "pytorch_model.bin": read_pytorch,
}
