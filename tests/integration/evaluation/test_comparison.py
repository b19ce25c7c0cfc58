"""Two runs against each other, as sacreBLEU's own bootstrap has it."""

import json
import shutil

import pytest

from tests.commands import refused, run
from translator.base.errors import InputError
from translator.evaluation.comparison import compare
from translator.evaluation.scores import score_translations

REFERENCES = [[f"Der Mann sieht {i} alte Häuser in der Stadt."] for i in range(40)]
SOURCES = [f"The man sees {i} old houses in the town." for i in range(40)]
RIGHT = [texts[0] for texts in REFERENCES]
WRONG = [text.replace("alte Häuser", "neue Katzen") for text in RIGHT]


def test_a_better_translation_is_told_from_chance():
    found = compare(SOURCES, REFERENCES, (WRONG, RIGHT), "de", 200)
    assert [row.metric for row in found.rows] == ["BLEU", "chrF2", "TER"]
    bleu, _, ter = found.rows
    expected = score_translations(WRONG, REFERENCES)
    assert bleu.scores == pytest.approx((expected.bleu, 100))
    assert ter.scores[0] > ter.scores[1] == 0
    assert all(row.p_value < 0.01 for row in found.rows)
    assert len(found.differences) == 40


def test_what_is_better_as_often_as_worse_is_chance():
    one = [WRONG[i] if i % 2 else RIGHT[i] for i in range(40)]
    other = [RIGHT[i] if i % 2 or i == 0 else WRONG[i] for i in range(40)]
    found = compare(SOURCES, REFERENCES, (one, other), "de", 200)
    assert all(row.p_value > 0.1 for row in found.rows)
    assert len(found.differences) == 39
    first = found.differences[0]
    assert first.translations[1] == first.references[0]
    assert first.chrf[0] < first.chrf[1] == pytest.approx(100)


def test_those_better_by_most_come_first():
    other = [RIGHT[0], WRONG[1].replace("Mann", "Hund"), WRONG[2]]
    found = compare(SOURCES[:3], REFERENCES[:3], (WRONG[:3], other), "de", 50)
    assert [difference.source for difference in found.differences] == SOURCES[:2]


def test_capitals_and_digits_alone_are_no_difference_where_asked():
    shouted = [text.upper().replace("1", "2") for text in RIGHT]
    with pytest.raises(InputError, match="expected two runs that differ"):
        compare(SOURCES, REFERENCES, (RIGHT, shouted), "de", is_uncased=True)
    found = compare(SOURCES, REFERENCES, (WRONG, shouted), "de", 50, is_uncased=True)
    assert found.rows[0].scores[1] == pytest.approx(100)
    assert "case:lc" in found.rows[0].signature


def test_runs_that_translate_something_else_are_refused(capfd, tiny_run, tmp_path):
    other = tmp_path / "other"
    shutil.copytree(tiny_run, other)
    for path in (other / "config.yaml", other / "ctranslate2" / "config.yaml"):
        text = path.read_text("utf-8")
        assert "target_language: de" in text
        path.write_text(text.replace("target_language: de", "target_language: nl"), "utf-8")
    assert (
        f"{other}: expected a run that translates text from en to de as {tiny_run} does,"
        " found text from en to nl"
    ) in refused(capfd, "compare", tiny_run, other)


def test_the_same_translations_are_refused():
    with pytest.raises(InputError, match="expected two runs that differ"):
        compare(SOURCES, REFERENCES, (RIGHT, RIGHT), "de")


def test_all_references_of_a_sentence_count():
    references = [[text, text.replace("alte", "neue")] for text in RIGHT[:20]] + REFERENCES[20:]
    renewed = [text.replace("alte", "neue") for text in RIGHT]
    found = compare(SOURCES, references, (WRONG, renewed), "de", 50)
    assert found.rows[0].scores == pytest.approx(
        [score_translations(texts, references).bleu for texts in (WRONG, renewed)]
    )
    assert found.rows[0].scores[1] > score_translations(renewed, REFERENCES).bleu + 1


def test_tokenized_text_is_compared_as_it_stands():
    found = compare(SOURCES, REFERENCES, (WRONG, RIGHT), "de", 50, tokenized=True)
    assert "tok:none" in found.rows[0].signature
    expected = score_translations(WRONG, REFERENCES, tokenized=True)
    assert found.rows[0].scores[0] == pytest.approx(expected.bleu)
    assert found.rows[0].scores[0] < score_translations(WRONG, REFERENCES).bleu


def test_tokenized_is_not_compared_with_plain(capfd, tiny_run, tokenized_run):
    error = refused(capfd, "compare", tiny_run, tokenized_run)
    assert f"{tokenized_run}: expected a run that translates text from en to de" in error
    assert error.endswith("found tokenized text from en to de")


def test_compare_command(capfd, tiny_corpus, tiny_run, tmp_path):
    code, _, _ = run(
        capfd, "train", tiny_corpus / "config.yaml",
        "--run", tmp_path / "short", "--set", "training.epochs=4",
    )  # fmt: skip
    assert code == 0
    code, out, _ = run(capfd, "compare", tmp_path / "short", tiny_run, "--samples", 100)
    assert code == 0
    assert out.startswith("12 sentences, ")
    assert f"better by {tiny_run}: The " in out
    assert out.count("version:") == 3
    _, out, _ = run(capfd, "compare", tmp_path / "short", tiny_run, "--samples", 100, "--json")
    assert json.loads(out)["rows"][0]["scores"][1] > 80
    assert "expected two runs that differ" in refused(capfd, "compare", tiny_run, tiny_run)
    same_text = tmp_path / "unknown"  # what no model takes counts as untranslated, not as itself
    same_text.write_text("The man sees the cat.\n你好吗\n")
    files = ("--source", same_text, "--reference", same_text, "--json")
    _, out, _ = run(capfd, "compare", tmp_path / "short", tiny_run, "--samples", 100, *files)
    _, evaluated, _ = run(capfd, "evaluate", "--run", tiny_run, *files)
    chrf = [json.loads(out)["rows"][1]["scores"][1], json.loads(evaluated)["scores"]["chrf"]]
    assert chrf[0] == pytest.approx(chrf[1])
    marker = tmp_path / "short" / "run.json"
    marker.write_text(json.dumps({**json.loads(marker.read_text()), "corpus": "another"}))
    export = tmp_path / "short" / "ctranslate2" / "run.json"
    export.write_text(json.dumps({**json.loads(export.read_text()), "corpus": "another"}))
    _, _, said = run(capfd, "compare", tmp_path / "short", tiny_run, "--samples", 100)
    assert f"{tmp_path / 'short'}: trained on another corpus than these sentences" in said
    assert f"{tiny_run}: trained on another" not in said
