"""`translator neighbours` and `translator embeddings` as a user types them."""

import json
import re

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


@pytest.mark.parametrize("method", ["pca", "tsne"])
def test_the_map_has_the_pieces(capfd, tiny_run, tmp_path, method):
    page = tmp_path / "map.html"
    code, _, err = run(capfd, "embeddings", tiny_run, "--html", page, "--method", method)
    assert code == 0, err
    [data] = re.findall(r'id="data">(.*?)</script>', page.read_text("utf-8"), re.DOTALL)
    pieces = json.loads(data)["pieces"]
    tokenizer = translator.load(tiny_run).tokenizers.target
    assert len(pieces) > 20  # that the training split uses
    assert set(pieces) <= set(tokenizer.pieces(range(tokenizer.size)))


def test_bad_options_are_one_line(capfd, tiny_run, tmp_path):
    for arguments, message in [
        (("neighbours", "Katze", "--side", "left"), "side: expected"),
        (("neighbours", ""), "expected"),
        (
            ("embeddings", "{run}", "--html", "{out}/map.html", "--method", "umap"),
            "method: expected",
        ),
        (("embeddings", "{run}", "--html", "{out}/map.png"), "map.png"),
    ]:
        places = {"run": tiny_run, "out": tmp_path}
        arguments = [each.format(**places) for each in arguments]
        more = ("--run", tiny_run) if arguments[0] == "neighbours" else ()
        assert message in refused(capfd, *arguments, *more)
        assert not list(tmp_path.iterdir())
