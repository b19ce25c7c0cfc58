"""The script that trains the models that come with the program: its steps, and what stops it."""

import json
import os
import runpy
import shutil
import signal
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

from translator.config.yaml_file import read_config

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "scripts" / "train_shipped_models.py"
EPOCHS = 18  # of a teacher


@pytest.fixture
def steps(tmp_path, monkeypatch):
    """What yields the steps, in an empty folder."""
    monkeypatch.chdir(tmp_path)
    return runpy.run_path(str(SCRIPT))["steps"]


@pytest.fixture
def teacher(tmp_path) -> Path:
    """A run in the place of the first teacher, complete."""
    with tarfile.open(ROOT / "tests" / "stored_runs" / "sentencepiece.tar.xz") as archive:
        archive.extractall(tmp_path / "stored", filter="data")
    run = tmp_path / "checkpoints" / "teacher-en-de"
    shutil.move(tmp_path / "stored" / "sentencepiece", run)
    (run / "confidence.json").touch()
    return run


def end_at_epoch(run: Path, epoch: int) -> None:
    """Makes an epoch the last one of a run."""
    (run / "metrics.jsonl").write_text(json.dumps({"epoch": epoch}) + "\n", "utf-8")


def are_done(steps) -> list[str]:
    """The names of what is there already."""
    return [step.output.name for step in steps(1) if step.is_done]


def test_steps_are_in_order_and_begin_with_nothing_done(steps):
    first = ["synthetic-first", "en-de-first", "de-en-first"]
    names = ["teacher-en-de", "teacher-de-en", "tatoeba-best", *first, "synthetic"]
    assert [step.output.name for step in steps(1)] == [*names, "en-de", "en-de", "de-en", "de-en"]
    assert are_done(steps) == []
    assert not any("--resume" in step.command for step in steps(1))
    assert "training.seed=2" in next(s for s in steps(2) if s.output.name == "en-de-seed-2").command


def test_a_complete_run_is_left_out(steps, teacher):
    assert read_config("tatoeba-teacher").training.epochs == EPOCHS
    end_at_epoch(teacher, EPOCHS)
    assert are_done(steps) == ["teacher-en-de"]


def test_a_run_of_fewer_epochs_than_its_configuration_is_resumed(steps, teacher):
    end_at_epoch(teacher, EPOCHS - 1)
    config = (teacher / "config.yaml").read_text("utf-8")
    assert config.count("epochs: 60") == 1
    (teacher / "config.yaml").write_text(config.replace("epochs: 60", f"epochs: {EPOCHS - 1}"))
    assert are_done(steps) == []
    assert ["--resume" in step.command for step in steps(1)] == [True, *[False] * 10]


@pytest.mark.parametrize("missing", ["restoration.json", "ctranslate2", "metrics.jsonl"])
def test_a_run_that_was_not_completed_is_resumed(steps, teacher, missing):
    end_at_epoch(teacher, EPOCHS)
    path = teacher / missing
    shutil.rmtree(path) if path.is_dir() else path.unlink()
    first = next(steps(1))
    assert not first.is_done
    assert first.command[-1] == "--resume"


def test_a_run_of_an_earlier_version_is_calibrated(steps, teacher):
    end_at_epoch(teacher, EPOCHS)
    (teacher / "confidence.json").unlink()
    first = next(steps(1))
    assert not first.is_done
    assert first.command[-2:] == ["calibrate", str(first.output)]


def test_a_run_whose_training_has_not_come_to_an_end_is_resumed(steps, teacher):
    end_at_epoch(teacher, EPOCHS)
    record = json.loads((teacher / "run.json").read_text("utf-8"))
    (teacher / "run.json").write_text(json.dumps({**record, "finished": False}), "utf-8")
    assert are_done(steps) == []


def test_synthetic_pairs_need_both_languages(steps):
    Path("checkpoints").mkdir()
    Path("checkpoints/synthetic.en").touch()
    assert are_done(steps) == []
    Path("checkpoints/synthetic.de").touch()
    assert are_done(steps) == ["synthetic"]


@pytest.mark.parametrize("direction", ["en-de", "de-en"])
def test_a_first_model_begins_as_its_teacher_and_learns_from_its_translations(steps, direction):
    command = next(step for step in steps(1) if step.output.name == f"{direction}-first").command
    settings = [part for before, part in zip(command, command[1:]) if before == "--set"]
    config = read_config(direction, tuple(settings))
    assert config.training.init == f"checkpoints/teacher-{direction}"
    files = [str(path) for path in config.corpus.synthetic.paths]
    assert files == [f"checkpoints/synthetic-first.{code}" for code in direction.split("-")]


TRAINING = """
import signal, sys, time
def save(number, frame):
    time.sleep(1)
    open("saved", "a").write(f"{signal.Signals(number).name} ")
    sys.exit(130)
signal.signal(signal.SIGINT, save)
signal.signal(signal.SIGTERM, save)
print("training", flush=True)
time.sleep(60)
"""
PARENT = """
import runpy, sys
from pathlib import Path
main = runpy.run_path(sys.argv[1])["main"]
Step = main.__globals__["Step"]
two = [Step(Path(name), False, ["-c", sys.argv[2]]) for name in ("first", "second")]
main.__globals__["steps"] = lambda seed: two
sys.argv[1:] = []
main()
"""


@pytest.mark.parametrize(
    ("number", "send"), [(signal.SIGINT, os.killpg), (signal.SIGTERM, os.kill)]
)
def test_a_training_saves_before_the_script_ends_at_a_signal(tmp_path, number, send):
    command = [sys.executable, "-c", PARENT, str(SCRIPT), TRAINING]
    with subprocess.Popen(
        command, cwd=tmp_path, stdout=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        lines = iter(process.stdout.readline, "")
        assert next(lines).startswith("first: python -c")
        next(line for line in lines if line == "training\n")
        send(process.pid, number)  # Ctrl-C goes to the group of processes, SIGTERM to one
        assert "second" not in "".join(lines)
        assert process.wait(30) == 130
    assert (tmp_path / "saved").read_text() == f"{number.name} "


def test_the_teachers_and_the_models_fit_each_other():
    for direction in ("en-de", "de-en"):
        model, teacher = read_config(direction), read_config("tatoeba-teacher")
        assert f"{model.corpus.source_language}-{model.corpus.target_language}" == direction
        assert model.tokenizer == teacher.tokenizer
        assert model.training.init == f"checkpoints/{direction}-first"
        files = [str(path) for path in model.corpus.synthetic.paths]
        assert files == [f"checkpoints/synthetic.{code}" for code in direction.split("-")]
        sizes = {"dropout_rate"}
        assert model.model.model_dump(exclude=sizes) == teacher.model.model_dump(exclude=sizes)
