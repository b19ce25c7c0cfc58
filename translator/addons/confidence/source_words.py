"""The words of the training side's source sentences, and whether a line is in their language.

Letters say how likely an unseen word is in the language, and whether it has a typing error.
"""

import dataclasses
import functools
import itertools
import math
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any

from translator.addons.confidence.logistic import LogisticModel, fit_logistic
from translator.base.late import late_pattern, np
from translator.text.names import core_of
from translator.text.punctuation import plain_word
from translator.text.word_table import WordTable
from translator.tokenizers.special_tokens import UNKNOWN

FREQUENT = 2000  # words of the target language whose frequency in the source language is known
MOST_FITTED = 3000  # words of each language that the letters are judged by
LARGE = 10_000  # words of a training side that has most words of everyday text

# Log-odds that a word is of the source language and not of another one.
SEEN = 2.0  # 98 % of the words of an everyday sentence are known, and 15 % of a foreign one's
UNSEEN = -2.0  # before its letters are looked at
LOWEST = -8.0  # of one word
LOWEST_OF_FREQUENT = -3.5  # of a frequent word of the target language: "Tag", "so", "die"
LOWEST_OF_MISSPELT = -1.0  # of an unseen word that is one edit away from a seen one
LOWEST_OF_FIRST = -2.0  # of an unseen first word with a capital, which may be a name
FOREIGN = -4.0  # a line whose words have less in all is probably in another language

JOINERS = "-'’/"  # what joins the parts of a word
INSIDE = late_pattern(f"[{JOINERS}]")
MOST_LETTERS = 48  # letters that are told apart; all others count as one
SHORTEST = 3  # letters of a word with a letter too many, or with two that are swapped
SHORTEST_OTHER = 5  # of one with a wrong letter or one too few: more short words are that close
LONGEST = 30  # of a word that is looked up


@dataclasses.dataclass(frozen=True)
class SourceWords:
    """What a run knows of its source language.

    Attributes:
        words: all words of the training split's source sentences, as `plain_word` writes them.
        frequent: the log-odds of the most frequent words of the target language.
        letters: log-odds of a word from the mean log probability of its letters.
        capitalizes_nouns: whether the source language writes nouns with a capital, so that a
            capital marks no name.
    """

    words: WordTable
    frequent: dict[str, float]
    letters: LogisticModel
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
        letters = _fit_letters(sorted(source), sorted(target.keys() - source.keys()))
        return cls(words, frequent, letters, capitalizes_nouns)

    @functools.cached_property
    def _alphabet(self) -> frozenset[str]:
        return frozenset("".join(filter(str.isalpha, self.words)))

    @functools.cached_property
    def _letter_model(self) -> "LetterModel":
        return LetterModel(sorted(filter(str.isalpha, self.words)))

    def has_seen(self, word: str) -> bool:
        """Whether the training side has a word, or all parts of a word with a hyphen in it."""
        if self.words.stands_alone(core_of(word)):
            return True
        parts = [part for part in INSIDE.split(word) if len(part) > 1]
        is_joined = INSIDE.search(word) is not None and bool(parts)
        return is_joined and all(map(self.words.stands_alone, parts))

    def unseen(self, words: Sequence[str]) -> list[str]:
        """The words of a line that the training side never had, without marks around them.

        What a capital marks as a name is left out: many names are the same in both languages.
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
        """Whether a capital marks a word as a name, in a line that is not all in capitals."""
        return word[:1].isupper() and not self.capitalizes_nouns and not is_shouted

    def is_foreign(self, words: Sequence[str]) -> bool:
        """Whether a line is probably not in the source language."""
        return self.log_odds(words) < FOREIGN

    def may_be_target(self, words: Sequence[str]) -> bool:
        """Whether half of the words of a line that is foreign are usual in the target language."""
        plain = {_plain(core) for core in cores_of(words)}
        return 2 * len(plain & self.frequent.keys()) >= len(plain) > 0

    def log_odds(self, words: Sequence[str]) -> float:
        """The log-odds that a line is in the source language, summed over its words (naive Bayes).

        A word that stands there twice counts once. A name and an unseen single letter say
        nothing. An unseen word says less if the training side has few words, unless the training
        side has none of its letters.
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
        """The log-odds of a word, in lower case and as it is written, of a line."""
        if plain in self.frequent:
            return self.frequent[plain]
        if self.has_seen(plain):
            return SEEN
        if self._alphabet.isdisjoint(plain):
            return LOWEST
        if len(plain) == 1 or not is_first and self._is_name(word, is_shouted):
            return 0.0
        odds = self._unseen_log_odds(plain)
        if word[:1].isupper() and not is_shouted:
            odds = max(odds, LOWEST_OF_FIRST)
        return odds * min(1.0, len(self.words) / LARGE)

    def _unseen_log_odds(self, plain: str) -> float:
        if may_be_misspelt(plain, self.words, self._alphabet):
            return LOWEST_OF_MISSPELT
        likely = np.array([[self._letter_model.mean_log_probability(plain)]])
        by_letters = float(self.letters.log_odds(likely)[0])
        return max(UNSEEN + min(by_letters, 0.0), LOWEST)

    def to_json(self) -> dict[str, Any]:
        """Plain values for a JSON file, without the words."""
        return {
            "frequent_target_words": self.frequent,
            "letters": self.letters._asdict(),
            "capitalizes_nouns": self.capitalizes_nouns,
        }

    @classmethod
    def from_json(cls, values: dict[str, Any], words: WordTable) -> "SourceWords":
        """Reads what `to_json` returned.

        Raises:
            ValueError: a value is not what `to_json` writes; so do KeyError, TypeError and
                AttributeError.
        """
        frequent = {word: float(odds) for word, odds in values["frequent_target_words"].items()}
        letters = LogisticModel.from_json(values["letters"], 1)
        return cls(words, frequent, letters, values["capitalizes_nouns"] is True)


