"""Weights of another run in a run's folder: every command that reads them says whose they are."""

import shutil
from pathlib import Path

import pytest

from tests.commands import refused, run
from translator.base.errors import InputError
from translator.runs.directory import RunDirectory
from translator.runs.weights import load_arrays, save_arrays

SENTENCE, GERMAN = "The dog sees the cat.", "Der Hund sieht die Katze.\n"


def spoil(run: Path) -> str:
    """Has the weights and the state of a run be another's; returns how they are refused."""
    directory = RunDirectory(run)
    comment = directory.owner._replace(run="theirs", tokenizers="0").to_comment()
    for path in filter(Path.exists, (directory.weights, directory.last)):
        save_arrays(path, load_arrays(path), comment=comment)
    return (
        f"{directory.weights}: expected the weights of this run, found the weights of"
        " theirs, which has other tokenizers; restore this run's file, or train again"
    )


def test_foreign_weights_are_refused_by_name_with_one_line(capfd, tiny_run, tiny_corpus, tmp_path):
    path = shutil.copytree(tiny_run, tmp_path / "spoilt")
    said, config = spoil(path), tiny_corpus / "config.yaml"
    for command in (
        ("translate", SENTENCE, "--run", path, "--engine", "keras"),
        ("evaluate", "--run", path, "--engine", "keras"),
        ("attention", SENTENCE, "--run", path, "--save", tmp_path / "maps.npz"),
        ("export", path, "--out", tmp_path / "export"),
        ("train", config, "--run", tmp_path / "new", "--init", path),
    ):
        assert refused(capfd, *command).removeprefix("training.init: ") == said
    code, out, _ = run(capfd, "translate", SENTENCE, "--run", path)
    assert (code, out) == (0, GERMAN), "its export translates"


def test_a_training_does_not_go_on_from_foreign_weights(capfd, small_copy):
    said = spoil(small_copy)
    state = refused(capfd, "train", small_copy / "config.yaml", "--run", small_copy, "--resume")
    assert state == said


def test_a_run_of_a_version_without_owners_is_resumed(capfd, small_copy):
    copy = RunDirectory(small_copy)
    for path in (copy.weights, copy.last, copy.before_last):
        save_arrays(path, load_arrays(path))
    shutil.rmtree(copy.export)  # so that there is something to do
    assert run(capfd, "train", copy.config, "--run", copy.path, "--resume")[0] == 0
    theirs = copy.owner._replace(model="0")
    message = "last.npz: .* found the weights of run, .* other model settings"
    with pytest.raises(InputError, match=message):
        theirs.check(copy.last)
