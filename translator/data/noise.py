"""Copies sentence pairs as people may type them: without final marks, apostrophes, umlauts."""

import itertools
import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial

import numpy as np

from translator.base.languages import language_table
from translator.corpora.pairs import SentencePairs
from translator.corpora.tags import split_tags
from translator.text.punctuation import without_final_mark

SEED = 1  # copies depend on the corpus, not on the seed of a training
RESPELT = 0.25  # part of the share that is typed without umlauts and similar letters
APOSTROPHE = (r"(?<=\w)['’](?=\w)", "")

Kind = tuple[float, Callable[[str, str], tuple[str, str]]]  # a share, and how a pair is typed


def make_noisy_copies(
    pairs: SentencePairs, share: float, language: str, tags: Sequence[str] = ()
) -> SentencePairs:
    """Copies some sentence pairs as they may be typed.

    Args:
        language: the language of the sources.
        tags: names of tags that may begin a source. They stay as they are.

    Returns:
        Copies that differ from their pairs. One kind follows another, each in the pairs' order.
    """
    letters = language_table(language, "casing").get("typed_letters", ())
    kinds: list[Kind] = [(share, _without_final_marks), (share, partial(_respelt, [APOSTROPHE]))]
    for groups in (letters, letters[-1:]):  # all letters, or only "ss", as in Switzerland
        kinds.append((share * RESPELT, partial(_respelt, list(itertools.chain(*groups)))))
    return SentencePairs.from_pairs(_copies(pairs, kinds, tags))


def _copies(
    pairs: SentencePairs, kinds: Sequence[Kind], tags: Sequence[str]
) -> Iterator[tuple[str, str]]:
    for number, (share, retype) in enumerate(kinds):
        generator = np.random.default_rng((SEED, number))
        for source, target in zip(*pairs):
            if generator.random() < share:
                text = split_tags(source, tags)[1]
                typed = retype(text, target)
                if all(typed) and typed[0] != text:
                    yield source.removesuffix(text) + typed[0], typed[1]


def _without_final_marks(source: str, target: str) -> tuple[str, str]:
    """Both sides without their final marks; an empty target if it has no mark."""
    shorter = without_final_mark(target)
    return without_final_mark(source), shorter if shorter != target else ""


def _respelt(spellings: Sequence[tuple[str, str]], source: str, target: str) -> tuple[str, str]:
    for letter, spelling in spellings:
        source = re.sub(letter, spelling, source)
        source = re.sub(letter.capitalize(), spelling.capitalize(), source)
    return source, target
