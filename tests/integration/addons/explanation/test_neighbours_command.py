"""`translator neighbours` as a user types it."""

import json

import numpy as np
import pytest

import translator
from tests.commands import refused, run
from translator.runs.weights import load_arrays


def test_neighbours_are_nearest_by_cosine(capfd, tiny_run):
    code, out, err = run(
        capfd, "neighbours", "Katze", "--run", tiny_run, "--side", "target", "--count", 5, "--json"
    )
    assert code == 0, err
    found = json.loads(out)["words"]["Katze"]
    listed = [each["cosine"] for each in found["neighbours"]]
    assert listed == sorted(listed, reverse=True)
    assert len(listed) == 5
    table = load_arrays(tiny_run / "weights.npz")["target_embedding/embedding/embeddings"]
    unit = table / np.linalg.norm(table, axis=1, keepdims=True)
    tokenizer = translator.load(tiny_run).tokenizers.target
    mean = unit[tokenizer.piece_ids(found["pieces"])].mean(axis=0)
    [nearest] = tokenizer.piece_ids([found["neighbours"][0]["piece"]])
    assert listed[0] == pytest.approx(unit[nearest] @ mean / np.linalg.norm(mean), abs=1e-4)
    assert not set(found["pieces"]) & {each["piece"] for each in found["neighbours"]}

    code, out, err = run(capfd, "neighbours", "Katze", "Hund", "--run", tiny_run, "--count", 1)
    assert code == 0, err
    assert [line.split()[0] for line in out.splitlines() if line and line[0] != " "] == [
        "Katze", "Hund",
    ]  # fmt: skip


def test_bad_options_are_one_line(capfd, tiny_run, tmp_path):
    for arguments, message in [
        (("Katze", "--side", "left"), "side: expected"),
        (("",), "expected"),
    ]:
        assert message in refused(capfd, "neighbours", *arguments, "--run", tiny_run)
        assert not list(tmp_path.iterdir())
