"""Takes words and short phrases with their translations out of sentence pairs."""

import itertools
import re
from collections import Counter
from collections.abc import Iterator

from translator.base.languages import language_facts
from translator.corpora.pairs import SentencePairs
from translator.data.linked_pairs import Linker, Side
from translator.data.word_links import SideWords, WordLinks

FEWEST_WORDS = 2  # how often a word must have the same translation
FEWEST = 3  # how often a phrase of several words must have the same translation
LIKELY = 0.3  # the least share of a translation among all translations of its source
LONGEST_SOURCE = 4  # most words of a source phrase
LONGEST_TARGET = 6
APOSTROPHE = re.compile(r"\w['’]\w")


def find_phrase_pairs(
    pairs: SentencePairs, links: WordLinks, source_language: str
) -> SentencePairs:
    """Finds words and phrases with their most frequent translations, spelt as within sentences.

    They are in the order of their first occurrence. Three kinds are left out:

    - phrases of several words whose translation belongs to another phrase more often;
    - words and phrases with an apostrophe: the translation of "I'm" may belong to a part of it;
    - phrases that may be sentences, such as "I know".
    """
    has_capital_nouns = language_facts(source_language).capitalizes_nouns
    counts: Counter[str] = Counter()  # keys are joined by a tab: millions of tuples are too large
    of_source: Counter[str] = Counter()
    for phrase in _phrases(pairs, links):
        counts["\t".join(phrase)] += 1
        of_source[phrase[0]] += 1
    frequent: Counter[tuple[str, str]] = Counter()
    for joined, count in counts.items():
        if count >= FEWEST_WORDS:
            source, _, target = joined.partition("\t")
            frequent[source, target] = count
    usual_target: dict[str, str] = {}
    usual_source: dict[str, str] = {}
    for (source, target), _ in frequent.most_common():
        usual_target.setdefault(source, target)
        usual_source.setdefault(target, source)
    phrase_pairs = []
    for (source, target), count in frequent.items():
        is_word = " " not in source
        fewest = max(FEWEST_WORDS if is_word else FEWEST, LIKELY * of_source[source])
        is_mutual = is_word or usual_source[target] == source
        is_sentence = source[0].isupper() and target[0].islower() and not has_capital_nouns
        if APOSTROPHE.search(f"{source} {target}") or is_sentence:
            continue
        if count >= fewest and is_mutual and usual_target[source] == target:
            phrase_pairs.append((source, target))
    return SentencePairs.from_pairs(phrase_pairs)


def _phrases(pairs: SentencePairs, links: WordLinks) -> Iterator[tuple[str, str]]:
    """Yields all phrases of the counted sentence pairs; a phrase has one or more words."""
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


def _spell(side: Side, words_of_side: SideWords, first: int, last: int) -> str:
    """Spells the words of a phrase as within a sentence; "" if they are no phrase."""
    words = side.words[first : last + 1]
    if first == 0:
        words[0] = words_of_side.spelt[side.numbers[0]]
    return " ".join(words) if all(words) and side.is_joined(first, last) else ""
