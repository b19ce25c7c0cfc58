"""Training a tiny run: what it leaves, how it goes on, how it stops."""

import json
import os
import shlex
import shutil
import signal
import subprocess
import sys

import numpy as np
import pytest

import translator
from tests.builders import quiet
from tests.integration.training.conftest import SMALL
from tests.training_states import assert_same_endings, train_until
from translator.base import files
from translator.base.errors import InputError
from translator.base.signals import StopOnSignal
from translator.cli import main
from translator.config.yaml_file import read_config
from translator.corpora import SentencePairs, load_corpus
from translator.evaluation.run_evaluation import measure_perplexity
from translator.runs.directory import RunDirectory
from translator.runs.exports import find_export
from translator.runs.figures import read_lines
from translator.runs.weights import load_arrays, model_weights
from translator.training.callbacks import UpdateCounter
from translator.training.start import train
from translator.training.state import read_progress


def test_a_run_leaves_its_files_and_figures(small_run):
    run = RunDirectory(small_run)
    names = {path.name for path in small_run.iterdir()}
    assert names == {
        *("config.yaml", "run.json", "source.model", "target.model"),
        *("weights.npz", "last.npz", "before-last.npz", "metrics.jsonl", "times.jsonl", "lock"),
        *("restoration.json", "lexicon.json", "confidence.json"),
        *("held-out.json", "ctranslate2"),
    }
    assert (run.export / "model.bin").is_file()
    lines = [json.loads(line) for line in run.metrics.read_text().splitlines()]
    assert [line["epoch"] for line in lines] == [1, 2]
    assert lines[-1]["val_cross_entropy"] < lines[0]["val_cross_entropy"]
    assert lines[-1]["updates"] == 2 * 7
    assert lines[-1]["val_perplexity"] == pytest.approx(
        np.exp(lines[-1]["val_cross_entropy"]), rel=1e-4
    )
    times = [json.loads(line) for line in run.times.read_text().splitlines()]
    assert [line["updates"] for line in times] == [line["updates"] for line in lines]
    assert all(line["target_tokens_per_second"] > 0 for line in times)
    assert lines[-1]["learning_rate"] == pytest.approx(4e-3)


def test_same_seed_gives_the_same_weights(small, small_run, tmp_path):
    train(small, tmp_path / "run", report=quiet)
    assert_same_endings(small_run, tmp_path / "run")


@pytest.mark.parametrize(
    ("asked_at", "said"),
    [
        ((1, 4), "epoch 2, update 5"),
        pytest.param((0, 7), "the validation of epoch 1", marks=pytest.mark.slow),
    ],
)
def test_interrupted_run_resumes_where_it_stopped(
    small, small_run, tmp_path, monkeypatch, asked_at, said
):
    """Also after the first epoch's last update, before its validation."""
    result = train_until(asked_at, small, tmp_path / "run", monkeypatch)
    assert not result.finished
    stopped = read_progress(RunDirectory(tmp_path / "run"))
    assert stopped == result.progress
    assert (stopped.epoch, stopped.batch) == asked_at
    lines = []
    assert train(small, tmp_path / "run", resume=True, report=lines.append).finished
    assert f"resuming at {said}" in lines
    assert_same_endings(small_run, tmp_path / "run")


@pytest.mark.slow
def test_validating_after_every_second_epoch_changes_no_weights(small, tmp_path, monkeypatch):
    """A run is measured after the epochs 2, 4 and 5, also when it stops after the third."""
    whole, skipping = (RunDirectory(tmp_path / name) for name in ("whole", "skipping"))
    training = small.training.model_copy(update={"epochs": 5})
    rare = small.validation.model_copy(update={"every_epochs": 2})
    small = small.model_copy(update={"training": training})
    train(small, whole.path, report=quiet)
    small = small.model_copy(update={"validation": rare})
    assert not train_until((2, 7), small, skipping.path, monkeypatch).finished
    assert train(small, skipping.path, resume=True, report=quiet).finished
    lines, all_lines = read_lines(skipping.metrics), read_lines(whole.metrics)
    assert [line["epoch"] for line in lines] == [2, 4, 5]
    losses = [all_lines[epoch - 1]["val_cross_entropy"] for epoch in (2, 4, 5)]
    assert [line["val_cross_entropy"] for line in lines] == losses
    both = [all_lines[number]["cross_entropy"] for number in (2, 3)]
    assert lines[1]["cross_entropy"] == pytest.approx(np.mean(both), rel=1e-4)
    weights, expected = load_arrays(skipping.weights), load_arrays(whole.weights)
    assert all(np.array_equal(weights[name], expected[name]) for name in expected)


