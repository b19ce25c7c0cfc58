"""Whether a model can take a text. This is the only place that decides it."""

import enum
from collections.abc import Sequence

from translator.tokenizers.subword import Tokenizer

START_AND_END = 2  # tokens that every encoded text has


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
    if len(ids) <= START_AND_END:
        return Fit.EMPTY
    if len(ids) > max_length:
        return Fit.TOO_LONG
    if tokenizer is not None and not tokenizer.spells(ids):
        return Fit.UNKNOWN
    return Fit.FITS
