"""Words of a sentence that are linked with those of its translation, and phrases of them.

A phrase is that of Koehn, Och and Marcu (2003), "Statistical Phrase-Based Translation",
section 3.1, https://aclanthology.org/N03-1017: no word in one side of it is linked with a word
outside of the other. Here the first and the last word of both sides are linked, too.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from translator.data.word_links import MAX_WORDS, WordLinks
from translator.text.punctuation import plain_word
from translator.text.truecasing import is_word, split_tokens

STEEPNESS = 2.0  # how much less likely a link is between words at different ends of their sentences


class Side(NamedTuple):
    """One side of a sentence pair.

    Attributes:
        places: the places of its words among them; of the first `MAX_WORDS`.
        numbers: (words,) of the words in `SideWords`; -1 for words that were not counted.
    """

    tokens: list[str]
    places: list[int]
    numbers: np.ndarray

    @property
    def words(self) -> list[str]:
        """Its words as they are written."""
        return [self.tokens[place] for place in self.places]

    def extent(self, word: int) -> tuple[int, int]:
        """Where a word begins and ends in the sentence, in characters."""
        start = sum(map(len, self.tokens[: self.places[word]]))
        return start, start + len(self.tokens[self.places[word]])

    def gap(self, word: int) -> str:
        """What is between a word and the one before it; "" before the first one."""
        return self.tokens[self.places[word] - 1] if word > 0 else ""

    def follows(self, word: int) -> bool:
        """Whether there is nothing but a space between a word and the one before it."""
        return self.gap(word) == " "

    def is_joined(self, first: int, last: int) -> bool:
        """Whether there are only spaces between the words from the first to the last one."""
        return all(map(self.follows, range(first + 1, last + 1)))

    def with_marks(self, first: int, last: int, before: str, after: str) -> str:
        """The sentence with marks around its words from the first to the last one."""
        begin, end = self.places[first], self.places[last] + 1
        inside = "".join(self.tokens[begin:end])
        return "".join([*self.tokens[:begin], before, inside, after, *self.tokens[end:]])


class Phrase(NamedTuple):
    """The first and the last word of a phrase, in the source and in the target."""

    first: int
    last: int
    first_target: int
    last_target: int


class LinkedPair(NamedTuple):
    """A sentence pair.

    Attributes:
        links: for each source word the target word that it is linked with; -1 if there is none.
    """

    source: Side
    target: Side
    links: list[int]

    def phrases(self, longest_source: int, longest_target: int) -> Iterator[Phrase]:
        """All phrases of at most so many words."""
        sources = {t: s for s, t in enumerate(self.links) if t >= 0}
        for first, begin in enumerate(self.links):
            low = high = begin
            for last in range(first, min(first + longest_source, len(self.links))):
                end = self.links[last]
                if end >= 0:
                    low, high = min(low, end), max(high, end)
                if begin < 0 or end < 0 or high - low >= longest_target:
                    continue
                if all(first <= sources.get(t, first) <= last for t in range(low, high + 1)):
                    yield Phrase(first, last, low, high)


class Linker:
    """Links the words of sentences with those of their translations.

    Args:
        least: the least association of words that may be linked; see `WordLinks.associations`.
    """

    def __init__(self, links: WordLinks, least: float = 0.0) -> None:
        sides = (links.source_words, links.target_words)
        self._numbers = [{word: i for i, word in enumerate(side.plain)} for side in sides]
        self._frequencies = np.bincount(links.source_words.ids, minlength=1)
        self._width = len(links.target_words.plain)
        self._keys = links.keys
        self._associations = links.associations()
        self._associations[self._associations < least] = 0.0

    def frequency(self, word: str) -> int:
        """How often a source word occurs in the training split."""
        number = self._numbers[0].get(plain_word(word), -1)
        return int(self._frequencies[number]) if number >= 0 else 0

    def link(self, source: str, target: str) -> LinkedPair:
        """Links two words if each is the likeliest one for the other."""
        one, other = (self._read(text, side) for side, text in enumerate((source, target)))
        rows, columns = len(one.places), len(other.places)
        if not (rows and columns and len(self._keys)):
            return LinkedPair(one, other, [-1] * rows)
        keys = one.numbers[:, None] * self._width + other.numbers[None]
        found = np.minimum(np.searchsorted(self._keys, keys), len(self._keys) - 1)
        is_known = (one.numbers[:, None] >= 0) & (other.numbers[None] >= 0)
        is_known &= self._keys[found] == keys
        shares = [(np.arange(count) + 0.5) / count for count in (rows, columns)]
        apart = np.abs(shares[0][:, None] - shares[1][None])
        likely = np.where(is_known, self._associations[found], 0.0) * np.exp(-STEEPNESS * apart)
        best_target, best_source = likely.argmax(axis=1), likely.argmax(axis=0)
        is_linked = (best_source[best_target] == np.arange(rows)) & (likely.max(axis=1) > 0)
        return LinkedPair(one, other, np.where(is_linked, best_target, -1).tolist())

    def _read(self, text: str, side: int) -> Side:
        tokens = split_tokens(text)
        places = [i for i, token in enumerate(tokens) if is_word(token)][:MAX_WORDS]
        numbers = [self._numbers[side].get(plain_word(tokens[i]), -1) for i in places]
        return Side(tokens, places, np.array(numbers, np.int64))
