"""Copies of two to four sentence pairs in one line, which teach longer input."""

from collections.abc import Iterator, Sequence

from translator.base.languages import language_facts
from translator.corpora import SentencePairs
from translator.data.augmentation import Kind, Material, Pair, make_copies
from translator.data.marked_pairs import has_final_mark, statement

CONJUNCTIONS = (  # after which the order of words stays, by language
    {"en": "and", "de": "und"},
    {"en": "but", "de": "aber"},
)


def _sentences(material: Material, pairs: Sequence[Pair]) -> Pair | None:
    if not all(map(has_final_mark, pairs[:-1])):
        return None
    source, target = (
        (" " if language_facts(language).has_spaces else "").join(texts)
        for language, texts in zip(material.languages, zip(*pairs))
    )
    return source, target


def _clauses(material: Material, pairs: Sequence[Pair]) -> Pair | None:
    """Commas between all and a conjunction before the last, as in "A, B, and C."."""
    known = [each for each in CONJUNCTIONS if all(code in each for code in material.languages)]
    first, *others = pairs
    within = [material.within(pair) for pair in others]
    clauses = [pair and statement(pair) for pair in (first, *within)]
    if not known or None in clauses:
        return None
    conjunction = material.draw.choice(known)
    source, target = (
        f"{', '.join(texts[:-1])}, {conjunction[code]} {texts[-1]}."
        for code, texts in zip(material.languages, zip(*clauses))
    )
    return source, target


KINDS = (
    Kind("two sentences", 3, 2, _sentences),
    Kind("three sentences", 2, 3, _sentences),
    Kind("four sentences", 1, 4, _sentences),
    Kind("two clauses", 3, 2, _clauses),
    Kind("three clauses", 2, 3, _clauses),
)


def make_joined_copies(
    pairs: SentencePairs, share: float, material: Material, tags: Sequence[str]
) -> Iterator[Pair]:
    """Copies of a share of the pairs, each in one line with others; see `make_copies`."""
    return (pair for _, pair in make_copies(pairs, share, KINDS, material, tags))
