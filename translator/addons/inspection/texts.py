"""What the texts of pairs say without a model: copies, other scripts, names that differ."""

import functools
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence

from translator.corpora.cleaning import normalized_key
from translator.text.punctuation import MARKS

FEWEST_WORDS = 3  # of a copy; two words may be a name, which is written alike
FEWEST_CHARACTERS = 6  # of a copy that has no spaces
NEARLY = 0.75  # of the words of the longer side that both sides have, in nearly a copy
WORDS_OF_NEARLY = 5  # fewest of the longer side

USUAL_SHARE = 0.1  # of a side's letters; scripts that have less are not expected there
FOREIGN_SHARE = 0.5  # of a sentence's letters in scripts that are not expected
SCRIPTS = {"CJK": "Han", "HIRAGANA": "Kana", "KATAKANA": "Kana"}

FEWEST_PAIRS = 5  # that a name must be in
COPIED_SHARE = 0.8  # of the pairs with a name on one side, those that have it on the other
LOWER_SHARE = 0.05  # of a name's occurrences that may be in lower case, as those of nouns are
ENDINGS = ("'s", "’s", "'", "’")  # of genitives


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


class CopiedNames:
    """The words with a capital that pairs nearly always have on both sides.

    Args:
        pairs: the corpus.
    """

    def __init__(self, pairs: Sequence[tuple[str, str]]) -> None:
        both: Counter[str] = Counter()
        sides: tuple[Counter[str], Counter[str]] = (Counter(), Counter())
        lower: Counter[str] = Counter()
        for pair in pairs:
            words = [set(capitalized(text)) for text in pair]
            both.update(words[0] & words[1])
            for counts, found in zip(sides, words):
                counts.update(found)
            lower.update(
                word for text in pair for word in map(_core, text.split()) if word.islower()
            )
        self._names = frozenset(
            name
            for name, count in both.items()
            if count >= FEWEST_PAIRS
            and count >= COPIED_SHARE * max(side[name] for side in sides)
            and lower[name.lower()] <= LOWER_SHARE * count
        )

    def difference(self, source: str, target: str) -> tuple[str, str] | None:
        """A name that only the source has and one that only the target has; None without both."""
        sides = [
            {name for name in capitalized(text) if name in self._names} for text in (source, target)
        ]
        only = sides[0] - sides[1], sides[1] - sides[0]
        if not all(only):
            return None
        lost, added = (
            {name for name in names if name.lower() not in text.lower()}
            for names, text in zip(only, (target, source))  # as in "Toms" or "Berlinreise"
        )
        return (min(lost), min(added)) if lost and added else None


def capitalized(sentence: str) -> list[str]:
    """The words of a sentence that begin with a capital, without marks and genitive endings."""
    return [
        _without_ending(core)
        for core in map(_core, sentence.split())
        if core[:1].isupper() and len(core) > 1 and core.isprintable()
    ]


def _core(word: str) -> str:
    return word.strip(MARKS + "-–—[]")


def _without_ending(word: str) -> str:
    """A word without the ending of a genitive: ``Tom's`` is ``Tom``."""
    ending = next((ending for ending in ENDINGS if word.endswith(ending)), "")
    return word.removesuffix(ending)
