"""`translator neighbours` as a user types it."""

import json

import numpy as np

import translator
from tests.commands import refused, run
from translator.runs.weights import load_arrays


def test_neighbours_are_listed_and_written_as_json(capfd, tiny_run):
    arguments = ("neighbours", "Katze", "Hund", "--run", tiny_run, "--count", 5, "--side", "target")
    words = json.loads(run(capfd, *arguments, "--json")[1])["words"]
    assert {word: len(each["neighbours"]) for word, each in words.items()} == {
        "Katze": 5,
        "Hund": 5,
    }
    code, out, err = run(capfd, *arguments)
    assert code == 0, err
    titles = [line.split()[0] for line in out.splitlines() if line and line[0] != " "]
    assert titles == ["Katze", "Hund"]
    nearest = words["Katze"]["neighbours"][0]
    assert nearest["piece"].removeprefix("▁") in out


def test_the_files_of_the_projector_have_the_vocabulary(capfd, tiny_run, tmp_path):
    files = ("--side", "target", "--projector", tmp_path)
    code, _, err = run(capfd, "neighbours", "Katze", "--run", tiny_run, *files)
    assert (code, err) == (0, f"vectors.tsv and metadata.tsv: in {tmp_path}\n")
    vectors = np.loadtxt(tmp_path / "vectors.tsv", delimiter="\t")
    pieces = (tmp_path / "metadata.tsv").read_text("utf-8").splitlines()
    assert len(vectors) == len(pieces) > 20
    assert "<s>" not in pieces
    tokenizer = translator.load(tiny_run).tokenizers.target
    table = load_arrays(tiny_run / "weights.npz")["target_embedding/embedding/embeddings"]
    expected = table[tokenizer.piece_ids(pieces)]
    expected /= np.linalg.norm(expected, axis=1, keepdims=True)
    assert np.allclose(vectors, expected, atol=1e-5)


def test_bad_options_are_one_line(capfd, tiny_run, tmp_path):
    for arguments, message in [
        (("Katze", "--side", "left"), "side: expected"),
        (("",), "expected"),
        (("Katze", "--projector", tmp_path / "lost"), "expected an existing folder, found none at"),
    ]:
        assert message in refused(capfd, "neighbours", *arguments, "--run", tiny_run)
        assert not list(tmp_path.iterdir())
