"""Names that a corpus writes alike in both languages, and pairs whose names differ."""

from collections import Counter
from collections.abc import Sequence

from translator.text.punctuation import MARKS

FEWEST = 5  # pairs that a name must be in
COPIED_SHARE = 0.8  # of the pairs with a name on one side, those that have it on the other
LOWER_SHARE = 0.05  # of a name's occurrences that may be in lower case, as those of nouns are
ENDINGS = ("'s", "’s", "'", "’")  # of genitives


class CopiedNames:
    """The words with a capital that pairs nearly always have on both sides.

    Args:
        pairs: the corpus.
    """

    def __init__(self, pairs: Sequence[tuple[str, str]]) -> None:
        both: Counter[str] = Counter()
        sides: tuple[Counter[str], Counter[str]] = (Counter(), Counter())
        lower: Counter[str] = Counter()
        for pair in pairs:
            words = [set(capitalized(text)) for text in pair]
            both.update(words[0] & words[1])
            for counts, found in zip(sides, words):
                counts.update(found)
            lower.update(
                word for text in pair for word in map(_core, text.split()) if word.islower()
            )
        self._names = frozenset(
            name
            for name, count in both.items()
            if count >= FEWEST
            and count >= COPIED_SHARE * max(side[name] for side in sides)
            and lower[name.lower()] <= LOWER_SHARE * count
        )

    def difference(self, source: str, target: str) -> tuple[str, str] | None:
        """A name that only the source has and one that only the target has; None without both."""
        sides = [
            {name for name in capitalized(text) if name in self._names} for text in (source, target)
        ]
        only = sides[0] - sides[1], sides[1] - sides[0]
        if not all(only):
            return None
        lost, added = (
            {name for name in names if not _mentions(text, name)}
            for names, text in zip(only, (target, source))
        )
        return (min(lost), min(added)) if lost and added else None


def capitalized(sentence: str) -> list[str]:
    """The words of a sentence that begin with a capital, without marks and genitive endings."""
    return [
        _without_ending(core)
        for core in map(_core, sentence.split())
        if core[:1].isupper() and len(core) > 1 and core.isprintable()
    ]


def _core(word: str) -> str:
    return word.strip(MARKS + "-–—[]")


def _without_ending(word: str) -> str:
    """A word without the ending of a genitive: ``Tom's`` is ``Tom``."""
    ending = next((ending for ending in ENDINGS if word.endswith(ending)), "")
    return word.removesuffix(ending)


def _mentions(text: str, name: str) -> bool:
    """Whether a name is part of a word of a text, as in ``Toms`` or ``Berlinreise``."""
    return name.lower() in text.lower()
