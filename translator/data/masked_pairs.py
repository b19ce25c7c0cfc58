"""Training pairs with masks, as translating shows them, and copies with more masks."""

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from translator.corpora import SentencePairs, split_tags
from translator.text.masking import Masker, Span, put_masks

SEED = 1  # the masks belong to the corpus, whatever the seed of a training
OFTEN = 0.7  # how likely a span that a model is shown is masked in a copy
JOINED = 0.5  # how likely two neighbours that are neighbours on both sides have one mask


class PairMasker:
    """Puts masks into training pairs.

    Args:
        masker: finds what masks stand for.
        tags: the names of those that may begin a source; they are never masked.
    """

    def __init__(self, masker: Masker, tags: Sequence[str] = ()) -> None:
        self.masker = masker
        self.tags = tags

    def as_translated(
        self, pairs: Iterable[tuple[str, str]], more: float = 0.0
    ) -> Iterator[tuple[str, str]]:
        """Pairs with masks where translating shows them, if both sides say the same there.

        Args:
            pairs: sentences with their translations.
            more: the share of them that have masks for what a model knows as well.
        """
        generator = np.random.default_rng(SEED)
        for pair in pairs:
            yield self._masked(pair, generator, more > 0 and generator.random() < more)

    def copies(self, pairs: SentencePairs, share: float) -> Iterator[tuple[str, str]]:
        """Copies of pairs in which names and numbers that a model knows are masked as well.

        Pairs with several such spans and those with numbers are taken first, as they are few; then
        others are drawn.

        Args:
            pairs: a training split.
            share: of the pairs, the most that are copied.
        """
        spans = np.fromiter(map(self._weigh, *pairs), np.int8, len(pairs))
        generator = np.random.default_rng(SEED)
        order = np.argsort(-spans - generator.random(len(pairs)), kind="stable")
        chosen = np.zeros(len(pairs), bool)
        chosen[order[: round(share * len(pairs))]] = True
        chosen &= spans > 0
        for pair in zip(*pairs.select(chosen)):
            yield self._masked(pair, generator, more=True)

    def _masked(
        self, pair: tuple[str, str], generator: np.random.Generator, more: bool
    ) -> tuple[str, str]:
        tags, source = self.split(pair[0])
        found = self.masker.common(source, pair[1])
        if not more:
            found = [each for each in found if not each[0].is_shown]
        elif found:
            drawn = generator.random(len(found)) < OFTEN
            drawn[generator.integers(len(found))] = True
            found = [
                each for each, is_drawn in zip(found, drawn) if is_drawn or not each[0].is_shown
            ]
            if generator.random() < JOINED:
                found = _joined(source, pair[1], found)
        if not found:
            return pair
        source, target = put_masks((source, pair[1]), found, generator)
        return tags + source, target

    def split(self, source: str) -> tuple[str, str]:
        """The tags that a source begins with, and the rest of it."""
        _, text = split_tags(source, self.tags)
        return source[: len(source) - len(text)], text

    def _weigh(self, source: str, target: str) -> int:
        """How much a pair is worth copying: 0 not at all, up to 3."""
        common = self.masker.common(self.split(source)[1], target)
        has_number = any(span.is_number for span, _ in common)
        return min(len(common) + 2 * has_number, 3)


def _joined(
    source: str, target: str, chosen: Sequence[tuple[Span, Span]]
) -> list[tuple[Span, Span]]:
    """Spans of names with one for neighbours, such as a first name and a family name."""
    joined: list[tuple[Span, Span]] = []
    for each in chosen:
        if joined and not (each[0].is_number or joined[-1][0].is_number):
            between = [
                text[one.end : other.start]
                for text, one, other in zip((source, target), joined[-1], each)
            ]
            if between == [" ", " "]:
                joined[-1] = (
                    joined[-1][0]._replace(end=each[0].end),
                    joined[-1][1]._replace(end=each[1].end),
                )
                continue
        joined.append(each)
    return joined
