"""The script that trains the models that come with the program: its steps, and what stops it."""

import io
import itertools
import os
import runpy
import shutil
import signal
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

from translator.base.errors import InputError
from translator.config.yaml_file import read_config
from translator.runs.directory import RunDirectory

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "tools" / "train_shipped_models.py"


@pytest.fixture
def script(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return runpy.run_path(str(SCRIPT))


@pytest.fixture
def steps(script):
    return script["steps"]


def test_steps_are_in_order_and_those_of_a_run_that_has_begun_resume_it(steps):
    parts = "synthetic-{0} grown-{0} {0} {0}-finished {0}-last {0}-final {0}-closing {0}"
    names = [name for model in ("en-de", "de-en") for name in parts.format(model).split()]
    assert [step.output.name for step in steps(1)] == names
    assert not any("--resume" in step.command for step in steps(1))
    for name in ("de-en", "grown-de-en"):
        Path(f"checkpoints/{name}").mkdir(parents=True)
        Path(f"checkpoints/{name}/run.json").touch()
    resumed = [step.output.name for step in steps(1) if "--resume" in step.command]
    assert resumed == ["de-en"]
    assert "grown-de-en" not in {step.output.name for step in steps(1)}


def test_another_seed_changes_the_models_alone(steps):
    ours = {step.output: step.command for step in steps(1)}
    others = {step.output: step.command for step in steps(2) if step.output not in ours}
    parts = ("", "-finished", "-last", "-final", "-closing", "-closing/shipped")
    assert list(map(str, others)) == [
        f"checkpoints/{name}-seed-2{part}" for name in ("en-de", "de-en") for part in parts
    ]
    for name in ("en-de-seed-2", "de-en-seed-2"):
        assert "training.seed=2" in others[Path("checkpoints") / name]
        for before, part in itertools.pairwise(parts[:-1]):
            further = others[Path("checkpoints") / f"{name}{part}"]
            assert "training.seed=2" in further
            assert f"training.init=checkpoints/{name}{before}" in further


def test_the_last_epochs_draw_phrases_more_often(steps):
    last = next(step for step in steps(1) if step.output.name == "de-en-closing")
    settings = last.command[last.command.index("--set") + 1 :: 2]
    config = read_config(ROOT / "configs" / "de-en.yaml", tuple(settings))
    assert [each.weight for each in config.corpora] == [4.0, 1.6, 1.3]
    assert config.corpora[1].train.tsv == "checkpoints/phrases-de-en.tsv"
    assert config.training.init == "checkpoints/de-en-final"


def test_both_models_before_translate_for_each_direction(steps):
    said = {step.output.name: " ".join(step.command) for step in steps(1)}
    kept = "--keep 1 --least-chrf 40 --margin 0.25 --least-score -0.35 --out checkpoints/synthetic"
    before = "checkpoints/code-of-e48b78b"
    english, german = (f"{before}/translator/shipped/{name}" for name in ("en-de", "de-en"))
    script = f"{before}/tools/make_synthetic_pairs.py --forward"
    assert said["synthetic-en-de"] == f"{script} {english} --backward {german} {kept}-en-de"
    assert said["synthetic-de-en"] == f"{script} {german} --backward {english} {kept}-de-en"
    paths = {step.output.name: step.path for step in steps(1)}
    assert str(paths["synthetic-en-de"]) == before
    assert paths["en-de"] is None


def test_the_code_before_comes_from_the_history(script, monkeypatch, tmp_path):
    fetch, folder = script["fetch_code_before"], tmp_path / "before"
    with pytest.raises(InputError, match="^git: expected commit e48b78b, .* git fetch --unshallow"):
        fetch(folder)
    assert not folder.exists()
    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode="w") as tar:
        tar.addfile(tarfile.TarInfo("en-de/config.yaml"))
    git = subprocess.CompletedProcess((), 0, archive.getvalue())
    monkeypatch.setattr(subprocess, "run", lambda command, **options: git)
    fetch(folder)
    assert (folder / "en-de" / "config.yaml").exists()
    git.returncode = 128
    fetch(folder)  # which is there already


def test_what_ships_has_no_pairs_of_the_corpus(script, tmp_path):
    shutil.copy(ROOT / "translator" / "shipped" / "en-de" / "run.json", tmp_path)
    (tmp_path / "held-out.json").touch()
    export = RunDirectory(tmp_path)
    files = {**export.read_record().files, "held-out.json": 1}
    export.read_record()._replace(files=files).write(tmp_path)
    for _ in range(2):
        script["leave_out_pairs"](export)
        assert not export.held_out.exists()
        assert "model.bin" in export.read_record().files
        assert "held-out.json" not in export.read_record().files


def test_phrases_are_those_of_few_words_in_the_order_of_the_direction(script, tmp_path):
    script["write_phrases"]("de-en", tmp_path / "phrases.tsv")
    lines = (tmp_path / "phrases.tsv").read_text("utf-8").splitlines()
    assert {"Abbrechen\tCancel", "Hallo Welt!\tHello world!", "Hallo Welt\tHello world"} <= {*lines}
    assert all(len(line.split("\t")[0].split()) <= 3 for line in lines)
    assert len(lines) > 5_000


def test_a_step_that_fails_ends_the_script_with_advice(script, tmp_path, monkeypatch):
    archive = tmp_path / "archive"
    archive.touch()
    failing = script["Step"](Path("first"), ["-c", "raise SystemExit(2)"])
    monkeypatch.setitem(script["main"].__globals__, "steps", lambda seed: [failing])
    monkeypatch.setitem(script["main"].__globals__, "fetch_corpus", lambda name: [archive])
    monkeypatch.setitem(script["main"].__globals__, "fetch_code_before", lambda folder: None)
    monkeypatch.setitem(script["main"].__globals__, "write_phrases", lambda *arguments: None)
    monkeypatch.setattr(sys, "argv", ["train_shipped_models.py"])
    with pytest.raises(InputError, match="first: expected to make it, found exit code 2; do what"):
        script["main"]()


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
two = [Step(Path(name), ["-c", sys.argv[2]]) for name in ("first", "second")]
main.__globals__["steps"] = lambda seed: two
main.__globals__["fetch_code_before"] = lambda folder: None
main.__globals__["write_phrases"] = lambda direction, path: None
main.__globals__["fetch_corpus"] = lambda name, archive=Path(sys.argv[1]): [archive]
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
        assert "not the file of 2018-05-13" in next(lines)
        assert next(lines).startswith("first: python -c")
        next(line for line in lines if line == "training\n")
        send(process.pid, number)  # Ctrl-C goes to the group of processes, SIGTERM to one
        assert "second" not in "".join(lines)
        assert process.wait(30) == 130
    assert (tmp_path / "saved").read_text() == f"{number.name} "


@pytest.mark.parametrize("direction", ["en-de", "de-en"])
def test_a_model_begins_as_the_one_before_and_learns_from_translations(direction):
    model = read_config(direction)
    assert "-".join(model.corpus.languages) == direction
    assert [each.name for each in model.corpora] == ["phrasebook", "files", "files"]
    assert model.training.init == f"checkpoints/grown-{direction}"
    files = [str(path) for path in model.corpora[-1].train.paths]
    assert files == [f"checkpoints/synthetic-{direction}.{code}" for code in direction.split("-")]
