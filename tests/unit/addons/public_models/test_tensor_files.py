"""Files of weights: what is damaged, or too large is refused in one line."""

import sys

import pytest

from translator.addons.public_models.public_model import read_hdf5, read_safetensors
from translator.base.errors import InputError


def test_arrays_that_are_promised_alone_are_refused(tmp_path):
    h5py = pytest.importorskip("h5py")
    path = tmp_path / "tf_model.h5"
    with h5py.File(path, "w") as file:
        file.create_dataset("weight", (10**9,), "f4", chunks=(1000,))
    with pytest.raises(InputError, match="expected weights in HDF5, found a damaged file"):
        read_hdf5(path)


def test_a_package_that_is_missing_is_named(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "h5py", None)
    with pytest.raises(InputError, match=r"expected h5py .*pip install 'keras-translator\[train\]"):
        read_hdf5(tmp_path / "tf_model.h5")


def test_a_file_that_may_not_be_read_is_no_damaged_one(tmp_path):
    with pytest.raises(FileNotFoundError):
        read_safetensors(tmp_path / "model.safetensors")
