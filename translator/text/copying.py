"""Copies words from the source that the model cannot spell."""

from collections.abc import Sequence

import numpy as np

from translator.text.punctuation import MARKS, split_marks
from translator.text.truecasing import is_word
from translator.tokenizers.special_tokens import UNKNOWN


def copy_unknown(
    words: Sequence[str], originals: Sequence[str], unknown: Sequence[bool], alignment: np.ndarray
) -> list[str]:
    """Copies the source word for what is not spelt, and for what attends most to such a word.

    Args:
        words: of the translation; pieces of one name that follow each other are one.
        originals: the words of the source.
        unknown: whether each of them is a new name, or cannot be spelt.
        alignment: (words, originals) how much each word attended to each original.

    Returns:
        The words of the translation; "" for pieces of a name that stands before them.
    """
    restored = list(words)
    name, begin = -1, -1  # the source word, and where it was copied to, while its pieces go on
    for t, word in enumerate(words):
        is_unknown = UNKNOWN in word
        s = int(alignment[t].argmax()) if alignment.shape[1] else -1
        if s < 0 or not (is_unknown or unknown[s] and _has_letters_only(word)):
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
