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
EPOCHS = 16  # of the first teacher


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
    run = tmp_path / "checkpoints" / "tatoeba-best"
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
    en_de, de_en = ([f"synthetic-{name}", name, name] for name in ("en-de", "de-en"))
    names = ["tatoeba-best", "teacher-de-en", *en_de, *de_en]
    assert [step.output.name for step in steps(1)] == names
    assert are_done(steps) == []
    assert not any("--resume" in step.command for step in steps(1))


def test_another_seed_changes_the_models_alone(steps):
    ours = {step.output: step.command for step in steps(1)}
    others = {step.output: step.command for step in steps(2) if step.output not in ours}
    models = ["en-de-seed-2", "de-en-seed-2"]
    assert list(map(str, others)) == [
        path for name in models for path in (f"checkpoints/{name}", f"checkpoints/{name}/shipped")
    ]
    for name in models:
        assert "training.seed=2" in others[Path("checkpoints") / name]


def test_a_complete_run_is_left_out(steps, teacher):
    end_at_epoch(teacher, EPOCHS)
    assert are_done(steps) == ["tatoeba-best"]


def test_a_run_of_fewer_epochs_than_its_configuration_is_resumed(steps, teacher):
    end_at_epoch(teacher, EPOCHS - 1)
    config = (teacher / "config.yaml").read_text("utf-8")
    assert config.count("epochs: 60") == 1
    (teacher / "config.yaml").write_text(config.replace("epochs: 60", f"epochs: {EPOCHS - 1}"))
    assert are_done(steps) == []
    assert ["--resume" in step.command for step in steps(1)] == [True, *[False] * 7]


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
    Path("checkpoints/synthetic-en-de.en").touch()
    assert are_done(steps) == []
    Path("checkpoints/synthetic-en-de.de").touch()
    assert are_done(steps) == ["synthetic-en-de"]


def test_both_teachers_translate_for_each_direction(steps):
    said = {step.output.name: " ".join(step.command) for step in steps(1)}
    kept = "--least-chrf 40 --margin 0.25 --least-score -0.35 --out checkpoints/synthetic"
    english, german = "checkpoints/tatoeba-best", "checkpoints/teacher-de-en"
    script = "scripts/make_synthetic_pairs.py --forward"
    assert said["synthetic-en-de"] == f"{script} {english} --backward {german} {kept}-en-de"
    assert said["synthetic-de-en"] == f"{script} {german} --backward {english} {kept}-de-en"


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


@pytest.mark.parametrize(
    ("direction", "teacher"), [("en-de", "tatoeba-best"), ("de-en", "teacher-de-en")]
)
def test_a_model_begins_as_its_teacher_and_learns_from_its_translations(steps, direction, teacher):
    command = next(step.command for step in steps(1) if step.output.name == teacher)
    settings = [part for before, part in zip(command, command[1:]) if before == "--set"]
    taught_by, model = read_config("tatoeba-best", tuple(settings)), read_config(direction)
    assert "-".join(model.corpus.languages) == "-".join(taught_by.corpus.languages) == direction
    assert model.training.init == f"checkpoints/{teacher}"
    files = [str(path) for path in model.corpus.synthetic.paths]
    assert files == [f"checkpoints/synthetic-{direction}.{code}" for code in direction.split("-")]
    assert (model.tokenizer, model.model) == (taught_by.tokenizer, taught_by.model)
