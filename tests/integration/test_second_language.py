"""Another pair end to end: English to Chinese, a script without spaces and without capitals."""

import itertools

import numpy as np
import pytest

import translator
from translator.addons.attention.drawing import styles
from translator.cli import main
from translator.config.yaml_file import validate_config
from translator.evaluation.run_evaluation import evaluate_split
from translator.training.start import train

pytestmark = pytest.mark.slow
PEOPLE = [("I", "我"), ("My father", "我的父亲"), ("The teacher", "老师"), ("The child", "孩子")]
PEOPLE += [("My friend", "我的朋友"), ("The old man", "那位老人")]
TIMES = [("yesterday", "昨天"), ("this morning", "今天早上"), ("last year", "去年")]
DEEDS = [
    (
        "bought",
        "买了",
        [("a book", "一本书"), ("a red car", "一辆红色的车"), ("two cats", "两只猫")],
    ),
    (
        "saw",
        "看见了",
        [("a dog", "一只狗"), ("two cats", "两只猫"), ("the old house", "那座老房子")],
    ),
    (
        "painted",
        "画了",
        [("a dog", "一只狗"), ("the old house", "那座老房子"), ("a tree", "一棵树")],
    ),
    ("drank", "喝了", [("tea, not coffee", "茶，不是咖啡"), ("cold water", "冷水")]),
    ("ate", "吃了", [("rice", "米饭"), ("an apple", "一个苹果"), ("three pears", "三个梨")]),
    (
        "sold",
        "卖了",
        [("a book", "一本书"), ("the old house", "那座老房子"), ("a red car", "一辆红色的车")],
    ),
]


def chinese_pairs() -> list[tuple[str, str]]:
    """306 sentences; in Chinese the time stands before the verb."""
    return [
        (f"{person} {verb} {thing} {time}.", f"{chinese}{when}{did}{what}。")
        for (person, chinese), (verb, did, things), (time, when) in itertools.product(
            PEOPLE, DEEDS, TIMES
        )
        for thing, what in things
    ]


@pytest.fixture(scope="module")
def chinese(tmp_path_factory, home):
    """A run trained on one file that the program splits by itself, and what it said."""
    folder = tmp_path_factory.mktemp("chinese")
    lines = "".join(f"{english}\t{chinese}\n" for english, chinese in chinese_pairs())
    (folder / "en-zh.tsv").write_text(lines, "utf-8")
    config = validate_config(
        {
            "corpus": {
                "target_language": "zh",
                "train": {"tsv": str(folder / "en-zh.tsv")},
                "split": {"validation": 0.08, "test": 0.08},
            },
            "tokenizer": {"vocab_size": 400},
            "data": {"max_length": 32, "batch_size": 16},
            "model": {"num_layers": 2, "d_model": 32, "num_heads": 2, "dff": 64},
            "training": {
                "epochs": 30,
                "schedule": {"name": "inverse_sqrt", "learning_rate": 4e-3, "warmup_steps": 60},
            },
        },
        "here",
    )
    said = []
    assert train(config, folder / "run", report=said.append).finished
    return folder / "run", said


def test_the_pair_is_split_trained_and_measured(chinese):
    run, said = chinese
    assert said[0].startswith("corpus files: 2")
    loaded = translator.load(run)
    result = evaluate_split(loaded, "test")
    assert result.scores.sentences > 10
    assert "tok:zh" in result.scores.bleu_signature
    assert result.scores.bleu > 80
    [found] = loaded.translate(["My father saw a dog last year."])
    assert found.text == "我的父亲去年看见了一只狗。"
    assert found.hypotheses[0].confidence is None  # nothing says which words are right
    assert any(line.startswith("confidence: not fitted") for line in said)


def test_tokenize_shows_pieces_and_ids_and_turns_them_back(chinese, capsys):
    run, _ = chinese
    main(["tokenize", "--run", str(run), "--side", "target", "我昨天买了一本书。"])
    pieces, ids, text = (line.split(maxsplit=1)[1] for line in capsys.readouterr().out.splitlines())
    assert pieces.startswith("<s> ▁")
    assert text == "我昨天买了一本书。"
    main(["tokenize", "--run", str(run), "--side", "target", "--as", "text", ids])
    assert capsys.readouterr().out == "我昨天买了一本书。\n"


def test_where_no_font_has_the_characters_one_line_says_what_to_do(
    chinese, tmp_path, capsys, monkeypatch
):
    monkeypatch.setattr(styles, "FALLBACKS", ())
    picture = tmp_path / "maps.png"
    sentence = "The teacher bought a book yesterday."
    main(["attention", sentence, "--run", str(chinese[0]), "--out", str(picture)])
    said = capsys.readouterr().err
    [line] = [line for line in said.splitlines() if line.startswith("no font has ")]
    assert "drawn as boxes; install one that has them" in line
    assert picture.stat().st_size > 10_000


def test_a_record_of_another_script_keeps_its_text(chinese):
    loaded = translator.load(chinese[0])
    [found] = loaded.translate(["I drank tea yesterday."])
    record = next(loaded.attention([found]))
    assert "".join(record.target_tokens).replace("▁", "") == f"<s>{found.text}</s>"
    assert np.allclose(record.cross.sum(-1), 1, atol=1e-5)
