"""Which words of sentence pairs translate each other, by counting, and a lexicon of them.

IBM Model 1 of Brown et al. (1993), "The Mathematics of Statistical Machine Translation",
https://aclanthology.org/J93-2003, in both directions.
"""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from translator.corpora import SentencePairs
from translator.text.lexicon import Lexicon
from translator.text.punctuation import plain_word
from translator.text.truecasing import is_word, split_tokens

MAX_PAIRS = 200_000  # sentence pairs that are counted; more would not change frequent words
MAX_WORDS = 30  # of a sentence that is counted
ITERATIONS = 5  # of expectation maximisation
FEWEST = 2  # times that both words of a lexicon must be in the same pair of sentences
LEAST_ASSOCIATION = 0.05  # of words of a lexicon


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
    def of(cls, sentences: Sequence[str]) -> "SideWords":
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
        source_words: of the sentence pairs.
        target_words: of the sentence pairs.
        source: (L,) the number of each pair's source word.
        target: (L,) that of its target word.
        places: (L,) in how many places the pair occurs.
        forward: (L,) the probability of the target word, given the source word.
        backward: (L,) that of the source word, given the target word.
        step: every so many-th sentence pair was counted.
    """

    source_words: SideWords
    target_words: SideWords
    source: np.ndarray
    target: np.ndarray
    places: np.ndarray
    forward: np.ndarray
    backward: np.ndarray
    step: int

    @classmethod
    def of(cls, pairs: SentencePairs) -> "WordLinks":
        """Counts the words of sentences and their translations."""
        step = -(-len(pairs.sources) // MAX_PAIRS) or 1
        source, target = (SideWords.of(side[::step]) for side in pairs)
        source_starts = np.cumsum(source.lengths) - source.lengths
        of_target = np.repeat(np.arange(len(target.lengths)), target.lengths)
        counts = source.lengths[of_target]  # places of each target token
        columns = np.repeat(np.arange(len(target.ids)), counts)
        within = np.arange(len(columns)) - np.repeat(np.cumsum(counts) - counts, counts)
        rows = np.repeat(source_starts[of_target], counts) + within
        keys = source.ids[rows] * len(target.plain) + target.ids[columns]
        different, links, places = np.unique(keys, return_inverse=True, return_counts=True)
        source_ids, target_ids = np.divmod(different, max(len(target.plain), 1))
        forward = _translation_table(source_ids, links, columns)
        backward = _translation_table(target_ids, links, rows)
        return cls(source, target, source_ids, target_ids, places, forward, backward, step)

    def associations(self) -> np.ndarray:
        """(L,) the geometric mean of the probabilities of both directions."""
        means: np.ndarray = np.sqrt(self.forward * self.backward)
        return means


def make_lexicon(links: WordLinks) -> Lexicon:
    """The words of a training split that are associated with each other."""
    associations = links.associations()
    is_kept = (associations >= LEAST_ASSOCIATION) & (links.places >= FEWEST)
    translations: dict[str, dict[str, float]] = {}
    for link in np.flatnonzero(is_kept).tolist():
        source = links.source_words.plain[links.source[link]]
        target = links.target_words.plain[links.target[link]]
        translations.setdefault(source, {})[target] = float(associations[link])
    return Lexicon(translations)


def _translation_table(given: np.ndarray, links: np.ndarray, tokens: np.ndarray) -> np.ndarray:
    """(L,) the probability of the other word of each link, given one of them.

    Args:
        given: (L,) the number of the word that is given.
        links: (places,) the link at each place.
        tokens: (places,) the number of the other token at each place.
    """
    table = np.ones(len(given))
    for _ in range(ITERATIONS):
        weights = table[links]
        weights /= np.bincount(tokens, weights)[tokens]
        counts = np.bincount(links, weights, minlength=len(table))
        table = counts / np.bincount(given, counts)[given]
    return table
