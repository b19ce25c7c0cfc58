"""Measures the size of a corpus, without cleaning or splitting it."""

from collections import Counter
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from translator.base.languages import language_facts
from translator.config.schema import CorpusConfig
from translator.corpora.registry import read_corpus

COUNTED_TO = 1000  # characters; the few longer sentences count as 1000 characters
LONG_SHARE = 0.999  # this share of the pairs has no side longer than `CorpusSize.long`
READ_CLOSELY = 100_000  # the first pairs, whose words and letters are counted
COMMON_SHARE = 0.9995  # the common letters are this share of all
HELD_OUT = ("validation", "test")


class SideSize(NamedTuple):
    """The size of one side of the first pairs, or of both sides together.

    Attributes:
        words: the number of different words between spaces. In a language without spaces, the
            number of different pairs of neighbouring characters.
        letters: the number of different common letters.
    """

    words: int
    letters: int


class CorpusSize(NamedTuple):
    """The size of a training split as it is read.

    Attributes:
        letters_in_common: the share of the target side's letters that the source side also has.
        long: the characters of a long sentence.
        taken: the held-out splits that are taken from it, as the corpus has no such splits.
    """

    pairs: int
    sides: tuple[SideSize, SideSize]
    together: SideSize
    letters_in_common: float
    long: int
    taken: tuple[str, ...] = HELD_OUT


def measure_corpus(config: CorpusConfig) -> CorpusSize:
    """Reads a corpus's training split once and counts."""
    lengths = np.zeros(COUNTED_TO + 1, np.int64)
    words: tuple[set[str], set[str]] = set(), set()
    characters: tuple[Counter[str], Counter[str]] = Counter(), Counter()
    have_spaces = [language_facts(language).has_spaces for language in config.languages]
    splits = read_corpus(config)
    for number, pair in enumerate(splits["train"]):
        lengths[min(max(map(len, pair)), COUNTED_TO)] += 1
        if number < READ_CLOSELY:
            for text, has_spaces, of_side, counts in zip(pair, have_spaces, words, characters):
                of_side.update(text.split() if has_spaces else map("".join, pairwise(text)))
                counts.update(text)
    pairs = int(lengths.sum())
    long = int(np.searchsorted(np.cumsum(lengths), LONG_SHARE * pairs))
    source, target = (
        Counter({character: count for character, count in counts.items() if character.isalpha()})
        for counts in characters
    )
    return CorpusSize(
        pairs,
        (SideSize(len(words[0]), _common(source)), SideSize(len(words[1]), _common(target))),
        SideSize(len(words[0] | words[1]), _common(source + target)),
        sum(count for letter, count in target.items() if letter in source) / max(1, target.total()),
        long,
        tuple(name for name in HELD_OUT if not splits.keys() & {"validation", name}),
    )


def _common(letters: Counter[str]) -> int:
    """Counts the most frequent letters that together are `COMMON_SHARE` of all letters."""
    counts = np.cumsum([count for _, count in letters.most_common()])
    return int(np.searchsorted(counts, COMMON_SHARE * counts[-1])) + 1 if len(counts) else 0
