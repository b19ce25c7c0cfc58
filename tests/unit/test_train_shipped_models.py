"""The tool that trains the models that come with the program, here and on a lent GPU."""

import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from tools import train_shipped_models as tool
from translator.base.cache import home
from translator.base.errors import InputError
from translator.config.yaml_file import read_config
from translator.runs.directory import RunDirectory

write_phrases = tool.write_phrases
SHIPPED = Path(__file__).parents[2] / "translator" / "shipped"


@pytest.fixture(autouse=True)
def empty_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(tool, "write_phrases", lambda direction, path: None)
    monkeypatch.setattr(tool, "fetch_archives", lambda: [])
    monkeypatch.setattr(tool, "decide_encoding", lambda config, initial, report: None)


def run_tool(monkeypatch, *arguments):
    monkeypatch.setattr(sys, "argv", ["train_shipped_models", *arguments])
    tool.main()


def test_both_directions_have_one_recipe_and_only_german_has_forms_of_address():
    both = [read_config(name).model_dump() for name in tool.DIRECTIONS]
    for name, config in zip(tool.DIRECTIONS, both):
        corpus, phrases = config["corpus"], config["corpora"][1]["train"]
        assert f"{corpus['source_language']}-{corpus['target_language']}" == name
        assert phrases["tsv"] == f"checkpoints/phrases-{name}.tsv"
        assert list(config["tokenizer"].pop("tags")) == ["formal", "informal"] * (name == "en-de")
        del config["corpus"], config["corpora"]
    assert both[0] == both[1]


def test_here_a_run_that_has_begun_goes_on_and_one_that_is_stopped_ends_it(monkeypatch):
    Path("checkpoints/de-en").mkdir(parents=True)
    Path("checkpoints/de-en/run.json").touch()
    asked, shipped, is_stopped = [], [], []

    def train(config, path, resume, report, deterministic):
        asked.append((path.name, resume, config.training.epochs))
        return SimpleNamespace(finished=path.name not in is_stopped)

    monkeypatch.setattr(tool, "train", train)
    monkeypatch.setattr(tool, "ship", lambda run: shipped.append(run.path.name))
    run_tool(monkeypatch, "--set", "training.epochs=3")
    assert asked == [("en-de", False, 3), ("de-en", True, 3)]
    assert shipped == ["en-de", "de-en"]
    is_stopped.append("en-de")
    with pytest.raises(SystemExit, match="130"):
        run_tool(monkeypatch)
    assert (len(asked), len(shipped)) == (3, 2)


def test_what_ships_has_no_pairs_of_the_corpus(monkeypatch, tmp_path):
    def export(run, folder, quantization):
        assert (folder, quantization) == (Path("translator/shipped/en-de"), "int8")
        shutil.copy(SHIPPED / "en-de" / "run.json", tmp_path)
        (tmp_path / "held-out.json").touch()
        written = RunDirectory(tmp_path)
        files = {**written.read_record().files, "held-out.json": 1}
        written.read_record()._replace(files=files).write(tmp_path)
        return tmp_path

    monkeypatch.setattr(tool, "export_run", export)
    tool.ship(RunDirectory("checkpoints/en-de"))
    files = RunDirectory(tmp_path).read_record().files
    assert "model.bin" in files
    assert "held-out.json" not in files
    assert not (tmp_path / "held-out.json").exists()


def test_phrases_are_those_of_few_words_in_the_order_of_the_direction(tmp_path):
    write_phrases("de-en", tmp_path / "phrases.tsv")
    lines = (tmp_path / "phrases.tsv").read_text("utf-8").splitlines()
    assert {"Abbrechen\tCancel", "Hallo Welt!\tHello world!", "Hallo Welt\tHello world"} <= {*lines}
    assert all(len(line.split("\t")[0].split()) <= 3 for line in lines)
    assert len(lines) > 5_000


class FakeTraining:
    """A process that writes a run, and goes on until it is told to end."""

    def __init__(self, command, env):
        options = dict(zip(command[5::2], command[6::2]))
        assert Path(env["TRANSLATOR_HOME"], "encoded").read_text() == "pairs"
        assert "training.epochs=2" in command
        run = RunDirectory(options["--run"])
        run.path.mkdir()
        shutil.copy(SHIPPED / "en-de" / "run.json", run.path)
        run.last.touch()
        run.write_weights(run.weights, {"table": np.full((40, 40), 1 / 3, "float32")})

    def wait(self, seconds):
        if not signals:
            raise subprocess.TimeoutExpired("train", seconds)

    def terminate(self):
        signals.append("terminate")

    def kill(self):
        signals.append("kill")


signals: list[str] = []


def test_a_lent_gpu_trains_what_was_prepared_and_the_runs_come_back(monkeypatch):
    def prepare(config, report):
        (home() / "encoded").write_text("pairs")

    monkeypatch.setattr(tool, "prepare", prepare)
    monkeypatch.setattr(tool, "PART", 1000)
    monkeypatch.setenv("TRANSLATOR_HOME", "")
    run_tool(monkeypatch, "prepare")
    monkeypatch.setattr(subprocess, "Popen", FakeTraining)
    run_tool(monkeypatch, "train", "--set", "training.epochs=2")
    assert signals == ["terminate", "terminate", "kill", "kill"]
    assert max(path.stat().st_size for path in Path("back").iterdir()) <= 1000
    done = []
    for name in ("export_run", "calibrate_run", "ship"):
        monkeypatch.setattr(tool, name, lambda run, *others, name=name: done.append(name))
    run_tool(monkeypatch, "unpack")
    assert done == ["export_run", "calibrate_run", "ship"] * 2
    for name in tool.DIRECTIONS:
        run = RunDirectory(tool.RUNS / name)
        [table] = run.read_weights(run.weights).values()
        assert table.dtype == "float32"
        assert np.allclose(table, 1 / 3, atol=1e-3)
        assert {path.name for path in run.path.iterdir()} == {"run.json", "weights.npz"}


def test_a_bundle_that_is_too_large_is_refused(monkeypatch):
    monkeypatch.setattr(tool, "MOST_MIB", 0)
    monkeypatch.setattr(tool, "prepare", lambda config, report: None)
    monkeypatch.setenv("TRANSLATOR_HOME", "")
    with pytest.raises(InputError, match="home.tar.xz: expected at most 0 MiB, found 0.0"):
        run_tool(monkeypatch, "prepare")
