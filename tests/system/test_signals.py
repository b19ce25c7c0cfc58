"""A training at a terminal, and what ends it: a hang-up, SIGTERM."""

import fcntl
import functools
import os
import pty
import re
import signal
import subprocess
import sys
import termios
from pathlib import Path

import pytest

from tests.commands import shell
from tests.training_states import assert_same_endings

TRAIN = [sys.executable, "-m", "translator.cli", "train"]
SETTINGS = ("training.epochs=20", "model.num_layers=1", "validation.translate_every=1")


@pytest.fixture(scope="module")
def arguments(tiny_corpus) -> list[str]:
    return [str(tiny_corpus / "config.yaml"), *(x for s in SETTINGS for x in ("--set", s))]


def own_terminal(terminal: int) -> None:
    """Makes a terminal the one that a new process belongs to, and lets it hear of its end."""
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    fcntl.ioctl(terminal, termios.TIOCSCTTY, 0)


def train_until_hang_up(arguments: list[str], run: Path) -> tuple[int, str]:
    """Trains at a terminal that goes away after the first translations: exit code, what it said."""
    ours, its = pty.openpty()
    with subprocess.Popen(
        [*TRAIN, *arguments, "--run", str(run)],
        stdin=its, stdout=its, stderr=its, start_new_session=True,
        preexec_fn=functools.partial(own_terminal, its),  # noqa: PLW1509
    ) as process:  # fmt: skip
        os.close(its)
        said = b""
        while b"epoch  1/20  " not in said:
            said += os.read(ours, 4096)
        os.close(ours)
        return process.wait(60), said.decode()


def train_until_sigterm(arguments: list[str], run: Path) -> tuple[int, str]:
    """Goes on in the background, and is asked to end after a validation."""
    with subprocess.Popen(
        [*TRAIN, *arguments, "--run", str(run), "--resume"], stderr=subprocess.PIPE, text=True
    ) as process:
        said = ""
        for line in process.stderr:
            said += line
            if line.startswith("epoch"):
                process.send_signal(signal.SIGTERM)
        return process.wait(60), said


@pytest.mark.slow
def test_a_hang_up_and_a_sigterm_save_and_stop(arguments, tmp_path):
    run = tmp_path / "run"
    code, said = train_until_hang_up(arguments, run)
    assert code == 130, said
    assert "  source      The " in said
    mixed = [line for line in re.split("[\r\n]", said) if "%|" in line and "  source" in line]
    assert mixed == [], "the bar is out of the way of other lines"
    code, said = train_until_sigterm(arguments, run)
    assert code == 130
    assert re.search(r"^resuming at .*epoch", said, re.MULTILINE)
    assert re.search(r"^stopped after update \d+ of epoch \d+; to continue: --resume$", said, re.M)
    ended = shell("train", *arguments, "--run", run, "--resume")
    assert ended.returncode == 0
    assert f"done: {run}" in ended.stderr.decode()
    assert shell("train", *arguments, "--run", tmp_path / "uninterrupted").returncode == 0
    assert_same_endings(run, tmp_path / "uninterrupted")
