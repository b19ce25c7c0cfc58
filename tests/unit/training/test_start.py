"""What a training checks before Keras starts."""

import sys
from pathlib import Path

import pytest

from translator.base.errors import InputError
from translator.config.schema import TrainingConfig
from translator.config.yaml_file import validate_config
from translator.training import start

START_BACKEND = start.start_backend


@pytest.fixture(autouse=True)
def no_keras(monkeypatch):
    def too_late(*_):
        raise AssertionError("Keras was started")

    monkeypatch.setattr(start, "start_backend", too_late)
    monkeypatch.delitem(sys.modules, "keras", raising=False)  # if another test has started it


@pytest.mark.parametrize(
    ("training", "problem"),
    [
        ({"backend": "tensorflow", "precision": "float16"}, "float16 needs a GPU"),
        ({"backend": "tensorflow", "devices": 2}, "2 devices need JAX"),
        ({"backend": "jax", "data_parallel": 2}, "2 shards are for TensorFlow on a CPU"),
    ],
)
def test_what_a_machine_or_backend_lacks_is_refused_before_it_starts(
    monkeypatch, training, problem
):
    monkeypatch.setattr(start, "start_keras", lambda backend: pytest.fail("Keras was started"))
    monkeypatch.setattr(start, "has_gpu", lambda: True)  # which TensorFlow does not use
    monkeypatch.setenv("KERAS_BACKEND", training["backend"])
    values = {"corpus": {"name": "demo"}, "data": {"batch_size": 8}, "training": training}
    with pytest.raises(InputError, match=problem):
        START_BACKEND(validate_config(values, "test").training, print)


def test_what_needs_no_keras_is_checked_before_it_starts(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("pairs.tsv").write_text("A dog.\tEin Hund.\n" * 30, "utf-8")
    Path("empty.tsv").touch()
    for corpus, others, problem in [
        ({"target_language": "jp"}, {}, "corpus.target_language: expected .* did you mean ja"),
        ({"train": {"tsv": "none.tsv"}}, {}, "none.tsv: expected a text file, found nothing"),
        ({"train": {"tsv": "empty.tsv"}}, {}, "empty.tsv: expected sentence pairs, found an"),
        ({"train": {"tsv": "pairs.tsv", "columns": [1, 7]}}, {}, "tsv: expected columns 1, 7"),
        ({}, {"training": {"init": "gone"}}, "training.init: gone: expected a run directory"),
        ({"source_language": "fr"}, {"training": {"init": "en-de"}}, ".init: expected corpus.so"),
    ]:
        values = {"corpus": {"train": {"tsv": "pairs.tsv"}, **corpus}, "data": {"batch_size": 8}}
        config = validate_config({**values, **others}, "test")
        with pytest.raises(InputError, match=problem):
            start.train(config, "run")
        assert not Path("run").exists()


def test_corpora_that_are_named_are_fetched_before_it_starts(tmp_path, monkeypatch):
    fetched: list[str] = []
    monkeypatch.setattr(start, "fetch_for", lambda corpus: fetched.append(corpus.name))
    (tmp_path / "pairs.tsv").write_text("A dog.\tEin Hund.\n", "utf-8")
    further = [{"name": "phrasebook", "weight": 1}]
    further.append({"train": {"tsv": str(tmp_path / "pairs.tsv")}, "weight": 1})
    values = {"corpus": {"name": "tatoeba"}, "corpora": further, "data": {"batch_size": 8}}
    with pytest.raises(AssertionError, match="Keras was started"):
        start.train(validate_config(values, "test"), tmp_path / "run")
    assert fetched == ["tatoeba", "phrasebook"]


def test_the_backend_starts_after_the_user_is_told_and_several_processes_need_jax(monkeypatch):
    told = []
    monkeypatch.setattr(start, "start_keras", told.append)
    monkeypatch.setattr(start, "_prepare_tensorflow", lambda *_: None)
    START_BACKEND(TrainingConfig(backend="tensorflow"), told.append, deterministic=False)
    assert told == ["starting TensorFlow, which takes some seconds", "tensorflow"]
    monkeypatch.setenv("JAX_PROCESS_ID", "0")
    with pytest.raises(InputError, match="training.backend: several processes need jax, found te"):
        START_BACKEND(TrainingConfig(backend="tensorflow"), print)
