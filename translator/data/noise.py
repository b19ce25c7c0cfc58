"""Copies of sentence pairs as people type them: without the final mark, with curly quotes."""

import re

import numpy as np

from translator.corpora import SentencePairs
from translator.text.final_marks import without_final_mark

SEED = 1  # the copies belong to the corpus, whatever the seed of a training
STRAIGHT_DOUBLE = re.compile(r'"([^"]*)"')


def make_noisy_copies(pairs: SentencePairs, share: float) -> SentencePairs:
    """Copies some sentence pairs as they may be typed.

    Half of the copies have no final mark on either side. The others have curly
    apostrophes and quotation marks in the source instead of straight ones; a sentence
    without such marks loses its final mark instead.

    Args:
        pairs: the training split.
        share: of the pairs that are copied.

    Returns:
        The copies that differ from their pair, in the order of the pairs.
    """
    draws = np.random.default_rng(SEED).random(len(pairs.sources)).tolist()
    copies = []
    for source, target, draw in zip(*pairs, draws):
        if draw >= share:
            continue
        curly = with_curly_marks(source) if draw < share / 2 else source
        if curly != source:
            copies.append((curly, target))
            continue
        shorter = without_final_mark(source), without_final_mark(target)
        if all(shorter) and shorter[0] != source and shorter[1] != target:
            copies.append(shorter)
    return SentencePairs.from_pairs(copies)


def with_curly_marks(text: str) -> str:
    """A sentence with the apostrophes and quotation marks that a phone writes."""
    return STRAIGHT_DOUBLE.sub(r"“\1”", text).replace("'", "’")