def test_moving_averages_are_validated_kept_and_resumed(tiny_corpus, tmp_path, monkeypatch):
    """By hand from the weights after every step; validation changes neither."""
    momentum = 0.8
    overrides = ("training.epochs=2", "model.num_layers=1", "training.precision=float32")
    overrides += (f"training.ema_momentum={momentum}",)
    config = read_config(tiny_corpus / "config.yaml", overrides)
    note, averages = UpdateCounter.on_train_batch_end, {}

    def follow(self, batch, logs=None):
        note(self, batch, logs)
        for name, value in model_weights(self.model).items():
            averages[name] = momentum * averages.get(name, value) + (1 - momentum) * value

    with monkeypatch.context() as patched:
        patched.setattr(UpdateCounter, "on_train_batch_end", follow)
        train(config, tmp_path / "run", report=quiet)
    run = RunDirectory(tmp_path / "run")
    losses = [
        json.loads(line)["val_cross_entropy"] for line in run.metrics.read_text().splitlines()
    ]
    assert losses[1] == min(losses), "the last epoch's are kept"
    kept, state = load_arrays(run.weights), load_arrays(run.last)
    for name, average in averages.items():
        assert np.allclose(kept[name], average, atol=1e-5)
    assert any(not np.allclose(kept[name], state[f"model/{name}"], atol=1e-3) for name in kept)
    perplexity = measure_perplexity(translator.load(run.path, "keras"), validation_pairs(config))[0]
    assert np.log(perplexity) == pytest.approx(losses[1], abs=1e-3)


def validation_pairs(config) -> SentencePairs:
    """The validation split."""
    return load_corpus(config.corpus).validation


def test_signals_that_were_ignored_before_stay_ignored():
    """As under nohup."""
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with StopOnSignal() as stop:
            os.kill(os.getpid(), signal.SIGHUP)
            assert not stop.asked
            os.kill(os.getpid(), signal.SIGTERM)
            assert stop.asked
        assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, before)


@pytest.mark.slow
def test_more_epochs_at_a_learning_rate_of_0_are_refused(tiny_corpus, tmp_path, monkeypatch):
    recipe = ("model.num_layers=1", "training.schedule.name=linear")
    two, three, one = (
        read_config(tiny_corpus / "config.yaml", (*recipe, f"training.epochs={epochs}"))
        for epochs in (2, 3, 1)
    )
    train_until((0, 3), two, tmp_path / "run", monkeypatch)
    with pytest.raises(InputError, match="expected at most 2, after which the learning rate is 0"):
        train(three, tmp_path / "run", resume=True, report=quiet)
    left = [*(tmp_path / "run").glob("*last.npz"), *(tmp_path / "run").glob("*.jsonl")]
    for path in left:  # as if killed before its first checkpoint
        path.rename(tmp_path / path.name)
    with pytest.raises(InputError, match="expected at most 2, after which the learning rate is 0"):
        train(three, tmp_path / "run", resume=True, report=quiet)
    assert RunDirectory(tmp_path / "run").read_config().training.epochs == 2
    for path in left:
        (tmp_path / path.name).rename(path)
    train(one, tmp_path / "run", resume=True, report=quiet)
    assert train(two, tmp_path / "run", resume=True, report=quiet).finished
    with pytest.raises(InputError, match="expected at most 2, after which the learning rate is 0"):
        train(three, tmp_path / "run", resume=True, report=quiet)
    lines: list[str] = []
    train(two, tmp_path / "run", resume=True, report=lines.append)
    assert lines[-1] == (
        "2 epochs are done (training.epochs: 2); for more: translator train CONFIG --init"
        f" {tmp_path / 'run'}"
    )


@pytest.mark.slow
@pytest.mark.parametrize(("minutes", "saved"), [("1e-9", 3), ("10", 0)])
def test_the_state_is_saved_as_often_as_is_asked_for(
    tiny_corpus, tmp_path, monkeypatch, minutes, saved
):
    """A run that dies in its fourth update, without a validation before."""
    note = UpdateCounter.on_train_batch_end

    def die(self, batch, logs=None):
        if self.progress.batch == 3:
            raise SystemError
        note(self, batch, logs)

    monkeypatch.setattr(UpdateCounter, "on_train_batch_end", die)
    settings = (f"training.save_minutes={minutes}", "model.num_layers=1")
    with pytest.raises(SystemError):
        train(read_config(tiny_corpus / "config.yaml", settings), tmp_path / "run", report=quiet)
    assert read_progress(RunDirectory(tmp_path / "run")).batch == saved


