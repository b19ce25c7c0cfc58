"""Training a tiny run: what it leaves, how it goes on, how it stops."""

import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import translator
from tests.training_states import (
    after_updates,
    assert_same_arrays,
    assert_same_endings,
    train_until,
)
from translator.base import files
from translator.base.errors import InputError
from translator.cli import main
from translator.corpora.corpus import load_corpus
from translator.evaluation.run_evaluation import measure_perplexity
from translator.runs.directory import RunDirectory
from translator.runs.exports import find_export
from translator.runs.figures import read_lines
from translator.runs.weights import load_arrays, model_weights
from translator.training.start import train
from translator.training.state import read_progress


def test_a_run_leaves_its_files_and_figures(small_run):
    run = RunDirectory(small_run)
    names = {path.name for path in small_run.iterdir()}
    assert names | {"confidence.json"} == {  # which some arithmetic has too few words for
        *("config.yaml", "run.json", "source.model", "target.model"),
        *("weights.npz", "last.npz", "before-last.npz", "metrics.jsonl", "times.jsonl", "lock"),
        *("source.words", "confidence.json"),
        *("held-out.json", "ctranslate2"),
    }
    assert (run.export / "model.bin").is_file()
    lines = read_lines(run.metrics)
    assert [line["epoch"] for line in lines] == [1, 2]
    assert lines[-1]["val_cross_entropy"] < lines[0]["val_cross_entropy"]
    assert lines[-1]["updates"] == 2 * 7
    perplexity = np.exp(lines[-1]["val_cross_entropy"])
    assert lines[-1]["val_perplexity"] == pytest.approx(perplexity, rel=1e-4)
    times = read_lines(run.times)
    assert [line["updates"] for line in times] == [line["updates"] for line in lines]
    assert all(line["target_tokens_per_second"] > 0 for line in times)
    assert lines[-1]["learning_rate"] == pytest.approx(4e-3)


@pytest.fixture(scope="session")
def stopped_run(small, build_once) -> Path:
    """That run, stopped in its second epoch, which no test changes."""

    def stop(folder: Path) -> None:
        with pytest.MonkeyPatch.context() as patch:
            result = train_until((1, 4), small, folder / "run", patch)
        progress = read_progress(RunDirectory(folder / "run"))
        assert (result.finished, result.progress, progress.epoch, progress.batch) == (
            False, progress, 1, 4
        )  # fmt: skip

    return build_once("stopped", stop) / "run"


@pytest.mark.parametrize(
    "damage", [None, "cut short", pytest.param("missing", marks=pytest.mark.slow)]
)
def test_a_stopped_run_ends_like_one_that_was_not_also_from_the_checkpoint_before(
    train_small, small_run, stopped_run, tmp_path, damage
):
    last = RunDirectory(shutil.copytree(stopped_run, tmp_path / "run")).last
    if damage == "missing":
        last.unlink()
    elif damage == "cut short":
        last.write_bytes(last.read_bytes()[:-1000])
    resumed = train_small(resume=True)
    assert resumed.result.finished
    said = f"{last}: expected an undamaged state, found damage"
    assert (said in "\n".join(resumed.lines)) == bool(damage)
    assert f"resuming at epoch 2, update {1 if damage else 5}" in resumed.lines
    assert_same_endings(small_run, resumed.run.path)


@pytest.mark.slow
def test_a_run_that_is_stopped_before_a_validation_begins_with_it(
    small, train_small, small_run, tmp_path, monkeypatch
):
    assert not train_until((0, 7), small, tmp_path / "run", monkeypatch).finished
    resumed = train_small(resume=True)
    assert "resuming at the validation of epoch 1" in resumed.lines
    assert_same_endings(small_run, resumed.run.path)


@pytest.mark.slow
def test_validating_after_every_second_epoch_changes_no_weights(
    configure, train_small, tmp_path, monkeypatch
):
    """A run is measured after the epochs 2, 4 and 5, also when it stops after the third."""
    rare = ("training.epochs=5", "validation.every_epochs=2")
    whole = train_small("training.epochs=5", name="whole").run
    assert not train_until((2, 7), configure(*rare), tmp_path / "run", monkeypatch).finished
    skipping = train_small(*rare, resume=True).run
    lines, all_lines = read_lines(skipping.metrics), read_lines(whole.metrics)
    assert [line["epoch"] for line in lines] == [2, 4, 5]
    losses = [all_lines[epoch - 1]["val_cross_entropy"] for epoch in (2, 4, 5)]
    assert [line["val_cross_entropy"] for line in lines] == losses
    both = [all_lines[number]["cross_entropy"] for number in (2, 3)]
    assert lines[1]["cross_entropy"] == pytest.approx(np.mean(both), rel=1e-4)
    assert_same_arrays(load_arrays(skipping.weights), load_arrays(whole.weights))


