"""Words with letters that a keyboard lacks, or without apostrophes: "Koennen", "dont"."""

import itertools
import re
from collections.abc import Callable, Iterator, Sequence

MOST_PLACES = 6  # in a word that may have such a letter


def with_letters(
    word: str, is_known: Callable[[str], bool], letters: Sequence[tuple[str, str]]
) -> str:
    """A word with the letters of its language, if only so it is a known word.

    Args:
        word: as it was typed.
        is_known: tells of a word in lower case.
        letters: each with what is typed for it.

    Returns:
        The word that is known, with a capital where the typed word has one; of several the one
        with the most such letters. The word as it is if it is known or none is.
    """
    plain = word.lower()
    if is_known(plain) or not any(typed in plain for _, typed in letters):
        return word
    found = next(filter(is_known, _spellings(plain, letters)), None)
    return word if found is None else _capitalised(found, word)


def with_apostrophe(word: str, is_known: Callable[[str], bool], endings: Sequence[str]) -> str:
    """A word with the apostrophe that it was typed without, if only so it is a known word.

    Args:
        word: as it was typed.
        is_known: tells of a word in lower case.
        endings: those that stand after an apostrophe.
    """
    plain = word.lower()
    if is_known(plain):
        return word
    parts = ((plain.removesuffix(ending), ending) for ending in endings if plain.endswith(ending))
    found = next(filter(is_known, (f"{begin}'{ending}" for begin, ending in parts)), None)
    return word if found is None else _capitalised(found, word)


def _capitalised(word: str, like: str) -> str:
    """A word in lower case with the capitals of another."""
    if len(like) > 1 and like.isupper():
        return word.upper()
    return word[:1].upper() + word[1:] if like[:1].isupper() else word


def _spellings(word: str, letters: Sequence[tuple[str, str]]) -> Iterator[str]:
    """A word with letters for what may be typed for them, those with most letters first."""
    meant = {typed: letter for letter, typed in letters}
    pieces = re.split(f"({'|'.join(meant)})", word)
    places = range(1, len(pieces), 2)[:MOST_PLACES]
    for count in range(len(places), 0, -1):
        for chosen in itertools.combinations(places, count):
            yield "".join(meant[p] if i in chosen else p for i, p in enumerate(pieces))
