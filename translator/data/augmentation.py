"""Makes copies of sentence pairs: with other marks, or several pairs in one line."""

import itertools
import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from translator.base.languages import language_facts
from translator.corpora.pairs import SentencePairs
from translator.corpora.tags import split_tags
from translator.data.linked_pairs import Linker
from translator.data.word_links import LEAST_ASSOCIATION, WordLinks
from translator.text.truecasing import split_tokens

SEED = 1  # copies depend on the corpus, not on the seed of a training
POOL = 50_000  # pairs in memory, from which the further pairs of a copy are drawn
LEARNT = 100_000  # sentences from which capitals are learnt
CLEAR = 0.95  # from this share on, a word's most frequent spelling counts as the only one
TRIES = 4  # draws of further pairs for one kind, before the next kind is tried

Pair = tuple[str, str]


class Material:
    """The tools for making copies.

    Attributes:
        languages: the codes without variants, such as ``de`` for ``de-AT``.
        linker: links words that are surely translations of each other.
    """

    def __init__(self, pairs: SentencePairs, links: WordLinks, languages: tuple[str, str]) -> None:
        self.languages = [language_facts(language).code for language in languages]
        self.linker = Linker(links, LEAST_ASSOCIATION)
        self.draw = random.Random(SEED)
        step = -(-len(pairs) // LEARNT) or 1
        self.capitals = [Capitals(list(itertools.islice(side, 0, None, step))) for side in pairs]

    def within(self, pair: Pair) -> Pair | None:
        """Spells a pair as in the middle of a longer pair; None if the spelling is not clear."""
        source, target = (capitals.within(text) for capitals, text in zip(self.capitals, pair))
        return None if source is None or target is None else (source, target)


Make = Callable[[Material, Sequence[Pair]], Pair | None]


class Kind(NamedTuple):
    """A kind of copies.

    Attributes:
        name: a name for readers of the table.
        weight: how often this kind is tried first, compared with other kinds.
        parts: how many pairs a copy joins.
        make: makes a copy of these pairs; returns None if this is not possible.
    """

    name: str
    weight: float
    parts: int
    make: Make


def make_copies(
    pairs: SentencePairs,
    share: float,
    kinds: Sequence[Kind],
    material: Material,
    tags: Sequence[str] = (),
) -> Iterator[tuple[str, Pair]]:
    """Copies some sentence pairs; the kind of each copy is drawn from a table.

    If a pair allows no copy of a kind, the next kind is tried. Further pairs of a copy come from
    anywhere in the split and have the same tags.

    Args:
        tags: names of tags that may begin a source. Tags stay at the beginning.

    Yields:
        The kind's name and the copy, for each copy, in the order of the pairs.
    """
    draw = material.draw
    draw.seed(SEED)
    step = -(-len(pairs) // POOL) or 1
    pool = list(itertools.islice(zip(*pairs), 0, None, step))
    for pair in zip(*pairs):
        if draw.random() >= share:
            continue
        tag, first = _split(pair, tags)
        order = sorted(kinds, key=lambda kind: draw.random() ** (1 / kind.weight), reverse=True)
        tries = ([kind] * (1 if kind.parts == 1 else TRIES) for kind in order)
        for kind in itertools.chain.from_iterable(tries):
            partners = [_split(draw.choice(pool), tags) for _ in range(kind.parts - 1)]
            if any(partner_tag != tag for partner_tag, _ in partners):
                continue
            copy = kind.make(material, [first, *(partner for _, partner in partners)])
            if copy is not None:
                yield kind.name, (tag + copy[0], copy[1])
                break


def _split(pair: Pair, tags: Sequence[str]) -> tuple[str, Pair]:
    """Returns the tags at the beginning of a source, and the pair without these tags."""
    source, target = pair
    text = split_tags(source, tags)[1]
    return source[: len(source) - len(text)], (text, target)


class Capitals:
    """Knows how the first word of a sentence is spelt in the middle of a sentence.

    A word counts only if another word is directly before it, because a sentence may begin after
    quotation marks and colons.
    """

    def __init__(self, sentences: Sequence[str]) -> None:
        words = _count((word, word) for word, _ in _inner_words(sentences))
        self._words = {key: _clear(spellings) for key, spellings in words.items()}
        unclear = {word for word, spelling in self._words.items() if spelling is None}
        pairs = _count(
            (word, f"{word} {after}")
            for word, after in _inner_words(sentences)
            if word.lower() in unclear
        )
        self._before = {key: _clear(spellings) for key, spellings in pairs.items()}

    def spelling(self, word: str, after: str = "") -> str | None:
        """How a word is spelt within sentences; None if it is unknown or has several spellings.

        Args:
            after: the next word, which may decide, as in "sie ist" and "Sie sind".
        """
        spelling = self._words.get(word.lower())
        return spelling or self._before.get(f"{word} {after}".lower())

    def within(self, text: str) -> str | None:
        """Spells a sentence as inside a longer one; None if its first word is not clear."""
        first, *rest = split_tokens(text) or [""]
        after = rest[1] if rest[1:] and rest[0] == " " else ""
        spelling = self.spelling(first, after)
        return None if spelling is None else "".join([spelling, *rest])


def _inner_words(sentences: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yields words that directly follow a word, each with the next word; "" if there is none."""
    for sentence in sentences:
        tokens = split_tokens(sentence)
        for place in range(2, len(tokens)):
            if tokens[place - 1] == " ":
                follows = place + 2 < len(tokens) and tokens[place + 1] == " "
                yield tokens[place], tokens[place + 2] if follows else ""


def _count(spelt_texts: Iterable[tuple[str, str]]) -> dict[str, Counter[str]]:
    """Counts the spellings of each text, by its lower-cased form."""
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for spelling, text in spelt_texts:
        counts[text.lower()][spelling] += 1
    return counts


def _clear(spellings: Counter[str]) -> str | None:
    spelling, count = spellings.most_common(1)[0]
    return spelling if count >= CLEAR * spellings.total() else None
