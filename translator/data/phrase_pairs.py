"""Words and short phrases with their translations, cut out of sentence pairs."""

import itertools
import re
from collections import Counter
from collections.abc import Iterator

from translator.base.languages import language_facts
from translator.corpora.pairs import SentencePairs
from translator.data.linked_pairs import Linker, Side
from translator.data.word_links import SideWords, WordLinks

FEWEST_WORDS = 2  # times that a word must have a translation
FEWEST = 3  # times that a phrase of several words must have one
LIKELY = 0.3  # the least share of a translation among all those of its source
LONGEST_SOURCE = 4  # words
LONGEST_TARGET = 6
APOSTROPHE = re.compile(r"\w['’]\w")


def find_phrase_pairs(
    pairs: SentencePairs, links: WordLinks, source_language: str
) -> SentencePairs:
    """Finds words and phrases that translate each other.

    Returns:
        Words and phrases, spelt as within sentences, in the order of their first occurrence, with
        their most frequent translations. A phrase of several words is left out if its translation
        translates another phrase more often. Phrases with an apostrophe inside, such as "I'm",
        are left out, as the translation may be of a part; so are those such as "I know", which
        cannot be told from a sentence.
    """
    has_capital_nouns = language_facts(source_language).capitalizes_nouns
    found: Counter[str] = Counter()  # with a tab between the sides, as millions of tuples are large
    of_source: Counter[str] = Counter()
    for phrase in _phrases(pairs, links):
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


def _phrases(pairs: SentencePairs, links: WordLinks) -> Iterator[tuple[str, str]]:
    """All phrases of the sentence pairs that were counted, of one word or of several."""
    linker = Linker(links)
    for texts in itertools.islice(zip(*pairs), 0, None, links.step):
        linked = linker.link(*texts)
        for first, last, low, high in linked.phrases(LONGEST_SOURCE, LONGEST_TARGET):
            phrase = (
                _spell(linked.source, links.source_words, first, last),
                _spell(linked.target, links.target_words, low, high),
            )
            if all(phrase):
                yield phrase


def _spell(side: Side, known: SideWords, first: int, last: int) -> str:
    """Words from the first to the last one as within a sentence; "" where they are no phrase."""
    words = side.words[first : last + 1]
    if first == 0:
        words[0] = known.spelt[side.numbers[0]]
    return " ".join(words) if all(words) and side.is_joined(first, last) else ""
