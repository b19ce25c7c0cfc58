"""The features that confidence is predicted from, and the file that it is kept in."""

import json

import numpy as np
import pytest

from tests.builders import table_of, translating
from tests.growth import grows_linearly
from translator.addons.confidence.logistic import LogisticModel
from translator.addons.confidence.model import (
    SENTENCE_FEATURES,
    WORD_FEATURES,
    ConfidenceModel,
    Evidence,
    compare_words,
    sentence_features,
    word_features,
)
from translator.addons.confidence.source_words import SourceWords
from translator.base.errors import InputError
from translator.text.word_table import WordTable
from translator.tokenizers.words import words_of

MODEL = ConfidenceModel(
    LogisticModel((1.0, 0.0, 0.0, -2.0, 0.5, 0.25), 3.0),
    LogisticModel((1.0, -0.5, 0.0, 0.1, 0.2, *[0.0] * 5, -1.0, -0.1, 0.6, 0.7), 0.25),
    0.4,
    0.9,
    SourceWords(table_of(["cat"]), {"die": -3.5}),
    {"words": 12, "auroc": 0.9},
)


NOTHING = Evidence(0.0, 1.0, np.zeros(0))


def test_features_of_a_sentence():
    found = sentence_features(np.log(0.25), 2, Evidence(0.5, 0.25, np.zeros(2)), 0.75)
    assert found == pytest.approx([np.log(0.5), np.log(0.5), 1.0, 0.5, 0.25, 0.75])
    found = sentence_features(0.0, 3, NOTHING, 1.0)
    assert found == pytest.approx([0.0, np.log(1e-4), 0.0, 0.0, 1.0, 1.0])


def test_words_are_compared_by_the_lexicon():
    lexicon = translating({"cat": {"katze": 0.5, "kater": 0.25}, "the": {"die": 0.75}})
    found = compare_words(["The", "CAT", "snores,", "12"], ["Die", "Katze", "12"], lexicon, 0.0)
    assert found.covered == pytest.approx(6 / 12)  # of letters, where 12 has none
    assert found.associations == pytest.approx([0.75, 0.5, 0.0])
    for source, printed in (([], ["Die"]), (["The"], []), ([], [])):
        found = compare_words(source, printed, lexicon, 0.0)
        assert (found.covered, found.associations) == (1.0, [0.0] * len(printed))


def test_features_of_words():
    """A word has its tokens' probability, what is left to 1, its neighbours' and the mean."""
    words = words_of(["▁Die", "▁Kat", "ze", ".", "</s>"])
    log_p = np.log([0.5, 0.8, 0.5, 1.0, 0.9])
    mean = log_p.mean()
    expected = np.array(
        [
            [np.log(0.5), np.log(0.5), 0.0, np.log(0.4), mean],
            [np.log(0.4), np.log(0.6), np.log(0.5), np.log(0.9), mean],
        ]
    )
    zeros, ones = np.zeros((2, 5)), np.ones((2, 1))
    support = np.array([0.5, 0.75, 0.25, 1.0, 0.1])
    rest = np.array([[0.0, 0.5, 0.0], [0.5, 0.25, 0.0]])  # place, least support, association
    found = word_features(log_p, words, False, support)
    assert found == pytest.approx(np.hstack([expected, zeros, 0 * ones, rest]))
    found = word_features(log_p, words, True, support)
    assert found == pytest.approx(np.hstack([zeros, expected, ones, rest]))
    certain = word_features(np.array([1e-9, 0.0]), words_of(["▁a", "</s>"]), False, np.ones(2))
    assert np.isfinite(certain).all()
    assert certain[0, 1] == pytest.approx(np.log(1e-4))


def test_a_model_survives_a_round_trip_and_one_of_other_features_counts_as_none(tmp_path):
    MODEL.save(tmp_path / "confidence.json")
    words = MODEL.source_words.words
    assert ConfidenceModel.load(tmp_path / "confidence.json", words) == MODEL
    assert ConfidenceModel.load(tmp_path / "confidence.json", WordTable()).source_words is None
    without = MODEL._replace(source_words=None)
    path = tmp_path / "confidence.json"
    without.save(path)
    assert ConfidenceModel.load(path, words) == without
    MODEL.save(path)
    values = json.loads(path.read_text("utf-8"))
    values["word"]["features"][WORD_FEATURES.index("log_after")] = "weather"
    path.write_text(json.dumps(values), "utf-8")
    assert ConfidenceModel.load(path, words) is None
    assert ConfidenceModel.load(tmp_path / "missing.json", words) is None


def test_a_damaged_model_is_one_line(tmp_path):
    source = MODEL.source_words.to_json()
    sentence = {"features": SENTENCE_FEATURES, "bias": 0.0}
    for change in [
        {"sentence": {}},
        {"sentence": sentence | {"weights": [1.0]}},
        {"sentence": sentence | {"weights": [float("nan")] * 6}},
        {"source": 3},
        {"source": source | {"frequent_target_words": {"die": "often"}}},
        {"doubtful_below": "much"},
    ]:
        path = tmp_path / "confidence.json"
        MODEL.save(path)
        path.write_text(json.dumps(json.loads(path.read_text("utf-8")) | change), "utf-8")
        with pytest.raises(InputError, match="confidence.json: expected a file that translator"):
            ConfidenceModel.load(path, MODEL.source_words.words)


def test_any_number_of_words_is_compared_in_linear_time():
    words = [f"word{n}" for n in range(4000)]
    assert grows_linearly(lambda n: compare_words(words[:n], words[:n], WordTable(), 0.0), 4000)
