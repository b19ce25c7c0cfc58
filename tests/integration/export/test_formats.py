"""Where an export may be written, and what it may replace."""

import shutil

import pytest

import translator
from tests.commands import refused
from translator.base.errors import InputError
from translator.export.ctranslate2 import export_run
from translator.runs.directory import RunDirectory


@pytest.fixture
def directory(tiny_run, tmp_path) -> RunDirectory:
    return RunDirectory(shutil.copytree(tiny_run, tmp_path / "run"))


def test_an_export_is_replaced_and_nothing_else(directory, tmp_path):
    out = tmp_path / "out"
    out.mkdir()
    export_run(directory, out)
    export_run(directory, out, "int8")
    assert translator.load(out).translate(["The man sees the cat."])[0].text
    (out / "letter.txt").write_text("dear")
    before = {path: path.read_bytes() for path in out.iterdir()}
    with pytest.raises(InputError, match="one with only an export to replace, found other f"):
        export_run(directory, out)
    assert {path: path.read_bytes() for path in out.iterdir()} == before


def test_a_folder_of_other_files_is_refused_untouched(directory, tmp_path):
    for name in ("letter.txt", "model.bin"):
        folder = tmp_path / name.partition(".")[0]
        folder.mkdir()
        (folder / name).write_text("dear")
        with pytest.raises(InputError, match="expected a new or empty folder, or one"):
            export_run(directory, folder)
        assert [path.name for path in folder.iterdir()] == [name]
    with pytest.raises(InputError, match="expected a folder for the export, found a file"):
        export_run(directory, tmp_path / "letter" / "letter.txt")


def test_the_run_itself_is_refused(directory):
    before = sorted(directory.path.rglob("*"))
    with pytest.raises(InputError, match="expected a new or empty folder, or one .* found oth"):
        export_run(directory, directory.path)
    assert sorted(directory.path.rglob("*")) == before


def test_the_export_of_another_run_is_refused_untouched(directory, tmp_path):
    other = RunDirectory(shutil.copytree(directory.path, tmp_path / "other"))
    before = {path: path.read_bytes() for path in other.export.iterdir()}
    for out in (other.export, other.path / ".." / "other" / "ctranslate2"):
        with pytest.raises(InputError, match="found the export of another run; choose another"):
            export_run(directory, out)
    assert {path: path.read_bytes() for path in other.export.iterdir()} == before
    shutil.rmtree(other.export)
    with pytest.raises(InputError, match="found the export of another run; choose another"):
        export_run(directory, other.export)
    assert export_run(directory, directory.export) == directory.export


def test_the_current_folder_is_refused(directory, tmp_path, monkeypatch, capfd):
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    said = refused(capfd, "export", "../run", "--out", ".")
    assert said.startswith(".: expected a new or empty folder")
    assert said.endswith("found the current folder")
    export_run(directory, tmp_path / "export")
    said = refused(capfd, "export", "../export")
    assert "expected a run with its weights, found an export" in said