@pytest.mark.slow
def test_moving_averages_are_validated_and_kept(train_small, monkeypatch):
    """By hand from the weights after every step."""
    averages, momentum = {}, 0.8

    def follow(training):
        for name, value in model_weights(training.backend.look()).items():
            averages[name] = momentum * averages.get(name, value) + (1 - momentum) * value

    after_updates(monkeypatch, follow)
    run = train_small(f"training.ema_momentum={momentum}", "training.precision=float32").run
    losses = [line["val_cross_entropy"] for line in read_lines(run.metrics)]
    assert losses[1] == min(losses), "the last epoch's are kept"
    kept, state = load_arrays(run.weights), load_arrays(run.last)
    for name, average in averages.items():
        assert np.allclose(kept[name], average, atol=1e-5)
    assert any(not np.allclose(kept[name], state[f"model/{name}"], atol=1e-3) for name in kept)
    pairs = load_corpus(run.read_config().corpus).validation
    perplexity = measure_perplexity(translator.load(run.path, "keras"), pairs)[0]
    assert np.log(perplexity) == pytest.approx(losses[1], abs=1e-3)


@pytest.mark.slow
def test_more_epochs_at_a_learning_rate_of_0_are_refused(
    configure, train_small, tmp_path, monkeypatch
):
    one, two, three = (("training.schedule.name=linear", f"training.epochs={n}") for n in (1, 2, 3))
    run = RunDirectory(tmp_path / "run")

    def refuses_three() -> None:
        with pytest.raises(InputError, match="expected at most 2, because the learning rate"):
            train_small(*three, resume=True)

    train_until((0, 3), configure(*two), run.path, monkeypatch)
    refuses_three()
    left = [*run.path.glob("*last.npz"), *run.path.glob("*.jsonl")]
    for path in left:  # as if killed before its first checkpoint
        path.rename(tmp_path / path.name)
    refuses_three()
    assert run.read_config().training.epochs == 2
    for path in left:
        (tmp_path / path.name).rename(path)
    train_small(*one, resume=True)
    assert train_small(*two, resume=True).result.finished
    refuses_three()
    assert train_small(*two, resume=True).lines[-1] == (
        "2 epochs are done (training.epochs: 2); for more: translator train CONFIG --init"
        f" {run.path}"
    )


@pytest.mark.slow
@pytest.mark.parametrize(("minutes", "saved"), [("1e-9", 3), ("10", 0)])
def test_the_state_is_saved_as_often_as_is_asked_for(
    train_small, tmp_path, monkeypatch, minutes, saved
):
    """A run that dies in its fourth update, without a validation before."""

    def die(training):
        if training.progress.batch == 4:
            raise SystemError

    after_updates(monkeypatch, die)
    with pytest.raises(SystemError):
        train_small(f"training.save_minutes={minutes}")
    assert read_progress(RunDirectory(tmp_path / "run")).batch == saved


@pytest.mark.slow
def test_what_cannot_work_is_said_before_training_and_what_to_try_after(train_small, tmp_path):
    changes = ("data.batch_size=8", "training.epochs=3", "training.schedule.warmup_steps=99")
    lines = train_small(*changes).lines
    start = next(i for i, line in enumerate(lines) if line.startswith("training: 3 epochs"))
    said = [line for line in lines[:start] if line.startswith("warning: ")]
    later = [line for line in lines[start:] if line.startswith("warning: ")]
    assert all(line.startswith("warning: all translations are ") for line in later)
    assert [line.split(":")[1] for line in said if "warmup" in line] == [
        " training.schedule.warmup_steps"
    ]
    assert any("the validation split has 12 pairs" in line for line in said)
    first, *others = (line for line in lines if line.startswith("next: "))
    assert first.startswith("next: 39 updates are too few; 97 pairs need about 1,200: ")
    assert [line.split()[2] for line in others] == ["translate", "evaluate", "train", "attention"]
    command = shlex.split(first.partition(": translator ")[2])
    assert "training.epochs=93" in command
    main([*command, "--set", "training.epochs=1"])
    assert RunDirectory(tmp_path / "run-longer").has_finished


def test_resume_without_the_state_keeps_the_weights(train_small, small_copy):
    run = RunDirectory(small_copy)
    run.last.unlink()
    run.before_last.unlink()
    before = run.weights.read_bytes()
    with pytest.raises(InputError, match="last.npz: expected the state to resume from, found none"):
        train_small("training.epochs=3", resume=True)
    assert run.weights.read_bytes() == before


