"""Copies of sentence pairs as people type them: without the final mark, "21st" in digits."""

import itertools
import re
from collections.abc import Iterator

import numpy as np

from translator.base.languages import language_facts, language_table
from translator.corpora.pairs import SentencePairs
from translator.text.punctuation import without_final_mark

SEED = 1  # the copies belong to the corpus, whatever the seed of a training
LARGEST_ORDINAL = 31


def make_noisy_copies(
    pairs: SentencePairs, share: float, languages: tuple[str, str]
) -> SentencePairs:
    """Copies some sentence pairs as they may be typed.

    The copies have no final mark on either side. Each pair with an ordinal number in letters is
    copied once more with one in digits, as there are few of those.

    Returns:
        The copies that differ from their pair, in the order of the pairs; those with ordinal
        numbers come last.
    """
    ordinals = _with_ordinals(pairs, languages)
    return SentencePairs.from_pairs(itertools.chain(_retyped(pairs, share), ordinals))


def _retyped(pairs: SentencePairs, share: float) -> Iterator[tuple[str, str]]:
    """Copies of a share of the pairs without final marks."""
    generator = np.random.default_rng(SEED)
    for source, target in zip(*pairs):
        if generator.random() >= share:
            continue
        shorter = without_final_mark(source), without_final_mark(target)
        if all(shorter) and shorter[0] != source and shorter[1] != target:
            yield shorter


def _with_ordinals(pairs: SentencePairs, languages: tuple[str, str]) -> Iterator[tuple[str, str]]:
    """Pairs with an ordinal number on both sides, with any other one in digits.

    Which one does not matter: "the third time" and "das dritte Mal" may as well be the 12th.
    """
    words = [language_table(language, "copies").get("ordinals", ()) for language in languages]
    if not all(words):
        return
    patterns = [
        re.compile(rf"\b(?:{'|'.join(each)})\b(?= [^\W\d_])", re.IGNORECASE) for each in words
    ]
    draw = np.random.default_rng(SEED)
    for sides in zip(*pairs):
        if all(len(pattern.findall(side)) == 1 for pattern, side in zip(patterns, sides)):
            number = str(draw.integers(1, LARGEST_ORDINAL, endpoint=True))
            source, target = (
                pattern.sub(language_facts(language).ordinal(number), side)
                for pattern, side, language in zip(patterns, sides, languages)
            )
            yield source, target
