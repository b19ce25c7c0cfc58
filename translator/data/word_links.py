"""Counts which words of sentence pairs translate each other, and lists them.

IBM Model 1 of Brown et al. (1993), "The Mathematics of Statistical Machine Translation",
https://aclanthology.org/J93-2003, in both directions.
"""

import itertools
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

import numpy as np

from translator.corpora.pairs import SentencePairs
from translator.text.punctuation import plain_word
from translator.text.truecasing import is_word, split_tokens
from translator.text.word_table import PERCENT

MAX_PAIRS = 200_000  # sentence pairs that are counted; more would not change frequent words
PART = 2000  # sentence pairs that are linked at a time
SORTED = 1 << 20  # keys of word pairs that are sorted at a time, approximately
MAX_WORDS = 30  # words of a sentence that are counted
ITERATIONS = 5  # iterations of expectation maximisation
FEWEST = 2  # fewest sentence pairs with both words of a translation
LEAST_ASSOCIATION = 0.05  # two words with less association are no translations


class SideWords(NamedTuple):
    """The words of one side of some sentences.

    Attributes:
        plain: the different words, as `plain_word` writes them.
        spelt: how they are mostly written within sentences; "" for words that only begin them.
        ids: (tokens,) the number of each token's word, sentence after sentence.
        lengths: (sentences,) tokens of each sentence.
    """

    plain: list[str]
    spelt: list[str]
    ids: np.ndarray
    lengths: np.ndarray

    @classmethod
    def of(cls, sentences: Iterable[str]) -> "SideWords":
        """Reads the words of sentences."""
        numbers: dict[str, int] = {}
        spellings: list[Counter[str]] = []
        ids: list[int] = []
        lengths: list[int] = []
        for sentence in sentences:
            words = [token for token in split_tokens(sentence) if is_word(token)][:MAX_WORDS]
            for place, word in enumerate(words):
                number = numbers.setdefault(plain_word(word), len(numbers))
                if number == len(spellings):
                    spellings.append(Counter())
                if place:
                    spellings[number][word] += 1
                ids.append(number)
            lengths.append(len(words))
        usual = [counts.most_common(1)[0][0] if counts else "" for counts in spellings]
        return cls(list(numbers), usual, np.array(ids, np.int64), np.array(lengths, np.int64))


