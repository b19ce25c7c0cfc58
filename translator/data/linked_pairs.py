"""Links words of a sentence with words of its translation, and finds phrases of linked words.

Phrases are as in Koehn, Och and Marcu (2003), "Statistical Phrase-Based Translation", section 3.1,
https://aclanthology.org/N03-1017: no word of a phrase is linked with a word outside of the phrase.
Here the first and the last word of both sides must also be linked.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from translator.data.word_links import MAX_WORDS, WordLinks
from translator.text.punctuation import plain_word
from translator.text.truecasing import is_word, split_tokens

STEEPNESS = 2.0  # the higher it is, the less likely are links between words at distant places


class Side(NamedTuple):
    """One side of a sentence pair.

    Attributes:
        places: the places of the side's first `MAX_WORDS` words among its tokens.
        numbers: (words,) the words' numbers in `SideWords`; -1 for words that were not counted.
    """

    tokens: list[str]
    places: list[int]
    numbers: np.ndarray

    @property
    def words(self) -> list[str]:
        """The words of this side, as they are written."""
        return [self.tokens[place] for place in self.places]

    def extent(self, word: int) -> tuple[int, int]:
        """The first character of a word in the sentence, and the end of the word."""
        start = sum(map(len, self.tokens[: self.places[word]]))
        return start, start + len(self.tokens[self.places[word]])

    def gap(self, word: int) -> str:
        """The text between a word and the word before it; "" for the first word."""
        return self.tokens[self.places[word] - 1] if word > 0 else ""

    def follows(self, word: int) -> bool:
        """Whether only a space is between a word and the word before it."""
        return self.gap(word) == " "

    def is_joined(self, first: int, last: int) -> bool:
        """Whether only spaces are between the words from ``first`` to ``last``."""
        return all(map(self.follows, range(first + 1, last + 1)))

    def with_marks(self, first: int, last: int, before: str, after: str) -> str:
        """The sentence with marks around the words from ``first`` to ``last``."""
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
        links: for each source word the number of the linked target word; -1 if there is none.
    """

    source: Side
    target: Side
    links: list[int]

    def phrases(self, longest_source: int, longest_target: int) -> Iterator[Phrase]:
        """All phrases of at most this many words a side."""
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
    """Links the words of sentences with the words of their translations.

    Args:
        least: the least association of linked words; see `WordLinks.associations`.
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
        """Links two words if each is the likeliest translation of the other."""
        source_side, target_side = map(self._read, (source, target), self._numbers)
        rows, columns = len(source_side.places), len(target_side.places)
        if not (rows and columns and len(self._keys)):
            return LinkedPair(source_side, target_side, [-1] * rows)
        source_numbers, target_numbers = source_side.numbers[:, None], target_side.numbers[None]
        keys = source_numbers * self._width + target_numbers  # (rows, columns)
        places = np.minimum(np.searchsorted(self._keys, keys), len(self._keys) - 1)
        is_known = (source_numbers >= 0) & (target_numbers >= 0) & (self._keys[places] == keys)
        positions = [(np.arange(count) + 0.5) / count for count in (rows, columns)]
        distance = np.abs(positions[0][:, None] - positions[1][None])
        scores = np.where(is_known, self._associations[places], 0.0)
        scores *= np.exp(-STEEPNESS * distance)
        best_target, best_source = scores.argmax(axis=1), scores.argmax(axis=0)
        is_linked = (best_source[best_target] == np.arange(rows)) & (scores.max(axis=1) > 0)
        links = np.where(is_linked, best_target, -1).tolist()
        return LinkedPair(source_side, target_side, links)

    def _read(self, text: str, numbers_by_word: dict[str, int]) -> Side:
        tokens = split_tokens(text)
        places = [i for i, token in enumerate(tokens) if is_word(token)][:MAX_WORDS]
        numbers = [numbers_by_word.get(plain_word(tokens[i]), -1) for i in places]
        return Side(tokens, places, np.array(numbers, np.int64))
