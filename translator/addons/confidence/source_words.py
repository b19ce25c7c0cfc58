"""Knows the source words of the training split, and decides if a line is in their language."""

import dataclasses
import functools
import math
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from translator.base.late import late_pattern
from translator.text.names import core_of
from translator.text.punctuation import plain_word
from translator.text.word_table import WordTable
from translator.tokenizers.special_tokens import UNKNOWN

FREQUENT = 2000  # words of the target language whose frequency in the source language is known
LARGE = 10_000  # words; with so many, the training side has most words of everyday text

# Log-odds that a word is of the source language and not of another one.
SEEN = 2.0  # 98 % of the words of an everyday sentence are known, and 15 % of a foreign one's
UNSEEN = -2.5
LOWEST = -8.0  # of a word whose letters no seen word has
LOWEST_OF_FREQUENT = -3.5  # of a frequent word of the target language: "Tag", "so", "die"
FOREIGN = -4.0  # a line with a smaller sum is probably in another language

CACHED_WORDS = 10_000  # with their parts, because each line is checked several times
JOINERS = "-'’/"  # between the parts of a word
INSIDE = late_pattern(f"[{JOINERS}]")


@dataclasses.dataclass(frozen=True)
class SourceWords:
    """The words of a run's source language, and how likely a line is in this language.

    Attributes:
        words: all words of the training split's source sentences, as `plain_word` writes them.
        frequent: the log-odds of the most frequent words of the target language.
        capitalizes_nouns: whether the source language writes nouns with a capital, so that a
            capital marks no name.
    """

    words: WordTable
    frequent: dict[str, float]
    capitalizes_nouns: bool = False

    @classmethod
    def learn(
        cls,
        words: WordTable,
        sources: Iterable[str],
        targets: Iterable[str],
        capitalizes_nouns: bool = False,
    ) -> "SourceWords | None":
        """Learns from the sentences of the training split; returns None if they have no words."""
        source, target = _count_words(sources), _count_words(targets)
        if not source or not target:
            return None
        rate = target.total() / source.total()
        frequent = {}
        for word, count in sorted(target.items(), key=lambda item: (-item[1], item[0]))[:FREQUENT]:
            odds = math.log((source[word] + 0.1) * rate / count)
            frequent[word] = round(min(max(odds, LOWEST_OF_FREQUENT), SEEN), 2)
        return cls(words, frequent, capitalizes_nouns)

    @functools.cached_property
    def _alphabet(self) -> frozenset[str]:
        return frozenset("".join(filter(str.isalpha, self.words)))

    def has_seen(self, word: str) -> bool:
        """Whether the training side has a word, or all parts of a word with a hyphen in it."""
        if self.words.stands_alone(core_of(word)):
            return True
        parts = [part for part in INSIDE.split(word) if len(part) > 1]
        is_joined = INSIDE.search(word) is not None and bool(parts)
        return is_joined and all(map(self.words.stands_alone, parts))

    def unseen(self, words: Sequence[str]) -> list[str]:
        """The words of a line that the training side never had, without marks around them.

        Names, which a capital marks, are left out: many are the same in both languages.
        """
        cores = cores_of(words)
        is_shouted = _is_shouted(cores)
        return [
            word
            for place, word in enumerate(cores)
            if not self.has_seen(_plain(word))
            and (place == 0 or not self._is_name(word, is_shouted))
        ]

    def unseen_share(self, words: Sequence[str]) -> float:
        """The share of a line's words that `unseen` returns; 0 if it has no words."""
        count = len(cores_of(words))
        return len(self.unseen(words)) / count if count else 0.0

    def _is_name(self, word: str, is_shouted: bool) -> bool:
        """Whether a capital marks a word as a name; not in a line that is all in capitals."""
        return word[:1].isupper() and not self.capitalizes_nouns and not is_shouted

    def is_foreign(self, words: Sequence[str]) -> bool:
        """Whether a line is probably not in the source language."""
        return self.log_odds(words) < FOREIGN

    def may_be_target(self, words: Sequence[str]) -> bool:
        """Whether half of the words of a foreign line are frequent in the target language."""
        plain = {_plain(core) for core in cores_of(words)}
        return 2 * len(plain & self.frequent.keys()) >= len(plain) > 0

    def log_odds(self, words: Sequence[str]) -> float:
        """The log-odds that a line is in the source language, summed over its words (naive Bayes).

        A repeated word counts once. Names and unseen single letters do not count. An unseen word
        counts less if the training side has few words. This does not apply to a word if the
        training side has none of its letters.
        """
        cores = cores_of(words)
        is_shouted = _is_shouted(cores)
        odds: dict[str, float] = {}
        for place, word in enumerate(cores):
            plain = _plain(word)
            if plain not in odds:
                odds[plain] = self._word_log_odds(plain, word, place == 0, is_shouted)
        return sum(odds.values())

    def _word_log_odds(self, plain: str, word: str, is_first: bool, is_shouted: bool) -> float:
        """The log-odds of a word; ``plain`` is in lower case, ``word`` is as the line has it."""
        if plain in self.frequent:
            return self.frequent[plain]
        if self.has_seen(plain):
            return SEEN
        if self._alphabet.isdisjoint(plain):
            return LOWEST
        if len(plain) == 1 or not is_first and self._is_name(word, is_shouted):
            return 0.0
        return UNSEEN * min(1.0, len(self.words) / LARGE)

    def to_json(self) -> dict[str, Any]:
        """Plain values for a JSON file, without the words."""
        return {
            "frequent_target_words": self.frequent,
            "capitalizes_nouns": self.capitalizes_nouns,
        }

    @classmethod
    def from_json(cls, values: dict[str, Any], words: WordTable) -> "SourceWords":
        """Reads what `to_json` returned.

        Raises:
            ValueError: `to_json` does not write such a value. KeyError, TypeError and
                AttributeError mean the same.
        """
        frequent = {word: float(odds) for word, odds in values["frequent_target_words"].items()}
        return cls(words, frequent, values["capitalizes_nouns"] is True)


