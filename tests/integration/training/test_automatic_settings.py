"""Trainings whose settings are left to the program."""

import pytest

from tests.commands import refused
from translator.base.errors import InputError
from translator.config.yaml_file import read_config
from translator.runs.directory import RunDirectory
from translator.training import recipe, trial
from translator.training.resolution import flatten
from translator.training.start import train
from translator.training.state import read_progress


@pytest.fixture
def config_file(tiny_corpus, tmp_path, monkeypatch):
    """A file that names a corpus, and a time that is enough; trainings are tiny here."""
    small, *larger = recipe.SIZES
    small = small._replace(num_layers=1, d_model=16, num_heads=2, dff=32)
    monkeypatch.setattr(recipe, "SIZES", (small, *larger))
    monkeypatch.setattr(recipe, "RECIPES", (recipe.RECIPES[0]._replace(updates=100),))
    monkeypatch.setattr(trial, "SECONDS", 0.1)
    path = tmp_path / "mine.yaml"
    tsv, held_out = tiny_corpus / "train.tsv", tiny_corpus / "validation.tsv"
    path.write_text(
        f"corpus: {{train: {{tsv: {tsv}}}, validation: {{tsv: {held_out}}}}}\n"
        "training: {minutes: 10}\n"
    )
    return path


def test_what_is_chosen_is_reported_and_written(config_file, tmp_path):
    lines: list[str] = []
    run = tmp_path / "run"
    result = train(read_config(config_file), run, report=lines.append)
    assert result.finished
    chosen = [line for line in lines if line.startswith("chosen: ")]
    keys = {key for key, _ in flatten(read_config(config_file).model_dump())}
    named = {word for line in chosen for word in line.split() if word in keys}
    assert named == read_config(config_file).automatic
    assert all(": for " in line or ": because " in line for line in chosen)
    of_run = RunDirectory(run).read_config()
    assert of_run.automatic == frozenset()
    assert (of_run.model.d_model, of_run.training.minutes) == (16, 10)
    assert (
        of_run.training.schedule.total_steps
        == read_progress(RunDirectory(run)).validations[-1]["updates"]
    )


def test_a_resumed_training_chooses_nothing_again(config_file, tmp_path, monkeypatch):
    run = tmp_path / "run"
    train(read_config(config_file), run, report=lambda line: None)
    before = RunDirectory(run).config.read_text()
    monkeypatch.setattr(trial, "measure_speed", None)
    lines: list[str] = []
    train(read_config(config_file), run, resume=True, report=lines.append)
    assert not [line for line in lines if line.startswith("chosen")]
    assert RunDirectory(run).config.read_text() == before


def test_too_little_time_leaves_no_run_behind(config_file, tmp_path):
    with pytest.raises(InputError, match="training.minutes: expected 0.1 more for one epoch"):
        train(read_config(config_file, ("training.minutes=0.01",)), tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_what_is_said_is_not_chosen(config_file, tmp_path):
    said = ("tokenizer.vocab_size=360", "data.batch_tokens=600", "validation.every_epochs=2")
    config = read_config(config_file, said)
    train(config, tmp_path / "run", report=lambda line: None)
    of_run = RunDirectory(tmp_path / "run").read_config()
    assert of_run.tokenizer.vocab_size == 360
    assert of_run.data.batch_tokens == 600
    assert of_run.validation.every_epochs == 2


def test_a_schedule_that_is_not_chosen_yet_cannot_be_drawn(config_file, capfd, tmp_path):
    out = tmp_path / "rate.png"
    message = refused(capfd, "schedule", config_file, "--out", out)
    assert "expected a schedule, found one that is left to the program" in message
    assert not out.exists()
