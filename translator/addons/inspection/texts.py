"""What the texts of pairs say without a model: copies, and other scripts."""

import functools
import unicodedata
from collections import Counter
from collections.abc import Iterable

from translator.corpora.cleaning import normalized_key

FEWEST_WORDS = 3  # of a copy; two words may be a name, which is written alike
FEWEST_CHARACTERS = 6  # of a copy that has no spaces
NEARLY = 0.75  # of the words of the longer side that both sides have, in nearly a copy
WORDS_OF_NEARLY = 5  # fewest of the longer side

USUAL_SHARE = 0.1  # of a side's letters; scripts that have less are not expected there
FOREIGN_SHARE = 0.5  # of a sentence's letters in scripts that are not expected
SCRIPTS = {"CJK": "Han", "HIRAGANA": "Kana", "KATAKANA": "Kana"}


def is_copy(source: str, target: str) -> bool:
    """Whether one side is the other one, but for case, punctuation and few of its words.

    Short texts, such as names and numbers, may be equal in two languages and are no copies.
    """
    sides = [normalized_key(text).split() for text in (source, target)]
    longest = max(map(len, sides))
    if sides[0] == sides[1]:
        is_wide = any(ord(character) > 0x2E80 for character in source)  # a script without spaces
        letters = sum(map(str.isalpha, "".join(sides[0])))
        return longest >= FEWEST_WORDS or longest == 1 and is_wide and letters >= FEWEST_CHARACTERS
    if longest < WORDS_OF_NEARLY:
        return False
    common = Counter(sides[0]) & Counter(sides[1])
    return common.total() >= NEARLY * longest


@functools.lru_cache(1 << 16)
def script_of(character: str) -> str:
    """The script of a letter, such as ``Latin``; empty for what is no letter."""
    if not character.isalpha():
        return ""
    first = unicodedata.name(character, "").replace("-", " ").split(" ")[0]
    return SCRIPTS.get(first, first.capitalize())


def count_scripts(sentence: str) -> Counter[str]:
    """How many letters of each script a sentence has."""
    counts = Counter(map(script_of, sentence))
    counts.pop("", None)
    return counts


def usual_scripts(counts: Counter[str]) -> frozenset[str]:
    """The scripts that a side is written in, by how many letters of each it has."""
    least = USUAL_SHARE * counts.total()
    return frozenset(script for script, count in counts.items() if count >= least)


def foreign_script(counts: Counter[str], usual: Iterable[str]) -> str:
    """The script that most letters of a sentence are in, if it is not usual; else empty."""
    foreign = {script: count for script, count in counts.items() if script not in usual}
    if sum(foreign.values()) <= FOREIGN_SHARE * counts.total():
        return ""
    return max(foreign, key=lambda script: (foreign[script], script))