def _count_words(sentences: Iterable[str]) -> Counter[str]:
    counts: Counter[str] = Counter()
    for sentence in sentences:
        counts.update(map(_plain, cores_of(sentence.split())))
    return counts


def cores_of(words: Iterable[str]) -> list[str]:
    """Words without punctuation and symbols around them, and without invisible characters.

    Words that are joined by punctuation, such as a dash, are taken apart. Numbers are left out,
    and text with a point inside, such as abbreviations, is left out, too.
    """
    return [core for word in words for core in _cores_of_word(word)]


@functools.lru_cache(maxsize=CACHED_WORDS)
def _cores_of_word(word: str) -> tuple[str, ...]:
    visible = word if word.isalpha() else "".join(filter(str.isprintable, word))
    if visible.isalpha():
        return (visible,)
    if UNKNOWN in visible or any(map(str.isdigit, visible)):
        return ()
    parts = "".join(" " if _separates(c) else c for c in visible).strip(f" .{JOINERS}")
    trimmed = [] if "." in parts else [part.strip(JOINERS) for part in parts.split()]
    return tuple(core for core in trimmed if any(map(str.isalpha, core)))


def _separates(character: str) -> bool:
    """Whether a character is a mark or symbol that no word has inside; a word may have a point."""
    return unicodedata.category(character)[0] in "PS" and character not in f".{JOINERS}"


@functools.lru_cache(maxsize=CACHED_WORDS)
def _plain(core: str) -> str:
    return plain_word(unicodedata.normalize("NFKC", core))


def _is_shouted(cores: Sequence[str]) -> bool:
    """Whether a line is in capitals."""
    return len(cores) > 1 and all(core == core.upper() for core in cores)
