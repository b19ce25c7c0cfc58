"""What is learnt from the links of words: single words to train on, and a lexicon."""

import numpy as np

from translator.corpora import SentencePairs
from translator.data.word_links import WordLinks
from translator.text.lexicon import Lexicon

FEWEST = 3  # sentence pairs that both words of a pair are in
LIKELY = 0.3  # the least probability of a translation, in both directions
FEWEST_OF_LEXICON = 2  # the same for words of a lexicon
LEAST_ASSOCIATION = 0.05  # of words of a lexicon


def find_word_pairs(links: WordLinks) -> SentencePairs:
    """Finds words that translate each other: each is the likeliest translation of the other.

    Args:
        links: of a training split.

    Returns:
        Pairs of single words, spelt as within sentences, in the order of their first
        occurrence; each source word has one translation.
    """
    source, target = links.source_words.spelt, links.target_words.spelt
    best_target = _best(links.source, links.forward, len(source))
    best_source = _best(links.target, links.backward, len(target))
    place = np.arange(len(links.source))
    is_kept = (best_target[links.source] == place) & (best_source[links.target] == place)
    is_kept &= (links.forward >= LIKELY) & (links.backward >= LIKELY) & (links.places >= FEWEST)
    found = [
        (source[s], target[t])
        for s, t in zip(links.source[is_kept].tolist(), links.target[is_kept].tolist())
    ]
    return SentencePairs.from_pairs([pair for pair in found if all(pair)])


def make_lexicon(links: WordLinks) -> Lexicon:
    """The words of a training split that are associated with each other.

    The association of two words is the geometric mean of the probabilities of both directions.
    """
    associations = np.sqrt(links.forward * links.backward)
    is_kept = (associations >= LEAST_ASSOCIATION) & (links.places >= FEWEST_OF_LEXICON)
    translations: dict[str, dict[str, float]] = {}
    for link in np.flatnonzero(is_kept).tolist():
        source = links.source_words.plain[links.source[link]]
        target = links.target_words.plain[links.target[link]]
        translations.setdefault(source, {})[target] = float(associations[link])
    return Lexicon(translations)


def _best(words: np.ndarray, values: np.ndarray, count: int) -> np.ndarray:
    """(count,) the place of each word's highest value; -1 for words without any."""
    order = np.lexsort((values, words))
    best = np.full(count, -1)
    best[words[order]] = order  # the last one of each word stays
    return best
