"""Copies of sentence pairs as people type them, without the final mark.

Sources are also copied with other capitals, without apostrophes, and without the letters that a
keyboard may lack; their translations stay.
"""

import functools
import itertools
import re
from collections.abc import Callable, Iterator, Sequence

import numpy as np

from translator.base.languages import language_table
from translator.corpora import SentencePairs, split_tags
from translator.text.punctuation import without_final_mark

SEED = 1  # the copies belong to the corpus, whatever the seed of a training
APOSTROPHE = re.compile(r"(?<=\w)['’](?=\w)")

Typing = Callable[[str, np.random.Generator], str]


def make_noisy_copies(
    pairs: SentencePairs, share: float, language: str, tags: Sequence[str] = ()
) -> SentencePairs:
    """Copies some sentence pairs as they may be typed.

    A share of the copies has no final mark on either side; smaller ones have a source that is typed
    in another way.

    Args:
        language: of the sources.
        tags: names of those that may begin a source. They stay as they are.

    Returns:
        The copies that differ from their pair, those of each kind in the order of the pairs.
    """
    typed = (
        _typed(pairs, share * part, typing, np.random.default_rng((SEED, number)), tags)
        for number, (part, typing) in enumerate(_typings(language))
    )
    return SentencePairs.from_pairs(itertools.chain(_retyped(pairs, share), *typed))


def _retyped(pairs: SentencePairs, share: float) -> Iterator[tuple[str, str]]:
    """Copies of a share of the pairs without final marks."""
    generator = np.random.default_rng(SEED)
    for source, target in zip(*pairs):
        if generator.random() >= share:
            continue
        shorter = without_final_mark(source), without_final_mark(target)
        if all(shorter) and shorter[0] != source and shorter[1] != target:
            yield shorter


def _typings(language: str) -> Iterator[tuple[float, Typing]]:
    """Ways to type a source, each with the part of the share of noise that it has."""
    table = language_table(language, "casing")
    small = frozenset(table.get("small_in_titles", ()))
    letters = table.get("typed_letters", ())
    yield 0.1, lambda text, draw: text.upper()
    yield 0.2, lambda text, draw: text.lower()
    yield 0.05, lambda text, draw: _as_title(text, small)
    yield 0.2, _with_word_in_capitals
    yield 1.0, lambda text, draw: APOSTROPHE.sub("", text)  # few have one
    for groups in (letters, letters[-1:]):  # all of them, and in Switzerland "ss" alone
        yield 0.25, functools.partial(_without_letters, dict(itertools.chain(*groups)))


def _typed(
    pairs: SentencePairs,
    share: float,
    typing: Typing,
    draw: np.random.Generator,
    tags: Sequence[str],
) -> Iterator[tuple[str, str]]:
    """Copies of a share of the pairs with a source that is typed in another way."""
    for source, target in zip(*pairs):
        if draw.random() < share:
            text = split_tags(source, tags)[1]
            typed = source[: len(source) - len(text)] + typing(text, draw)
            if typed != source:
                yield typed, target


def _as_title(text: str, small_words: frozenset[str]) -> str:
    words = text.split(" ")
    return " ".join(word if word in small_words else word[:1].upper() + word[1:] for word in words)


def _with_word_in_capitals(text: str, draw: np.random.Generator) -> str:
    """A sentence with a word in capitals for emphasis; a word alone stays."""
    words = text.split(" ")
    place = draw.integers(len(words))
    words[place] = words[place].upper()
    return " ".join(words) if len(words) > 1 else text


def _without_letters(letters: dict[str, str], text: str, draw: np.random.Generator) -> str:
    for letter, typed in letters.items():
        text = text.replace(letter, typed).replace(letter.upper(), typed.capitalize())
    return text
