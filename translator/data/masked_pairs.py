"""Training pairs with masks, as translating shows them, and copies with more masks."""

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from translator.corpora.pairs import SentencePairs
from translator.data.linked_pairs import Linker
from translator.text.masking import put_masks
from translator.text.preprocessing import Preprocessor
from translator.text.shown import Span

SEED = 1  # the masks belong to the corpus, whatever the seed of a training
OFTEN = 0.7  # how likely a span that a model is shown is masked in a copy
LINKED = 1 / 3  # the share of copies with masks for linked words
MOST_LINKED = 2  # words that are masked in such a copy
WITH_NUMBER = 3  # what a pair with a number weighs
FEW_NUMBERS = 100  # pairs with numbers, which do not teach their masks
JOINED = 0.5  # how likely two neighbours that are neighbours on both sides have one mask


class PairMasker:
    """Writes training pairs as the model is shown them: with masks, and with small beginnings."""

    def __init__(self, preprocessor: Preprocessor) -> None:
        self.preprocessor = preprocessor

    def as_translated(
        self,
        pairs: Iterable[tuple[str, str]],
        more: float = 0.0,
        worth: bytearray | None = None,
    ) -> Iterator[tuple[str, str]]:
        """Pairs with masks where translating shows them, if both sides say the same there.

        Args:
            more: the share of them that have masks for what a model knows as well.
            worth: how much each pair is worth copying is appended to it.
        """
        generator = np.random.default_rng(SEED)
        for pair in pairs:
            found = self._common(pair)
            if worth is not None:
                worth.append(_worth(found))
            yield self._masked(pair, found, generator, more > 0 and generator.random() < more)

    def copies(
        self, pairs: SentencePairs, worth: bytearray, share: float, linker: Linker
    ) -> Iterator[tuple[str, str]]:
        """Copies of pairs in which names, numbers and other words that a model knows are masked.

        Pairs with several names and those with numbers are taken first, as they are few; then
        others with a name are drawn. In a third of the copies, or in more where there are few
        names, the rarest words that are linked are masked, so that masks are learnt from any
        corpus and at any place of a sentence.
        """
        spans = np.frombuffer(worth, np.uint8).astype(np.int8)
        generator = np.random.default_rng(SEED)
        count = round(share * len(pairs))
        order = np.argsort(-spans - generator.random(len(pairs)), kind="stable")
        chosen = np.zeros(len(pairs), bool)
        chosen[order[: round(count * (1 - LINKED))]] = True
        chosen &= spans > 0
        for pair in zip(*pairs.select(chosen)):
            yield self._masked(pair, self._common(pair), generator, more=True)
        others = np.zeros(len(pairs), bool)
        others[generator.permutation(len(pairs))[: count - int(chosen.sum())]] = True
        numbers = 0.0 if int((spans >= WITH_NUMBER).sum()) > FEW_NUMBERS else OFTEN
        for pair in zip(*pairs.select(others)):
            is_number = generator.random() < numbers
            yield from self._with_linked_words(pair, linker, generator, is_number)

    def _with_linked_words(
        self,
        pair: tuple[str, str],
        linker: Linker,
        generator: np.random.Generator,
        is_number: bool,
    ) -> Iterator[tuple[str, str]]:
        """A pair with masks for one or two of its rarest words; nothing where none are linked."""
        tags, source = self.preprocessor.split(pair[0])
        linked = linker.link(source, pair[1])
        words = [word for word, link in enumerate(linked.links) if link >= 0]
        words.sort(key=lambda word: linker.frequency(linked.source.words[word]))
        found = [
            (
                Span(*linked.source.extent(word), "", is_number=is_number),
                Span(*linked.target.extent(linked.links[word]), "", is_number=is_number),
            )
            for word in sorted(words[: generator.integers(1, MOST_LINKED, endpoint=True)])
        ]
        if found:
            source, target = put_masks((source, pair[1]), found, generator)
            yield tags + self.preprocessor.truecase(source), target

    def _common(self, pair: tuple[str, str]) -> list[tuple[Span, Span]]:
        return self.preprocessor.find_common(self.preprocessor.split(pair[0])[1], pair[1])

    def _masked(
        self,
        pair: tuple[str, str],
        found: list[tuple[Span, Span]],
        generator: np.random.Generator,
        more: bool,
    ) -> tuple[str, str]:
        tags, source = self.preprocessor.split(pair[0])
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
        source, target = put_masks((source, pair[1]), found, generator if found else None)
        return tags + self.preprocessor.truecase(source), target


def _worth(common: Sequence[tuple[Span, Span]]) -> int:
    """How much a pair is worth copying: 0 not at all, most where it has a number."""
    has_number = any(span.is_number for span, _ in common)
    return WITH_NUMBER if has_number else min(len(common), WITH_NUMBER - 1)


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
