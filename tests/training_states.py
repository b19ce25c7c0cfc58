"""Stops a training, and compares what two runs left, bit by bit."""

import json
import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from tests.builders import quiet
from translator.config.schema import Config
from translator.runs.directory import RunDirectory
from translator.runs.weights import load_arrays

if TYPE_CHECKING:
    from translator.training.loop import Training
    from translator.training.trainer import TrainingResult


def train_until(
    where: tuple[int, int],
    config: Config,
    run: Path,
    monkeypatch: pytest.MonkeyPatch,
    **options: Any,
) -> "TrainingResult":
    """Trains, and asks for a stop during an update of an epoch (from 0)."""
    from translator.training.start import train

    def interrupt(training: "Training") -> None:
        if (training.progress.epoch, training.progress.batch) == where:
            os.kill(os.getpid(), signal.SIGINT)

    with monkeypatch.context() as patched:
        after_updates(patched, interrupt)
        return train(config, run, report=quiet, **options)


def after_updates(monkeypatch: pytest.MonkeyPatch, act: Callable[["Training"], None]) -> None:
    """Acts after each update, before a training looks whether it is to stop."""
    from translator.training.loop import Training

    pause = Training._between_updates

    def act_and_pause(self, *arguments):
        act(self)
        pause(self, *arguments)

    monkeypatch.setattr(Training, "_between_updates", act_and_pause)


def read_figures(run: Path) -> list[dict]:
    return [json.loads(line) for line in RunDirectory(run).metrics.read_text().splitlines()]


def assert_same_endings(one: Path, other: Path) -> None:
    """Every array of weights, optimiser, averages and seeds, every figure: all but times."""
    runs = RunDirectory(one), RunDirectory(other)
    states = [load_arrays(run.last) for run in runs]
    progress = [json.loads(state.pop("progress").tobytes()) for state in states]
    for fields in progress:
        del fields["times"], fields["seconds"]
    assert progress[0] == progress[1]
    assert_same_arrays(*states)
    assert runs[0].metrics.read_bytes() == runs[1].metrics.read_bytes()
    snapshots = [sorted(run.snapshots.glob("*")) for run in runs]
    names = [[path.name for path in paths] for paths in snapshots]
    assert names[0] == names[1]
    for a, b in zip([runs[0].weights, *snapshots[0]], [runs[1].weights, *snapshots[1]]):
        assert_same_arrays(load_arrays(a), load_arrays(b))
    assert not [path for run in runs for path in run.path.rglob("*.part")]
    assert len({tuple(json.loads((run.export / "run.json").read_text())) for run in runs}) == 1


def assert_same_arrays(one: dict[str, np.ndarray], other: dict[str, np.ndarray]) -> None:
    assert one.keys() == other.keys()
    for name in one:
        assert one[name].tobytes() == other[name].tobytes(), name
