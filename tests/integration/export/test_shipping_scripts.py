"""The scripts that make the models that come with the program."""

import runpy
import shutil
import sys
from pathlib import Path

import pytest

import translator
from translator.base.errors import InputError
from translator.config.yaml_file import read_config
from translator.corpora import load_corpus

SCRIPTS = Path(__file__).parents[3] / "scripts"


def run_script(name: str, arguments: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", [name, *arguments])
    runpy.run_path(str(SCRIPTS / name))["main"]()


def test_a_run_translates_its_training_split_in_both_directions(tiny_run, tmp_path, monkeypatch):
    out = tmp_path / "synthetic.tsv"
    run_script(
        "make_synthetic_pairs.py",
        ["--forward", str(tiny_run), "--backward", str(tiny_run), "--out", str(out)],
        monkeypatch,
    )
    pairs = [tuple(line.split("\t")) for line in out.read_text("utf-8").splitlines()]
    assert len(pairs) == len(set(pairs))
    opened = translator.load(tiny_run)
    sources = list(dict.fromkeys(load_corpus(opened.config.corpus).train.sources))
    options = translator.TranslationOptions(n_best=2, split=False)
    expected = [
        (translation.source, hypothesis.text)
        for translation in opened.translate(sources, options)
        for hypothesis in translation.hypotheses
    ]
    assert pairs == [*expected, *((text, source) for source, text in expected)]


def test_without_a_run_there_is_nothing_to_translate_with(tmp_path, monkeypatch):
    with pytest.raises(InputError, match="expected a run, found none"):
        run_script("make_synthetic_pairs.py", ["--out", str(tmp_path / "x.tsv")], monkeypatch)


def test_steps_that_are_done_are_left_out_and_others_resumed(tiny_run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    steps = runpy.run_path(str(SCRIPTS / "train_shipped_models.py"))["steps"]
    names = ["teacher-en-de", "teacher-de-en", "synthetic-en-de.tsv", "synthetic-de-en.tsv"]
    outputs = [*names, "en-de", "en-de", "de-en", "de-en"]
    assert [step.output.name for step in steps(1)] == outputs
    assert not any(step.is_done for step in steps(1))
    shutil.copytree(tiny_run, "checkpoints/teacher-en-de")
    shutil.copytree(tiny_run, "checkpoints/teacher-de-en")
    metrics = Path("checkpoints/teacher-de-en/metrics.jsonl")
    lines = metrics.read_text("utf-8").splitlines()
    metrics.write_text("\n".join(lines[:-1]) + "\n", "utf-8")
    Path("checkpoints/synthetic-en-de.tsv").touch()
    done = [step.is_done for step in steps(1)]
    assert done == [True, False, True, False, False, False, False, False]
    resumed = ["--resume" in step.command for step in steps(1)]
    assert resumed == [True, True, *[False] * 6]
    assert "training.seed=2" in next(s for s in steps(2) if s.output.name == "en-de-seed-2").command


def test_the_teachers_and_the_models_fit_each_other():
    for direction in ("en-de", "de-en"):
        model, teacher = read_config(direction), read_config("tatoeba-teacher")
        assert f"{model.corpus.source_language}-{model.corpus.target_language}" == direction
        assert model.tokenizer == teacher.tokenizer
        assert model.training.init == f"checkpoints/teacher-{direction}"
        assert model.corpus.synthetic.tsv == f"checkpoints/synthetic-{direction}.tsv"
        sizes = {"dropout_rate"}
        assert model.model.model_dump(exclude=sizes) == teacher.model.model_dump(exclude=sizes)