class WordLinks(NamedTuple):
    """The different pairs of a source word and a target word that occur in a sentence pair.

    Attributes:
        keys: (L,) for each pair: its source word's number, times the count of all target words,
            plus its target word's number; in ascending order.
        places: (L,) how often the pair occurs.
        forward: (L,) the probability of the target word, given the source word.
        backward: (L,) the probability of the source word, given the target word.
        step: only every ``step``-th sentence pair was counted.
    """

    source_words: SideWords
    target_words: SideWords
    keys: np.ndarray
    places: np.ndarray
    forward: np.ndarray
    backward: np.ndarray
    step: int

    @classmethod
    def of(cls, pairs: SentencePairs) -> "WordLinks":
        """Counts the words of sentences and their translations."""
        step = -(-len(pairs) // MAX_PAIRS) or 1
        source, target = (SideWords.of(itertools.islice(side, 0, None, step)) for side in pairs)
        grids = _Grids(source, target)
        width = max(len(target.plain), 1)
        keys, links, places = _number(np.concatenate([np.empty(0, np.int64), *grids.keys(width)]))
        forward = _translation_table(keys // width, links, grids.columns)
        backward = _translation_table(keys % width, links, grids.rows)
        return cls(source, target, keys, places, forward, backward, step)

    def words(self, link: int) -> tuple[str, str]:
        """The source word and the target word of a link, as `plain_word` writes them."""
        source, target = divmod(int(self.keys[link]), len(self.target_words.plain))
        return self.source_words.plain[source], self.target_words.plain[target]

    def associations(self) -> np.ndarray:
        """(L,) the geometric mean of the probabilities of both directions."""
        means: np.ndarray = np.sqrt(self.forward * self.backward)
        return means


class _Grids:
    """The places of word pairs in all sentence pairs, ordered by target words.

    A sentence pair has about a hundred places. To save memory, places are computed for `PART`
    sentence pairs at a time, and again for each use.
    """

    def __init__(self, source: SideWords, target: SideWords) -> None:
        self.sides = source, target

    def keys(self, width: int) -> Iterator[np.ndarray]:
        """The key of the pair at each place; see `WordLinks`."""
        source, target = (self._ids(side) for side in self.sides)
        for rows, columns in self._parts():
            yield next(source)[rows] * width + next(target)[columns]

    def rows(self) -> Iterator[np.ndarray]:
        """The number of each place's source token within its part."""
        return (rows for rows, _ in self._parts())

    def columns(self) -> Iterator[np.ndarray]:
        """The number of each place's target token within its part."""
        return (columns for _, columns in self._parts())

    def _ids(self, side: SideWords) -> Iterator[np.ndarray]:
        ends = np.cumsum(side.lengths)[PART - 1 :: PART]
        return iter(np.split(side.ids, ends))

    def _parts(self) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        for first in range(0, len(self.sides[0].lengths), PART):
            source, target = (side.lengths[first : first + PART] for side in self.sides)
            of_target = np.repeat(np.arange(len(target)), target)
            counts = source[of_target]  # places of each target token
            columns = np.repeat(np.arange(len(of_target)), counts)
            starts = (np.cumsum(source) - source)[of_target] - (np.cumsum(counts) - counts)
            yield np.arange(len(columns)) + np.repeat(starts, counts), columns


def translations_of_words(links: WordLinks) -> dict[str, dict[str, int]]:
    """For each source word, its associated target words and their association in percent."""
    associations = links.associations()
    is_translation = (associations >= LEAST_ASSOCIATION) & (links.places >= FEWEST)
    translations: dict[str, dict[str, int]] = {}
    for link in np.flatnonzero(is_translation).tolist():
        source, target = links.words(link)
        translations.setdefault(source, {})[target] = round(PERCENT * float(associations[link]))
    return translations


def _number(keys: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Gives equal keys one number. Sorts a part at a time, because sorting needs much memory.

    Returns:
        (L,) the different keys in ascending order, the int32 number of each key, and (L,) how
        often each key occurs.
    """
    numbers = np.empty(len(keys), np.int32)
    borders = np.unique(
        np.append(np.sort(keys[:: SORTED // 100])[::100], [0, np.iinfo(np.int64).max])
    )
    parts = [(np.empty(0, np.int64), np.empty(0, np.int32))]
    count = 0
    for low, high in itertools.pairwise(borders):
        places = np.flatnonzero((keys >= low) & (keys < high))
        different, inverse, counts = np.unique(
            keys[places], return_inverse=True, return_counts=True
        )
        numbers[places] = count + inverse
        count += len(different)
        parts.append((different, counts.astype(np.int32)))
    different, counts = map(np.concatenate, zip(*parts))
    return different, numbers, counts


def _translation_table(
    known_words: np.ndarray, links: np.ndarray, tokens: Callable[[], Iterator[np.ndarray]]
) -> np.ndarray:
    """(L,) the probability of each link's predicted word, given its known word.

    Args:
        known_words: (L,) the number of each link's known word.
        tokens: yields, part by part, the number of the predicted token at each place.
    """
    table = np.ones(len(known_words))
    for _ in range(ITERATIONS):
        counts = np.zeros(len(known_words))
        first = 0
        for predicted in tokens():
            part = links[first : first + len(predicted)]
            weights = table[part]
            weights /= np.bincount(predicted, weights)[predicted]
            np.add.at(counts, part, weights)  # in order, so that parts do not change the sums
            first += len(predicted)
        table = counts
        table /= np.bincount(known_words, counts)[known_words]
    return table
