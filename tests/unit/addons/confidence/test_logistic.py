"""Logistic regression, with exact numbers."""

import numpy as np
import pytest

from translator.addons.confidence.logistic import LogisticModel, fit_logistic


def test_a_model_predicts_from_its_weights():
    model = LogisticModel((2.0, -1.0), 0.5)
    features = np.array([[0.0, 0.0], [1.0, 2.5]])
    assert model.log_odds(features).tolist() == [0.5, 0.0]
    assert model.probabilities(features) == pytest.approx([0.622459, 0.5], abs=1e-6)
    extreme = np.array([[-1e4, 0.0], [1e4, 0.0]])
    assert model.probabilities(extreme).tolist() == [0.0, 1.0], "without an overflow"


def test_two_groups_get_their_shares_and_counts_weigh_as_repeated_rows():
    """1 of 4 and 3 of 4 mean log-odds of -log 3 and log 3; of many rows the penalty is small."""
    features = np.array([[0.0]] * 4 + [[1.0]] * 4)
    outcomes = np.array([1, 0, 0, 0, 1, 1, 1, 0], float)
    model = fit_logistic(features, outcomes, np.full(8, 1e6))
    assert model.bias == pytest.approx(-np.log(3), abs=1e-3)
    assert model.weights[0] == pytest.approx(2 * np.log(3), abs=1e-3)
    features = np.array([[0.0, 1.0], [1.0, 3.0], [2.0, -1.0]])
    outcomes = np.array([0.2, 1.0, 0.0])
    repeated = [0, 1, 1, 1, 2, 2]
    weighed = fit_logistic(features, outcomes, [1, 3, 2])
    written_out = fit_logistic(features[repeated], outcomes[repeated])
    assert weighed.weights == pytest.approx(written_out.weights)
    assert weighed.bias == pytest.approx(written_out.bias)


def test_weights_of_the_wrong_sign_are_zero_and_constant_features_stay_finite():
    draw = np.random.default_rng(1)
    features = draw.normal(size=(200, 2))
    outcomes = (features @ [2.0, -1.0] + draw.normal(size=200) > 0).astype(float)
    free = fit_logistic(features, outcomes)
    assert free.weights[0] > 1
    assert free.weights[1] < -0.5
    held = fit_logistic(features, outcomes, signs=(1, 1))
    assert held.weights[1] == 0.0
    assert held.weights[0] == pytest.approx(fit_logistic(features[:, :1], outcomes).weights[0])
    model = fit_logistic(np.ones((5, 2)), np.ones(5))
    assert model.weights == (0.0, 0.0)
    assert 0.99 < model.probabilities(np.ones((1, 2)))[0] < 1
