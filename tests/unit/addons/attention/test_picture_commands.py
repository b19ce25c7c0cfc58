"""`draw`, and what `attention` and `evaluate` refuse before loading a run."""

import json

import numpy as np
import pytest

from tests.commands import refused, run
from tests.explorer_records import explorer_records
from translator.addons.attention.record_files import load_records, save_records


@pytest.fixture
def saved(tmp_path):
    """Hypotheses 1 and 2 of sentence 1, and one of sentence 2."""
    save_records(tmp_path / "maps.npz", explorer_records())
    return tmp_path / "maps.npz"


def test_draw_shows_the_first_of_several_records(capfd, saved, tmp_path):
    picture = tmp_path / "maps.svg"
    code, out, err = run(capfd, "draw", saved, "--layer", 1, "--head", 1, "--out", picture)
    assert (code, out, err) == (0, "", f"picture: {picture}\n")
    assert "ein großer &lt;b&gt;Direktor" in picture.read_text("utf-8")


def test_draw_writes_the_records_as_json(capfd, saved, tmp_path):
    path, records = tmp_path / "maps.json", list(load_records(saved))
    for options, expected in (((), records), (("--sentence", 1, "--rank", 2), records[1:2])):
        code, out, err = run(capfd, "draw", saved, "--json", path, *options)
        assert (code, out, err) == (0, "", f"JSON: {path}\n")
        found = json.loads(path.read_text("utf-8"))
        assert found == [json.loads(json.dumps(record.to_dict())) for record in expected]
    said = refused(capfd, "draw", saved, "--json", tmp_path / "maps.txt")
    assert "expected a name that ends in .json" in said


def test_a_record_as_a_dictionary_has_all_that_it_has():
    record = explorer_records()[0]
    values = record.to_dict()
    assert values.keys() == set(record._fields)
    assert values["source_tokens"] == record.source_tokens
    assert values["model"] == {"name": "tiny", "source_language": "en", "target_language": "de"}
    for kind in ("encoder", "decoder", "cross"):
        np.testing.assert_allclose(values[kind], getattr(record, kind), atol=1e-6)
        np.testing.assert_allclose(np.sum(values[kind], axis=-1), 1, atol=1e-4)


def test_options_that_would_be_ignored_are_refused(capfd, saved, tmp_path):
    """Also where they have their default value."""
    page, picture = ("--html", tmp_path / "maps.html"), "expected --out PICTURE with --kind"
    for command, options, message in [
        *(("draw", (saved, *option, *page), picture)
          for option in (("--kind", "cross"), ("--layer", 1), ("--pieces",))),
        ("attention", (saved, "--dark", *page), picture),
        ("attention", ("A.", "--half", *page), "--half: expected --save FILE.npz with it"),
        ("evaluate", ("--split", "test", "--source", "a", "--reference", "b"), "files with --sou"),
        ("evaluate", ("--split", "validation", "--reference", "b"), "found files with --source"),
        ("compare", ("x", "y", "--split", "test", "--source", "a"), "found files with --source"),
    ]:  # fmt: skip
        assert message in refused(capfd, command, *options)


def test_outputs_that_name_an_input_are_refused(capfd, saved, tmp_path):
    content = saved.read_bytes()
    lines = tmp_path / "lines.html"
    lines.write_text("A line.\n")
    (tmp_path / "maps.png").symlink_to(saved)
    for arguments in (
        ("draw", saved, "--out", tmp_path / "maps.png"),
        ("attention", "--file", saved, "--save", saved),
        ("attention", "--file", lines, "--html", lines),
        ("evaluate", "--source", lines, "--reference", saved, "--out", lines),
        ("evaluate", "--source", lines, "--reference", saved, "--out", saved),
        ("heads", "--source", lines, "--target", saved, "--out", tmp_path / "maps.png"),
    ):
        said = refused(capfd, *arguments)
        assert said.startswith(f"{arguments[-1]}: expected a file that is not read here, found an")
    assert (saved.read_bytes(), lines.read_text()) == (content, "A line.\n")
