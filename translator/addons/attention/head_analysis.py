"""What the heads of a run do on sentence pairs, and word alignments read from them."""

import itertools
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from translator.addons.attention.alignment_errors import AlignmentCounter, AlignmentErrors
from translator.addons.attention.alignments import READINGS, AlignmentMethod, Link, word_attention
from translator.addons.attention.gold_alignments import SegmentedPair
from translator.addons.attention.measures import HeadMeasures, measure_heads
from translator.base.errors import InputError
from translator.text.fitting import Fit, check_fit
from translator.text.word_alignment import pointing_heads
from translator.translation.records import AttentionRecord
from translator.translation.translator import Translator

CHUNK_SIZE = 256  # pairs in memory at once, with the attention of some of them
WORDS_DIFFER = "its words are not those that the tokenizer's pieces spell"


class SkippedPair(NamedTuple):
    """A pair that is left out.

    Attributes:
        number: of its line, from 1.
        reason: why, for the user.
    """

    number: int
    reason: str


class AlignedPair(NamedTuple):
    """A pair with the word alignment that was read from attention.

    Attributes:
        pair: the pair.
        links: source word and target word of each link.
        skipped: why there are no links; None if the pair was aligned.
    """

    pair: SegmentedPair
    links: list[Link]
    skipped: SkippedPair | None = None


class HeadAnalysis(NamedTuple):
    """The results of `analyse_heads`.

    Attributes:
        measures: of all pairs that fit the model.
        errors: alignment error rates; None without gold alignments.
        skipped: pairs that do not fit the model.
        unaligned: pairs with a gold alignment whose words are not those that the pieces
            spell; they are measured, but left out of the error rates.
    """

    measures: HeadMeasures
    errors: AlignmentErrors | None
    skipped: list[SkippedPair]
    unaligned: list[SkippedPair]

    def to_json(self) -> dict[str, Any]:
        """All of it as plain values."""
        left_out = {
            name: [pair._asdict() for pair in getattr(self, name)]
            for name in ("skipped", "unaligned")
        }
        return {
            "sentences": self.measures.sentences,
            **left_out,
            "measures": self.measures.to_json(),
            "alignment": self.errors and self.errors.to_json(),
        }


def attention_of_segmented_pairs(
    translator: Translator, pairs: Iterable[SegmentedPair]
) -> Iterator[tuple[SegmentedPair, AttentionRecord | SkippedPair]]:
    """Runs the model over pairs, `CHUNK_SIZE` at a time.

    Args:
        translator: a loaded run.
        pairs: any number of them.

    Yields:
        Each pair, in order, with its attention, or with the reason that it has none.
    """
    remaining = iter(pairs)
    while chunk := list(itertools.islice(remaining, CHUNK_SIZE)):
        skipped = unfit_pairs(translator, chunk)
        kept = [pair for pair in chunk if pair.number not in skipped]
        records = iter(
            translator.attention_of_pairs([p.source for p in kept], [p.target for p in kept])
            if kept
            else ()
        )
        for pair in chunk:
            yield pair, skipped.get(pair.number) or next(records)


def unfit_pairs(translator: Translator, pairs: list[SegmentedPair]) -> dict[int, SkippedPair]:
    """The pairs that do not fit the model, by their numbers."""
    longest, tokenizers = translator.config.data.max_length, translator.tokenizers
    source_ids = tokenizers.source.encode([pair.source for pair in pairs])
    target_ids = tokenizers.target.encode([pair.target for pair in pairs])
    skipped = {}
    for pair, source, target in zip(pairs, source_ids, target_ids):
        fits = (
            check_fit(source, longest, tokenizers.source, must_spell=True),
            check_fit(target, longest, tokenizers.target),
        )
        if Fit.EMPTY in fits:
            reason = "expected words on both sides, found none on one"
        elif Fit.TOO_LONG in fits:
            reason = (
                f"expected at most {longest} tokens a side, start and end included, found"
                f" {max(len(source), len(target))}"
            )
        elif Fit.UNKNOWN in fits:
            reason = "expected a source of known characters, found none that the tokenizer knows"
        else:
            continue
        skipped[pair.number] = SkippedPair(pair.number, reason)
    return skipped


