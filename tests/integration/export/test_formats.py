"""Where an export may be written, and what it may replace."""

import shutil

import pytest

import translator
from tests.commands import refused, run
from translator.base.errors import InputError
from translator.export.formats import export_run
from translator.runs.directory import RunDirectory


@pytest.fixture
def directory(tiny_run, tmp_path) -> RunDirectory:
    return RunDirectory(shutil.copytree(tiny_run, tmp_path / "run"))


def test_only_an_export_s_own_files_are_replaced(directory, tmp_path):
    out = tmp_path / "out"
    out.mkdir()
    export_run(directory, out)
    (out / "letter.txt").write_text("dear")
    (out / "old.bin").write_text("another")
    export_run(directory, out, "int8")
    assert (out / "letter.txt").read_text() == "dear"
    assert (out / "old.bin").exists()
    assert not list(out.glob("*.part"))
    assert translator.load(out).translate(["The man sees the cat."])[0].text


def test_a_folder_of_other_files_is_refused_untouched(directory, tmp_path):
    for name in ("letter.txt", "model.bin"):
        folder = tmp_path / name.partition(".")[0]
        folder.mkdir()
        (folder / name).write_text("dear")
        with pytest.raises(InputError, match="expected a new or empty folder, or an export to"):
            export_run(directory, folder)
        assert [path.name for path in folder.iterdir()] == [name]
    with pytest.raises(InputError, match="expected a folder for the export, found a file"):
        export_run(directory, tmp_path / "letter" / "letter.txt")


def test_the_run_itself_is_refused(directory):
    before = sorted(directory.path.rglob("*"))
    with pytest.raises(InputError, match="found the run that is exported; name another with --out"):
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


def test_the_current_folder_may_be_written_to_twice(directory, tmp_path, monkeypatch, capfd):
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    for quantization in ("float32", "int8"):
        code, _, said = run(capfd, "export", "../run", "--out", ".", "--quantization", quantization)
        assert code == 0, said
        assert said.startswith(f"export: ., {quantization}")
        assert (here / "model.bin").samefile("model.bin"), "the folder is still the same one"
    assert translator.load(".").translate(["The man sees the cat."])[0].text
    assert "expected a run with its weights, found an export" in refused(capfd, "export", ".")
