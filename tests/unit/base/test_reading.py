"""Whatever a user names or a run has is read within bounds, or refused in a line."""

import json
import os
import tracemalloc
from pathlib import Path
from typing import Any

import pytest

from translator.addons.confidence.model import ConfidenceModel
from translator.base.errors import InputError
from translator.base.files import path_below_home, path_of, read_file, whole_file
from translator.base.lock import HOLDER, locked
from translator.config.yaml_file import parse_yaml, read_config
from translator.corpora.files import count_lines, iterate_lines
from translator.runs.choosing import find_run
from translator.runs.directory import RunDirectory
from translator.runs.figures import read_lines
from translator.runs.record import read_record
from translator.text.lexicon import Lexicon
from translator.text.restoration import Restoration
from translator.tokenizers.vocabulary_files import read_vocabulary

SMALL_FILES = {
    "run.json": read_record,
    "restoration.json": Restoration.load,
    "lexicon.json": Lexicon.load,
    "confidence.json": ConfidenceModel.load,
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


def test_only_a_regular_file_that_is_not_too_long_is_read_whole(tmp_path):
    (tmp_path / "file").write_bytes(b"four")
    tracemalloc.start()
    assert read_file(tmp_path / "file", 1 << 30) == read_file(tmp_path / "file", 4) == b"four"
    assert tracemalloc.get_traced_memory()[1] < 1 << 20  # the bound is not taken up before
    tracemalloc.stop()
    with pytest.raises(InputError, match=r"expected at most 3 bytes, found a longer file"):
        read_file(tmp_path / "file", 3)
    os.mkfifo(tmp_path / "pipe")
    for path, found in [(tmp_path, "a folder"), (tmp_path / "pipe", "a device or a pipe")]:
        with pytest.raises(InputError, match=f"expected a file, found {found}"):
            read_file(path)
    with pytest.raises(FileNotFoundError):
        read_file(tmp_path / "none")
    (tmp_path / HOLDER).symlink_to("/dev/zero")
    with pytest.raises(InputError, match=HOLDER), locked(tmp_path, print):
        pass


def test_paths_that_lead_nowhere_are_refused_in_a_line_or_replaced(circle):
    for check in (path_of, path_below_home):
        for path in (circle, circle / "below"):
            with pytest.raises(InputError, match="links that lead in a circle"):
                check(path, "run")
        with pytest.raises(InputError, match=r"run: expected a path, found 'a\\x00b'"):
            check("a\0b", "run")
    uses: list[Any] = [find_run, RunDirectory, read_config, lambda path: next(iterate_lines(path))]
    for use in uses:
        for path in (circle, "a\0b"):
            with pytest.raises(InputError, match="expected a path"):
                use(path)
    with whole_file(circle) as file:
        file.write(b"all")
    assert circle.read_bytes() == b"all"


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
    for tag, text in [
        ("bool", "maybe"),
        ("int", '""'),
        ("float", ""),
        ("timestamp", "x"),
        ("map", "[a]"),
        ("set", "[a]"),
        ("python/object:os.system", "x"),
    ]:
        with pytest.raises(InputError, match=f"here, line 1: expected values .* tag !!{tag}$"):
            parse_yaml(f"!!{tag} {text}".encode(), "here")
    twice = "[&a {x: 1}, " + "".join(f"&{i} {{<<: [*a, *a]}}, " for i in "bcdefgh") + "*h]"
    with pytest.raises(InputError, match="found the alias"):
        parse_yaml(twice.encode(), "here")
    for content in (b"\xff", json.dumps("a" * (1 << 20)).encode(), b"9" * 5000, b"-0b_"):
        with pytest.raises(InputError, match="here: expected"):
            parse_yaml(content, "here")
