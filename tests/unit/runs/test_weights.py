"""Weight archives are written completely or not at all."""

import numpy as np
import pytest

from translator.runs.weights import load_arrays, save_arrays


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
