"""Puts masks into training pairs, as translating does, and makes copies with more masks."""

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from translator.corpora.pairs import SentencePairs
from translator.data.linked_pairs import Linker
from translator.text.masking import put_masks
from translator.text.preprocessing import Preprocessor
from translator.text.shown import Span

SEED = 1  # masks depend on the corpus, not on the seed of a training
OFTEN = 0.7  # how likely a copy masks a span that the model could see
LINKED = 1 / 3  # the share of copies with masks for linked words
MOST_LINKED = 2  # most words that are masked in such a copy
WITH_NUMBER = 3  # the weight of a pair with a number
FEW_NUMBERS = 100  # with so few pairs, masks of numbers cannot be learnt
JOINED = 0.5  # how likely two spans that are neighbours on both sides share one mask


class PairMasker:
    """Writes training pairs as the model sees them: with masks, first words without capitals."""

    def __init__(self, preprocessor: Preprocessor) -> None:
        self.preprocessor = preprocessor

    def as_translated(
        self,
        pairs: Iterable[tuple[str, str]],
        known_share: float = 0.0,
        worth: bytearray | None = None,
    ) -> Iterator[tuple[str, str]]:
        """Puts masks into pairs, as translating does, if both sides say the same at this place.

        Args:
            known_share: the share of pairs that also have masks for words that a model knows.
            worth: receives the value of a copy of each pair.
        """
        generator = np.random.default_rng(SEED)
        for pair in pairs:
            spans = self._common(pair)
            if worth is not None:
                worth.append(_worth(spans))
            yield self._masked(
                pair, spans, generator, known_share > 0 and generator.random() < known_share
            )

    def copies(
        self, pairs: SentencePairs, worth: bytearray, share: float, linker: Linker
    ) -> Iterator[tuple[str, str]]:
        """Copies of pairs with masks for names, numbers and other words that a model knows.

        Pairs with several names or with numbers are few and come first; then pairs with one name
        are drawn. A third of the copies, or more if names are few, have masks for the rarest linked
        words. So masks are learnt from any corpus and at any place of a sentence.
        """
        weights = np.frombuffer(worth, np.uint8).astype(np.int8)
        generator = np.random.default_rng(SEED)
        count = round(share * len(pairs))
        order = np.argsort(-weights - generator.random(len(pairs)), kind="stable")
        with_spans = np.zeros(len(pairs), bool)
        with_spans[order[: round(count * (1 - LINKED))]] = True
        with_spans &= weights > 0
        for pair in zip(*pairs.select(with_spans)):
            yield self._masked(pair, self._common(pair), generator, masks_known=True)
        with_links = np.zeros(len(pairs), bool)
        with_links[generator.permutation(len(pairs))[: count - int(with_spans.sum())]] = True
        number_share = 0.0 if int((weights >= WITH_NUMBER).sum()) > FEW_NUMBERS else OFTEN
        for pair in zip(*pairs.select(with_links)):
            is_number = generator.random() < number_share
            yield from self._with_linked_words(pair, linker, generator, is_number)

    def _with_linked_words(
        self,
        pair: tuple[str, str],
        linker: Linker,
        generator: np.random.Generator,
        is_number: bool,
    ) -> Iterator[tuple[str, str]]:
        """A pair with masks for one or two of its rarest linked words; nothing if it has none."""
        tags, source = self.preprocessor.split(pair[0])
        linked = linker.link(source, pair[1])
        words = [word for word, link in enumerate(linked.links) if link >= 0]
        words.sort(key=lambda word: linker.frequency(linked.source.words[word]))
        spans = [
            (
                Span(*linked.source.extent(word), "", is_number=is_number),
                Span(*linked.target.extent(linked.links[word]), "", is_number=is_number),
            )
            for word in sorted(words[: generator.integers(1, MOST_LINKED, endpoint=True)])
        ]
        if spans:
            source, target = put_masks((source, pair[1]), spans, generator)
            yield tags + self.preprocessor.truecase(source), target

    def _common(self, pair: tuple[str, str]) -> list[tuple[Span, Span]]:
        return self.preprocessor.find_common(self.preprocessor.split(pair[0])[1], pair[1])

    def _masked(
        self,
        pair: tuple[str, str],
        spans: list[tuple[Span, Span]],
        generator: np.random.Generator,
        masks_known: bool,
    ) -> tuple[str, str]:
        tags, source = self.preprocessor.split(pair[0])
        if not masks_known:
            spans = [span_pair for span_pair in spans if not span_pair[0].is_shown]
        elif spans:
            drawn = generator.random(len(spans)) < OFTEN
            drawn[generator.integers(len(spans))] = True
            spans = [
                span_pair
                for span_pair, is_drawn in zip(spans, drawn)
                if is_drawn or not span_pair[0].is_shown
            ]
            if generator.random() < JOINED:
                spans = _join_neighbours(source, pair[1], spans)
        source, target = put_masks((source, pair[1]), spans, generator if spans else None)
        return tags + self.preprocessor.truecase(source), target


def _worth(spans: Sequence[tuple[Span, Span]]) -> int:
    """The value of a copy of a pair: 0 for no copy; highest if the pair has a number."""
    has_number = any(span.is_number for span, _ in spans)
    return WITH_NUMBER if has_number else min(len(spans), WITH_NUMBER - 1)


def _join_neighbours(
    source: str, target: str, spans: Sequence[tuple[Span, Span]]
) -> list[tuple[Span, Span]]:
    """Joins names that are neighbours, such as a first name and a family name."""
    joined: list[tuple[Span, Span]] = []
    for here, there in spans:
        if joined and not (here.is_number or joined[-1][0].is_number):
            before_here, before_there = joined[-1]
            gaps = source[before_here.end : here.start], target[before_there.end : there.start]
            if gaps == (" ", " "):
                joined[-1] = (
                    before_here._replace(end=here.end),
                    before_there._replace(end=there.end),
                )
                continue
        joined.append((here, there))
    return joined
