"""Weights of another run in a run's folder: every command that reads them says whose they are."""

import shutil

import pytest

from tests.commands import refused, run
from translator.base.errors import InputError
from translator.runs.directory import RunDirectory
from translator.runs.weights import load_arrays, save_arrays

SENTENCE = "The dog sees the cat."


@pytest.fixture
def spoilt(tiny_run, tmp_path) -> RunDirectory:
    """A run whose weights and state are of another one with the same shapes."""
    copy = RunDirectory(shutil.copytree(tiny_run, tmp_path / "spoilt"))
    comment = copy.owner._replace(run="theirs", tokenizers="0").to_comment()
    for path in (copy.weights, copy.last):
        save_arrays(path, load_arrays(path), comment=comment)
    return copy


def test_foreign_weights_are_refused_by_name_with_one_line(capfd, spoilt, tiny_corpus, tmp_path):
    config, path = tiny_corpus / "config.yaml", spoilt.path
    said = (
        f"{spoilt.weights}: expected the weights of this run, found those of theirs, which has"
        " other tokenizers; put its own file back, or train again"
    )
    for command in (
        ("translate", SENTENCE, "--run", path, "--engine", "keras"),
        ("evaluate", "--run", path, "--engine", "keras"),
        ("attention", SENTENCE, "--run", path, "--save", tmp_path / "maps.npz"),
        ("export", path, "--out", tmp_path / "export"),
        ("train", config, "--run", tmp_path / "new", "--init", path),
    ):
        assert refused(capfd, *command).removeprefix("training.init: ") == said
    state = refused(capfd, "train", config, "--run", path, "--resume")
    assert state == said


def test_an_own_export_translates_beside_them(capfd, spoilt):
    code, out, _ = run(capfd, "translate", SENTENCE, "--run", spoilt.path)
    assert (code, out) == (0, "Der Hund sieht die Katze.\n")


def test_a_run_of_a_version_without_owners_is_read_and_resumed(capfd, tiny_run, tmp_path):
    copy = RunDirectory(shutil.copytree(tiny_run, tmp_path / "old"))
    for path in (copy.weights, copy.last, copy.before_last):
        save_arrays(path, load_arrays(path))
    for engine in ("keras", "ctranslate2"):
        command = ("translate", SENTENCE, "--run", copy.path, "--engine", engine)
        assert run(capfd, *command)[:2] == (0, "Der Hund sieht die Katze.\n")
    more = ("--resume", "--set", "training.epochs=26")
    assert run(capfd, "train", copy.config, "--run", copy.path, *more)[0] == 0
    theirs = copy.owner._replace(model="0")
    with pytest.raises(
        InputError, match="last.npz: .* found those of old, .* other model settings"
    ):
        theirs.check(copy.last)
