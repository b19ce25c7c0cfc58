"""Failures of a training: a NaN loss, no memory, a full disk, a damaged checkpoint."""

import errno
import os
import shutil
import signal

import keras
import numpy as np
import pytest

from tests.builders import quiet
from tests.training_states import assert_same_endings
from translator.base.errors import InputError
from translator.config.yaml_file import read_config, replace_values
from translator.runs.directory import RunDirectory
from translator.runs.figures import read_lines
from translator.runs.weights import load_arrays, save_arrays
from translator.training import start, state
from translator.training.callbacks import UpdateCounter
from translator.training.start import train

ONE_EPOCH = ("model.num_layers=1", "training.epochs=1")


def at_update(monkeypatch, number: int, act) -> None:
    """Acts instead of the callback after an update."""
    note = UpdateCounter.on_train_batch_end

    def act_there(self, batch, logs=None):
        if self.progress.epoch * 7 + self.progress.batch + 1 == number:
            act(self, logs)
        note(self, batch, logs)

    monkeypatch.setattr(UpdateCounter, "on_train_batch_end", act_there)


def test_a_nan_loss_names_the_update_and_its_sentences(small, tmp_path, monkeypatch):
    at_update(monkeypatch, 9, lambda callback, logs: logs.update(loss=float("nan")))
    message = (
        r"the loss became nan at update 9, 16 sentences of up to \d+ source and \d+ target tokens,"
        r" such as '.*' with '.*' \(all of them: .*failed-batch.tsv\); .*clip_grad_norm=1"
    )
    with pytest.raises(InputError, match=message):
        train(small, tmp_path / "run", report=quiet)
    run = RunDirectory(tmp_path / "run")
    lines = run.failed_batch.read_text("utf-8").splitlines()
    assert len(lines) == 16
    assert all(line.count("\t") == 1 and line.startswith("The ") for line in lines)
    assert state.read_progress(run).epoch == 1, "the last good checkpoint stays"


@pytest.mark.slow
@pytest.mark.parametrize(("update", "stops"), [(14, False), (8, True)])
def test_non_finite_weights_are_not_saved(small, tmp_path, monkeypatch, update, stops):
    """The update before the loss shows it: at the end of an epoch, or where a user stops."""

    def spoil(callback, logs):
        variable = callback.model.trainable_variables[0]
        variable.assign(variable * np.inf)
        if stops:
            os.kill(os.getpid(), signal.SIGINT)

    at_update(monkeypatch, update, spoil)
    with pytest.raises(
        InputError, match="expected (finite weights|a finite loss), found .*; train again"
    ):
        train(small, tmp_path / "run", report=quiet)
    run = RunDirectory(tmp_path / "run")
    assert state.read_progress(run).epoch == 1
    for path in (run.last, run.weights):
        arrays = load_arrays(path)
        assert all(np.isfinite(arrays[name]).all() for name in arrays if "embed" in name)


def test_no_memory_names_the_shape_and_the_setting(small, tmp_path, monkeypatch):
    import tensorflow as tf

    def fail(callback, logs):
        raise tf.errors.ResourceExhaustedError(None, None, "OOM when allocating tensor")

    at_update(monkeypatch, 9, fail)
    message = (
        r"out of memory at update \d, 16 sentences of up to \d+ source and \d+ target tokens; train"
        r" again with a lower data.batch_size \(16\), and training.accumulation_steps=2"
    )
    with pytest.raises(InputError, match=message):
        train(small, tmp_path / "run", report=quiet)
    assert state.read_progress(RunDirectory(tmp_path / "run")).epoch == 1


def test_no_memory_in_validation_names_its_batches(small, tmp_path, monkeypatch):
    def fail(*_, **__):
        raise MemoryError

    monkeypatch.setattr(keras.Model, "evaluate", fail)
    message = r"out of memory in validation, batches of up to \d+ sentences, \d+ source and \d+ tar"
    with pytest.raises(InputError, match=message):
        train(small, tmp_path / "run", report=quiet)


def test_a_nan_validation_loss_stops_the_run(small, tmp_path, monkeypatch):
    figures = {"cross_entropy": float("nan"), "accuracy": 0.0, "loss": float("nan")}
    monkeypatch.setattr(keras.Model, "evaluate", lambda *_, **__: figures)
    with pytest.raises(InputError, match="expected a finite loss, found nan; train again"):
        train(small, tmp_path / "run", report=quiet)
    assert read_lines(RunDirectory(tmp_path / "run").metrics) == []


