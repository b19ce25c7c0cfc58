"""Work over several processes: the same as in one, and its failures are told in a line."""

import os
import signal
import subprocess
import sys

import pytest

from translator.base import parallel
from translator.base.errors import InputError
from translator.base.parallel import over_parts
from translator.corpora.cleaning import digests_of
from translator.corpora.pairs import PairBlock

PARTS = [PairBlock.of([(f"source {i}", f"target {i}")] * (i + 1)) for i in range(70)]
SCRIPT = """
from translator.base.parallel import over_parts
from translator.corpora.pairs import PairBlock
from translator.corpora.cleaning import digests_of
parts = [PairBlock.of([("a", "b")]), PairBlock.of([("c", "d")]), PairBlock.of([("e", "f")])]
print([len(found) for found in over_parts(digests_of, parts)])
"""


@pytest.fixture(autouse=True)
def two_cores(monkeypatch, own_home):
    monkeypatch.setattr(parallel, "ALL_CORES", 2)


def process_of(number: int) -> int:
    return os.getpid()


def refuse(number: int) -> None:
    """Fails with one of the parts."""
    if number == 50:
        raise InputError("text: expected UTF-8, found other bytes")


def die(number: int) -> None:
    """Ends its process as one that the system kills."""
    if number == 50:
        os.kill(os.getpid(), signal.SIGKILL)


def test_parts_are_worked_at_in_other_processes_and_come_in_order(monkeypatch):
    assert list(over_parts(digests_of, iter(PARTS))) == list(map(digests_of, PARTS))
    processes = list(over_parts(process_of, range(90)))
    assert set(processes[: parallel.ALONE]) == {os.getpid()}
    assert os.getpid() not in processes[parallel.ALONE :]
    monkeypatch.setattr(parallel, "ProcessPoolExecutor", None)
    assert len(list(over_parts(digests_of, PARTS[: parallel.ALONE]))) == parallel.ALONE


def test_failures_are_told_in_a_line():
    with pytest.raises(InputError, match="^text: expected UTF-8, found other bytes$"):
        list(over_parts(refuse, range(90)))
    with pytest.raises(InputError, match="^one of 2 processes was killed, probably because mem"):
        list(over_parts(die, range(90)))
    assert len(list(over_parts(digests_of, PARTS))) == len(PARTS), "others are started"


def test_a_script_needs_no_guard_and_its_folder_no_care(tmp_path):
    path = tmp_path / "scripts" / "script.py"
    path.parent.mkdir()
    (tmp_path / "random.py").write_text("raise SystemExit('this is not the module')")
    path.write_text(f"import translator.base.parallel as p\np.ALONE, p.ALL_CORES = 1, 2\n{SCRIPT}")
    run = subprocess.run(
        [sys.executable, path], cwd=tmp_path, capture_output=True, text=True, timeout=100
    )
    assert (run.stdout, run.stderr) == ("[8, 8, 8]\n", "")


@pytest.mark.parametrize("asked", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_no_process_outlives_the_first(asked, tmp_path):
    path = tmp_path / "script.py"
    path.write_text(
        f"import translator.base.parallel as p\np.ALONE, p.ALL_CORES = 1, 2\n{SCRIPT}"
        "\nimport itertools\nfor found in over_parts(digests_of, itertools.cycle(parts)):\n"
        "    print(len(found), flush=True)\n"
    )
    process = subprocess.Popen(
        [sys.executable, path],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert process.stdout is not None
    for _ in range(200):
        process.stdout.readline()
    if asked == signal.SIGINT:
        os.killpg(process.pid, asked)  # as a terminal does it
    else:
        process.send_signal(asked)
    _, said = process.communicate(timeout=60)  # until no process has its output open
    assert "pickle" not in said
    assert process.returncode != 0


def test_processes_are_kept_for_the_next_work_and_end():
    def processes() -> set[int]:
        return set(list(over_parts(process_of, range(90)))[parallel.ALONE :])

    with parallel.keeping_processes():
        first = processes()
        assert list(over_parts(digests_of, PARTS)) == list(map(digests_of, PARTS))
        assert processes() & first, "one may do all the work"
        assert next(over_parts(process_of, range(90)))
        with pytest.raises(InputError):
            list(over_parts(refuse, range(90)))
        assert processes() & first, "an error of a part ends no process"
    assert processes().isdisjoint(first)
    for process in first:
        with pytest.raises(ProcessLookupError):
            os.kill(process, 0)
