"""Files of named arrays: safetensors and Keras's HDF5."""

import contextlib
import errno
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from translator.base.errors import InputError

FLOATS = "fV"  # the kinds of NumPy's types; the second is that of bfloat16


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
    """Reads a file of safetensors.

    Returns:
        The arrays by name, as float32; those of integers are left out.

    Raises:
        InputError: the file is damaged, cut short or something else.
    """
    from safetensors.numpy import load_file

    path.open("rb").close()  # an error of the system says why
    with expected_weights(path, "weights in safetensors"):
        arrays = load_file(path)
    return {
        name: array.astype("f4") for name, array in arrays.items() if array.dtype.kind in FLOATS
    }


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


# In the order in which they are looked for.
READERS: dict[str, Callable[[Path], dict[str, np.ndarray]]] = {
    "model.safetensors": read_safetensors,
    "tf_model.h5": read_hdf5,
}
