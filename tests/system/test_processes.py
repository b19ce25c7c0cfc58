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

from tests.commands import refused
from tests.training_states import read_figures
from translator.cli.parent_process import find_group, run_child
from translator.runs.directory import RunDirectory
from translator.training.processes import ProcessGroup

SETTINGS = ("training.devices=1", "model.num_layers=1", "data.max_length=16")
LIMIT = 60  # seconds from the end of one process to that of the others
STARTED: list[subprocess.Popen[str]] = []


class Ended(NamedTuple):
    """A process that has ended."""

    code: int
    said: str


def free_port() -> int:
    """A port that nobody uses."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@pytest.fixture(autouse=True)
def nothing_is_left(monkeypatch) -> Iterator[None]:
    """Ends the processes that a failed test has left."""
    started: list[subprocess.Popen[str]] = []
    monkeypatch.setattr(sys.modules[__name__], "STARTED", started)
    yield
    for process in started:
        process.kill()
        process.communicate()


def start(
    corpus: Path, run: Path, number: int, port: int, *more: str, size: int = 2
) -> subprocess.Popen[str]:
    """Starts one process of a training."""
    chosen = [word for override in SETTINGS for word in ("--set", override)]
    where = ("--coordinator", f"127.0.0.1:{port}", "--processes", str(size))
    program = [sys.executable, "-m", "translator.cli", "train", str(corpus / "config.yaml")]
    process = subprocess.Popen(
        [*program, *chosen, *where, "--process", str(number), "--run", str(run), *more],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    STARTED.append(process)
    return process


def wait(*processes: subprocess.Popen[str], seconds: float = 300) -> list[Ended]:
    """Waits for all of them."""
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


def test_options_that_do_not_fit_together_are_one_line(capfd, tmp_path):
    for arguments, message in [
        (("--processes", 2), "expected --coordinator, --processes and --process together"),
        (("--coordinator", "a:1", "--processes", 2, "--process", 2), "a number from 0 to 1"),
        (("--coordinator", "a", "--processes", 2, "--process", 0), "expected HOST:PORT"),
    ]:
        assert message in refused(capfd, "train", "demo", "--run", tmp_path / "run", *arguments)
        assert not (tmp_path / "run").exists()


def test_slurm_and_mpi_say_who_a_process_is(monkeypatch):
    assert find_group(None, None, None) is None
    assert find_group("machine:7000", 1, 0) is None, "one process trains alone"
    monkeypatch.setenv("SLURM_STEP_NUM_TASKS", "4")
    monkeypatch.setenv("SLURM_PROCID", "3")
    assert find_group(None, None, None) == ProcessGroup(None, 4, 3)
    assert find_group("machine:7000", 2, 1) == ProcessGroup("machine:7000", 2, 1)
    assert find_group("machine:7000", None, None) == ProcessGroup("machine:7000", 4, 3)
    monkeypatch.delenv("SLURM_STEP_NUM_TASKS")
    monkeypatch.setenv("OMPI_COMM_WORLD_SIZE", "2")
    monkeypatch.setenv("OMPI_COMM_WORLD_RANK", "0")
    assert find_group(None, None, None) == ProcessGroup(None, 2, 0)


@pytest.mark.parametrize(
    ("program", "message"),
    [
        ("import os; os.write(2, b'ALREADY_EXISTS: newer incarnation'); os.abort()", "a number of"),
        ("import os; os.write(2, b'DEADLINE ... RegisterTask'); os.abort()", "within 45 s"),
        ("import os; os.write(2, b'heartbeats'); os.abort()", "process 1 of 2: another process"),
        ("import os; os.kill(os.getpid(), 9)", "ended by signal 9"),
    ],
)
def test_an_abort_of_the_child_is_one_line(capfd, monkeypatch, program, message):
    monkeypatch.setattr(sys, "orig_argv", [sys.executable, "-c", program])
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    assert run_child(ProcessGroup("host:7000", 2, 1)) == 2
    said = capfd.readouterr().err
    assert said.startswith("translator: process 1 of 2: ")
    assert message in said
    assert said.count("\n") == 1


def test_a_program_that_calls_the_command_line_is_not_started_again(tiny_corpus, tmp_path):
    with socket.socket() as in_use:
        in_use.bind(("", 0))
        in_use.listen()
        where = f"127.0.0.1:{in_use.getsockname()[1]}"
        group = ["--coordinator", where, "--processes", "2", "--process", "0"]
        config = str(tiny_corpus / "config.yaml")
        arguments = ["train", config, "--run", str(tmp_path / "run"), *group]
        program = f"print('begun'); from translator.cli import main; main({arguments})"
        ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (ended.returncode, ended.stdout) == (2, "begun\n")
    assert "expected a free port" in ended.stderr


@pytest.fixture(scope="module")
def alone(tiny_corpus, tmp_path_factory) -> Path:
    """Three epochs on one device."""
    run = tmp_path_factory.mktemp("runs") / "alone"
    chosen = (*SETTINGS, "training.backend=jax", "training.epochs=3")
    words = [word for override in chosen for word in ("--set", override)]
    program = [sys.executable, "-m", "translator.cli", "train", tiny_corpus / "config.yaml"]
    subprocess.run([*program, *words, "--run", run], check=True, capture_output=True)
    return run


def assert_same_figures(one: Path, other: Path) -> None:
    """But for rounding."""
    lines, others = read_figures(one), read_figures(other)
    assert len(lines) == len(others)
    for line, expected in zip(lines, others):
        for name in ("cross_entropy", "loss", "val_cross_entropy", "val_loss"):
            assert line[name] == pytest.approx(expected[name], rel=1e-5)


@pytest.mark.slow
def test_two_processes_compute_what_one_computes(tiny_corpus, alone, tmp_path):
    """The first writes and reports; the other is silent."""
    port, run = free_port(), tmp_path / "run"
    more = ("--set", "training.epochs=3")
    first, other = wait(*(start(tiny_corpus, run, i, port, *more) for i in range(2)))
    assert (first.code, other.code) == (0, 0)
    assert "done: " in first.said
    assert other.said == ""
    assert_same_figures(run, alone)
    assert RunDirectory(run).export.is_dir()


@pytest.mark.slow
def test_two_processes_stop_early_and_average_as_one_does(tiny_corpus, tmp_path):
    options = (
        "training.backend=jax", "training.epochs=60", "training.average=best",
        "training.keep_best=2", "training.ema_momentum=0.5", "training.accumulation_steps=2",
        "training.schedule={name: constant, learning_rate: 0.3}",
        "validation.metric=accuracy", "validation.patience=1",
    )  # fmt: skip
    more = [word for option in options for word in ("--set", option)]
    port, run, one = free_port(), tmp_path / "run", tmp_path / "one"
    first, other = wait(*(start(tiny_corpus, run, i, port, *more) for i in range(2)))
    assert (first.code, other.code, other.said) == (0, 0, "")
    assert "stopped early" in first.said
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
    assert survivor.code == 2
    last_line = survivor.said.splitlines()[-1]
    assert "another process has ended or cannot be reached any longer" in last_line
    assert "Traceback" not in survivor.said
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
        ("training.devices=2", "found training.devices 2 (there 1), devices found 2 (there 1)"),
        ("model.dff=32", "found model.dff 32 (there 64)"),
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


@pytest.mark.slow
def test_a_coordinator_that_never_answers_is_one_line(tiny_corpus, tmp_path):
    [ended] = wait(start(tiny_corpus, tmp_path / "run", 1, free_port()), seconds=LIMIT + 10)
    assert ended.code == 2
    assert "expected all 2 processes at the coordinator" in ended.said
    assert ended.said.count("\n") == 1