def test_a_state_without_all_that_it_needs_is_named(small, small_copy):
    run = RunDirectory(small_copy)
    arrays = load_arrays(run.last)
    del arrays["seeds/0"]
    save_arrays(run.last, arrays)
    with pytest.raises(InputError, match=r"last.npz: expected the state of .* found no seeds/0"):
        train(small, run.path, resume=True, report=quiet)


@pytest.mark.slow
def test_a_full_disk_ends_the_run_and_resume_goes_on(small, small_run, tmp_path, monkeypatch):
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
        patched.setattr("translator.runs.directory.save_arrays", fill)
        with pytest.raises(OSError, match="No space left on device") as caught:
            train(small, run.path, report=quiet)
    assert caught.value.filename == str(run.last)
    assert state.read_progress(run).epoch == 1
    assert list(run.path.rglob("*.part")) == []
    assert train(small, run.path, resume=True, report=quiet).finished
    assert_same_endings(small_run, run.path)


@pytest.mark.parametrize("damage", ["cut short", pytest.param("missing", marks=pytest.mark.slow)])
def test_a_run_resumes_from_the_checkpoint_before_a_damaged_one(
    small_copy, small_for_three_epochs, resumed_run, damage
):
    run = RunDirectory(small_copy)
    if damage == "cut short":
        run.last.write_bytes(run.last.read_bytes()[:-1000])
    else:
        run.last.unlink()
    lines = []
    assert train(small_for_three_epochs, run.path, resume=True, report=lines.append).finished
    assert f"{run.last}: expected the latest state undamaged, found damage" in "\n".join(lines)
    assert_same_endings(run.path, resumed_run)


def test_two_damaged_checkpoints_are_reported(small, small_copy):
    run = RunDirectory(small_copy)
    for path in (run.last, run.before_last):
        path.write_bytes(path.read_bytes()[:1000])
    with pytest.raises(InputError, match="before-last.npz: expected undamaged weights"):
        train(small, run.path, resume=True, report=quiet)


def test_a_run_that_another_process_trains_is_refused(small, small_copy):
    from translator.base.lock import locked

    before = {path: path.stat().st_mtime_ns for path in small_copy.iterdir()}
    with (
        locked(small_copy),
        pytest.raises(
            InputError, match="expected a run that no other process trains, found another"
        ),
    ):
        train(small, small_copy, resume=True, report=quiet)
    unlocked = {path: path.stat().st_mtime_ns for path in before if path.name != "lock"}
    assert unlocked.items() <= before.items()


def test_a_corpus_that_changed_is_refused(tiny_corpus, tmp_path):
    folder = tmp_path / "corpus"
    shutil.copytree(tiny_corpus, folder)
    text = (folder / "config.yaml").read_text("utf-8").replace(str(tiny_corpus), str(folder))
    (folder / "config.yaml").write_text(text, "utf-8")
    more = folder / "more.tsv"
    more.write_text("A zebra runs.\tEin Zebra rennt.\n", "utf-8")
    added = f"corpora=[{{train: {more}, weight: 1}}]"
    train(read_config(folder / "config.yaml", (*ONE_EPOCH, added)), tmp_path / "run", report=quiet)
    longer = ("model.num_layers=1", "training.epochs=2", added)
    for path, changed in ((more, "training pairs have"), (folder / "train.tsv", "corpus has")):
        with open(path, "a", encoding="utf-8") as file:
            file.write("The man sleeps.\tDer Mann schläft.\n")
        with pytest.raises(InputError, match=f"its {changed} changed since the run began"):
            train(
                read_config(folder / "config.yaml", longer),
                tmp_path / "run",
                resume=True,
                report=quiet,
            )


def test_a_channel_of_other_languages_is_refused_before_a_model_is_made(small, tmp_path):
    config = replace_values(small, {"decoding.channel": "en-de"}, "test")
    with pytest.raises(InputError, match=r"^decoding.channel: expected a run from de to en with"):
        train(config, tmp_path / "run", report=quiet)
    assert not (tmp_path / "run").exists()


def test_other_settings_are_refused_before_keras_starts(small, small_run, monkeypatch):
    monkeypatch.setattr(start, "_start", None)
    config = replace_values(small, {"model.dff": 40}, "test")
    with pytest.raises(InputError, match="the run began with other settings: model.dff"):
        train(config, small_run, resume=True, report=quiet)
