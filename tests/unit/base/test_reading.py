"""Whatever a user names or a run has is read within bounds, or refused in a line."""

import json
import os
from pathlib import Path

import pytest

from translator.addons.confidence.model import ConfidenceModel
from translator.base.errors import InputError
from translator.base.files import path_below_home, read_file
from translator.config.yaml_file import parse_yaml
from translator.corpora.files import count_lines, iterate_lines
from translator.runs.figures import read_lines
from translator.runs.record import read_record
from translator.text.word_table import WordTable
from translator.tokenizers.marian_tokenizer import read_vocabulary

SMALL_FILES = {
    "run.json": read_record,
    "source.words": WordTable.load,
    "confidence.json": lambda path: ConfidenceModel.load(path, WordTable()),
    "metrics.jsonl": read_lines,
    "source.vocabulary.json": read_vocabulary,
}


@pytest.fixture
def circle(tmp_path) -> Path:
    """A link to itself."""
    (tmp_path / "circle").symlink_to("circle")
    return tmp_path / "circle"


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="there is no file without an end")
@pytest.mark.parametrize("name", SMALL_FILES)
def test_a_small_file_of_a_run_that_has_no_end_is_refused(tmp_path, name):
    (tmp_path / name).symlink_to("/dev/zero")
    with pytest.raises(InputError, match=name):
        SMALL_FILES[name](tmp_path / name)


def test_only_a_regular_file_that_is_not_too_long_is_read_whole(tmp_path, monkeypatch):
    (tmp_path / "file").write_bytes(b"four")
    assert read_file(tmp_path / "file") == b"four"
    monkeypatch.setattr("translator.base.files.MAX_BYTES", 3)
    with pytest.raises(InputError, match=r"expected at most 3 bytes, found a longer file"):
        read_file(tmp_path / "file")
    os.mkfifo(tmp_path / "pipe")
    for path, found in [(tmp_path, "a folder"), (tmp_path / "pipe", "a device or a pipe")]:
        with pytest.raises(InputError, match=f"expected a file, found {found}"):
            read_file(path)
    with pytest.raises(FileNotFoundError):
        read_file(tmp_path / "none")


def test_a_home_folder_that_there_is_not_is_a_folder_that_there_is_not(monkeypatch):
    monkeypatch.setenv("HOME", "/home/anna")
    assert path_below_home("~/x", "file") == Path("/home/anna/x")
    assert path_below_home("~nosuchuser/x", "file") == Path("~nosuchuser/x")
    with pytest.raises(InputError, match="~nosuchuser/x: expected a text file, found nothing"):
        next(iterate_lines("~nosuchuser/x"))
    assert count_lines([Path("~nosuchuser/x")]) is None


def test_yaml_is_read_as_strings_numbers_and_truth_values():
    for text, value in [
        ("1e-3", 0.001),
        ("1:30", "1:30"),
        ("1:2.5", "1:2.5"),
        ("9" + ":59" * 400 + ".5", "9" + ":59" * 400 + ".5"),
        ("2001-99-99", "2001-99-99"),
        ("{<<: 1, =: 2}", {"<<": 1, "=": 2}),
        ("[~, yes, 0x1f, .inf, '3']", [None, True, 31, float("inf"), "3"]),
    ]:
        assert parse_yaml(text.encode(), "here") == value, text
    for text in ("!!bool maybe", '!!int ""', "!!map [a]", "!!python/object:os.system x"):
        with pytest.raises(InputError, match="here.*: expected YAML"):
            parse_yaml(text.encode(), "here")
    for content in (b"\xff", json.dumps("a" * (1 << 20)).encode(), b"9" * 5000, b"-0b_"):
        with pytest.raises(InputError, match="here: expected"):
            parse_yaml(content, "here")
