"""One process at a time in a folder; a killed process blocks no other."""

import resource
import subprocess
import sys

import pytest

from translator.base.errors import InputError
from translator.base.lock import locked

HOLD = """
import sys
from pathlib import Path
from translator.base.lock import locked
with locked(Path(sys.argv[1]), print):
    print("locked", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def holder(tmp_path):
    """Another process that has the lock of ``tmp_path``."""
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(tmp_path)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        assert process.stdout.readline() == "locked\n"
        yield process
        process.kill()


def test_a_running_process_keeps_others_out(holder, tmp_path):
    message = f"found process {holder.pid} on .* training it; wait for it or stop it"
    with pytest.raises(InputError, match=message), locked(tmp_path, print):
        pass


def test_a_killed_process_does_not_block_others_and_is_reported_once(holder, tmp_path):
    holder.kill()
    holder.wait()
    lines = []
    for _ in range(2):  # the second time the lock was released
        with locked(tmp_path, lines.append):
            pass
    [line] = lines
    assert f"process {holder.pid} on" in line
    assert "ended unexpectedly" in line


def test_the_error_of_a_disk_without_room_names_the_file(tmp_path):
    sizes = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, sizes[1]))
    try:
        with pytest.raises(OSError, match="File too large") as error, locked(tmp_path, print):
            pass
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, sizes)
    assert error.value.filename == str(tmp_path / "locked-by")
