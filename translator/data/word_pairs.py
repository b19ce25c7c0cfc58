"""Words and their translations, found in sentence pairs by counting.

IBM Model 1 of Brown et al. (1993), "The Mathematics of Statistical Machine Translation",
https://aclanthology.org/J93-2003, in both directions: a pair of words is kept if each is
the likeliest translation of the other.
"""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from translator.corpora import SentencePairs
from translator.text.truecasing import is_word, split_tokens

MAX_PAIRS = 200_000  # sentence pairs that are counted; more would not change frequent words
MAX_WORDS = 30  # of a sentence that is counted
ITERATIONS = 5  # of expectation maximisation
FEWEST = 3  # sentence pairs that both words of a pair are in
LIKELY = 0.3  # the least probability of a translation, in both directions


class _Side(NamedTuple):
    """The words of one side of some sentences.

    Attributes:
        words: as they are written within sentences; "" for those seen only at the beginning.
        ids: (tokens,) the number of each token's word, sentence after sentence.
        lengths: (sentences,) tokens of each sentence.
    """

    words: list[str]
    ids: np.ndarray
    lengths: np.ndarray


def find_word_pairs(pairs: SentencePairs) -> SentencePairs:
    """Finds words that translate each other.

    Args:
        pairs: sentences and their translations.

    Returns:
        Pairs of single words, spelt as within sentences, in the order of their first
        occurrence; each source word has one translation.
    """
    step = -(-len(pairs.sources) // MAX_PAIRS) or 1
    source, target = (_read_side(side[::step]) for side in pairs)
    if not (len(source.words) and len(target.words)):
        return SentencePairs((), ())
    links = _Links.of(source, target)
    forward, backward = links.translation_table(), links.reversed().translation_table()
    best_target = _best(links.source, forward, len(source.words))
    best_source = _best(links.target, backward, len(target.words))
    place = np.arange(len(links.source))
    is_kept = (best_target[links.source] == place) & (best_source[links.target] == place)
    is_kept &= (forward >= LIKELY) & (backward >= LIKELY) & (links.sentences >= FEWEST)
    found = [
        (source.words[s], target.words[t])
        for s, t in zip(links.source[is_kept].tolist(), links.target[is_kept].tolist())
    ]
    return SentencePairs.from_pairs([pair for pair in found if all(pair)])


def _read_side(sentences: Sequence[str]) -> _Side:
    numbers: dict[str, int] = {}
    spellings: list[Counter[str]] = []
    ids: list[int] = []
    lengths: list[int] = []
    for sentence in sentences:
        words = [token for token in split_tokens(sentence) if is_word(token)][:MAX_WORDS]
        for place, word in enumerate(words):
            number = numbers.setdefault(word.lower(), len(numbers))
            if number == len(spellings):
                spellings.append(Counter())
            if place:
                spellings[number][word] += 1
            ids.append(number)
        lengths.append(len(words))
    usual = [found.most_common(1)[0][0] if found else "" for found in spellings]
    return _Side(usual, np.array(ids, np.int64), np.array(lengths, np.int64))


class _Links(NamedTuple):
    """All pairs of a source word and a target word that occur in a sentence pair.

    Attributes:
        source: (L,) the source word of each different pair of words.
        target: (L,) its target word.
        sentences: (L,) in how many places the pair occurs.
        kinds: (all,) the number of the pair of words at each place.
        columns: (all,) which target token each place belongs to.
        rows: (all,) which source token each place belongs to.
    """

    source: np.ndarray
    target: np.ndarray
    sentences: np.ndarray
    kinds: np.ndarray
    columns: np.ndarray
    rows: np.ndarray

    @classmethod
    def of(cls, source: _Side, target: _Side) -> "_Links":
        """The links of sentences and their translations."""
        source_starts = np.cumsum(source.lengths) - source.lengths
        of_target = np.repeat(np.arange(len(target.lengths)), target.lengths)
        counts = source.lengths[of_target]  # links of each target token
        columns = np.repeat(np.arange(len(target.ids)), counts)
        within = np.arange(len(columns)) - np.repeat(np.cumsum(counts) - counts, counts)
        rows = np.repeat(source_starts[of_target], counts) + within
        keys = source.ids[rows] * len(target.words) + target.ids[columns]
        different, kinds, sentences = np.unique(keys, return_inverse=True, return_counts=True)
        return cls(*np.divmod(different, len(target.words)), sentences, kinds, columns, rows)

    def reversed(self) -> "_Links":
        """The same, from target to source."""
        return self._replace(
            source=self.target, target=self.source, columns=self.rows, rows=self.columns
        )

    def translation_table(self) -> np.ndarray:
        """(L,) the probability of each target word, given its source word."""
        table = np.ones(len(self.source))
        for _ in range(ITERATIONS):
            weights = table[self.kinds]
            weights /= np.bincount(self.columns, weights)[self.columns]
            counts = np.bincount(self.kinds, weights, minlength=len(table))
            table = counts / np.bincount(self.source, counts)[self.source]
        return table


def _best(words: np.ndarray, values: np.ndarray, count: int) -> np.ndarray:
    """(count,) the place of each word's highest value; -1 for words without any."""
    order = np.lexsort((values, words))
    best = np.full(count, -1)
    best[words[order]] = order  # the last one of each word stays
    return best
