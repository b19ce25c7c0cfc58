"""Whether a model can take a text."""

import enum
from collections.abc import Sequence

from translator.tokenizers.subword import Tokenizer


def added_tokens(tokenizer: Tokenizer) -> int:
    """The number of tokens that encoding adds to every text: start and end, or only the end."""
    return 2 if tokenizer.has_start else 1


class Fit(enum.Enum):
    """Whether the ids of a text fit a model, and if not, why."""

    FITS = "fits"
    EMPTY = "no tokens between start and end"
    TOO_LONG = "more tokens than the model takes"
    UNKNOWN = "only characters that the tokenizer has never seen"


def check_fit(
    ids: Sequence[int], max_length: int, tokenizer: Tokenizer, must_spell: bool = False
) -> Fit:
    """Tells whether a model can take a text.

    Args:
        max_length: the most tokens that the model takes, start and end included.
        must_spell: whether a text that has only unknown characters does not fit.
    """
    if len(ids) <= added_tokens(tokenizer):
        return Fit.EMPTY
    if len(ids) > max_length:
        return Fit.TOO_LONG
    if must_spell and not tokenizer.spells(ids):
        return Fit.UNKNOWN
    return Fit.FITS


def has_words(text: str) -> bool:
    """Whether a text has a word of several letters, or a letter without a capital, such as 你."""
    return any(map(_is_word, text.split()))


def _is_word(text: str) -> bool:
    letters = [character for character in text if character.isalpha()]
    return len(letters) > 1 or any(letter.lower() == letter.upper() for letter in letters)
