"""Logistic regression with NumPy, and measures of how good its probabilities are."""

from __future__ import annotations

import math
import operator
from collections.abc import Sequence
from typing import Any, NamedTuple

from translator.base.late import np

MOST_STEPS = 50
SMALL_STEP = 1e-8
SMALLEST_RANGE = 1e-9  # of a feature that varies
PENALTY_OF_BIAS = 1e-3  # keeps it finite if all outcomes are the same
BINS = 15  # of equal width, for the calibration error


class LogisticModel(NamedTuple):
    """Predicts a probability from features.

    Attributes:
        bias: the log-odds where all features are 0.
    """

    weights: tuple[float, ...]
    bias: float

    @classmethod
    def from_json(cls, values: dict[str, Any], features: int) -> LogisticModel:
        """Reads what `_asdict` returned.

        Raises:
            ValueError: the values are not numbers, or not as many as there are features.
        """
        model = cls(tuple(map(float, values["weights"])), float(values["bias"]))
        if len(model.weights) != features or not all(
            map(math.isfinite, (*model.weights, model.bias))
        ):
            raise ValueError
        return model

    def log_odds(self, features: np.ndarray) -> np.ndarray:
        """(n,) from features (n, F)."""
        odds: np.ndarray = features @ np.array(self.weights) + self.bias
        return odds

    def probability(self, features: Sequence[float]) -> float:
        """The probability for one row (F,) of features, computed without NumPy."""
        odds = sum(map(operator.mul, features, self.weights)) + self.bias
        return 0.5 * (1 + math.tanh(0.5 * odds))

    def probabilities(self, features: np.ndarray) -> np.ndarray:
        """(n,) from features (n, F)."""
        return _sigmoid(self.log_odds(features))


def fit_logistic(
    features: np.ndarray,
    outcomes: np.ndarray,
    counts: Sequence[float] | np.ndarray | None = None,
    signs: Sequence[int] | None = None,
) -> LogisticModel:
    """Fits a logistic regression by Newton's method (iteratively reweighted least squares).

    Half of the sum of the squared weights of the features, in units of their standard deviations,
    is added to the loss (ridge regression). So weights stay finite if the features separate the
    outcomes without an error.

    Args:
        features: (n, F). A feature that never varies gets the weight 0.
        outcomes: (n,) from 0 to 1, such as whether a word is right, or the share of right words
            in a sentence.
        counts: (n,) how often each row counts; if None, each row counts once.
        signs: (F,) 1 or -1 if the weight of a feature must have this sign, 0 if any sign is
            allowed. A weight that would have the wrong sign becomes 0.
    """
    row_counts = np.ones(len(features)) if counts is None else np.asarray(counts, float)
    weight_signs = np.zeros(features.shape[1]) if signs is None else np.asarray(signs, float)
    is_used = np.ptp(features, axis=0) > SMALLEST_RANGE
    while True:
        model = _fit(features, outcomes, row_counts, is_used)
        signed_weights = np.array(model.weights) * weight_signs
        if not (signed_weights < 0).any():
            return model
        is_used[signed_weights.argmin()] = False


def _fit(
    features: np.ndarray,
    outcomes: np.ndarray,
    counts: np.ndarray,
    is_used: np.ndarray,
) -> LogisticModel:
    """Fits with the used features only."""
    mean = np.average(features, axis=0, weights=counts)
    variance = np.average((features - mean) ** 2, axis=0, weights=counts)
    scale = np.where(is_used, np.sqrt(variance), 1.0)
    design = np.column_stack([np.ones(len(features)), (features - mean) / scale * is_used])
    ridge = np.diag([PENALTY_OF_BIAS, *np.ones(features.shape[1])])
    coefficients = np.zeros(len(ridge))
    for _ in range(MOST_STEPS):
        expected = _sigmoid(design @ coefficients)
        gradient = design.T @ (counts * (outcomes - expected)) - ridge @ coefficients
        hessian = (design.T * (counts * expected * (1 - expected))) @ design + ridge
        step = np.linalg.solve(hessian, gradient)
        coefficients += step
        if np.abs(step).max() < SMALL_STEP:
            break
    weights = coefficients[1:] / scale
    return LogisticModel(tuple(weights.tolist()), float(coefficients[0] - weights @ mean))


def _sigmoid(log_odds: np.ndarray) -> np.ndarray:
    """1 / (1 + exp(-x)), without overflow."""
    probabilities: np.ndarray = 0.5 * (1 + np.tanh(0.5 * log_odds))
    return probabilities


def area_under_roc(is_right: np.ndarray, confidence: np.ndarray) -> float:
    """The probability that a right word has a higher confidence than a wrong one.

    Args:
        is_right: (n,) for each word, True or 1.0 if it is right.

    Returns:
        The area, with ties counted as one half; NaN if all words are right, or all are wrong.
    """
    right = is_right.astype(bool)
    _, group, sizes = np.unique(confidence, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(sizes) - (sizes - 1) / 2)[group]
    positive, negative = int(right.sum()), int((~right).sum())
    if not positive or not negative:
        return float("nan")
    above = ranks[right].sum() - positive * (positive + 1) / 2
    return float(above / (positive * negative))


def calibration_error(share_right: np.ndarray, confidence: np.ndarray) -> float:
    """The expected calibration error, in `BINS` bins of equal width.

    Naeini et al. (2015), "Obtaining Well Calibrated Probabilities Using Bayesian Binning",
    https://ojs.aaai.org/index.php/AAAI/article/view/9602

    Args:
        share_right: (n,) whether each word is right, or the share of each sentence's words.
        confidence: (n,) from 0 to 1.

    Returns:
        The distance between the mean confidence and the share that is right, averaged over the
        bins and weighted by their sizes.
    """
    bins = np.minimum((confidence * BINS).astype(int), BINS - 1)
    sizes = np.bincount(bins, minlength=BINS)
    distances = np.abs(np.bincount(bins, share_right - confidence, BINS))
    return float(distances.sum() / sizes.sum())
