"""Several processes on one machine that train one run, over the loopback address."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.commands import shell
from tests.training_states import read_figures
from translator.base.processes import BY_HAND, are_started
from translator.runs.directory import RunDirectory

SETTINGS = ("training.devices=1", "model.num_layers=1", "data.max_length=16")
LIMIT = 120  # seconds from the end of one process to that of the others
STARTED: list[subprocess.Popen[str]] = []


class Ended(NamedTuple):
    code: int
    said: str


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@pytest.fixture(autouse=True)
def nothing_is_left() -> Iterator[None]:
    """Ends the processes that a failed test has left."""
    yield
    for process in STARTED:
        process.kill()
        process.communicate()
    STARTED.clear()


def start(
    corpus: Path, run: Path, number: int, port: int, *more: str, size: int | None = 2
) -> subprocess.Popen[str]:
    """Starts one process of a training; without a size, the number of processes is not said."""
    chosen = [word for override in SETTINGS for word in ("--set", override)]
    program = [sys.executable, "-m", "translator.cli", "train", str(corpus / "config.yaml")]
    where = zip(BY_HAND, (f"127.0.0.1:{port}", size, number))
    process = subprocess.Popen(
        [*program, *chosen, "--run", str(run), *more],
        env=os.environ | {name: str(value) for name, value in where if value is not None},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    STARTED.append(process)
    return process


def wait(*processes: subprocess.Popen[str], seconds: float = 300) -> list[Ended]:
    deadline, ended = time.monotonic() + seconds, []
    for process in processes:
        said, _ = process.communicate(timeout=deadline - time.monotonic())
        ended.append(Ended(process.returncode, said))
    return ended


def wait_for_updates(run: Path) -> None:
    """Waits until a training has measured its second epoch."""
    metrics = RunDirectory(run).metrics
    for _ in range(600):
        if metrics.exists() and len(metrics.read_text().splitlines()) >= 2:
            return
        time.sleep(0.5)
    raise AssertionError("the training does not get on")


def test_the_environment_says_whether_a_process_is_one_of_several(monkeypatch):
    assert not are_started()
    for name, alone, several in (
        ("SLURM_STEP_NUM_TASKS", "1", "4"),
        ("OMPI_COMM_WORLD_SIZE", "1", "2"),
        ("JOB_COMPLETION_INDEX", None, "0"),
        ("JAX_PROCESS_ID", None, "0"),
    ):
        for value in filter(None, (alone, several)):
            monkeypatch.setenv(name, value)
            assert are_started() == (value == several), name
        monkeypatch.delenv(name)


@pytest.mark.slow
def test_variables_that_are_not_complete_are_one_line(tiny_corpus, tmp_path):
    [ended] = wait(start(tiny_corpus, tmp_path / "run", 0, free_port(), size=None))
    assert ended.code == 2
    assert ended.said.startswith("translator: several processes: expected JAX_COORDINATOR_ADDRESS")
    assert ended.said.count("\n") == 1


@pytest.fixture(scope="module")
def alone(tiny_corpus, tmp_path_factory) -> Path:
    """Three epochs on one device."""
    run = tmp_path_factory.mktemp("runs") / "alone"
    chosen = (*SETTINGS, "training.backend=jax", "training.epochs=3")
    words = [word for override in chosen for word in ("--set", override)]
    assert shell("train", tiny_corpus / "config.yaml", *words, "--run", run).returncode == 0
    return run


def assert_same_figures(one: Path, other: Path) -> None:
    """But for rounding."""
    lines, others = read_figures(one), read_figures(other)
    assert len(lines) == len(others)
    for line, expected in zip(lines, others):
        for name in ("cross_entropy", "loss", "val_cross_entropy", "val_loss"):
            assert line[name] == pytest.approx(expected[name], rel=1e-5)


@pytest.mark.slow
def test_two_processes_train_stop_early_and_average_as_one_does(tiny_corpus, tmp_path):
    """The first writes and reports; the other is silent."""
    options = (
        "training.backend=jax", "training.epochs=60",
        "training.keep_last=2", "training.ema_momentum=0.5", "training.accumulation_steps=2",
        "training.schedule={name: constant, learning_rate: 0.3}",
        "validation.metric=accuracy", "validation.patience=1",
    )  # fmt: skip
    more = [word for option in options for word in ("--set", option)]
    port, run, one = free_port(), tmp_path / "run", tmp_path / "one"
    first, other = wait(*(start(tiny_corpus, run, i, port, *more) for i in range(2)))
    assert (first.code, other.code, other.said) == (0, 0, "")
    assert "stopped early" in first.said
    assert "done: " in first.said
    assert RunDirectory(run).export.is_dir()
    [alone] = wait(start(tiny_corpus, one, 0, port, *more, size=1))
    assert alone.code == 0
    assert_same_figures(run, one)
    perplexities = [ended.said.rpartition("perplexity")[2] for ended in (first, alone)]
    assert perplexities[0] == perplexities[1]  # of the average, or of the best


@pytest.mark.slow
@pytest.mark.parametrize("killed", [0, 1])
def test_a_killed_process_ends_the_other_and_one_device_goes_on(
    tiny_corpus, alone, tmp_path, killed
):
    port, run = free_port(), tmp_path / "run"
    more = ("--set", "training.epochs=5000")
    processes = [start(tiny_corpus, run, i, port, *more) for i in range(2)]
    wait_for_updates(run)
    processes[killed].kill()
    [survivor] = wait(processes[1 - killed], seconds=LIMIT)
    assert survivor.code != 0
    done = len(read_figures(run))
    resumed = start(
        tiny_corpus, run, 0, port, "--resume", "--set", f"training.epochs={done}", size=1
    )
    assert wait(resumed)[0].code == 0
    expected = read_figures(alone)
    for line, theirs in zip(read_figures(run)[:3], expected):
        assert line["cross_entropy"] == pytest.approx(theirs["cross_entropy"], rel=1e-5)


@pytest.mark.slow
def test_a_run_of_two_processes_is_stopped_and_resumed_by_two(tiny_corpus, alone, tmp_path):
    """By a signal to one of them; and resumed once more when it is finished."""
    run, more = tmp_path / "run", ("--set", "training.save_minutes=0.0001")
    port = free_port()
    processes = [
        start(tiny_corpus, run, i, port, *more, "--set", "training.epochs=5000") for i in range(2)
    ]
    wait_for_updates(run)
    os.kill(processes[1].pid, signal.SIGTERM)
    first, other = wait(*processes, seconds=LIMIT)
    assert (first.code, other.code) == (130, 130)
    assert "to continue: --resume" in first.said
    epochs = len(read_figures(run)) + 1
    for _ in range(2):
        port, ends = free_port(), ("--resume", "--set", f"training.epochs={epochs}")
        first, other = wait(*(start(tiny_corpus, run, i, port, *more, *ends) for i in range(2)))
        assert (first.code, other.code, other.said) == (0, 0, "")
        assert len(read_figures(run)) == epochs
    for line, theirs in zip(read_figures(run)[:3], read_figures(alone)):
        assert line["cross_entropy"] == pytest.approx(theirs["cross_entropy"], rel=1e-5)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("override", "found"),
    [
        ("training.devices=2", "found devices 2 (in process 0: 1)"),
        ("model.dff=32", "found model.dff 32 (in process 0: 64)"),
    ],
)
def test_what_differs_between_processes_is_named(tiny_corpus, tmp_path, override, found):
    port, run = free_port(), tmp_path / "run"
    one = start(tiny_corpus, run, 0, port)
    other = start(tiny_corpus, run, 1, port, "--set", override)
    for ended in wait(one, other, seconds=LIMIT):
        assert ended.code == 2
        [error] = (line for line in ended.said.splitlines() if not line.startswith("starting"))
        assert found in error
    assert not run.exists()


@pytest.mark.slow
def test_a_folder_that_one_process_does_not_see_is_named(tiny_corpus, tmp_path):
    port = free_port()
    processes = [start(tiny_corpus, tmp_path / name, i, port) for i, name in enumerate("ab")]
    for ended in wait(*processes, seconds=2 * LIMIT):
        assert ended.code == 2
        assert "put the run on a disk that all machines share" in ended.said
