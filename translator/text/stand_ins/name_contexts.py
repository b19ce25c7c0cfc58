"""Tells new names from new nouns by what is around them, for languages with capital nouns."""

import math
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from translator.base.languages import language_facts
from translator.text.punctuation import split_marks

END, CAPITAL = "</s>", "^"  # for the end of a sentence, and for any word with a capital
ENDING = 3  # letters that are looked at
COPIED_SHARE = 0.8  # of the pairs of a name that have it on both sides
TRANSLATED_SHARE = 0.2  # of the pairs of a noun that do
NAMES_FROM = 2  # sentence pairs of a name to learn from
NOUNS_UP_TO = 8  # of a noun: a new one is like a rare one
LEAST_WEIGHT = 3.0  # of a context that is remembered
LESS = 0.3  # the weight of the word after a word inside a sentence, and of its ending
LOWEST = -1.5  # log-odds of a name: people write of more names than the corpus has
SHORTEST_PART = 3  # letters of each part of a compound
LINKS = ("", "s", "n", "e", "en", "es", "er")  # between the parts of a compound, or after a word


class NameWords(NamedTuple):
    """What the words beside a name say about it in a language.

    Attributes:
        not_after: the words that hardly ever follow a name at the beginning of a sentence.
        before_places: prepositions before names of places and seldom before others.
    """

    not_after: frozenset[str] = frozenset()
    before_places: frozenset[str] = frozenset()


NAME_WORDS = {
    "en": NameWords(
        frozenset((
            "a", "an", "are", "have", "her", "him", "his", "it", "me", "my", "our", "that", "the",
        "their", "them", "these", "this", "those", "us", "were", "your",
        )),
        frozenset(("in", "near")),
    ),
    "de": NameWords(before_places=frozenset(("in", "nach", "aus"))),
}  # fmt: skip


def name_words(language: str) -> NameWords:
    """Those of a language; none where they are not known."""
    return NAME_WORDS.get(language_facts(language).code, NameWords())


class NameContexts(NamedTuple):
    """The log-odds that a word with a capital is a name and not a noun (naive Bayes).

    Attributes:
        before: by the word before it.
        after: by the word after it, inside a sentence.
        second: by the word after it, at the beginning of a sentence.
        ending: by its last letters.
    """

    before: dict[str, float]
    after: dict[str, float]
    second: dict[str, float]
    ending: dict[str, float]

    @classmethod
    def learn(cls, sources: Collection[str], targets: Iterable[str]) -> "NameContexts":
        """Learns from the sentence pairs of the training split, whose sources are read twice.

        Words that are the same on both sides are names; rare ones that are not are nouns. A
        context counts more by different words than by the same one, as few names are frequent.
        """
        pairs: Counter[str] = Counter()
        copied: Counter[str] = Counter()
        for source, target in zip(sources, targets):
            kept = {split_marks(word)[1].partition("'")[0] for word in target.split()}
            for _, core in _with_capital(source.split()):
                pairs[core] += 1
                if core in kept:
                    copied[core] += 1
        names = {
            word
            for word, count in pairs.items()
            if count >= NAMES_FROM and copied[word] >= COPIED_SHARE * count
        }
        nouns = {
            word
            for word, count in pairs.items()
            if count <= NOUNS_UP_TO and copied[word] <= TRANSLATED_SHARE * count
        }
        found: Counter[tuple[str, str, str]] = Counter()  # word, table, context
        for words in map(str.split, sources):
            for i, core in _with_capital(words):
                if core in names or core in nouns:
                    found.update((core, *context) for context in _contexts(words, i))
        weights: dict[str, tuple[dict[str, float], dict[str, float]]]
        weights = {table: (defaultdict(float), defaultdict(float)) for table in cls._fields}
        for (word, table, context), count in found.items():
            weights[table][word in names][context] += 1 + math.log(count)
        return cls(**{table: _log_odds(*each) for table, each in weights.items()})

    def is_name(self, words: Sequence[str], place: int) -> bool:
        """Whether a word of a sentence is rather a name than a noun."""
        odds = {table: getattr(self, table).get(key, 0.0) for table, key in _contexts(words, place)}
        weak = odds.pop("after", 0.0) + odds.pop("ending", 0.0)
        total: float = sum(odds.values()) + LESS * weak
        return total > LOWEST

    @classmethod
    def from_json(cls, values: dict[str, Any]) -> "NameContexts":
        """Reads what `_asdict` returned.

        Raises:
            ValueError: a value is not a table of numbers; so do KeyError, TypeError and
                AttributeError.
        """
        return cls(**{t: {k: float(v) for k, v in values[t].items()} for t in cls._fields})


def is_known_noun(word: str, known: Collection[str]) -> bool:
    """Whether a word is another form of a known word, or a compound of two known ones.

    Args:
        word: in lower case.
        known: words in lower case.
    """
    return _is_form(word, known) or any(
        word[middle:] in known and _is_form(word[:middle], known)
        for middle in range(SHORTEST_PART, len(word) - SHORTEST_PART + 1)
    )


def _is_form(word: str, known: Collection[str]) -> bool:
    forms = (word.removesuffix(link) for link in LINKS if word.endswith(link))
    return any(len(form) >= SHORTEST_PART and form in known for form in forms)


def _with_capital(words: Sequence[str]) -> Iterator[tuple[int, str]]:
    for i, word in enumerate(words):
        core = split_marks(word)[1]
        if len(core) > 1 and core.istitle() and core.isalpha():
            yield i, core


def _contexts(words: Sequence[str], place: int) -> Iterator[tuple[str, str]]:
    """The tables that know something of a word, and what they know it by."""
    opening, core, closing = split_marks(words[place])
    yield "ending", core[-ENDING:].lower()
    if closing or place + 1 == len(words):
        following = closing[:1] or END
    else:
        marks, word, _ = split_marks(words[place + 1])
        following = marks[:1] or (CAPITAL if word[:1].isupper() else word)
    if place == 0 and not opening:
        yield "second", following
        return
    yield "after", following
    if opening:
        yield "before", opening[-1]
    else:
        _, word, marks = split_marks(words[place - 1])
        yield "before", marks[-1:] or word.lower()


def _log_odds(nouns: dict[str, float], names: dict[str, float]) -> dict[str, float]:
    """The log-odds of each context from its weights; those of little weight are left out."""
    all_names, all_nouns = sum(names.values()), sum(nouns.values())
    share = all_names / (all_names + all_nouns or 1)
    return {
        context: round(
            math.log((names.get(context, 0) + share) / all_names)
            - math.log((nouns.get(context, 0) + 1 - share) / all_nouns),
            2,
        )
        for context in sorted(names.keys() | nouns.keys() if all_names and all_nouns else ())
        if names.get(context, 0) + nouns.get(context, 0) >= LEAST_WEIGHT
    }
