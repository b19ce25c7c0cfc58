"""Another pair end to end: English to Chinese, a script without spaces and without capitals."""

import re

import numpy as np
import pytest

import translator
from tests.builders import write_config
from tests.commands import run
from tests.trained_runs.corpora import chinese_pairs
from translator.addons.attention import heat_maps
from translator.cli import main
from translator.evaluation.run_evaluation import evaluate_split


@pytest.fixture
def chinese(stored_run):
    """A run trained on one file that the program split by itself."""
    return stored_run("chinese")


def test_the_pair_is_translated_and_measured(chinese):
    loaded = translator.load(chinese)
    result = evaluate_split(loaded, "test")
    assert result.scores.sentences > 10
    assert "tok:zh" in result.scores.bleu_signature
    assert result.scores.bleu == pytest.approx(100)
    [found] = loaded.translate(["My father saw a dog last year."])
    assert found.text == "我的父亲去年看见了一只狗。"
    assert found.hypotheses[0].confidence is None  # nothing says which words are right


def test_one_file_is_split_and_trained_on_without_confidence(capfd, tmp_path, computes_nothing):
    (tmp_path / "en-zh.tsv").write_text(
        "".join(f"{english}\t{chinese}\n" for english, chinese in chinese_pairs()), "utf-8"
    )
    corpus = f"{{target_language: zh, train: {{tsv: {tmp_path}/en-zh.tsv}}}}"
    config = write_config(tmp_path, corpus, "{vocab_size: 400}")
    code, _, said = run(capfd, "train", config, "--run", tmp_path / "run")
    assert code == 0, said
    assert re.match(
        r"corpus files: \d+ pairs and \d+ copies to train on, \d+ to validate, \d+ to test\n", said
    )
    assert "confidence: not fitted" in said


def test_tokenize_shows_pieces_and_ids_and_turns_them_back(chinese, capsys):
    main(["tokenize", "--run", str(chinese), "--side", "target", "我昨天买了一本书。"])
    pieces, ids, text = (line.split(maxsplit=1)[1] for line in capsys.readouterr().out.splitlines())
    assert pieces.startswith("<s> ▁")
    assert text == "我昨天买了一本书。"
    main(["tokenize", "--run", str(chinese), "--side", "target", "--as", "text", ids])
    assert capsys.readouterr().out == "我昨天买了一本书。\n"


def test_where_no_font_has_the_characters_one_line_says_what_to_do(
    chinese, tmp_path, capsys, monkeypatch
):
    monkeypatch.setattr(heat_maps, "FALLBACKS", ())
    picture = tmp_path / "maps.png"
    sentence = "The teacher bought a book yesterday."
    main(["attention", sentence, "--run", str(chinese), "--out", str(picture)])
    said = capsys.readouterr().err
    [line] = [line for line in said.splitlines() if line.startswith("no font has ")]
    assert "so the picture shows boxes; install a font" in line
    assert picture.stat().st_size > 10_000


def test_a_record_of_another_script_keeps_its_text(chinese):
    loaded = translator.load(chinese)
    [found] = loaded.translate(["I drank tea yesterday."])
    record = next(loaded.attention([found]))
    assert "".join(record.target_tokens).replace("▁", "") == f"<s>{found.text}</s>"
    assert np.allclose(record.cross.sum(-1), 1, atol=1e-5)
