"""Whether a model can take a text. This is the only place that decides it."""

import enum
from collections.abc import Sequence

import numpy as np

from translator.tokenizers.subword import Tokenizer

START_AND_END = 2  # tokens that every encoded text has


def are_filled(lengths: np.ndarray) -> np.ndarray:
    """Whether there is anything between start and end, for texts of these numbers of tokens."""
    filled: np.ndarray = lengths > START_AND_END
    return filled


def are_short_enough(lengths: np.ndarray, max_length: int) -> np.ndarray:
    """Whether a model takes as many tokens, for texts of these numbers of tokens.

    Args:
        lengths: tokens of each text, start and end included.
        max_length: the most tokens that the model takes.
    """
    short_enough: np.ndarray = lengths <= max_length
    return short_enough


class Fit(enum.Enum):
    """Whether the ids of a text fit a model, and if not, why."""

    FITS = "fits"
    EMPTY = "nothing between start and end"
    TOO_LONG = "more tokens than the model takes"
    UNKNOWN = "only characters that the tokenizer has never seen"


def check_fit(ids: Sequence[int], max_length: int, tokenizer: Tokenizer | None = None) -> Fit:
    """Tells whether a model can take a text.

    Args:
        ids: of the text, start and end included.
        max_length: the most tokens that the model takes, start and end included.
        tokenizer: the one that made the ids; with it, a text of unknown characters alone
            does not fit.
    """
    length = np.array(len(ids))
    if not are_filled(length):
        return Fit.EMPTY
    if not are_short_enough(length, max_length):
        return Fit.TOO_LONG
    if tokenizer is not None and not tokenizer.spells(ids):
        return Fit.UNKNOWN
    return Fit.FITS
