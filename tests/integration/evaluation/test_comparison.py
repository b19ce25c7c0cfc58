"""Comparison of two runs, against sacreBLEU's own bootstrap."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
import yaml

from tests.commands import refused, run
from translator.export.ctranslate2 import export_run
from translator.runs.directory import RunDirectory
from translator.runs.weights import load_arrays, save_arrays


def test_runs_that_translate_something_else_are_refused(capfd, tiny_run, tmp_path):
    other = tmp_path / "other"
    shutil.copytree(tiny_run, other)
    for folder in (other, other / "ctranslate2"):
        config, record = folder / "config.yaml", folder / "run.json"
        text = config.read_text("utf-8")
        assert "target_language: de" in text
        config.write_text(text.replace("target_language: de", "target_language: nl"), "utf-8")
        values = json.loads(record.read_text("utf-8"))
        values["settings"]["corpus.target_language"] = "nl"
        record.write_text(json.dumps(values), "utf-8")
    assert (
        f"{other}: expected a run that translates text from en to de as {tiny_run} does,"
        " found text from en to nl"
    ) in refused(capfd, "compare", tiny_run, other)


def test_tokenized_is_not_compared_with_plain(capfd, tiny_run, tokenized_run):
    error = refused(capfd, "compare", tiny_run, tokenized_run)
    assert f"{tokenized_run}: expected a run that translates text from en to de" in error
    assert error.endswith("found tokenized text from en to de")


@pytest.fixture
def worse_run(tiny_run, tmp_path) -> Path:
    """The tiny run with noise in its weights."""
    worse = RunDirectory(shutil.copytree(tiny_run, tmp_path / "worse"))
    random = np.random.default_rng(1)
    arrays = load_arrays(worse.weights)
    noisy = {name: a + 0.1 * random.normal(size=a.shape) for name, a in arrays.items()}
    save_arrays(worse.weights, {name: a.astype("float32") for name, a in noisy.items()})
    export_run(worse, worse.export)
    return worse.path


def test_compare_command(capfd, tiny_run, worse_run, tmp_path):
    code, out, _ = run(capfd, "compare", worse_run, tiny_run)
    assert code == 0
    assert out.startswith("12 sentences, ")
    assert f"translated better by {tiny_run}: The " in out
    assert out.count("version:") == 4
    _, out, _ = run(capfd, "compare", worse_run, tiny_run, "--json")
    assert json.loads(out)["rows"][0]["scores"][1] > 80
    assert "expected two runs that differ" in refused(capfd, "compare", tiny_run, tiny_run)
    same_text = tmp_path / "unknown"  # what no model takes counts as untranslated, not as itself
    same_text.write_text("The man sees the cat.\n你好吗\n")
    files = ("--source", same_text, "--reference", same_text, "--json")
    _, out, _ = run(capfd, "compare", worse_run, tiny_run, *files)
    _, evaluated, _ = run(capfd, "evaluate", "--run", tiny_run, *files)
    chrf = [json.loads(out)["rows"][1]["scores"][1], json.loads(evaluated)["scores"]["chrf"]]
    assert chrf[0] == pytest.approx(chrf[1])
    marker = worse_run / "run.json"
    marker.write_text(json.dumps({**json.loads(marker.read_text()), "corpus": "another"}))
    _, _, said = run(capfd, "compare", worse_run, tiny_run)
    assert f"{worse_run}: trained on another corpus, which may" in said
    assert f"{tiny_run}: trained on another" not in said


def test_own_pairs_are_compared_with_the_model_that_comes_along(capfd, worse_run, tmp_path):
    """On those that the run has kept, also where its corpus is gone."""
    moved = shutil.copytree(worse_run, tmp_path / "mine")
    text = (moved / "config.yaml").read_text("utf-8")
    (moved / "config.yaml").write_text(text.replace("test.en", "gone.en"), "utf-8")
    assert "gone.en" in (moved / "config.yaml").read_text("utf-8")
    code, out, said = run(capfd, "compare", "en-de", moved)
    assert code == 0, said
    assert out.startswith("12 sentences, ")
    assert "pairs: 12 test pairs that the run stored" in said
    assert "en-de: trained on another corpus" in said
    code, out, said = run(capfd, "evaluate", "--run", moved, "--split", "validation")
    assert code == 0, said


def test_without_test_files_the_validation_pairs_are_compared_and_it_is_said(
    capfd, tiny_run, worse_run, tmp_path
):
    mine = shutil.copytree(worse_run, tmp_path / "mine")
    config = yaml.safe_load((mine / "config.yaml").read_text("utf-8"))
    del config["corpus"]["test"]
    (mine / "held-out.json").unlink()
    (mine / "config.yaml").write_text(yaml.safe_dump(config), "utf-8")
    code, _, said = run(capfd, "compare", tiny_run, mine)
    assert code == 0, said
    assert f"{mine}: has no test pairs, so its validation pairs are used" in said
    assert "expected test files" in refused(capfd, "compare", tiny_run, mine, "--split", "test")
