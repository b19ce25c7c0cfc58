"""Forms of known words: with another ending, as in "hammers", or a prefix, as in "unplug"."""

import functools
from collections import Counter
from collections.abc import Iterator

LONGEST_AFFIX = 4  # letters of an ending or a prefix
SHORTEST_PREFIX = 2
SHORTEST_WORD = 4  # letters of a known word that has another ending
SHORTEST_STEM = 6  # letters that a word shares with a known word of another ending
SHORTEST_PREFIXED = 3  # letters of a word after a prefix
FEWEST_WORDS = 20  # known words with an affix that are known without it too
AFFIX_SHARE = 0.001  # of the known words; the same for large vocabularies


class WordForms:
    """Recognises forms of known words.

    An affix is one of the language if it makes many known words of others; after Keshava and
    Pitler (2006), "A Simpler, Intuitive Approach to Morpheme Induction".
    """

    def __init__(self, words: frozenset[str]) -> None:
        self.words = words
        enough = max(FEWEST_WORDS, AFFIX_SHARE * len(words))
        endings: Counter[str] = Counter()
        prefixes: Counter[str] = Counter()
        for word in words:
            if word.isalpha():
                endings.update(end for stem, end in _endings(word, SHORTEST_WORD) if stem in words)
                prefixes.update(start for start, rest in _prefixes(word) if rest in words)
        self.endings = {ending for ending, count in endings.items() if count >= enough}
        self.prefixes = {prefix for prefix, count in prefixes.items() if count >= enough}
        self.stems = {
            stem
            for word in words
            for stem, ending in _endings(word, SHORTEST_STEM)
            if ending in self.endings
        }

    def has(self, word: str) -> bool:
        """Whether a word in lower case is a known one or a form of one."""
        return self._has_stem(word) or any(
            prefix in self.prefixes and self._has_stem(rest) for prefix, rest in _prefixes(word)
        )

    def _has_stem(self, word: str) -> bool:
        return word in self.words or any(
            ending in self.endings and (stem in self.words or stem in self.stems)
            for stem, ending in _endings(word, SHORTEST_WORD)
        )


@functools.lru_cache(maxsize=4)
def word_forms(words: frozenset[str]) -> WordForms:
    """The forms of known words; the same words are read once."""
    return WordForms(words)


def _endings(word: str, shortest: int) -> Iterator[tuple[str, str]]:
    """The divisions of a word into a stem, of at least some letters, and an ending."""
    for place in range(max(shortest, len(word) - LONGEST_AFFIX), len(word)):
        yield word[:place], word[place:]


def _prefixes(word: str) -> Iterator[tuple[str, str]]:
    """The divisions of a word into a prefix and the rest."""
    last = min(LONGEST_AFFIX, len(word) - SHORTEST_PREFIXED)
    for place in range(SHORTEST_PREFIX, last + 1):
        yield word[:place], word[place:]