def _fit_letters(source: Sequence[str], foreign: Sequence[str]) -> LogisticModel:
    """Learns how the letters tell words of the source language from those of the target language.

    Half of the source words make the letter model, the other half are judged by it.
    """
    if len(source) < 2 or not foreign:
        return LogisticModel((0.0,), 0.0)
    model = LetterModel(source[::2])
    own, others = _thinned(source[1::2]), _thinned(foreign)
    likely = np.array([[model.mean_log_probability(word)] for word in (*own, *others)])
    is_own = np.repeat([1.0, 0.0], [len(own), len(others)])
    share = np.repeat([0.5 / len(own), 0.5 / len(others)], [len(own), len(others)])
    return fit_logistic(likely, is_own, share * len(likely))


def _thinned(words: Sequence[str]) -> Sequence[str]:
    """At most `MOST_FITTED` words, taken evenly."""
    return words[:: -(-len(words) // MOST_FITTED)]


def _count_words(sentences: Iterable[str]) -> Counter[str]:
    counts: Counter[str] = Counter()
    for sentence in sentences:
        counts.update(map(_plain, cores_of(sentence.split())))
    return counts


def cores_of(words: Iterable[str]) -> list[str]:
    """Words without punctuation and symbols around them, and without invisible characters.

    Words between spaces that are joined by punctuation, such as a dash, are taken apart. What is
    no word is left out: numbers, and what has a point inside, such as abbreviations.
    """
    cores: list[str] = []
    for word in words:
        visible = word if word.isalpha() else "".join(filter(str.isprintable, word))
        if visible.isalpha():
            cores.append(visible)
        elif UNKNOWN not in visible and not any(map(str.isdigit, visible)):
            parts = "".join(" " if _separates(c) else c for c in visible).strip(f" .{JOINERS}")
            if "." not in parts:
                trimmed = (part.strip(JOINERS) for part in parts.split())
                cores += (core for core in trimmed if any(map(str.isalpha, core)))
    return cores


def _separates(character: str) -> bool:
    """Whether a character is a mark or symbol that no word has inside; a point may be."""
    return unicodedata.category(character)[0] in "PS" and character not in f".{JOINERS}"


def _plain(core: str) -> str:
    return plain_word(unicodedata.normalize("NFKC", core))


def _is_shouted(cores: Sequence[str]) -> bool:
    """Whether a line is in capitals."""
    return len(cores) > 1 and all(core == core.upper() for core in cores)


class LetterModel:
    """Trigrams of letters, smoothed with bigrams and single letters.

    How much a shorter context counts is the choice of Witten and Bell (1991), "The
    zero-frequency problem", method C: as many times as different letters followed the longer one.

    Args:
        words: of the language, in lower case, each once; at least one.
    """

    def __init__(self, words: Collection[str]) -> None:
        counts = Counter("".join(words))
        known = sorted(counts, key=lambda letter: (-counts[letter], letter))[:MOST_LETTERS]
        self._numbers = {letter: number for number, letter in enumerate(known, start=1)}
        self._size = size = len(known) + 2  # 0 ends a word, the last number is any other letter
        codes = np.array([0, 0, *itertools.chain.from_iterable(map(self._codes, words))])
        first, second, third = codes[:-2], codes[1:-1], codes[2:]
        within = (second != 0) | (first == 0)  # does not begin in the word before
        trigrams = np.bincount(
            ((first * size + second) * size + third)[within], minlength=size**3
        ).reshape(size, size, size)
        letters = trigrams.sum(axis=(0, 1)) + 1
        pairs = _mixed(trigrams.sum(axis=0), letters / letters.sum())
        self._log_probabilities = np.log(_mixed(trigrams, pairs))

    def _codes(self, word: str) -> list[int]:
        """The numbers of a word's letters, and two zeros."""
        other = self._size - 1
        return [*(self._numbers.get(letter, other) for letter in word), 0, 0]

    def mean_log_probability(self, word: str) -> float:
        """The mean over a word's letters and its end, each given the two letters before it."""
        codes = np.array([0, 0, *self._codes(word)[:-1]])
        return float(self._log_probabilities[codes[:-2], codes[1:-1], codes[2:]].mean())


def _mixed(counts: "np.ndarray", shorter: "np.ndarray") -> "np.ndarray":
    """Probabilities along the last axis, mixed with those after a shorter context."""
    total = counts.sum(axis=-1, keepdims=True)
    different = (counts > 0).sum(axis=-1, keepdims=True)
    mixed: np.ndarray = (counts + different * shorter) / np.maximum(total + different, 1)
    return np.where(total > 0, mixed, shorter)


def may_be_misspelt(word: str, known: Collection[str], letters: Collection[str]) -> bool:
    """Whether a word is one edit away from a known word.

    An edit is a letter too many, too few or wrong, or two neighbours that are swapped, as in
    Damerau (1964), "A technique for computer detection and correction of spelling errors". The
    edits of the word itself are looked up, so that the time does not depend on the known words.

    Args:
        known: words in lower case, such as a set.
    """
    if not SHORTEST <= len(word) <= LONGEST:
        return False
    if any(other in known for other in _without_or_swapped(word)):
        return True
    return len(word) >= SHORTEST_OTHER and any(o in known for o in _with_letters(word, letters))


def _without_or_swapped(word: str) -> Iterator[str]:
    """The word without each of its letters, and with each two neighbours swapped."""
    for i in range(len(word)):
        start, end = word[:i], word[i + 1 :]
        yield start + end
        yield start + end[:1] + word[i] + end[1:]


def _with_letters(word: str, letters: Collection[str]) -> Iterator[str]:
    """The word with each letter in place of one of its own, and between two of them."""
    for i in range(len(word) + 1):
        start, rest, end = word[:i], word[i:], word[i + 1 :]
        for letter in letters:
            yield start + letter + rest
            yield start + letter + end