@pytest.mark.slow
def test_what_cannot_work_is_said_before_training_and_what_to_try_after(tiny_corpus, tmp_path):
    changes = ("model.num_layers=1", "training.epochs=3", "training.schedule.warmup_steps=99")
    config, lines = read_config(tiny_corpus / "config.yaml", changes), []
    train(config, tmp_path / "run", report=lines.append)
    start = next(i for i, line in enumerate(lines) if line.startswith("training: 3 epochs"))
    said = [line for line in lines[:start] if line.startswith("warning: ")]
    later = [line for line in lines[start:] if line.startswith("warning: ")]
    assert all(line.startswith("warning: all translations are ") for line in later)
    assert [line.split(":")[1] for line in said if "warmup" in line] == [
        " training.schedule.warmup_steps"
    ]
    assert any("the validation split has 12 pairs" in line for line in said)
    first, *others = (line for line in lines if line.startswith("next: "))
    assert first.startswith("next: 39 updates are too few; 97 pairs want about 1,200: ")
    assert [line.split()[2] for line in others] == ["translate", "evaluate", "train", "attention"]
    command = shlex.split(first.partition(": translator ")[2])
    assert "training.epochs=93" in command
    main([*command, "--set", "training.epochs=1"])
    assert RunDirectory(tmp_path / "run-longer").has_finished


def test_the_name_of_a_file_in_place_of_a_config_is_refused(tiny_corpus, tmp_path):
    with pytest.raises(InputError, match="expected a Config, found str; read_config reads a file"):
        train(str(tiny_corpus / "config.yaml"), tmp_path / "run", report=quiet)
    assert not (tmp_path / "run").exists()


def test_resume_without_the_state_keeps_the_weights(small_for_three_epochs, small_copy):
    run = RunDirectory(small_copy)
    run.last.unlink()
    run.before_last.unlink()
    before = run.weights.read_bytes()
    with pytest.raises(InputError, match="last.npz: expected the state to resume from, found none"):
        train(small_for_three_epochs, small_copy, resume=True, report=quiet)
    assert run.weights.read_bytes() == before


def test_resume_of_a_finished_run_trains_no_more(small, small_copy):
    lines, run = [], RunDirectory(small_copy)
    before = run.weights.stat().st_mtime_ns
    assert train(small, small_copy, resume=True, report=lines.append).finished
    assert lines[-1].startswith("2 epochs are done (training.epochs: 2); for more: --resume")
    assert not any(line.startswith("resuming") for line in lines)
    assert run.weights.stat().st_mtime_ns == before


def test_resume_of_a_finished_run_without_its_export_writes_it(small, small_copy):
    run = RunDirectory(small_copy)
    before = run.weights.read_bytes()
    shutil.rmtree(run.export)
    lines = []
    assert train(small, small_copy, resume=True, report=lines.append).finished
    assert find_export(run, required=True) == run.export
    assert run.weights.read_bytes() == before
    assert not any(line.startswith("resuming") for line in lines)


def test_resuming_removes_what_a_killed_process_left_incomplete(small, small_copy):
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    incomplete = small_copy / f"restoration.json.{files._HOST}.{ended.pid}.part"
    incomplete.write_text("{")
    assert train(small, small_copy, resume=True, report=quiet).finished
    assert not incomplete.exists()


def test_training_goes_on_from_another_run(tiny_corpus, small_run, tmp_path):
    gently = (*SMALL, "training.epochs=1", "training.schedule.learning_rate=1e-6")
    changed = ("model.dropout_rate=0.3", f"training.init={small_run}")
    config = read_config(tiny_corpus / "config.yaml", (*gently, *changed))
    lines = []
    train(config, tmp_path / "run", report=lines.append)
    assert f"weights start from {small_run}" in lines
    before, after = (RunDirectory(path) for path in (small_run, tmp_path / "run"))
    assert before.read_record().tokenizers == after.read_record().tokenizers
    ours, theirs = (load_arrays(run.weights) for run in (before, after))
    for name, array in ours.items():
        assert np.allclose(array, theirs[name], atol=1e-4), name
    losses = [read_lines(run.metrics)[-1]["val_cross_entropy"] for run in (before, after)]
    assert losses[1] == pytest.approx(losses[0], abs=0.01)


