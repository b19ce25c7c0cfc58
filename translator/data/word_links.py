"""Which words of sentence pairs translate each other, by counting, and lists of them.

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
PART = 2000  # sentence pairs whose words are linked at a time
SORTED = 1 << 20  # keys of word pairs that are sorted at a time, about
MAX_WORDS = 30  # of a sentence that is counted
ITERATIONS = 5  # of expectation maximisation
FEWEST = 2  # times that both words of a translation must be in the same pair of sentences
LEAST_ASSOCIATION = 0.05  # of words that are translations


class SideWords(NamedTuple):
    """The words of one side of some sentences.

    Attributes:
        plain: the different words, as `plain_word` writes them.
        spelt: the same as they are mostly written within sentences; "" for those seen only at the
            beginning.
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
        usual = [found.most_common(1)[0][0] if found else "" for found in spellings]
        return cls(list(numbers), usual, np.array(ids, np.int64), np.array(lengths, np.int64))


class WordLinks(NamedTuple):
    """The different pairs of a source word and a target word that stand in a sentence pair.

    Attributes:
        keys: (L,) the number of each pair's source word times the number of target words, plus
            the number of its target word; in ascending order.
        places: (L,) in how many places the pair occurs.
        forward: (L,) the probability of the target word, given the source word.
        backward: (L,) that of the source word, given the target word.
        step: every so many-th sentence pair was counted.
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
    """The places of word pairs: all of each sentence pair, target word after target word.

    There are about a hundred in a sentence pair, so they are made for some sentence pairs at a
    time, and again each time that they are needed.
    """

    def __init__(self, source: SideWords, target: SideWords) -> None:
        self.sides = source, target

    def keys(self, width: int) -> Iterator[np.ndarray]:
        """The key of the pair at each place; see `WordLinks`."""
        source, target = (self._ids(side) for side in self.sides)
        for rows, columns in self._each():
            yield next(source)[rows] * width + next(target)[columns]

    def rows(self) -> Iterator[np.ndarray]:
        """The number of the source token at each place, among those of its part."""
        return (rows for rows, _ in self._each())

    def columns(self) -> Iterator[np.ndarray]:
        """The number of the target token at each place, among those of its part."""
        return (columns for _, columns in self._each())

    def _ids(self, side: SideWords) -> Iterator[np.ndarray]:
        ends = np.cumsum(side.lengths)[PART - 1 :: PART]
        return iter(np.split(side.ids, ends))

    def _each(self) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        for first in range(0, len(self.sides[0].lengths), PART):
            source, target = (side.lengths[first : first + PART] for side in self.sides)
            of_target = np.repeat(np.arange(len(target)), target)
            counts = source[of_target]  # places of each target token
            columns = np.repeat(np.arange(len(of_target)), counts)
            starts = (np.cumsum(source) - source)[of_target] - (np.cumsum(counts) - counts)
            yield np.arange(len(columns)) + np.repeat(starts, counts), columns


def translations_of_words(links: WordLinks) -> dict[str, dict[str, int]]:
    """For source words of a training split, the associated target words: how much, in percent."""
    associations = links.associations()
    is_kept = (associations >= LEAST_ASSOCIATION) & (links.places >= FEWEST)
    translations: dict[str, dict[str, int]] = {}
    for link in np.flatnonzero(is_kept).tolist():
        source, target = links.words(link)
        translations.setdefault(source, {})[target] = round(PERCENT * float(associations[link]))
    return translations


def _number(keys: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Numbers equal keys; some of them at a time, because sorting needs much more memory than they.

    Returns:
        (L,) the different keys in ascending order, the int32 number of each key, and (L,) how
        often each key occurs.
    """
    numbers = np.empty(len(keys), np.int32)
    borders = np.unique(
        np.append(np.sort(keys[:: SORTED // 100])[::100], [0, np.iinfo(np.int64).max])
    )
    found = [(np.empty(0, np.int64), np.empty(0, np.int32))]
    count = 0
    for low, high in itertools.pairwise(borders):
        places = np.flatnonzero((keys >= low) & (keys < high))
        different, inverse, counts = np.unique(
            keys[places], return_inverse=True, return_counts=True
        )
        numbers[places] = count + inverse
        count += len(different)
        found.append((different, counts.astype(np.int32)))
    different, counts = map(np.concatenate, zip(*found))
    return different, numbers, counts


def _translation_table(
    given: np.ndarray, links: np.ndarray, tokens: Callable[[], Iterator[np.ndarray]]
) -> np.ndarray:
    """(L,) the probability of the other word of each link, given one of them.

    Args:
        given: (L,) the number of the word that is given.
        tokens: iterates over parts of the places: the number of the other token at each place.
    """
    table = np.ones(len(given))
    for _ in range(ITERATIONS):
        counts = np.zeros(len(given))
        first = 0
        for others in tokens():
            part = links[first : first + len(others)]
            weights = table[part]
            weights /= np.bincount(others, weights)[others]
            np.add.at(counts, part, weights)  # in order, so that parts do not change the sums
            first += len(others)
        table = counts
        table /= np.bincount(given, counts)[given]
    return table