def test_resume_of_a_finished_run_trains_no_more_and_writes_what_is_missing(
    train_small, small_copy
):
    """And removes what a killed process left incomplete."""
    run = RunDirectory(small_copy)
    before = run.weights.stat().st_mtime_ns
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    incomplete = small_copy / f"source.words.{files._HOST}.{ended.pid}.part"
    incomplete.write_text("{")
    figures = run.metrics.read_bytes()
    run.metrics.write_bytes(figures[:-9])
    first = train_small(resume=True)
    assert run.metrics.read_bytes() == figures
    assert not incomplete.exists()
    assert first.lines[-1].startswith("2 epochs are done (training.epochs: 2); for more: --resume")
    shutil.rmtree(run.export)
    second = train_small(resume=True)
    assert find_export(run, required=True) == run.export
    assert first.result.finished
    assert second.result.finished
    assert not any(line.startswith("resuming") for line in first.lines + second.lines)
    assert run.weights.stat().st_mtime_ns == before


@pytest.mark.slow
def test_training_goes_on_from_the_export_of_another_run(train_small, small_run, tmp_path):
    export = shutil.copytree(small_run / "ctranslate2", tmp_path / "export")
    gently = ("training.epochs=1", "training.schedule.learning_rate=1e-9")
    run, lines, _ = train_small(*gently, "model.dropout_rate=0.3", f"training.init={export}")
    assert f"weights start from {export}" in lines
    before = RunDirectory(small_run)
    assert before.read_record().tokenizers == run.read_record().tokenizers
    ours, theirs = load_arrays(before.weights), load_arrays(run.weights)
    for name, array in ours.items():
        assert np.allclose(array, theirs[name], atol=1e-4), name
    old, new = (read_lines(path)[-1] for path in (before.metrics, run.metrics))
    assert new["val_cross_entropy"] == pytest.approx(old["val_cross_entropy"], abs=0.01)
    assert 0 < new["learning_rate"] <= 1e-9


@pytest.mark.parametrize(
    ("changes", "folder", "message"),
    [
        ("", "run", "found a run in it already; --resume continues it"),
        ("", "letters", "other files in it already"),
        ("", "letters/letter.txt", "expected a folder for the run, found a file"),
        ("", "--resume none", "found no such folder; start it without --resume"),
        ("", "--resume letters", "expected a run directory of translator train"),
        ("tokenizer.vocab_size=5000", "new", "found 5000; use at most 398"),
        ("training.precision=float16", "new", "precision: float16 needs a GPU, found none"),
        ("training.schedule.name=custom", "new", "schedule.name: expected another schedule, found"),
        ("training.init={0}", "new", "^training.init: .* expected a run .*, found no run.json"),
        (
            "training.init={0}/run model.dff=32",
            "new",
            r"expected model\.dff: 64 as in .*, found 32; set model\.dff to",
        ),
        (
            "training.init={0}/run corpus.target_language=fr",
            "new",
            r"expected corpus\.target_language: 'de' as in .*, found 'fr'",
        ),
    ],
)
def test_what_cannot_be_trained_is_refused_and_changes_no_file(
    configure, small_copy, tmp_path, changes, folder, message
):
    (tmp_path / "letters").mkdir()
    (tmp_path / "letters" / "letter.txt").write_text("dear")
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")}
    config = configure(*changes.format(tmp_path).split())
    resume, run = folder.startswith("--resume "), folder.removeprefix("--resume ")
    with pytest.raises(InputError, match=message):
        train(config, tmp_path / run, resume=resume, report=print)
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")} == before


@pytest.mark.slow
def test_a_schedule_without_an_end_of_its_own_ends_with_the_training(train_small, tmp_path):
    """And keeps its end when the run is resumed for more epochs."""
    linear = ("training.schedule.name=linear", "training.schedule.final_rate=1e-4")
    run = train_small(*linear).run
    total = run.read_config().training.schedule.total_steps
    lines = read_lines(run.metrics)
    assert [line["updates"] for line in lines] == [total // 2, total]
    assert lines[-1]["learning_rate"] == pytest.approx(1e-4, rel=0.5)
    train_small(*linear, "training.epochs=3", resume=True)
    assert run.read_config().training.schedule.total_steps == total
    with pytest.raises(InputError, match=r"warmup_steps: expected fewer than the [\d,]+ updates"):
        train_small(*linear, "training.schedule.warmup_steps=9000", name="short")
    assert not (tmp_path / "short").exists()


@pytest.mark.slow
def test_r_drop_begins_after_its_epochs(train_small, small_run):
    run = train_small("training.r_drop_alpha=5", "training.r_drop_after=1").run
    plain, drawn = (read_lines(path) for path in (RunDirectory(small_run).metrics, run.metrics))
    assert drawn[0] == plain[0]
    assert drawn[1]["loss"] > plain[1]["loss"] + 0.1
    cross_entropy = pytest.approx(drawn[1]["val_cross_entropy"], rel=1e-6)
    assert drawn[1]["val_loss"] == cross_entropy, "validation has no R-Drop"
    times = read_lines(run.times)
    tokens = [time["seconds"] * time["target_tokens_per_second"] for time in times]
    assert tokens[1] == pytest.approx(tokens[0], rel=0.01), "each pair counts once"
