"""``translator heads``, also with ``--ablate``, as a user types it."""

import json
import re
from pathlib import Path

import numpy as np
import pytest

import translator
from tests.commands import refused, run
from translator.addons.attention import head_analysis
from translator.addons.attention.head_analysis import MeasuredPair


@pytest.fixture
def files(tiny_corpus) -> dict[str, Path]:
    return {"source": tiny_corpus / "test.en", "target": tiny_corpus / "test.de"}


@pytest.fixture
def aligned(files, monkeypatch) -> list[MeasuredPair]:
    """The test split with known links, as that of the demo corpus; a test may change it."""
    links = frozenset((i, i) for i in range(5))
    sides = [files[side].read_text("utf-8").splitlines() for side in ("source", "target")]
    pairs = [
        MeasuredPair(number, source, target, tuple(source.split()), tuple(target.split()), links)
        for number, (source, target) in enumerate(zip(*sides), 1)
    ]
    monkeypatch.setattr(head_analysis, "read_test_split", lambda run, report: pairs)
    return pairs


def file_options(files: dict[str, Path]) -> list[object]:
    return [argument for name, path in files.items() for argument in (f"--{name}", path)]


def test_heads_agree_with_their_json(capfd, tiny_run, aligned, tmp_path):
    picture = tmp_path / "heads.svg"
    code, out, err = run(capfd, "heads", tiny_run, "--out", picture)
    assert (code, err) == (0, f"heat maps: {picture}\n")
    for kind in ("cross-attention", "encoder self-attention", "decoder self-attention"):
        assert re.search(rf"^{kind}, [\d,]+ rows\nlayer  head  entropy ", out, re.M)
    rows = re.findall(r"^ +([12]) +([12]) .*$", out, re.M)
    assert rows == [("1", "1"), ("1", "2"), ("2", "1"), ("2", "2")] * 3
    assert "-0.00" not in out
    values = json.loads(run(capfd, "heads", tiny_run, "--json")[1])
    assert (values["run"], values["sentences"]) == (str(tiny_run), 12)
    assert (values["skipped"], values["unaligned"]) == ([], [])
    assert values["alignment"]["sentences"] == 12
    for kind in ("encoder", "decoder", "cross"):
        assert np.array(values["measures"][kind]["entropy"]).shape == (2, 2)
    assert values["measures"]["cross"]["offset"] is None
    best = values["alignment"]["best_head"]
    rates = np.array(values["alignment"]["heads"][best["reading"]])
    assert rates[best["layer"] - 1, best["head"] - 1] == best["aer"] == rates.min()
    line = f"  best head   {best['aer']:.3f}  head {best['head']} of layer {best['layer']}"
    assert f"{line}, {best['reading']}\n" in out
    assert f"{values['measures']['cross']['entropy'][1][1]:.2f}" in out
    assert "alignment error rate, read" in picture.read_text("utf-8")


def test_heads_say_what_they_leave_out(capfd, tiny_run, aligned):
    """An overlong pair is left out of everything, unknown words only of the error rate."""
    aligned[1] = aligned[1]._replace(source="The cat. " * 20)
    aligned[2] = aligned[2]._replace(target_words=("Der", "▁", "Mann", "sieht", "die", "Katze."))
    code, out, err = run(capfd, "heads", tiny_run, "--json")
    assert code == 0
    values = json.loads(out)
    assert [pair["number"] for pair in values["skipped"]] == [2]
    assert (values["sentences"], values["measures"]["encoder"]["rows"] > 0) == (11, True)
    assert re.search(r"^left out: 1 \(line 2\): expected at most 24 tokens on each", err, re.M)
    assert [pair["number"] for pair in values["unaligned"]] == [3]
    assert "left out of the alignment error rate: 1 (line 3): its pieces or" in err
    assert values["alignment"]["sentences"] == 10


def test_bad_input_is_refused_in_one_line(capfd, tiny_run, files, tmp_path):
    for arguments, message in [
        (("--source", "{source}"), "expected both --source and --target"),
        (("--source", "{empty}", "--target", "{empty}"),
         "empty: expected sentence pairs, found an empty file"),
        (("--source", "{source}", "--target", "{target}.x"),
         "test.de.x: expected a text file, found nothing there"),
        (("--source", "{source}", "--target", "{empty}"), "empty: expected as many lines as in"),
        (("--out", "heads.txt"), "expected a name that ends in .png, .svg, .pdf"),
        (("--limit", 0), "0 is not in the range"),
    ]:  # fmt: skip
        (tmp_path / "empty").write_text("")
        paths = {"empty": tmp_path / "empty", **files}
        options = [str(argument).format(**paths) for argument in arguments]
        assert message in refused(capfd, "heads", tiny_run, *options)


def test_a_limit_takes_the_first_pairs_of_files_or_of_the_test_split(capfd, tiny_run, files):
    for count, given in ((3, ()), (7, file_options(files))):
        code, out, err = run(capfd, "heads", tiny_run, *given, "--limit", count, "--json")
        assert code == 0, err
        found = json.loads(out)
        assert (found["sentences"], found["alignment"]) == (count, None)


def test_the_table_says_what_each_head_is_worth(capfd, tiny_run, tmp_path):
    picture = tmp_path / "worth.png"
    ablate = ("heads", tiny_run, "--limit", 8, "--ablate")
    code, out, err = run(capfd, *ablate, "--out", picture)
    assert code == 0, err
    assert picture.stat().st_size
    sizes = translator.load(tiny_run).config.model
    rows = re.findall(r"^ +\d+ +\d+ .* (-?\d+\.\d{3}) +(-?\d+\.\d\d)  [a-z]", out, re.MULTILINE)
    assert len(rows) == 3 * sizes.num_layers * sizes.num_heads
    layers = re.findall(r"without all heads of layer (\d): loss [+-].*, BLEU [+-]", out)
    assert layers == ["1", "2"] * 3
    [(loss, bleu)] = re.findall(r"whole model: loss (.*) nats a token, BLEU (.*) with", out)
    found = json.loads(run(capfd, *ablate, "--json")[1])["worth"]
    assert found["whole"] == pytest.approx({"loss": float(loss), "bleu": float(bleu)}, abs=0.005)
    first = found["kinds"]["cross"]["heads"][0][0]
    assert float(rows[0][0]) == pytest.approx(first["loss"] - found["whole"]["loss"], abs=6e-4)
    assert float(rows[0][1]) == pytest.approx(first["bleu"] - found["whole"]["bleu"], abs=6e-3)
