"""Another pair end to end: English to Chinese, a script without spaces and without capitals."""

import re

import matplotlib
import numpy as np
import pytest
from matplotlib import font_manager

import translator
from tests.builders import write_config
from tests.commands import run
from tests.trained_runs.corpora import chinese_pairs
from translator.addons.attention.drawing import fonts
from translator.addons.attention.drawing import plot_attention as plots
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


def test_one_file_is_split_and_trained_on_without_confidence(capfd, tmp_path):
    (tmp_path / "en-zh.tsv").write_text(
        "".join(f"{english}\t{chinese}\n" for english, chinese in chinese_pairs()), "utf-8"
    )
    corpus = f"{{target_language: zh, train: {{tsv: {tmp_path}/en-zh.tsv}}}}"
    config = write_config(tmp_path, corpus, "{vocab_size: 400}")
    code, _, said = run(capfd, "train", config, "--run", tmp_path / "run")
    assert code == 0, said
    assert re.match(r"corpus files: \d+ pairs to train on, \d+ to validate, \d+ to test\n", said)
    assert "confidence: not fitted" in said


def test_tokenize_shows_pieces_and_ids_and_turns_them_back(chinese, capsys):
    main(["tokenize", "--run", str(chinese), "--side", "target", "我昨天买了一本书。"])
    pieces, ids, text = (line.split(maxsplit=1)[1] for line in capsys.readouterr().out.splitlines())
    assert pieces.startswith("<s> ▁")
    assert text == "我昨天买了一本书。"
    main(["tokenize", "--run", str(chinese), "--side", "target", "--as", "text", ids])
    assert capsys.readouterr().out == "我昨天买了一本书。\n"


def has_chinese_font() -> bool:
    """Whether this machine has one."""
    return not fonts.choose_families(["我昨天买了一本书"])[1]


def draw(run, path, capsys, *options: str) -> str:
    """Draws heat maps; returns what was said on standard error."""
    sentence = "The teacher bought a book yesterday."
    main(["attention", sentence, "--run", str(run), "--out", str(path), *options])
    return capsys.readouterr().err


@pytest.mark.skipif(has_chinese_font(), reason="this machine has a Chinese font")
def test_without_a_font_one_line_says_what_to_do(chinese, tmp_path, capsys):
    said = draw(chinese, tmp_path / "maps.png", capsys)
    [line] = [line for line in said.splitlines() if line.startswith("no installed")]
    assert line.startswith("no installed font has ")
    assert "--font FILE" in line
    assert (tmp_path / "maps.png").stat().st_size > 10_000


def test_a_font_that_has_the_characters_is_found_by_itself(monkeypatch):
    default = font_manager.findfont(fonts.DEFAULT_FAMILY)
    characters = fonts._characters(default)
    monkeypatch.setattr(
        fonts, "_characters", lambda path: characters - {"Ω"} if path == default else characters
    )
    families, missing = fonts.choose_families(["a Ω"])
    assert families[0] == fonts.DEFAULT_FAMILY
    assert len(families) == 2
    assert not missing


@pytest.mark.parametrize("text", ["Я вижу дом.", "Βλέπω το σπίτι.", "ich sehe ▁ß"])
def test_labels_in_other_scripts_come_out_by_the_font_that_matplotlib_brings(text):
    assert fonts.choose_families([text]) == ([fonts.DEFAULT_FAMILY], set())


def test_a_font_is_named_by_family_or_file(chinese, tmp_path, capsys):
    path = f"{matplotlib.get_data_path()}/fonts/ttf/DejaVuSerif.ttf"
    assert fonts.choose_families(["a"], path)[0] == ["DejaVu Serif", "DejaVu Sans"]
    assert fonts.choose_families(["a"], "DejaVu Serif")[0] == ["DejaVu Serif", "DejaVu Sans"]
    draw(chinese, tmp_path / "serif.svg", capsys, "--font", path)
    assert "DejaVu Serif" in (tmp_path / "serif.svg").read_text("utf-8")
    with pytest.raises(SystemExit) as ended:
        draw(chinese, tmp_path / "none.svg", capsys, "--font", "No Such Font")
    assert ended.value.code == 2
    assert "expected the name of an installed font" in capsys.readouterr().err


def test_a_record_of_another_script_keeps_its_text(chinese, tmp_path):
    loaded = translator.load(chinese)
    [found] = loaded.translate(["I drank tea yesterday."])
    record = next(loaded.attention([found]))
    assert "".join(record.target_tokens).replace("▁", "") == f"<s>{found.text}</s>"
    assert np.allclose(record.cross.sum(-1), 1, atol=1e-5)
    assert plots.missing_characters(record) <= set(found.text)
