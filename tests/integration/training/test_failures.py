"""Failures of a training: a NaN loss, no memory, a full disk, a damaged checkpoint."""

import errno
import os
import shutil
import signal

import numpy as np
import pytest

from tests.training_states import after_updates, assert_same_endings, train_until
from translator.base.errors import InputError
from translator.base.lock import locked
from translator.runs.directory import RunDirectory
from translator.runs.figures import read_lines
from translator.runs.weights import load_arrays, save_arrays
from translator.training import start, state
from translator.training.backends import Figures
from translator.training.backends.tensorflow import TensorFlowBackend


def at_update(monkeypatch, number: int, act) -> None:
    """Acts after an update."""

    def act_there(training):
        if training.progress.epoch * 7 + training.progress.batch == number:
            act(training)

    after_updates(monkeypatch, act_there)


def test_a_nan_loss_names_the_update_and_its_sentences(
    train_small, computes_nothing, tmp_path, monkeypatch
):
    without_loss = Figures(np.float32([np.nan, 1, 9, 1, 0.5, 1]))
    at_update(monkeypatch, 9, lambda training: setattr(training, "unread", without_loss))
    message = (
        r"the loss became nan at update 9, 16 sentences of up to \d+ source and \d+ target tokens,"
        r" such as '.*' with '.*' \(all of them: .*failed-batch.tsv\); .*clip_grad_norm=1"
    )
    with pytest.raises(InputError, match=message):
        train_small()
    run = RunDirectory(tmp_path / "run")
    lines = run.failed_batch.read_text("utf-8").splitlines()
    assert len(lines) == 16
    assert all(line.count("\t") == 1 and line.startswith("The ") for line in lines)
    assert state.read_progress(run).epoch == 1, "the last good checkpoint stays"


@pytest.mark.slow
@pytest.mark.parametrize(("update", "stops"), [(14, False), (8, True)])
def test_non_finite_weights_are_not_saved(train_small, tmp_path, monkeypatch, update, stops):
    """The update before the loss shows it: at the end of an epoch, or where a user stops."""

    def spoil(training):
        variable = training.backend.model.trainable_variables[0]
        variable.assign(variable * np.inf)
        if stops:
            os.kill(os.getpid(), signal.SIGINT)

    at_update(monkeypatch, update, spoil)
    with pytest.raises(
        InputError, match="expected (finite weights|a finite loss), found .*; train again"
    ):
        train_small()
    run = RunDirectory(tmp_path / "run")
    assert state.read_progress(run).epoch == 1
    for path in (run.last, run.weights):
        arrays = load_arrays(path)
        assert all(np.isfinite(arrays[name]).all() for name in arrays if "embed" in name)


def test_no_memory_names_the_shape_and_the_setting(
    train_small, computes_nothing, tmp_path, monkeypatch
):
    import tensorflow as tf

    def fail(training):
        raise tf.errors.ResourceExhaustedError(None, None, "OOM when allocating tensor")

    at_update(monkeypatch, 8, fail)
    message = (
        r"out of memory at update \d, 16 sentences of up to \d+ source and \d+ target tokens; train"
        r" again with data.batch_size below 16, and with training.accumulation_steps=2"
    )
    with pytest.raises(InputError, match=message):
        train_small()
    assert state.read_progress(RunDirectory(tmp_path / "run")).epoch == 1


@pytest.mark.parametrize(
    ("loss", "message"),
    [
        (
            None,
            r"out of memory in validation, batches of up to \d+ sentences, \d+ source and \d+ t",
        ),
        (float("nan"), "expected a finite loss, found nan; train again"),
    ],
)
def test_a_failure_of_validation_is_named(
    train_small, computes_nothing, tmp_path, monkeypatch, loss, message
):
    def measure(*_):
        if loss is None:
            raise MemoryError
        return {"cross_entropy": loss, "accuracy": 0.0, "loss": loss}

    monkeypatch.setattr(TensorFlowBackend, "measure", measure)
    with pytest.raises(InputError, match=message):
        train_small()
    assert read_lines(RunDirectory(tmp_path / "run").metrics) == []


def test_a_state_that_cannot_be_gone_on_from_is_named(train_small, small_copy):
    run = RunDirectory(small_copy)
    arrays = load_arrays(run.last)
    del arrays["seeds/0"]
    save_arrays(run.last, arrays)
    with pytest.raises(InputError, match=r"last.npz: expected the state of .* found no seeds/0"):
        train_small(resume=True)
    for path in (run.last, run.before_last):
        path.write_bytes(path.read_bytes()[:1000])
    with pytest.raises(InputError, match="before-last.npz: expected undamaged weights"):
        train_small(resume=True)


@pytest.mark.slow
def test_a_full_disk_ends_the_run_and_resume_goes_on(train_small, small_run, tmp_path, monkeypatch):
    """The disk is full while the last checkpoint is written, and no more when it goes on."""
    run = RunDirectory(tmp_path / "run")
    saved: list[bool] = []

    class Unwritable:
        def __array__(self, dtype=None, copy=None):
            raise OSError(errno.ENOSPC, "No space left on device")

    def fill(path, arrays, *others):
        saved.append("optimizer/iteration" in arrays)
        save_arrays(
            path, {**arrays, "more": Unwritable()} if saved.count(True) == 3 else arrays, *others
        )

    with monkeypatch.context() as patched:
        patched.setattr("translator.runs.weights.save_arrays", fill)
        with pytest.raises(OSError, match="No space left on device") as caught:
            train_small()
    assert caught.value.filename == str(run.last)
    assert state.read_progress(run).epoch == 1
    assert list(run.path.rglob("*.part")) == []
    assert train_small(resume=True).result.finished
    assert_same_endings(small_run, run.path)


def test_a_run_that_another_process_trains_is_refused(train_small, small_copy):
    before = {path: path.stat().st_mtime_ns for path in small_copy.iterdir()}
    message = "expected a run that no other process trains, found another"
    with locked(small_copy), pytest.raises(InputError, match=message):
        train_small(resume=True)
    unlocked = {path: path.stat().st_mtime_ns for path in before if path.name != "lock"}
    assert unlocked.items() <= before.items()


def test_a_corpus_that_changed_is_refused(configure, train_small, tmp_path, monkeypatch):
    settings = []
    for split in ("train", "validation"):
        shutil.copy(configure().corpus.split_paths[split][0], tmp_path / f"{split}.tsv")
        settings.append(f"corpus.{split}.tsv={tmp_path}/{split}.tsv")
    more = tmp_path / "more.tsv"
    more.write_text("A zebra runs.\tEin Zebra rennt.\n", "utf-8")
    settings.append(f"corpora=[{{train: {more}, weight: 1}}]")
    train_until((0, 1), configure(*settings), tmp_path / "run", monkeypatch)
    for path, changed in ((more, "training pairs have"), (tmp_path / "train.tsv", "corpus has")):
        with open(path, "a", encoding="utf-8") as file:
            file.write("The man sleeps.\tDer Mann schläft.\n")
        with pytest.raises(InputError, match=f"its {changed} changed since the run began"):
            train_small(*settings, resume=True)


def test_other_settings_are_refused_before_keras_starts(train_small, small_copy, monkeypatch):
    monkeypatch.setattr(start, "start_backend", None)
    with pytest.raises(InputError, match="the run began with other settings: model.dff"):
        train_small("model.dff=40", resume=True)
