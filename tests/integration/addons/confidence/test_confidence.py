"""Confidence of a trained run: both engines alike, and fitting it later."""

import shutil

import pytest

import translator
from tests.commands import GERMAN, SENTENCE, refused, run
from translator import TranslationOptions
from translator.addons.confidence import fitting
from translator.addons.confidence.model import ConfidenceModel
from translator.data.preparation import prepare
from translator.text.word_table import WordTable

WITH_WORDS = TranslationOptions(word_confidence=True, n_best=2)
LINES = [SENTENCE, "The badger sees the man. The dog loves the river.", "Der Mann sieht das Haus."]


@pytest.fixture(scope="module")
def engines(tiny_run) -> list[translator.Translator]:
    return [translator.load(tiny_run, engine) for engine in ("keras", "ctranslate2")]


def test_both_engines_have_the_same_confidence(engines):
    ours, theirs = (engine.translate(LINES, WITH_WORDS) for engine in engines)
    for one, other in zip(ours, theirs):
        assert [doubt.kind for doubt in one.doubts] == [doubt.kind for doubt in other.doubts]
        assert len(one.hypotheses) == len(other.hypotheses) > 0
        for mine, its in zip(one.hypotheses, other.hypotheses):
            assert mine.text == its.text
            assert 0 < mine.confidence < 1
            assert mine.confidence == pytest.approx(its.confidence, abs=1e-3)
            assert [word.text for word in mine.words] == mine.text.split()
            expected = [word.confidence for word in its.words]
            assert [word.confidence for word in mine.words] == pytest.approx(expected, abs=1e-3)


def test_attention_records_have_the_confidences_of_their_hypotheses(engines):
    translations = engines[0].translate(SENTENCE, WITH_WORDS)
    for record, hypothesis in zip(
        engines[0].attention(translations), translations[0].hypotheses, strict=True
    ):
        assert record.confidence == hypothesis.confidence
        assert record.word_confidences == hypothesis.words
        assert type(record.word_confidences[0]) is tuple


def test_both_engines_score_tokens_alike(engines):
    [ours], [theirs] = (engine.score(SENTENCE, GERMAN) for engine in engines)
    assert ours.pieces == theirs.pieces
    assert ours.pieces[-1] == "</s>"
    assert ours.token_log_probabilities == pytest.approx(theirs.token_log_probabilities, abs=1e-4)
    assert sum(ours.token_log_probabilities) == pytest.approx(ours.log_probability)
    assert [word.text for word in ours.words] == GERMAN.split()
    assert ours.word_numbers[-1] == -1
    assert sorted(set(ours.word_numbers[:-1])) == list(range(5))


def test_a_given_translation_has_the_confidence_of_the_same_hypothesis(engines):
    for engine in engines:
        [translation] = engine.translate(SENTENCE, TranslationOptions(word_confidence=True))
        [hypothesis] = translation.hypotheses
        [score] = engine.score(SENTENCE, hypothesis.text)
        # without a beam, how much of it has the same tokens is taken for what is usual
        assert hypothesis.confidence == pytest.approx(score.confidence, abs=0.02)
        for one, other in zip(hypothesis.words, score.words):
            assert one.confidence == pytest.approx(other.confidence, abs=0.02)


def test_sentences_apart_have_the_doubts_of_their_own_words(engines):
    first, second = engines[1].translate(LINES[1], TranslationOptions(per_sentence=True))
    assert first.doubts[0].kind == "words"
    assert second.doubts == ()


@pytest.fixture(scope="module")
def data(engines):
    """What a training prepared and fits its confidence on."""
    opened = engines[1]
    return prepare(opened.config, lambda line: None, opened.tokenizers, opened.corpus)


def test_calibrate_fits_a_run_as_a_training_does(tiny_run, data, tmp_path, capfd):
    folder = shutil.copytree(tiny_run, tmp_path / "old")
    (folder / "confidence.json").write_text("{}")  # damaged
    (folder / "ctranslate2" / "confidence.json").unlink()
    code, out, err = run(capfd, "calibrate", folder)
    assert (code, out) == (0, "")
    assert "of 100 words with a confidence of 0.8 or more were right" in err
    assert err.endswith(f"confidence: {folder}/confidence.json\n")
    words = WordTable.load(folder / "source.words")
    fitted = ConfidenceModel.load(folder / "confidence.json", words)
    expected = fitting.fit_confidence(translator.load(tiny_run), data)
    assert fitted.source_words == expected.source_words
    assert fitted.word.weights == pytest.approx(expected.word.weights, abs=1e-3)
    assert (folder / "ctranslate2" / "confidence.json").read_bytes() == (
        folder / "confidence.json"
    ).read_bytes()
    assert translator.load(folder / "ctranslate2").assessor is not None
    assert "expected a run directory" in refused(capfd, "calibrate", tmp_path)
    assert "found an export" in refused(capfd, "calibrate", tiny_run / "ctranslate2")


def test_the_model_of_a_run_has_measured_figures(tiny_run):
    words = WordTable.load(tiny_run / "source.words")
    model = ConfidenceModel.load(tiny_run / "confidence.json", words)
    assert model.measured["sentences"] == 6
    assert model.measured["words"] == 30
    assert 0 <= model.measured["calibration_error"] < 0.5
    assert 0 < model.doubtful_below <= 0.75
    assert 0 < model.usual_support <= 1
    assert model.measured["unmarked_of_good"] == 1
    assert "cat" in model.source_words.words


def test_a_run_that_cannot_be_fitted_loses_an_earlier_model(tiny_run, tmp_path, capfd, monkeypatch):
    folder = shutil.copytree(tiny_run, tmp_path / "short")
    monkeypatch.setattr(fitting, "FEWEST_WORDS", 31)
    code, _, err = run(capfd, "calibrate", folder)
    assert code == 0
    assert "confidence: not fitted: expected 31 words in the translations of each half" in err
    assert not (folder / "confidence.json").exists()
    assert not (folder / "ctranslate2" / "confidence.json").exists()


def test_sentences_without_known_words_of_the_source_are_fitted_too(tiny_run, data, monkeypatch):
    """As of a source language without spaces between words."""
    monkeypatch.setattr(fitting, "learn_source_words", lambda data: None)
    model = fitting.fit_confidence(translator.load(tiny_run), data)
    assert model.source_words is None
    assert model.measured["words"] == 30
