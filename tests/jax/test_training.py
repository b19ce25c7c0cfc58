"""A whole training on JAX: what it leaves, saving within an epoch, resuming on other devices."""

import jax
import keras
import numpy as np
import pytest

from tests.builders import quiet
from tests.filming import assert_filmed
from tests.training_states import assert_same_endings, read_figures, train_until
from translator.base.errors import InputError
from translator.config.schema import TrainingConfig
from translator.runs.directory import RunDirectory
from translator.runs.weights import load_arrays
from translator.training import loop, start
from translator.training.backends import Figures
from translator.training.start import train

pytestmark = pytest.mark.slow
SETTINGS = (
    "model.num_layers=1",
    "training.epochs=3",
    "training.ema_momentum=0.9",
    "training.accumulation_steps=2",
    "training.save_minutes=0.00001",  # after every update
    "training.keep_last=2",
    "training.tensorboard=true",
    "validation.translate_every=1",
    "validation.samples=1",
    'film=["The old dog.\\tDer alte Hund."]',
)


@pytest.fixture(scope="module")
def uninterrupted(settings, tmp_path_factory):
    """A run on one device that nobody disturbed."""
    run = tmp_path_factory.mktemp("runs") / "uninterrupted"
    assert train(settings(), run, report=quiet).finished
    return run


def test_the_film_has_the_weights_of_its_updates(uninterrupted):
    assert_filmed(RunDirectory(uninterrupted))


def test_a_run_is_like_one_of_tensorflow(uninterrupted):
    run = RunDirectory(uninterrupted)
    kept = run.read_config().training
    assert (kept.backend, kept.devices) == ("jax", "auto")
    assert run.export.is_dir()
    assert len(list(run.snapshots.glob("*.npz"))) == 2
    assert any(run.tensorboard.iterdir())
    lines = read_figures(uninterrupted)
    assert lines[-1]["val_cross_entropy"] < lines[0]["val_cross_entropy"]
    biases = [value for name, value in load_arrays(run.last).items() if "/key/bias" in name]
    assert len(biases) > 0
    assert not any(value.any() for value in biases), "their gradient is 0"


def test_a_stopped_run_resumes_where_it_stopped(settings, uninterrupted, tmp_path, monkeypatch):
    assert not train_until((0, 3), settings(), tmp_path / "run", monkeypatch).finished
    assert train(settings(), tmp_path / "run", resume=True, report=quiet).finished
    assert_same_endings(uninterrupted, tmp_path / "run")


def test_a_run_resumes_on_another_number_of_devices(settings, uninterrupted, tmp_path, monkeypatch):
    run = tmp_path / "run"
    assert not train_until((0, 3), settings("training.devices=3"), run, monkeypatch).finished
    assert train(settings("training.devices=2"), run, True, report=quiet).finished
    assert RunDirectory(run).read_config().training.devices == 2
    for line, expected in zip(read_figures(run), read_figures(uninterrupted)):
        for name in ("cross_entropy", "val_cross_entropy", "loss"):
            assert line[name] == pytest.approx(expected[name], rel=1e-5)
    ours, theirs = (load_arrays(RunDirectory(each).weights) for each in (run, uninterrupted))
    for name, weights in ours.items():
        np.testing.assert_allclose(weights, theirs[name], atol=1e-3)


@pytest.mark.parametrize("asked_at", [(0, 3), (1, 2)])
def test_translating_while_training_goes_on_changes_nothing(
    settings, uninterrupted, tmp_path, monkeypatch, asked_at
):
    """As on a GPU; also where the run is stopped, and goes on, before the verdict is written."""
    monkeypatch.setattr(loop, "gpu_capability", lambda: (9, 0))
    calm = settings("training.save_minutes=10")
    assert not train_until(asked_at, calm, tmp_path / "run", monkeypatch).finished
    lines = []
    assert train(calm, tmp_path / "run", True, lines.append).finished
    assert_same_endings(uninterrupted, tmp_path / "run")


@pytest.mark.parametrize(
    ("override", "message"),
    [
        ("training.devices=4", "at most 3, the number that JAX finds here"),
        ("training.data_parallel=2", "2 shards are for TensorFlow on a CPU"),
        ("training.backend=tensorflow", "found that this process runs Keras on jax"),
        ("training.precision=float16", "float16 needs a GPU"),
    ],
)
def test_what_cannot_be_had_is_refused_before_anything_is_written(
    settings, tmp_path, override, message
):
    with pytest.raises(InputError, match=message):
        train(settings(override), tmp_path / "run", report=quiet)
    assert not (tmp_path / "run").exists()


def test_what_is_compiled_for_a_gpu_is_kept_in_the_cache(home, monkeypatch):
    before = jax.config.jax_compilation_cache_dir
    monkeypatch.setattr(start, "has_gpu", lambda: True)
    try:
        start._start_jax(TrainingConfig())
        assert jax.config.jax_compilation_cache_dir == str(home / "compiled")
    finally:
        jax.config.update("jax_compilation_cache_dir", before)


def test_more_devices_than_sentences_are_refused(settings, tmp_path):
    config = settings("training.devices=3", "data.batch_size=2")
    with pytest.raises(InputError, match="at most 2 devices, one for each sentence of a batch"):
        train(config, tmp_path / "run", report=quiet)
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("devices", [1, 2])
def test_a_nan_loss_names_the_sentences_of_its_update(settings, tmp_path, devices):
    """An update has two batches of 16 rows, some of them padding."""
    config = settings(f"training.devices={devices}", "data.batch_size=16", "tokenizer.masks=0")
    schedule = keras.optimizers.schedules.PiecewiseConstantDecay([100], [1e30, 1e30])
    message = r"the loss became (nan|inf) at update 2, 16 sentences of up to 24 .* and 16 sentences"
    with pytest.raises(InputError, match=message):
        train(config, tmp_path / "run", report=quiet, schedule=schedule)
    run = RunDirectory(tmp_path / "run")
    assert len(run.failed_batch.read_text("utf-8").splitlines()) == 32
    assert all(np.isfinite(array).all() for array in load_arrays(run.last).values())


def test_no_memory_names_the_shape_and_the_setting(settings, tmp_path, monkeypatch):
    """Its error comes when the figures of an update are read."""

    def fail(self):
        raise jax.errors.JaxRuntimeError("RESOURCE_EXHAUSTED: Out of memory allocating 8 bytes.")

    monkeypatch.setattr(Figures, "read", fail)
    with pytest.raises(InputError, match=r"out of memory at update 2, .* data.batch_size below"):
        train(settings(), tmp_path / "run", report=quiet)
    assert RunDirectory(tmp_path / "run").last.exists()
