"""Confidence on the command line: marks on standard error, JSON, and scores of tokens."""

import io
import json
import shutil
import sys

import pytest

from tests.commands import GERMAN, SENTENCE, run

LINES = [SENTENCE, "The badger sees the man.", "Der Hund."]
FOREIGN = "is this German? try --from de"
UNSEEN = "words that the training data does not have: badger"


def test_doubtful_lines_are_marked_by_number_and_those_of_files_with_the_file(
    capfd, tiny_run, tmp_path
):
    code, out, err = run(capfd, "translate", "--run", tiny_run, *LINES)
    assert code == 0
    assert len(out.splitlines()) == 3
    marks = err.splitlines()
    assert [mark.split(";")[0] for mark in marks] == [f"line 2: {UNSEEN}", f"line 3: {FOREIGN}"]
    assert run(capfd, "translate", "--run", tiny_run, "--quiet", *LINES) == (0, out, "")
    for name, text in (("one", LINES[0]), ("two", LINES[1])):
        (tmp_path / name).write_text(f"{SENTENCE}\n{text}\n", "utf-8")
    files = [value for name in ("one", "two") for value in ("--file", tmp_path / name)]
    _, _, err = run(capfd, "translate", "--run", tiny_run, *files)
    assert err.startswith(f"{tmp_path / 'two'}, line 2: {UNSEEN}")


def test_json_has_the_confidence_of_hypotheses_and_words(capfd, tiny_run):
    code, out, _ = run(capfd, "translate", "--run", tiny_run, "--json", "--n-best", 2, *LINES)
    assert code == 0
    known, unseen, foreign = map(json.loads, out.splitlines())
    assert (known["doubts"], unseen["doubts"][0], foreign["doubts"][0]) == (
        [], UNSEEN, FOREIGN,
    )  # fmt: skip
    for hypothesis in known["hypotheses"]:
        assert 0 < hypothesis["confidence"] < 1
        assert [word["text"] for word in hypothesis["words"]] == hypothesis["text"].split()
        assert all(0 < word["confidence"] < 1 for word in hypothesis["words"])
    best, other = known["hypotheses"]
    assert best["confidence"] > other["confidence"]


def test_an_old_run_says_once_why_confidence_is_null(capfd, monkeypatch, tiny_run, tmp_path):
    folder = shutil.copytree(tiny_run, tmp_path / "old")
    (folder / "confidence.json").unlink()
    code, out, err = run(capfd, "translate", "--run", folder, "--json", *LINES[:2])
    assert code == 0
    for line in map(json.loads, out.splitlines()):
        assert UNSEEN not in line["doubts"]
        assert {h["confidence"] for h in line["hypotheses"]} == {None}
        assert [h["words"] for h in line["hypotheses"]] == [[]]
    assert err.startswith(
        f"{folder}/confidence.json: expected a confidence model, found none, so confidence is null;"
        f" translator calibrate {folder} writes it\n"
    )
    assert run(capfd, "translate", "--run", folder, "--json", "--quiet", SENTENCE)[2] == ""
    assert "confidence" not in run(capfd, "translate", "--run", folder, *LINES[:2])[2]
    (pair, *tokens), err = score_tokens(capfd, monkeypatch, folder)
    assert pair[1] == ""
    assert {tuple(row[3:]) for row in tokens} == {("", "")}
    assert "confidence is null" in err.splitlines()[0]


def score_tokens(capfd, monkeypatch, folder) -> tuple[list[list[str]], str]:
    typed = io.TextIOWrapper(io.BytesIO(f"{SENTENCE}\t{GERMAN}\n".encode()))
    monkeypatch.setattr(sys, "stdin", typed)
    code, out, err = run(capfd, "score", "--run", folder, "--tokens")
    assert code == 0
    return [line.split("\t") for line in out.splitlines()], err


def test_score_prints_tokens_and_words(capfd, monkeypatch, tiny_run):
    (pair, *tokens), _ = score_tokens(capfd, monkeypatch, tiny_run)
    assert len(pair) == 2
    assert 0 <= float(pair[1]) <= 1
    assert {len(row) for row in tokens} == {5}
    assert sum(float(row[2]) for row in tokens) == pytest.approx(float(pair[0]), abs=1e-3)
    assert tokens[-1][1:4:2] == ["</s>", ""]
    words = [(row[1], row[3], row[4]) for row in tokens if row[3]]
    assert [word for _, word, _ in words] == GERMAN.split()
    assert all(piece.startswith("▁") and 0 <= float(value) <= 1 for piece, _, value in words)
