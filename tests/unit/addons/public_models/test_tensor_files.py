"""Files of weights: what is damaged, or too large is refused in one line."""

import pytest

from translator.addons.public_models.public_model import read_hdf5, read_safetensors
from translator.base.errors import InputError


def test_what_is_no_file_of_weights_is_refused(tmp_path):
    h5py = pytest.importorskip("h5py")
    path = tmp_path / "tf_model.h5"
    with h5py.File(path, "w") as file:
        file.create_dataset("weight", (10**9,), "f4", chunks=(1000,))
    with pytest.raises(InputError, match="expected weights in HDF5, found a damaged or wrong file"):
        read_hdf5(path)
    with pytest.raises(FileNotFoundError):
        read_safetensors(tmp_path / "model.safetensors")
