"""Words and short phrases with their translations, cut out of sentence pairs.

They are the phrases of Koehn, Och and Marcu (2003), "Statistical Phrase-Based Translation",
section 3.1, https://aclanthology.org/N03-1017: no word in one side of a phrase is linked with a
word outside of the other. Here the first and the last word of both sides are linked, too.
"""

import itertools
import re
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from translator.base.languages import language_facts
from translator.corpora import SentencePairs
from translator.data.word_links import MAX_WORDS, SideWords, WordLinks
from translator.text.truecasing import is_word, split_tokens

FEWEST_WORDS = 2  # times that a word must have a translation
FEWEST = 3  # times that a phrase of several words must have one
LIKELY = 0.3  # the least share of a translation among all those of its source
LONGEST_SOURCE = 4  # words
LONGEST_TARGET = 6
APOSTROPHE = re.compile(r"\w['’]\w")
STEEPNESS = 2.0  # how much less likely a link is between words at different ends of their sentences


class _Words(NamedTuple):
    """The words of a sentence.

    Attributes:
        numbers: in `SideWords`.
        spelt: as within a sentence; "" if that is not known.
        follows: whether there is nothing but a space between each word and the one before it.
    """

    numbers: np.ndarray
    spelt: list[str]
    follows: list[bool]

    def phrase(self, first: int, last: int) -> str:
        """The words from the first to the last one; "" where they are no phrase."""
        words = self.spelt[first : last + 1]
        return " ".join(words) if all(words) and all(self.follows[first + 1 : last + 1]) else ""


def find_phrase_pairs(
    pairs: SentencePairs, links: WordLinks, source_language: str
) -> SentencePairs:
    """Finds words and phrases that translate each other.

    Args:
        pairs: a training split.
        links: of its words.
        source_language: its code.

    Returns:
        Words and phrases, spelt as within sentences, in the order of their first occurrence, with
        their most frequent translations. A phrase of several words is left out if its translation
        translates another phrase more often. Phrases with an apostrophe inside, such as "I'm",
        are left out, as the translation may be of a part; so are those such as "I know", which
        cannot be told from a sentence.
    """
    has_capital_nouns = language_facts(source_language).capitalizes_nouns
    linker = _Linker(links)
    found: Counter[str] = Counter()  # with a tab between the sides, as millions of tuples are large
    of_source: Counter[str] = Counter()
    for source, target in _sentences(pairs, links):
        for phrase in _phrases(source, target, linker.link(source, target)):
            found["\t".join(phrase)] += 1
            of_source[phrase[0]] += 1
    frequent: Counter[tuple[str, str]] = Counter()
    for joined, count in found.items():
        if count >= FEWEST_WORDS:
            given, _, translated = joined.partition("\t")
            frequent[given, translated] = count
    usual: dict[str, str] = {}
    usual_source: dict[str, str] = {}
    for (given, translated), _ in frequent.most_common():
        usual.setdefault(given, translated)
        usual_source.setdefault(translated, given)
    kept = []
    for (given, translated), count in frequent.items():
        is_word = " " not in given
        fewest = max(FEWEST_WORDS if is_word else FEWEST, LIKELY * of_source[given])
        is_mutual = is_word or usual_source[translated] == given
        is_sentence = given[0].isupper() and translated[0].islower() and not has_capital_nouns
        if APOSTROPHE.search(f"{given} {translated}") or is_sentence:
            continue
        if count >= fewest and is_mutual and usual[given] == translated:
            kept.append((given, translated))
    return SentencePairs.from_pairs(kept)


def _sentences(pairs: SentencePairs, links: WordLinks) -> Iterator[tuple[_Words, _Words]]:
    """The words of the sentence pairs that were counted."""
    step = links.step
    starts = [0, 0]
    sides = (links.source_words, links.target_words)
    for number, texts in enumerate(itertools.islice(zip(*pairs), 0, None, step)):
        both = []
        for side, (words, text) in enumerate(zip(sides, texts)):
            end = starts[side] + int(words.lengths[number])
            both.append(_read(text, words, words.ids[starts[side] : end]))
            starts[side] = end
        yield both[0], both[1]


def _read(text: str, side: SideWords, numbers: np.ndarray) -> _Words:
    tokens = split_tokens(text)
    places = [i for i, token in enumerate(tokens) if is_word(token)][:MAX_WORDS]
    spelt = [tokens[i] for i in places]
    if spelt:
        spelt[0] = side.spelt[numbers[0]]
    return _Words(numbers, spelt, [i > 0 and tokens[i - 1] == " " for i in places])


class _Linker:
    """Links the words of a sentence with those of its translation."""

    def __init__(self, links: WordLinks) -> None:
        self.width = len(links.target_words.plain)
        self.keys = links.keys
        self.associations = links.associations()

    def link(self, source: _Words, target: _Words) -> list[int]:
        """For each source word the target word that it is linked with; -1 if there is none.

        Two words are linked if each is the likeliest one for the other.
        """
        if not (source.spelt and target.spelt):
            return []
        keys = source.numbers[:, None] * self.width + target.numbers[None]
        likely = self.associations[np.searchsorted(self.keys, keys)]
        rows, columns = (np.arange(len(side.spelt)) + 0.5 for side in (source, target))
        apart = np.abs(rows[:, None] / len(rows) - columns[None] / len(columns))
        likely = likely * np.exp(-STEEPNESS * apart)
        best_target, best_source = likely.argmax(axis=1), likely.argmax(axis=0)
        is_mutual = best_source[best_target] == np.arange(len(rows))
        linked: list[int] = np.where(is_mutual, best_target, -1).tolist()
        return linked


def _phrases(source: _Words, target: _Words, linked: list[int]) -> Iterator[tuple[str, str]]:
    """All phrases of a sentence pair, of one word or of several on both sides."""
    sources = {t: s for s, t in enumerate(linked) if t >= 0}
    for first, begin in enumerate(linked):
        low = high = begin
        for last in range(first, min(first + LONGEST_SOURCE, len(linked))):
            end = linked[last]
            if end >= 0:
                low, high = min(low, end), max(high, end)
            if begin < 0 or end < 0 or high - low >= LONGEST_TARGET:
                continue
            if all(first <= sources.get(t, first) <= last for t in range(low, high + 1)):
                phrase = source.phrase(first, last), target.phrase(low, high)
                if all(phrase):
                    yield phrase
