"""Pairs whose sides are the same text, or nearly."""

from collections import Counter

from translator.corpora.cleaning import normalized_key

FEWEST_WORDS = 3  # of a copy; two words may be a name, which is written alike
FEWEST_CHARACTERS = 6  # of a copy that has no spaces
NEARLY = 0.75  # of the words of the longer side that both sides have, in nearly a copy
WORDS_OF_NEARLY = 5  # fewest of the longer side


def is_copy(source: str, target: str) -> bool:
    """Whether one side is the other one, but for case, punctuation and few of its words.

    Short texts, such as names and numbers, may be equal in two languages and are no copies.
    """
    sides = [normalized_key(text).split() for text in (source, target)]
    longest = max(map(len, sides))
    if sides[0] == sides[1]:
        letters = sum(map(str.isalpha, "".join(sides[0])))
        return longest >= FEWEST_WORDS or longest == 1 and _has_no_spaces(source, letters)
    if longest < WORDS_OF_NEARLY:
        return False
    common = Counter(sides[0]) & Counter(sides[1])
    return common.total() >= NEARLY * longest


def _has_no_spaces(text: str, letters: int) -> bool:
    """Whether a text of one word is a sentence of a script that has no spaces."""
    is_wide = any(ord(character) > 0x2E80 for character in text)
    return is_wide and letters >= FEWEST_CHARACTERS
