"""The knowledge of training about words and names, and the new names of a sentence.

A name is a word with a capital that sentence pairs copy. So is a new word with a capital that does
not consist of known words, because a copy of it is better than a model's translation.
"""

import functools
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any

from translator.base.languages import language_facts
from translator.base.late import late_pattern
from translator.text.punctuation import plain_word, split_marks
from translator.text.word_table import WordTable

COPIED_SHARE = 0.6  # share of the pairs with a name whose translation has the name
TRANSLATED_SHARE = 0.5  # share of the pairs with a name that have its translation
LEARNT_FROM = 20  # fewest pairs with a name that a model learns to copy
CLITIC = late_pattern(r"['’](?:s|ll|d|ve|re|m)?$")
WITHIN = late_pattern(r"-|['’](?=[^\W\d_a-zß-ÿ])")  # marks inside names: D'Angelo
SHORTEST_PART = 4  # fewest letters of a part of a compound
LONGEST_WORD = 100  # most letters of a form of known words
ENDINGS = ("", "s", "es", "n", "en", "e", "er", "ern", "nen", "innen", "ing", "ed", "ly")


class NameModel:
    """Distinguishes new names from known words and from other new words.

    Args:
        words: the words of training. If there are none, nothing counts as a new name.
    """

    def __init__(self, words: WordTable) -> None:
        self.words = words

    def knows(self, plain: str) -> bool:
        """Whether training has a word (from `plain_word`), and not only as a rare name."""
        return "new" not in self.words.get(plain, {"new": True})

    def translation(self, name: str) -> str:
        """The usual translation of a frequent name, such as Maria for Mary; otherwise the name."""
        return str(self.words.get(plain_word(name), {}).get("name", {}).get(name, name))

    def is_new_name(self, word: str) -> bool:
        """Whether a word is a name that the model has not learnt to copy."""
        core = core_of(word)
        if not is_capitalized(core) or not self.words:
            return False
        plain = plain_word(core)
        is_rare = core in self.words.get(plain, {}).get("rare", ())
        return is_rare or not (self.knows(plain) or self._is_form(plain))

    def _is_form(self, word: str) -> bool:
        """Whether a new word is a known word with another ending, or a compound of known words."""
        if len(word) > LONGEST_WORD:
            return False
        return self._has_stem(word) or any(
            self.knows(word[middle:]) and self._has_stem(word[:middle])
            for middle in range(SHORTEST_PART, len(word) - SHORTEST_PART + 1)
        )

    def _has_stem(self, word: str) -> bool:
        stems = (word.removesuffix(ending) for ending in ENDINGS if word.endswith(ending))
        return any(len(stem) >= SHORTEST_PART and self.knows(stem) for stem in stems)


def learn_names(
    sources: Collection[str], targets: Collection[str], languages: tuple[str, str]
) -> dict[str, dict[str, Any]]:
    """The words of a training split, with their facts as names; see `WordTable`."""
    counts: Counter[str] = Counter()  # pairs with a word that has a capital
    copied: Counter[str] = Counter()  # pairs whose target has it, too
    small: Counter[str] = Counter()  # pairs with a word without a capital
    for source, target in zip(sources, targets):
        cores = {core for _, core in _cores(source.split())}
        with_capital = set(filter(is_capitalized, cores))
        small.update({plain_word(core) for core in cores - with_capital})
        counts.update(with_capital)
        copied.update(name for name in with_capital if copies(name, target))
    names = {word for word in counts if copied[word] >= COPIED_SHARE * counts[word]}
    few = (name for name in names if counts[name] < LEARNT_FROM)
    rare = {name for name in few if name.isupper() or counts[name] > small[plain_word(name)]}
    known_words = small.keys() | {plain_word(word) for word in counts if word not in rare}
    rows: dict[str, dict[str, Any]] = {word: {} for word in known_words - {""}}
    for name in sorted(rare):
        rows.setdefault(plain_word(name), {"new": True}).setdefault("rare", []).append(name)
    candidates = {
        word
        for word, count in counts.items()
        if count >= LEARNT_FROM and word not in names and plain_word(word) not in small
    }
    if not all(language_facts(language).capitalizes_nouns for language in languages):
        for name, translation in _find_translations(zip(sources, targets), candidates).items():
            rows[plain_word(name)].setdefault("name", {})[name] = translation
    return rows


@functools.lru_cache(1 << 16)
def is_capitalized(word: str) -> bool:
    """Whether a word may be a name by its letters: a capital first, and no digits."""
    return len(word) > 1 and word[:1].isupper() and WITHIN.sub("", word).isalpha()


@functools.lru_cache(1 << 16)
def core_of(word: str) -> str:
    """A word without marks around it and without a clitic such as 's."""
    core = split_marks(word)[1]
    return CLITIC.sub("", core) if "'" in core or "’" in core else core


@functools.lru_cache(1 << 14)
def name_pattern(name: str) -> re.Pattern[str]:
    """A pattern for a name in a translation. The -s of a genitive may follow the match."""
    return re.compile(rf"(?<![\w-]){re.escape(name)}(?=s?(?!\w))")


def copies(name: str, target: str) -> bool:
    """Whether a translation has a name, either unchanged or with the -s of a genitive."""
    return name in target and name_pattern(name).search(target) is not None


def _cores(words: Sequence[str]) -> Iterator[tuple[int, str]]:
    return ((place, core) for place, word in enumerate(words) if (core := core_of(word)))


def _find_translations(pairs: Iterable[tuple[str, str]], names: Collection[str]) -> dict[str, str]:
    """Finds the usual translation of each name: a word with a capital, inside sentences."""
    counts: Counter[str] = Counter()
    together: dict[str, Counter[str]] = defaultdict(Counter)
    for source, target in pairs:
        inside = {core for place, core in _cores(source.split()) if place and core in names}
        if inside:
            words = {core for place, core in _cores(target.split()) if place}
            counts.update(inside)
            for word in inside:
                together[word].update(filter(is_capitalized, words))
    sources: dict[str, str] = {}  # names by their translations
    for word in sorted(together, key=lambda word: (-counts[word], word)):
        least = max(TRANSLATED_SHARE * counts[word], LEARNT_FROM)
        usual = [(-count, target) for target, count in together[word].items() if count >= least]
        for _, target in sorted(usual)[:1]:
            sources.setdefault(target, word)
    return {word: target for target, word in sources.items()}
