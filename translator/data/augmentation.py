"""What copies of sentence pairs with other marks, or several in one line, are made with."""

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

SEED = 1  # the copies belong to the corpus, whatever the seed of a training
POOL = 50_000  # pairs in memory, of which one is drawn to stand beside another one
LEARNT = 100_000  # sentences that capitals are learnt from
CLEAR = 0.95  # the least share of a word's usual spelling that makes it the only one
TRIES = 4  # other pairs that are drawn for a kind, before another kind is

Pair = tuple[str, str]


class Material:
    """What copies are made with.

    Attributes:
        languages: the codes without variants, such as ``de`` for ``de-AT``.
        linker: links words that are surely translations of each other.
        draw: the generator of everything that is drawn.
    """

    def __init__(self, pairs: SentencePairs, links: WordLinks, languages: tuple[str, str]) -> None:
        self.languages = [language_facts(language).code for language in languages]
        self.linker = Linker(links, LEAST_ASSOCIATION)
        self.draw = random.Random(SEED)
        step = -(-len(pairs) // LEARNT) or 1
        self.capitals = [Capitals(list(itertools.islice(side, 0, None, step))) for side in pairs]

    def within(self, pair: Pair) -> Pair | None:
        """A pair as it is spelt within another one; None if that is not clear."""
        source, target = (known.within(text) for known, text in zip(self.capitals, pair))
        return None if source is None or target is None else (source, target)


Make = Callable[[Material, Sequence[Pair]], Pair | None]


class Kind(NamedTuple):
    """A kind of copies.

    Attributes:
        name: for who reads the table.
        weight: how often it is tried first, compared with other kinds.
        parts: how many pairs it is made of.
        make: makes a copy of them; None where this is not possible.
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
    """Copies some sentence pairs, each in a kind that is drawn from a table.

    A kind that cannot be made of a pair gives way to another one. The other pairs of a copy come
    from all over the split and have the same tags.

    Args:
        tags: names of those that may begin a source. They stay at the beginning.

    Yields:
        The name of its kind and the copy, in the order of the pairs.
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
            others = [_split(draw.choice(pool), tags) for _ in range(kind.parts - 1)]
            if any(other != tag for other, _ in others):
                continue
            made = kind.make(material, [first, *(other for _, other in others)])
            if made is not None:
                yield kind.name, (tag + made[0], made[1])
                break


def _split(pair: Pair, tags: Sequence[str]) -> tuple[str, Pair]:
    """The tags that a source begins with, and the pair without them."""
    source, target = pair
    text = split_tags(source, tags)[1]
    return source[: len(source) - len(text)], (text, target)


class Capitals:
    """How the first word of a sentence is spelt within one, where that is clear.

    Only words that follow another one directly are counted: those after quotation marks and colons
    may begin a sentence.
    """

    def __init__(self, sentences: Sequence[str]) -> None:
        words = _counted((word, word) for word, _ in _inner_words(sentences))
        self._words = {key: _clear(spellings) for key, spellings in words.items()}
        unclear = {word for word, spelling in self._words.items() if spelling is None}
        pairs = _counted(
            (word, f"{word} {after}")
            for word, after in _inner_words(sentences)
            if word.lower() in unclear
        )
        self._before = {key: _clear(spellings) for key, spellings in pairs.items()}

    def spelling(self, word: str, after: str = "") -> str | None:
        """How a word is spelt within sentences; None if it is unknown, or several ways are usual.

        Args:
            after: the word behind it, which can make clear what the word alone does not, as in
                "sie ist" and "Sie sind".
        """
        known = self._words.get(word.lower())
        return known or self._before.get(f"{word} {after}".lower())

    def within(self, text: str) -> str | None:
        """A sentence as it is spelt within another one; None if its first word is not clear."""
        first, *others = split_tokens(text) or [""]
        after = others[1] if others[1:] and others[0] == " " else ""
        spelling = self.spelling(first, after)
        return None if spelling is None else "".join([spelling, *others])


def _inner_words(sentences: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Each word that follows another one directly, and the one that follows it; "" for none."""
    for sentence in sentences:
        tokens = split_tokens(sentence)
        for place in range(2, len(tokens)):
            if tokens[place - 1] == " ":
                follows = place + 2 < len(tokens) and tokens[place + 1] == " "
                yield tokens[place], tokens[place + 2] if follows else ""


def _counted(found: Iterable[tuple[str, str]]) -> dict[str, Counter[str]]:
    """How often each word is spelt in which way, by the lower-cased text that it stands for."""
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for spelling, text in found:
        counts[text.lower()][spelling] += 1
    return counts


def _clear(spellings: Counter[str]) -> str | None:
    spelling, count = spellings.most_common(1)[0]
    return spelling if count >= CLEAR * spellings.total() else None
