"""Files of weights: what is damaged, too large or unsafe is refused in one line."""

import pickle
import sys
import types
import zipfile

import numpy as np
import pytest

from translator.addons.public_models.marian_archive import _read_npz
from translator.addons.public_models.tensor_files import (
    read_hdf5,
    read_pytorch,
    read_safetensors,
)
from translator.base.errors import InputError

MANY = 10**13  # numbers that a header promises


class Tensor:
    """A tensor as far as it is used."""

    def __init__(self, *numbers: float) -> None:
        self.numbers = numbers

    def is_floating_point(self) -> bool:
        return isinstance(self.numbers[0], float)

    def float(self) -> "Tensor":
        return self

    def numpy(self) -> np.ndarray:
        return np.array(self.numbers, np.float32)


@pytest.fixture
def stub_torch(monkeypatch):
    """Puts a module in the place of PyTorch, whose load returns or raises what it is given."""

    def make(content, version: str = "2.6.0+cpu"):
        def load(path, map_location, weights_only):
            assert weights_only is True
            assert map_location == "cpu"
            if isinstance(content, Exception):
                raise content
            return content

        module = types.ModuleType("torch")
        module.load, module.__version__ = load, version
        monkeypatch.setitem(sys.modules, "torch", module)

    return make


@pytest.mark.parametrize("version", ["2.6.0+cpu", "2.10.1", "3.0"])
def test_arrays_of_pytorch_are_read_without_running_code(stub_torch, tmp_path, version):
    stub_torch({"weight": Tensor(1.0, 2.0), "count": Tensor(3)}, version)
    found = read_pytorch(tmp_path / "pytorch_model.bin")
    assert {name: array.tolist() for name, array in found.items()} == {"weight": [1.0, 2.0]}


@pytest.mark.parametrize("version", ["2.5.1+cu124", "1.13.0", "unknown"])
def test_versions_of_pytorch_that_read_unsafely_are_refused(stub_torch, tmp_path, version):
    stub_torch(AssertionError("it was read"), version)
    with pytest.raises(InputError, match=r'found version .*pip install "torch>=2.6"'):
        read_pytorch(tmp_path / "pytorch_model.bin")


@pytest.mark.parametrize(
    ("content", "match"),
    [
        (pickle.UnpicklingError("Unsupported\nglobal"), "which could run a program; it was not"),
        (RuntimeError("broken\nzip"), "expected weights of PyTorch, found a damaged file"),
        (["no", "names"], "expected weights of PyTorch, found a damaged file"),
        ({"weight": "text"}, "expected weights of PyTorch, found a damaged file"),
    ],
)
def test_other_pickles_are_refused_in_one_line(stub_torch, tmp_path, content, match):
    stub_torch(content)
    with pytest.raises(InputError, match=match) as raised:
        read_pytorch(tmp_path / "pytorch_model.bin")
    assert "\n" not in str(raised.value)


def test_damage_within_compressed_arrays_is_named(tmp_path):
    path = tmp_path / "model.npz"
    np.savez_compressed(path, weight=np.random.default_rng(1).random(1000))
    content = bytearray(path.read_bytes())
    content[300:400] = b"\xff" * 100
    path.write_bytes(content)
    with pytest.raises(InputError, match="Marian's weights in NumPy's format, found a damaged"):
        _read_npz(path)


def test_arrays_that_are_promised_alone_are_refused(tmp_path):
    h5py = pytest.importorskip("h5py")
    path = tmp_path / "model.npz"
    header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': ({MANY},), }}"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("weight.npy", b"\x93NUMPY\x01\x00\x76\x00" + header.ljust(118).encode())
    with pytest.raises(InputError, match="NumPy's format, found arrays that do not fit|damaged"):
        _read_npz(path)
    path = tmp_path / "tf_model.h5"
    with h5py.File(path, "w") as file:
        file.create_dataset("weight", (MANY // 10**4,), "f4", chunks=(1000,))
    with pytest.raises(InputError, match="expected weights in HDF5, found a damaged file"):
        read_hdf5(path)


def test_packages_that_are_missing_are_named(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    monkeypatch.setitem(sys.modules, "h5py", None)
    with pytest.raises(InputError, match=r"found it not installed; pip install \"torch>=2.6\""):
        read_pytorch(tmp_path / "pytorch_model.bin")
    with pytest.raises(InputError, match=r"expected h5py .*pip install 'keras-translator\[train\]"):
        read_hdf5(tmp_path / "tf_model.h5")


def test_a_file_that_may_not_be_read_is_no_damaged_one(tmp_path):
    with pytest.raises(FileNotFoundError):
        read_safetensors(tmp_path / "model.safetensors")
