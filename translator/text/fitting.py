"""Whether a model can take a text. This is the only place that decides it."""

import enum
from collections.abc import Sequence

import numpy as np

from translator.tokenizers.subword import Tokenizer

START_AND_END = 2  # tokens that encoding adds to a text, but for a source without start


def added_tokens(tokenizer: Tokenizer) -> int:
    """How many tokens encoding adds to every text."""
    return START_AND_END if tokenizer.has_start else START_AND_END - 1


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


def check_fit(
    ids: Sequence[int], max_length: int, tokenizer: Tokenizer, must_spell: bool = False
) -> Fit:
    """Tells whether a model can take a text.

    Args:
        ids: of the text, start and end included.
        max_length: the most tokens that the model takes, start and end included.
        tokenizer: the one that made the ids.
        must_spell: whether a text of unknown characters alone does not fit.
    """
    length = np.array(len(ids))
    if length <= added_tokens(tokenizer):
        return Fit.EMPTY
    if not are_short_enough(length, max_length):
        return Fit.TOO_LONG
    if must_spell and not tokenizer.spells(ids):
        return Fit.UNKNOWN
    return Fit.FITS
