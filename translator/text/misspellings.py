"""Whether a word may be a known word with a typing error."""

from collections.abc import Collection, Iterator

SHORTEST = 3  # letters of a word with a letter too many, or with two that are swapped
SHORTEST_OTHER = 5  # of one with a wrong letter or one too few: more short words are that close
LONGEST = 30  # of a word that is looked up


def may_be_misspelt(word: str, known: Collection[str], letters: Collection[str]) -> bool:
    """Whether a word is one edit away from a known word.

    An edit is a letter too many, too few or wrong, or two neighbours that are swapped, as in
    Damerau (1964), "A technique for computer detection and correction of spelling errors". The
    edits of the word itself are looked up, so that the time does not depend on the known words.

    Args:
        word: in lower case.
        known: words in lower case, such as a set.
        letters: that the known words are written with.
    """
    if not SHORTEST <= len(word) <= LONGEST:
        return False
    if any(other in known for other in _without_or_swapped(word)):
        return True
    return len(word) >= SHORTEST_OTHER and any(o in known for o in _with_letters(word, letters))


def _without_or_swapped(word: str) -> Iterator[str]:
    """The word without each of its letters, and with each two neighbours swapped."""
    for i in range(len(word)):
        start, end = word[:i], word[i + 1 :]
        yield start + end
        yield start + end[:1] + word[i] + end[1:]


def _with_letters(word: str, letters: Collection[str]) -> Iterator[str]:
    """The word with each letter in place of one of its own, and between two of them."""
    for i in range(len(word) + 1):
        start, rest, end = word[:i], word[i:], word[i + 1 :]
        for letter in letters:
            yield start + letter + rest
            yield start + letter + end
