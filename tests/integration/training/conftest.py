"""Small runs that several tests of training begin with."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.builders import quiet
from translator.config.schema import Config
from translator.config.yaml_file import read_config
from translator.runs.directory import RunDirectory
from translator.training.start import train
from translator.training.trainer import TrainingResult

SMALL = ("model.num_layers=1", "data.batch_size=16", "training.epochs=2")


class Trained(NamedTuple):
    """A run after a training, what the training said, and how it ended."""

    run: RunDirectory
    lines: list[str]
    result: TrainingResult


@pytest.fixture(scope="session")
def configure(tiny_corpus) -> Callable[..., Config]:
    """A configuration of two epochs of seven updates, of a model of one layer, and settings."""
    return lambda *settings: read_config(tiny_corpus / "config.yaml", (*SMALL, *settings))


@pytest.fixture(scope="session")
def small(configure) -> Config:
    """That configuration alone."""
    return configure()


def training_in(folder: Path, configure: Callable[..., Config]) -> Callable[..., Trained]:
    """Trains a run of a name in a folder, by a configuration and some settings."""

    def train_with(*settings: str, name: str = "run", resume: bool = False) -> Trained:
        run, lines = RunDirectory(folder / name), list[str]()
        result = train(configure(*settings), run.path, resume, lines.append)
        return Trained(run, lines, result)

    return train_with


@pytest.fixture
def train_small(configure, tmp_path) -> Callable[..., Trained]:
    """Trains by the configuration of a small run and some settings."""
    return training_in(tmp_path, configure)


@pytest.fixture(scope="session")
def small_run(small, build_once) -> Path:
    """A finished, uninterrupted run of two epochs, which no test changes."""
    return build_once("small", lambda folder: train(small, folder / "run", report=quiet)) / "run"


@pytest.fixture
def small_copy(small_run, tmp_path) -> Path:
    return shutil.copytree(small_run, tmp_path / "run")
