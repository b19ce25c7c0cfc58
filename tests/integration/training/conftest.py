"""Small runs that several tests of training begin with."""

import shutil
from pathlib import Path

import pytest

from tests.builders import quiet
from translator.config.schema import Config
from translator.config.yaml_file import read_config
from translator.training.start import train

SMALL = ("model.num_layers=1", "data.batch_size=16", "training.epochs=2")


@pytest.fixture(scope="session")
def small(tiny_corpus) -> Config:
    """Two epochs of seven updates, of a model of one layer."""
    return read_config(tiny_corpus / "config.yaml", SMALL)


@pytest.fixture(scope="session")
def small_for_three_epochs(tiny_corpus) -> Config:
    """The same with an epoch more."""
    return read_config(tiny_corpus / "config.yaml", (*SMALL, "training.epochs=3"))


@pytest.fixture(scope="session")
def small_run(small, copy_of_trained) -> Path:
    """A finished, uninterrupted run of two epochs. Tests change only their own copy of it."""
    return copy_of_trained("small", lambda run: train(small, run, report=quiet))


@pytest.fixture
def small_copy(small_run, tmp_path) -> Path:
    """A copy of that run for one test."""
    return shutil.copytree(small_run, tmp_path / "run")


@pytest.fixture(scope="session")
def resumed_run(small_run, small_for_three_epochs, copy_of_trained) -> Path:
    """The same run, resumed for a third epoch."""

    def resume(run: Path) -> None:
        shutil.copytree(small_run, run)
        train(small_for_three_epochs, run, resume=True, report=quiet)

    return copy_of_trained("resumed", resume)
