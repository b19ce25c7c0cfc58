"""Which scripts sentences are written in."""

import functools
import unicodedata
from collections import Counter
from collections.abc import Iterable

USUAL_SHARE = 0.1  # of a side's letters; scripts that have less are not expected there
FOREIGN_SHARE = 0.5  # of a sentence's letters in scripts that are not expected
NAMES = {"CJK": "Han", "HIRAGANA": "Kana", "KATAKANA": "Kana"}


@functools.lru_cache(1 << 16)
def script_of(character: str) -> str:
    """The script of a letter, such as ``Latin``; empty for what is no letter."""
    if not character.isalpha():
        return ""
    first = unicodedata.name(character, "").replace("-", " ").split(" ")[0]
    return NAMES.get(first, first.capitalize())


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
