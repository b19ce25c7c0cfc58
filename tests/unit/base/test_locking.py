"""One process at a time in a folder; a killed process blocks no other."""

import subprocess
import sys

import pytest

from translator.base.errors import InputError
from translator.base.lock import locked

HOLD = """
import sys
from pathlib import Path
from translator.base.lock import locked
with locked(Path(sys.argv[1])):
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


def test_a_running_process_keeps_others_out_and_a_killed_one_does_not(holder, tmp_path):
    message = "found another process training it; wait for it or stop it"
    with pytest.raises(InputError, match=message), locked(tmp_path):
        pass
    holder.kill()
    holder.wait()
    for _ in range(2):
        with locked(tmp_path):
            pass
