"""`draw`, and what `attention` and `evaluate` refuse before loading a run."""

import json

import numpy as np
import pytest

from tests.commands import refused, run
from tests.explorer_records import explorer_records
from translator.addons.attention.record_files import load_records, save_records
from translator.translation.records import KINDS, AttentionRecord


@pytest.fixture
def saved(tmp_path):
    """Hypotheses 1 and 2 of sentence 1, and one of sentence 2."""
    save_records(tmp_path / "maps.npz", explorer_records())
    return tmp_path / "maps.npz"


def test_draw_shows_the_first_record_that_is_meant(capfd, saved, tmp_path):
    picture = tmp_path / "maps.svg"
    for options, word in (
        ((), "Direktor"),
        (("--sentence", 1, "--rank", 2), "Regie"),
        (("--sentence", 2), "alert"),
    ):
        view = ("--layer", 1, "--head", 1, "--out", picture)
        code, out, err = run(capfd, "draw", saved, *view, *options)
        assert (code, out, err) == (0, "", f"picture: {picture}\n")
        assert word in picture.read_text("utf-8")


def test_draw_writes_the_records_as_json(capfd, saved, tmp_path):
    path, records = tmp_path / "maps.json", list(load_records(saved))
    for options, expected in (((), records), (("--sentence", 1, "--rank", 2), records[1:2])):
        code, out, err = run(capfd, "draw", saved, "--json", path, *options)
        assert (code, out, err) == (0, "", f"JSON: {path}\n")
        values = json.loads(path.read_text("utf-8"))
        assert [each.keys() for each in values] == [set(AttentionRecord._fields)] * len(expected)
        for of_one, record in zip(values, expected):
            assert of_one["source_tokens"] == list(record.source_tokens)
            assert of_one["model"] == record.model._asdict()
            for kind in KINDS:
                np.testing.assert_allclose(of_one[kind], getattr(record, kind), atol=1e-6)
                np.testing.assert_allclose(np.sum(of_one[kind], axis=-1), 1, atol=1e-4)


def test_what_cannot_be_done_is_refused_before_any_work(capfd, saved, tmp_path):
    """Also options that would be ignored, where they have their default value."""
    damaged = tmp_path / "damaged.npz"
    damaged.write_text("no zip")
    before = sorted(tmp_path.iterdir())
    page, out = ("--html", tmp_path / "maps.html"), ("--out", tmp_path / "maps.png")
    picture, one = "and --dark: expected --out PICTURE", "--out: expected one sentence and"
    for command, options, message in [
        *(("draw", (saved, *option, *page), picture)
          for option in (("--kind", "cross"), ("--layer", 1), ("--pieces",))),
        *(("draw", (saved, *out, *option), message) for option, message in (
            (("--rank", 0), "0 is not in the range x>=1"),
            (("--sentence", 4), "maps.npz: expected hypothesis 1 of sentence 4, found none"),
            (("--rank", 3), "maps.npz: expected hypothesis 3 of sentence 1, found none"),
            (("--layer", 3), "layer: expected 1 to 2, found 3"),
            (("--head", "most"), "head: expected a number, average or maximum, found most"),
            (("--head", 4), "head: expected 1 to 3"),
            (("--kind", "self"), "kind: expected one of encoder, decoder, cross, found self"))),
        ("draw", (damaged, *out), "found a damaged or wrong file"),
        ("draw", (tmp_path / "none.npz", *out), "none.npz: no such file"),
        ("draw", (saved,), "FILE.html or --json FILE.json, found none"),
        ("draw", (saved, "--json", tmp_path / "a.txt"), "expected a name that ends in .json"),
        ("attention", ("A.", "--layer", 9, *page), picture),
        ("attention", (saved, "--dark", *page), picture),
        ("attention", ("--file", tmp_path / "x.en", *out), one),
        ("attention", ("A.", "B.", *out), one),
        ("attention", ("A.", "--n-best", 2, *out), one),
        ("attention", ("A.", "--half", *page), "--half: expected --save FILE.npz, found"),
        ("attention", ("A.", "--html", "a.htm"), "a name that ends in .html"),
        ("evaluate", ("--split", "test", "--source", "a", "--reference", "b"), "files with --sou"),
        ("evaluate", ("--split", "validation", "--reference", "b"), "found files with --source"),
        ("compare", ("x", "y", "--split", "test", "--source", "a"), "found files with --source"),
    ]:  # fmt: skip
        assert message in refused(capfd, command, *options), (command, options)
        assert sorted(tmp_path.iterdir()) == before
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
        assert said.startswith(f"{arguments[-1]}: expected a file to write, found an")
    assert (saved.read_bytes(), lines.read_text()) == (content, "A line.\n")
