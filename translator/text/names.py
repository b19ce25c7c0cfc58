"""What training knows of words and names, and which new words of a sentence are names.

A name is a word with a capital that sentence pairs copy. Whether a new word is one is told by a
naive Bayes classifier from its neighbours and its last letters, as a capital alone does not tell
where sentences begin, or in a language that writes every noun with one.
"""

import functools
import math
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from translator.base.languages import language_facts
from translator.text.punctuation import plain_word, split_marks
from translator.text.titles import TITLES

COPIED_SHARE = 0.8  # of the pairs with a name, those whose translation has it too
TRANSLATED_SHARE = 0.5  # of the pairs with a name, those with its translation inside
LEARNT_FROM = 20  # pairs; a model has not learnt to copy a name that fewer have
SUFFIXES = (3, 2)  # letters
CLITIC = re.compile(r"['’](?:s|ll|d|ve|re|m)?$")
LEAST_TYPES = 3  # different words with a feature; rarer features are left out
SMOOTHING = 0.5
RARE = 2  # sentences; words that no more have are as new words are
LEAST_ODDS = -2.0  # a noun that is copied does less harm than a name that is spelt wrong
SHORTEST_PART = 4  # letters of a part of a compound
ENDINGS = ("", "s", "es", "n", "en", "e", "er", "ern", "nen", "innen", "ing", "ed", "ly")