def analyse_heads(
    translator: Translator,
    pairs: Iterable[SegmentedPair],
    advance: Callable[[int], object] = lambda count: None,
) -> HeadAnalysis:
    """Measures what every head does and, given gold alignments, how well it aligns words.

    Args:
        translator: a loaded run.
        pairs: with or without gold alignments.
        advance: called with the number of further pairs that are done.

    Returns:
        The measures, the error rates, and the pairs that were left out.

    Raises:
        InputError: no pair fits the model.
    """
    counter = AlignmentCounter()
    skipped: list[SkippedPair] = []
    unaligned: list[SkippedPair] = []

    def counted_records() -> Iterator[AttentionRecord]:
        for pair, record in attention_of_segmented_pairs(translator, pairs):
            advance(1)
            if isinstance(record, SkippedPair):
                skipped.append(record)
                continue
            if pair.gold is not None:
                words = word_attention(record, pair.source_words, pair.target_words)
                if words is None:
                    unaligned.append(SkippedPair(pair.number, WORDS_DIFFER))
                else:
                    counter.add(words, pair.gold)
            yield record

    measures = measure_heads(counted_records())
    return HeadAnalysis(measures, counter.result(), skipped, unaligned)


def choose_heads(
    translator: Translator,
    heads: str | None,
    errors: AlignmentErrors | None = None,
) -> AlignmentMethod:
    """Chooses the heads to align by.

    Args:
        translator: a loaded run.
        heads: ``best`` for a single head, ``layer`` for the mean of a layer's heads,
            ``average`` for the mean of all; None for the one of these with the lowest error
            rate, or without ``errors`` for ``best``.
        errors: choose by these error rates. None takes the heads that training found by names
            and numbers and wrote into restoration.json: for ``best`` the mean of these few
            heads, for ``layer`` the mean of their layer.

    Returns:
        The heads, and the reading with the lower error rate; without ``errors`` ``written``, by
        which training found the heads.

    Raises:
        InputError: training found no heads.
    """
    if errors is not None:
        choose = {"best": errors.best_head, "layer": errors.best_layer, "average": errors.all_heads}
        rates = [choose[name]() for name in ([heads] if heads else choose)]
        return min(rates, key=lambda rated: rated[1])[0]
    if heads == "average":
        return AlignmentMethod(READINGS[0])
    found = translator.restoration.alignment
    if found is None:
        raise InputError(
            f"{translator.run.restoration}: expected heads that training found to align, found"
            " none; choose them by --gold, or name them with --layer and --head"
        )
    pointing = pointing_heads(found, translator.config.model)
    return AlignmentMethod(
        READINGS[0], pointing.layer, None if heads == "layer" else pointing.heads
    )


def heads_by_number(translator: Translator, layer: int, head: int | None) -> AlignmentMethod:
    """Takes one head, or the mean of a layer's heads, to align by.

    Args:
        translator: a loaded run.
        layer: from 1.
        head: from 1; None for all heads of the layer.

    Returns:
        The heads, with the attention of the steps that write a word.

    Raises:
        InputError: the model has no such layer or head.
    """
    sizes = translator.config.model
    for name, number, most in (
        ("layer", layer, sizes.layers_of("cross")),
        ("head", head, sizes.heads_of("cross")),
    ):
        if number is not None and not 1 <= number <= most:
            raise InputError(f"{name}: expected 1 to {most}, found {number}")
    return AlignmentMethod(READINGS[0], layer - 1, None if head is None else (head - 1,))


def align_pairs(
    translator: Translator, pairs: Iterable[SegmentedPair], method: AlignmentMethod
) -> Iterator[AlignedPair]:
    """Aligns the words of pairs by cross-attention.

    Args:
        translator: a loaded run.
        pairs: any number; `CHUNK_SIZE` of them are in memory at a time.
        method: the heads of this run to align by.

    Yields:
        Every pair, in order.
    """
    for pair, record in attention_of_segmented_pairs(translator, pairs):
        if isinstance(record, SkippedPair):
            yield AlignedPair(pair, [], record)
            continue
        words = word_attention(record, pair.source_words, pair.target_words)
        if words is None:
            yield AlignedPair(pair, [], SkippedPair(pair.number, WORDS_DIFFER))
        else:
            yield AlignedPair(pair, method.links(words))
