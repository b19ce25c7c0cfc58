"""Weight archives are written completely or not at all."""

import io
import tracemalloc
import zipfile
from pathlib import Path

import numpy as np
import pytest

from translator.base.errors import InputError
from translator.runs.weights import load_arrays, save_arrays, weights_fingerprint


def test_arrays_are_written_completely_or_not_at_all(tmp_path):
    path = tmp_path / "weights.npz"
    save_arrays(path, {"a": np.ones(3)})

    class Unwritable:
        def __array__(self, dtype=None, copy=None):
            raise OSError(28, "No space left on device")

    with pytest.raises(OSError, match="No space left"):
        save_arrays(path, {"a": np.zeros(3), "b": Unwritable()})
    assert load_arrays(path)["a"].tolist() == [1, 1, 1]
    assert [file.name for file in tmp_path.iterdir()] == ["weights.npz"]


def test_a_link_keeps_its_place(tmp_path):
    (tmp_path / "folder").mkdir()
    target, link = tmp_path / "folder" / "weights.npz", tmp_path / "link.npz"
    target.touch()
    link.symlink_to(target)
    save_arrays(link, {"a": np.ones(3)})
    assert link.is_symlink()
    assert load_arrays(target)["a"].tolist() == [1, 1, 1]


def test_an_archive_that_unpacks_to_far_more_than_its_length_is_refused_before(tmp_path):
    path = tmp_path / "weights.npz"
    np.savez_compressed(path, a=np.zeros(1 << 24, "float32"))
    tracemalloc.start()
    with pytest.raises(InputError, match="weights.npz: expected undamaged weights"):
        load_arrays(path)
    assert tracemalloc.get_traced_memory()[1] < 1 << 20
    tracemalloc.stop()
    np.savez_compressed(path, a=np.arange(1000.0))
    assert load_arrays(path)["a"][-1] == 999


def test_weights_that_do_not_fit_into_the_memory_are_not_called_damaged(tmp_path):
    claimed = io.BytesIO()
    values = {"descr": "<f4", "fortran_order": False, "shape": (1 << 44,)}
    np.lib.format.write_array_header_1_0(claimed, values)
    with zipfile.ZipFile(tmp_path / "weights.npz", "w") as archive:
        archive.writestr("a.npy", claimed.getvalue())
    with pytest.raises(InputError, match="fit into the memory, found .* MiB available, or a dam"):
        load_arrays(tmp_path / "weights.npz")


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="there is no file without an end")
def test_weights_without_an_end_are_refused(tmp_path):
    (tmp_path / "weights.npz").symlink_to("/dev/zero")
    for read in (load_arrays, weights_fingerprint):
        with pytest.raises(InputError, match="expected a file, found a device"):
            read(tmp_path / "weights.npz")
