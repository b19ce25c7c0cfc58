"""Recognises translations in which the search has run into a loop."""

import re
from collections.abc import Sequence

from translator.text.punctuation import plain_word

LONGEST_UNIT = 8  # words of a phrase that is repeated
TIMES = 3  # as often in a row, a phrase is a loop; "sehr, sehr" is none
SHORT_WORD = 3  # letters of a word that needs one time more, because of "die, die die"
IN_WORD = re.compile(r"(\w{3,12}?)\1\1")  # a part of a word, three times in a row


def is_loop(source: str, translation: str) -> bool:
    """Whether a translation repeats itself as its source does not.

    Args:
        source: the sentence that was translated.
        translation: of the sentence.
    """
    return _repeats(translation) and not _repeats(source)


def _repeats(text: str) -> bool:
    words = [word for word in map(plain_word, text.split()) if word]
    if len(words) > 1 and len(set(words)) == 1:
        return True
    if any(IN_WORD.search(word) for word in words):
        return True
    return any(_has_run(words, size) for size in range(1, LONGEST_UNIT + 1))


def _has_run(words: Sequence[str], size: int) -> bool:
    """Whether the same ``size`` words come `TIMES` times in a row."""
    equal = 0  # words in a row that are those of the phrase before
    for word, before in zip(words[size:], words):
        equal = equal + 1 if word == before else 0
        is_short = size == 1 and len(word) <= SHORT_WORD
        if equal == size * (TIMES - 1 + is_short):
            return True
    return False
