"""How large a corpus is, counted without cleaning or splitting it."""

from collections import Counter
from typing import NamedTuple

import numpy as np

from translator.config.schema import CorpusConfig
from translator.corpora.registry import read_corpus

COUNTED_TO = 1000  # characters; the few longer sentences count as so long
LONG_SHARE = 0.999  # of the pairs have no side that is longer than `CorpusSize.long`
READ_CLOSELY = 100_000  # pairs, the first ones, whose words and letters are counted
COMMON_SHARE = 0.9995  # of all letters are among the common ones


class CorpusSize(NamedTuple):
    """The size of a training split as it is read.

    Attributes:
        pairs: sentence pairs.
        words: different words of both sides, divided by spaces, among the first pairs.
        letters: different letters of both sides that are common there.
        letters_in_common: share of the target side's letters that the source side has as well.
        long: characters of a long sentence.
    """

    pairs: int
    words: int
    letters: int
    letters_in_common: float
    long: int


def measure_corpus(config: CorpusConfig) -> CorpusSize:
    """Reads a corpus's training split once and counts.

    Raises:
        InputError: a file cannot be read or downloaded.
    """
    lengths = np.zeros(COUNTED_TO + 1, np.int64)
    words: set[str] = set()
    letters: tuple[Counter[str], Counter[str]] = Counter(), Counter()
    for number, pair in enumerate(read_corpus(config)["train"]):
        lengths[min(max(map(len, pair)), COUNTED_TO)] += 1
        if number < READ_CLOSELY:
            for side, of_side in zip(pair, letters):
                words.update(side.split())
                of_side.update(side)
    pairs = int(lengths.sum())
    long = int(np.searchsorted(np.cumsum(lengths), LONG_SHARE * pairs))
    source, target = ({c: n for c, n in side.items() if c.isalpha()} for side in letters)
    shared = sum(count for letter, count in target.items() if letter in source)
    return CorpusSize(
        pairs,
        len(words),
        _common(Counter(source) + Counter(target)),
        shared / max(1, sum(target.values())),
        long,
    )


def _common(letters: Counter[str]) -> int:
    """How many of the most frequent letters make up `COMMON_SHARE` of all."""
    counts = np.cumsum([count for _, count in letters.most_common()])
    return int(np.searchsorted(counts, COMMON_SHARE * counts[-1])) + 1 if len(counts) else 0
