"""Copies words of the source that the tokenizer cannot spell into the translation."""

from collections.abc import Sequence

import numpy as np

from translator.text.punctuation import MARKS, split_marks
from translator.text.truecasing import is_word
from translator.tokenizers.special_tokens import UNKNOWN


def copy_unknown(
    words: Sequence[str],
    originals: Sequence[str],
    unknown: Sequence[bool],
    alignment: np.ndarray,
    fixed: Sequence[bool],
) -> list[str]:
    """Replaces words of a translation by source words that the tokenizer cannot spell.

    A word is replaced if it is unknown itself, or if it attends most to an unknown source word
    and has no digits.

    Args:
        words: of the translation; consecutive words for the same source word are replaced
            together.
        originals: the words of the source.
        unknown: whether each source word is a new name, or cannot be spelt.
        alignment: (words, originals) how much each word attended to each original.
        fixed: whether each word of the translation is not replaced.

    Returns:
        The words of the translation; "" for those that were joined to the word before.
    """
    restored = list(words)
    name, begin = -1, -1  # the source word that was copied last, and the place it was copied to
    for t, word in enumerate(words):
        is_unknown = UNKNOWN in word
        s = int(alignment[t].argmax()) if alignment.shape[1] else -1
        if s < 0 or fixed[t] or not (is_unknown or unknown[s] and _has_letters_only(word)):
            name = -1
            continue
        before, _, after = split_marks(word)
        if s == name and not is_unknown:
            restored[t] = ""
            restored[begin] += after
        else:
            restored[t] = before + originals[s].strip(MARKS) + after
            name, begin = s, t
    return restored


def _has_letters_only(word: str) -> bool:
    return is_word(word) and not any(map(str.isdigit, word))
