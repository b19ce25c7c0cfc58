"""Which words are right, and two measures of confidence, with exact numbers."""

import numpy as np
import pytest

from translator.addons.confidence.examples import check_words
from translator.addons.confidence.fitting import measure_marks
from translator.addons.confidence.logistic import area_under_roc, calibration_error


def test_a_word_is_right_as_often_as_one_reference_has_it():
    words = ["Die", "Katze,", "die", "DIE", "–", "Maus!"]
    references = ["Die Maus sieht die Katze.", "die katze"]
    assert check_words(words, references) == [True, True, True, False, None, True]
    assert check_words(["a"], []) == [False]


def test_confidence_is_measured_by_the_area_and_by_the_bins():
    right = np.array([1, 1, 0, 0, 1])
    confidence = np.array([0.9, 0.4, 0.5, 0.1, 0.5])
    # of six pairs: 0.9 above both, 0.4 above one, 0.5 above one and a tie with the other
    assert area_under_roc(right, confidence) == pytest.approx((2 + 1 + 1.5) / 6)
    assert np.isnan(area_under_roc(np.ones(3), np.arange(3.0)))
    right = np.array([1, 0, 1, 1.0])
    confidence = np.array([0.99, 0.98, 0.51, 0.52])
    # last bin: 2 words, mean confidence 0.985, half of them right; the bin of 0.5: 0.515 and all
    assert calibration_error(right, confidence) == pytest.approx(0.5 * 0.485 + 0.5 * 0.485)
    assert calibration_error(np.array([1.0, 0.5]), np.array([1.0, 0.5])) == 0.0


def test_marks_are_measured_on_what_is_surely_good_or_bad():
    confidence = np.array([0.9, 0.8, 0.7, 0.6, 0.5, 0.4])
    good = np.array([True, True, False, True, False, False])
    bad = np.array([False, False, False, False, True, True])
    found = measure_marks(confidence, confidence < 0.65, good, bad)
    assert found == pytest.approx(
        {
            "sentence_auroc": 1.0,
            "marked": 0.5,
            "unmarked_of_good": 2 / 3,
            "recall": 1.0,
            "precision": 2 / 3,
            "recall_at_90": 1.0,
        }
    )
    nothing = measure_marks(confidence, confidence < 0, np.zeros(6, bool), bad)
    assert [name for name, value in nothing.items() if np.isnan(value)] == [
        "sentence_auroc", "unmarked_of_good", "precision",
    ]  # fmt: skip
    assert nothing["recall_at_90"] == 0
