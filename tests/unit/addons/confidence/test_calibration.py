"""Which words are right, and two measures of confidence, with exact numbers."""

import numpy as np
import pytest

from translator.addons.confidence.calibration import area_under_roc, calibration_error, right_words


def test_a_word_is_right_as_often_as_one_reference_has_it():
    words = ["Die", "Katze,", "die", "DIE", "–", "Maus!"]
    references = ["Die Maus sieht die Katze.", "die katze"]
    assert right_words(words, references) == [True, True, True, False, None, True]
    assert right_words(["a"], []) == [False]


def test_the_area_is_the_share_of_pairs_in_the_right_order():
    right = np.array([1, 1, 0, 0, 1])
    confidence = np.array([0.9, 0.4, 0.5, 0.1, 0.5])
    # of six pairs: 0.9 above both, 0.4 above one, 0.5 above one and a tie with the other
    assert area_under_roc(right, confidence) == pytest.approx((2 + 1 + 1.5) / 6)
    assert np.isnan(area_under_roc(np.ones(3), np.arange(3.0)))


def test_the_calibration_error_is_the_mean_distance_of_the_bins():
    right = np.array([1, 0, 1, 1.0])
    confidence = np.array([0.99, 0.98, 0.51, 0.52])
    # last bin: 2 words, mean confidence 0.985, half of them right; the bin of 0.5: 0.515 and all
    assert calibration_error(right, confidence) == pytest.approx(0.5 * 0.485 + 0.5 * 0.485)
    assert calibration_error(np.array([1.0, 0.5]), np.array([1.0, 0.5])) == 0.0
