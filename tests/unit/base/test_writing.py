"""Files and folders appear complete or not at all."""

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from translator.base import files
from translator.base.cache import cached_folder
from translator.base.errors import InputError
from translator.base.files import check_output_path, remove_leftovers, whole_file, whole_folder

KILLED = """
import os
import signal
import sys
from pathlib import Path
from translator.base.files import {name}
with {name}(Path(sys.argv[1])) as partial:
    os.kill(os.getpid(), signal.SIGKILL)
"""


def leave_behind(name: str, path: Path) -> None:
    """Has a process killed while it writes ``path`` with `whole_file` or `whole_folder`."""
    subprocess.run([sys.executable, "-c", KILLED.format(name=name), str(path)], check=False)
    assert path.name not in names(path.parent) != set()


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def test_leftovers_of_a_killed_process_with_the_same_process_id_are_replaced(tmp_path):
    left = files._leftover(tmp_path / "export", "part")
    left.mkdir()
    (left / "half").write_text("of it")
    with whole_folder(tmp_path / "export") as partial:
        (partial / "whole").write_text("all of it")
    assert names(tmp_path / "export") == {"whole"}
    assert names(tmp_path) == {"export"}


def test_leftovers_of_killed_processes_are_removed_beside_the_output(tmp_path):
    (tmp_path / "output.5.part").write_text("not ours")
    for name in ("whole_file", "whole_folder"):
        leave_behind(name, tmp_path / "output")
        with whole_file(tmp_path / "output") as file:
            file.write(b"all")
        assert names(tmp_path) == {"output", "output.5.part"}
        (tmp_path / "output").unlink()


def test_leftovers_of_killed_processes_are_removed_below_a_folder(tmp_path):
    (tmp_path / "snapshots").mkdir()
    leave_behind("whole_file", tmp_path / "snapshots" / "000001.npz")
    leave_behind("whole_folder", tmp_path / "ctranslate2")
    with whole_file(tmp_path / "weights.npz") as file:  # this process is still running
        remove_leftovers(tmp_path)
        assert names(tmp_path / "snapshots") == set()
        file.write(b"all")
    assert names(tmp_path) == {"snapshots", "weights.npz"}


def test_leftovers_of_killed_processes_are_removed_from_the_cache(own_home):
    (own_home / "encoded").mkdir(parents=True)
    leave_behind("whole_folder", own_home / "encoded" / "key")
    cached_folder("encoded", "other", lambda folder: (folder / "it").write_text("it"))
    assert names(own_home / "encoded") == {"other"}


def test_a_folder_is_back_if_its_process_was_killed_between_the_two_renames(tmp_path):
    leave_behind("whole_folder", tmp_path / "run")
    [left] = tmp_path.iterdir()
    left.rename(left.with_suffix(".old"))
    remove_leftovers(tmp_path)
    assert names(tmp_path) == {"run"}


@pytest.mark.parametrize("replaced", ["file", "folder"])
@pytest.mark.parametrize("error", [OSError, KeyboardInterrupt])
def test_a_rename_that_fails_leaves_what_was_there(tmp_path, monkeypatch, replaced, error):
    path, rename = tmp_path / "it", os.replace
    with whole_file(path) if replaced == "file" else whole_folder(path) as new:
        if replaced == "file":
            new.write(b"before")
        else:
            (new / "before").write_text("before")

    def fail(source, target):
        if str(source).endswith(".part"):
            raise error(errno.EIO, "Input/output error")
        rename(source, target)

    monkeypatch.setattr(os, "replace", fail)
    opened = whole_file(path, tmp_path / "former") if replaced == "file" else whole_folder(path)
    with pytest.raises(error) as raised, opened:
        pass
    if error is OSError:
        assert raised.value.filename == str(path)
    assert names(tmp_path) == {"it"}
    assert (path if replaced == "file" else path / "before").read_text() == "before"


def test_the_error_of_a_full_disk_names_the_output(tmp_path):
    def fill(folder: Path) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with pytest.raises(OSError, match="No space left") as error, whole_folder(tmp_path / "run"):
        fill(tmp_path)
    assert error.value.filename == str(tmp_path / "run")
    full = Path("/dev/full")
    with pytest.raises(OSError, match="No space left") as error, whole_file(full) as file:
        file.write(b"too much")
    assert error.value.filename == str(full)
    with pytest.raises(FileNotFoundError) as error, whole_file(tmp_path / "output"):
        (tmp_path / "input").read_text()
    assert error.value.filename == str(tmp_path / "input"), "other files keep their names"


def test_folders_keep_read_only_files_and_stay_if_they_may_not_be_replaced(tmp_path):
    (tmp_path / "run").mkdir()
    with whole_folder(tmp_path / "run", replace=False) as partial:
        (partial / "one").write_text("")
    with pytest.raises(OSError, match="not empty"), whole_folder(tmp_path / "run", replace=False):
        pass
    assert names(tmp_path / "run") == {"one"}
    with whole_folder(tmp_path / "export") as partial:
        (partial / "model").write_text("it")
        (partial / "model").chmod(0o444)
    assert (tmp_path / "export" / "model").read_text() == "it"


def test_an_output_may_not_be_an_input_by_any_of_its_names(tmp_path, monkeypatch):
    (tmp_path / "input.txt").write_text("kept")
    (tmp_path / "link.txt").symlink_to("input.txt")
    inputs = [tmp_path / "none.txt", tmp_path / "input.txt"]
    monkeypatch.chdir(tmp_path)
    for name in ("input.txt", "link.txt", "./input.txt"):
        with pytest.raises(InputError, match="expected a file to write, found an inp"):
            check_output_path(Path(name), inputs=inputs)
    for name in ("none.txt", "other.txt"):
        check_output_path(Path(name), inputs=inputs)
