"""Files of weights: what is damaged, or too large is refused in one line."""

import sys
import zipfile

import numpy as np
import pytest

from translator.addons.public_models.marian_archive import _read_npz
from translator.addons.public_models.tensor_files import read_hdf5, read_safetensors
from translator.base.errors import InputError

MANY = 10**13  # numbers that a header promises


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


def test_a_package_that_is_missing_is_named(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "h5py", None)
    with pytest.raises(InputError, match=r"expected h5py .*pip install 'keras-translator\[train\]"):
        read_hdf5(tmp_path / "tf_model.h5")


def test_a_file_that_may_not_be_read_is_no_damaged_one(tmp_path):
    with pytest.raises(FileNotFoundError):
        read_safetensors(tmp_path / "model.safetensors")
