"""Words with letters that a keyboard lacks: "Koennen" is "Können"."""

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
    if found is None:
        return word
    if word.isupper():
        return found.upper()
    return found.capitalize() if word[:1].isupper() else found


def _spellings(word: str, letters: Sequence[tuple[str, str]]) -> Iterator[str]:
    """A word with letters for what may be typed for them, those with most letters first."""
    meant = {typed: letter for letter, typed in letters}
    pieces = re.split(f"({'|'.join(meant)})", word)
    places = range(1, len(pieces), 2)[:MOST_PLACES]
    for count in range(len(places), 0, -1):
        for chosen in itertools.combinations(places, count):
            yield "".join(meant[p] if i in chosen else p for i, p in enumerate(pieces))