class NameModel(NamedTuple):
    """Tells new names from known words and from other new ones.

    Attributes:
        words: that training has, as `plain_word` writes them, without the rare names.
        rare: names that too few pairs have for a model to learn to spell them.
        translations: of frequent names that are others in the target language, such as Maria for
            Mary.
        by_capital: whether nothing but a name has a capital inside a sentence.
        features: what each feature of a new word with a capital adds to the log-odds that it is a
            name; features of words that begin a sentence are apart from those of others.
    """

    words: frozenset[str]
    rare: frozenset[str] = frozenset()
    translations: dict[str, str] = {}
    by_capital: bool = True
    features: dict[str, float] = {}

    @classmethod
    def learn(
        cls, sources: Collection[str], targets: Collection[str], languages: tuple[str, str]
    ) -> "NameModel":
        """Learns from the sentence pairs of a training split, which are read several times.

        Args:
            sources: sentences.
            targets: their translations.
            languages: codes of both.
        """
        counts: Counter[str] = Counter()  # pairs with a word that has a capital
        copied: Counter[str] = Counter()  # those whose target has it too
        words: set[str] = set()
        for source, target in zip(sources, targets):
            cores = {core for _, core in _cores(source.split())}
            words.update(core for core in cores if not is_capitalized(core))
            with_capital = set(filter(is_capitalized, cores))
            counts.update(with_capital)
            copied.update(name for name in with_capital if copies(name, target))
        names = {word for word in counts if copied[word] >= COPIED_SHARE * counts[word]}
        small = set(map(plain_word, words))
        rare = {
            name for name in names if counts[name] < LEARNT_FROM and plain_word(name) not in small
        }
        known = small | {plain_word(word) for word in counts if word not in rare}
        is_noun = [language_facts(language).capitalizes_nouns for language in languages]
        others = {
            word
            for word, count in counts.items()
            if count >= LEARNT_FROM and word not in names and plain_word(word) not in small
        }
        return cls(
            frozenset(known - {""}),
            frozenset(rare),
            {} if all(is_noun) else _translations(zip(sources, targets), others),
            not is_noun[0],
            _log_odds(sources, names, counts, small),
        )

    def is_new_name(self, words: Sequence[str], place: int) -> bool:
        """Whether a word of a sentence is a name that the model has not learnt to copy.

        Args:
            words: of the sentence, between spaces.
            place: the number of the word.
        """
        core = core_of(words[place])
        if not is_capitalized(core) or not self.words:
            return False
        plain = plain_word(core)
        if core in self.rare or plain in self.words:
            return core in self.rare
        if self._is_form(plain):
            return False
        if place > 0 and (self.by_capital or split_marks(words[place - 1])[1] in TITLES):
            return True
        return self.odds(words, place) > LEAST_ODDS

    def odds(self, words: Sequence[str], place: int) -> float:
        """The log-odds that a new word with a capital is a name."""
        return sum(self.features.get(feature, 0.0) for feature in _features_of(words, place))

    def _is_form(self, word: str) -> bool:
        """Whether a new word is a known one with another ending, or a compound of two."""
        return self._has_stem(word) or any(
            word[middle:] in self.words and self._has_stem(word[:middle])
            for middle in range(SHORTEST_PART, len(word) - SHORTEST_PART + 1)
        )

    def _has_stem(self, word: str) -> bool:
        stems = (word.removesuffix(ending) for ending in ENDINGS if word.endswith(ending))
        return any(len(stem) >= SHORTEST_PART and stem in self.words for stem in stems)

    def to_json(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {
            "words": sorted(self.words),
            "rare": sorted(self.rare),
            "translations": self.translations,
            "by_capital": self.by_capital,
            "features": self.features,
        }

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> "NameModel":
        """Reads what `to_json` returned; of no values nothing is known.

        Raises:
            ValueError: the values are of another kind; so do KeyError, TypeError, AttributeError.
        """
        if not values:
            return cls(frozenset())
        words, rare, translations = values["words"], values["rare"], values["translations"]
        texts = (*words, *rare, *translations, *translations.values())
        if not all(isinstance(text, str) for text in texts):
            raise ValueError
        features = {name: float(odds) for name, odds in values["features"].items()}
        by_capital = bool(values["by_capital"])
        return cls(frozenset(words), frozenset(rare), dict(translations), by_capital, features)


def is_capitalized(word: str) -> bool:
    """Whether a word may be a name by its letters: a capital first, and no digits."""
    return len(word) > 1 and word[:1].isupper() and word.replace("-", "").isalpha()


def core_of(word: str) -> str:
    """A word without marks around it and without a clitic such as 's."""
    return CLITIC.sub("", split_marks(word)[1])


@functools.lru_cache(1 << 14)
def name_pattern(name: str) -> re.Pattern[str]:
    """A name in a translation, also before the -s of a genitive, which is no part of it."""
    return re.compile(rf"(?<![\w-]){re.escape(name)}(?=s?(?!\w))")


def copies(name: str, target: str) -> bool:
    """Whether a translation has a name, as it is or as a genitive with -s."""
    return name in target and name_pattern(name).search(target) is not None


def _cores(words: Sequence[str]) -> Iterator[tuple[int, str]]:
    return ((place, core) for place, word in enumerate(words) if (core := core_of(word)))


def _features_of(words: Sequence[str], place: int) -> Iterator[str]:
    """What is known of a word: whether it is the first, its last letters, the words beside it."""
    position = "first" if place == 0 else "inner"
    yield position
    opening, core, closing = split_marks(words[place])
    name = core_of(words[place])
    yield from (f"{position} -{name[-length:].lower()}" for length in SUFFIXES)
    if place:
        _, word, marks = split_marks(words[place - 1])
        yield f"{position} {opening[-1:] or marks[-1:] or _shape(word, place == 1)} _"
    if core != name:
        after = "'s"
    elif closing or place + 1 == len(words):
        after = closing[:1]
    else:
        marks, word, _ = split_marks(words[place + 1])
        after = marks[:1] or _shape(word, begins=False)
    yield f"{position} _ {after}"


def _shape(word: str, begins: bool) -> str:
    """A neighbour in lower case; all words with a capital inside sentences are one."""
    return word.lower() if begins or not word[:1].isupper() else "Aa"


def _translations(pairs: Iterable[tuple[str, str]], others: Collection[str]) -> dict[str, str]:
    """The words with a capital that nearly always stand for other ones, inside sentences."""
    counts: Counter[str] = Counter()
    together: dict[str, Counter[str]] = defaultdict(Counter)
    for source, target in pairs:
        inside = {core for place, core in _cores(source.split()) if place and core in others}
        if inside:
            words = {core for place, core in _cores(target.split()) if place}
            counts.update(inside)
            for word in inside:
                together[word].update(filter(is_capitalized, words))
    found: dict[str, str] = {}
    for word in sorted(together, key=lambda word: (-counts[word], word)):
        least = max(TRANSLATED_SHARE * counts[word], LEARNT_FROM)
        usual = [(-count, other) for other, count in together[word].items() if count >= least]
        for _, other in sorted(usual)[:1]:
            found.setdefault(other, word)
    return {word: other for other, word in found.items()}


def _log_odds(
    sources: Iterable[str],
    names: Collection[str],
    counts: Mapping[str, int],
    small: Collection[str],
) -> dict[str, float]:
    """What each feature of words with a capital adds to the log-odds of names.

    Words that stand in small letters, too, tell nothing, as no new word is one of them. How many
    new words are names is told by the rare ones. For its letters each word counts once, as few
    names are frequent; for a neighbour by the root of how often it stands there, as one frequent
    name shows where others stand.

    Args:
        sources: sentences.
        names: those of their words that are names.
        counts: how many sentences have each word with a capital.
        small: words in small letters, as `plain_word` writes them.
    """
    seen: dict[str, Counter[str]] = defaultdict(Counter)
    for source in sources:
        words = source.split()
        for place, core in _cores(words):
            if is_capitalized(core) and plain_word(core) not in small:
                for feature in _features_of(words, place):
                    seen[feature][core] += 1
    odds: dict[str, float] = {}
    for feature, found in sorted(seen.items()):
        position, _, rest = feature.partition(" ")
        if not rest:
            rare = {word: 1 for word in found if counts[word] <= RARE}
            odds[feature] = round(_odds_of(rare or found, names), 2)
        elif len(found) >= LEAST_TYPES:
            power = 0.0 if rest.startswith("-") else 0.5
            usual = _odds_of(seen[position], names, power)
            odds[feature] = round(_odds_of(found, names, power) - usual, 2)
    return odds


def _odds_of(words: Mapping[str, int], names: Collection[str], power: float = 0.0) -> float:
    """The log-odds that words are names, each weighed by a power of its count."""
    name = sum(count**power for word, count in words.items() if word in names)
    other = sum(count**power for word, count in words.items() if word not in names)
    return math.log((name + SMOOTHING) / (other + SMOOTHING))