def test_training_goes_on_from_an_export(tiny_corpus, small_run, tmp_path):
    shutil.copytree(small_run / "ctranslate2", tmp_path / "export")
    config = read_config(
        tiny_corpus / "config.yaml",
        (*SMALL, "training.epochs=1", f"training.init={tmp_path / 'export'}"),
    )
    lines = []
    train(config, tmp_path / "run", report=lines.append)
    assert f"weights start from {tmp_path / 'export'}" in lines


@pytest.mark.parametrize(
    ("changes", "folder", "message"),
    [
        ("", "run", "found a run in it already; --resume continues it"),
        ("", "letters", "other files in it already"),
        ("", "letters/letter.txt", "expected a folder for the run, found a file"),
        ("", "--resume none", "found no such folder; start it without --resume"),
        ("", "--resume letters", "expected a run directory of translator train"),
        ("tokenizer.vocab_size=5000", "new", "found 5000; 398 is the most"),
        ("training.init={0}", "new", "^training.init: .* expected a run .*, found no run.json"),
        (
            "training.init={0}/run model.dff=32",
            "new",
            r"has model\.dff: 64, found 32; set model\.dff as the run has it",
        ),
        (
            "training.init={0}/run corpus.target_language=fr",
            "new",
            r"has corpus\.target_language: 'de', found 'fr'",
        ),
    ],
)
def test_what_cannot_be_trained_is_refused_and_changes_no_file(
    tiny_corpus, small_copy, tmp_path, changes, folder, message
):
    (tmp_path / "letters").mkdir()
    (tmp_path / "letters" / "letter.txt").write_text("dear")
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")}
    said = changes.format(tmp_path).split()
    config = read_config(tiny_corpus / "config.yaml", (*SMALL, *said))
    resume, run = folder.startswith("--resume "), folder.removeprefix("--resume ")
    with pytest.raises(InputError, match=message):
        train(config, tmp_path / run, resume=resume, report=quiet)
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")} == before


@pytest.mark.slow
def test_a_schedule_without_an_end_of_its_own_ends_with_the_training(tiny_corpus, tmp_path):
    """And keeps its end when the run is resumed for more epochs."""
    recipe = ("training.schedule.name=linear", "training.schedule.final_rate=1e-4")
    recipe += ("model.num_layers=1",)

    def config(*changes):
        return read_config(tiny_corpus / "config.yaml", (*recipe, *changes))

    run = RunDirectory(tmp_path / "run")
    train(config("training.epochs=2"), run.path, report=quiet)
    total = run.read_config().training.schedule.total_steps
    lines = read_lines(run.metrics)
    assert [line["updates"] for line in lines] == [total // 2, total]
    assert lines[-1]["learning_rate"] == pytest.approx(1e-4, rel=0.5)
    train(config("training.epochs=3"), run.path, resume=True, report=quiet)
    assert run.read_config().training.schedule.total_steps == total
    with pytest.raises(InputError, match=r"warmup_steps: expected fewer than the [\d,]+ updates"):
        train(config("training.schedule.warmup_steps=9000"), tmp_path / "short", report=quiet)
    assert not (tmp_path / "short").exists()


@pytest.mark.slow
def test_r_drop_begins_after_its_epochs(tiny_corpus, small_run, tmp_path):
    r_drop = ("training.r_drop_alpha=5", "training.r_drop_after=1")
    config = read_config(tiny_corpus / "config.yaml", (*SMALL, *r_drop))
    train(config, tmp_path / "run", report=quiet)
    plain, drawn = (
        read_lines(RunDirectory(path).metrics) for path in (small_run, tmp_path / "run")
    )
    assert drawn[0] == plain[0]
    assert drawn[1]["loss"] > plain[1]["loss"] + 0.1
    cross_entropy = pytest.approx(drawn[1]["val_cross_entropy"], rel=1e-6)
    assert drawn[1]["val_loss"] == cross_entropy, "validation has no R-Drop"
    tokens = [
        time["seconds"] * time["target_tokens_per_second"]
        for time in read_lines(RunDirectory(tmp_path / "run").times)
    ]
    assert tokens[1] == pytest.approx(tokens[0], rel=0.01), "each pair counts once"
