"""Copies of sentence pairs as people type them, without the final mark.

Sources are also copied without apostrophes and without the letters that a keyboard may lack, as far
as translating does not know better (`translator.text.casing`); their translations stay.
"""

import itertools
import re
from collections.abc import Iterator, Sequence

import numpy as np

from translator.base.languages import language_table
from translator.corpora import SentencePairs, split_tags
from translator.text.punctuation import without_final_mark

SEED = 1  # the copies belong to the corpus, whatever the seed of a training
RESPELT = 0.25  # the part of the share that sources without some letters have
APOSTROPHE = (r"(?<=\w)['’](?=\w)", "")


def make_noisy_copies(
    pairs: SentencePairs, share: float, language: str, tags: Sequence[str] = ()
) -> SentencePairs:
    """Copies some sentence pairs as they may be typed.

    Args:
        language: of the sources.
        tags: names of those that may begin a source. They stay as they are.

    Returns:
        The copies that differ from their pair, those of each kind in the order of the pairs.
    """
    groups = language_table(language, "casing").get("typed_letters", ())
    letters = [list(itertools.chain(*some)) for some in (groups, groups[-1:])]  # the last: "ss"
    kinds = [(share, [APOSTROPHE]), *((share * RESPELT, spellings) for spellings in letters)]
    respelt = (
        _respelt(pairs, part, spellings, np.random.default_rng((SEED, number)), tags)
        for number, (part, spellings) in enumerate(kinds)
    )
    return SentencePairs.from_pairs(itertools.chain(_retyped(pairs, share), *respelt))


def _retyped(pairs: SentencePairs, share: float) -> Iterator[tuple[str, str]]:
    """Copies of a share of the pairs without final marks."""
    generator = np.random.default_rng(SEED)
    for source, target in zip(*pairs):
        if generator.random() >= share:
            continue
        shorter = without_final_mark(source), without_final_mark(target)
        if all(shorter) and shorter[0] != source and shorter[1] != target:
            yield shorter


def _respelt(
    pairs: SentencePairs,
    share: float,
    spellings: Sequence[tuple[str, str]],
    generator: np.random.Generator,
    tags: Sequence[str],
) -> Iterator[tuple[str, str]]:
    """Copies of a share of the pairs with other spellings in their sources."""
    for source, target in zip(*pairs):
        if generator.random() < share:
            text = split_tags(source, tags)[1]
            typed = text
            for letter, spelling in spellings:
                typed = re.sub(letter, spelling, typed)
                typed = re.sub(letter.capitalize(), spelling.capitalize(), typed)
            if typed != text:
                yield source.removesuffix(text) + typed, target
