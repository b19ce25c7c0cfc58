"""Which words of a translation are right, and how well confidences say so."""

from collections import Counter
from collections.abc import Sequence

import numpy as np

from translator.text.punctuation import plain_word

BINS = 15  # of equal width, for the calibration error


def right_words(words: Sequence[str], references: Sequence[str]) -> list[bool | None]:
    """Whether each word of a translation is in a reference.

    Words are compared in lower case, without punctuation. A word is right at most as often as
    the reference that has it most often has it, as in BLEU.

    Args:
        words: of the translation, in order.
        references: one or more translations of the same sentence.

    Returns:
        For each word whether it is right; None for punctuation alone.
    """
    available: Counter[str] = Counter()
    for reference in references:
        available |= Counter(map(plain_word, reference.split()))
    found: list[bool | None] = []
    for word in map(plain_word, words):
        found.append(available[word] > 0 if any(map(str.isalnum, word)) else None)
        available[word] -= 1
    return found


def area_under_roc(is_right: np.ndarray, confidence: np.ndarray) -> float:
    """The probability that a right word has a higher confidence than a wrong one.

    Args:
        is_right: (n,) of each word, True or 1.0 if it is.
        confidence: (n,) in any unit.

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
        The mean over the bins, by their sizes, of the distance between the mean confidence and
        the share that is right.
    """
    bins = np.minimum((confidence * BINS).astype(int), BINS - 1)
    sizes = np.bincount(bins, minlength=BINS)
    distances = np.abs(np.bincount(bins, share_right - confidence, BINS))
    return float(distances.sum() / sizes.sum())
