"""What the heads of a run do on sentence pairs, and word alignments drawn from them."""

import itertools
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from translator.attention.alignment_errors import AlignmentCounter, AlignmentErrors
from translator.attention.alignments import READINGS, Link, Pointer, word_attention
from translator.attention.measures import HeadMeasures, measure_heads
from translator.attention.records import AttentionRecord
from translator.base.errors import InputError
from translator.evaluation.gold_alignments import LinkedPair
from translator.text.fitting import Fit, check_fit
from translator.text.word_alignment import pointing_heads
from translator.translation.translator import Translator

TOGETHER = 256  # pairs that are in memory at once, with the attention of a part of them
MISMATCH = "its words are not those that the tokenizer's pieces spell"


class SkippedPair(NamedTuple):
    """A pair that is left out.

    Attributes:
        number: of its line, from 1.
        reason: in words.
    """

    number: int
    reason: str


class AlignedPair(NamedTuple):
    """A pair with its word alignment.

    Attributes:
        pair: the pair.
        links: from each target word to a source word.
        skipped: why there are none, else None.
    """

    pair: LinkedPair
    links: list[Link]
    skipped: SkippedPair | None = None


class HeadAnalysis(NamedTuple):
    """What `analyse_heads` found.

    Attributes:
        measures: of all pairs that the model takes.
        errors: alignment error rates, where links were given.
        skipped: pairs that the model does not take.
        unaligned: pairs with links whose words are not those of the pieces; they are
            measured, but left out of the error rates.
    """

    measures: HeadMeasures
    errors: AlignmentErrors | None
    skipped: list[SkippedPair]
    unaligned: list[SkippedPair]

    def to_json(self) -> dict[str, Any]:
        """Plain values."""
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


def read_attention(
    translator: Translator, pairs: Iterable[LinkedPair]
) -> Iterator[tuple[LinkedPair, AttentionRecord | SkippedPair]]:
    """Runs the model over pairs, a part of them at a time.

    Args:
        translator: an open run.
        pairs: any number.

    Yields:
        Each pair, in order, with its attention, or why it has none.

    Raises:
        InputError: the run has no weights, as an export.
    """
    remaining = iter(pairs)
    while chunk := list(itertools.islice(remaining, TOGETHER)):
        refused = _refused(translator, chunk)
        taken = [pair for pair in chunk if pair.number not in refused]
        records = (
            translator.attention_of_pairs(*zip(*((p.source, p.target) for p in taken)))
            if taken
            else iter(())
        )
        for pair in chunk:
            yield pair, refused.get(pair.number) or next(records)


def _refused(translator: Translator, pairs: list[LinkedPair]) -> dict[int, SkippedPair]:
    """Why the model does not take some of the pairs, by their numbers."""
    longest, tokenizers = translator.config.data.max_length, translator.tokenizers
    source_ids = tokenizers.source.encode([pair.source for pair in pairs])
    target_ids = tokenizers.target.encode([pair.target for pair in pairs])
    refused = {}
    for pair, source, target in zip(pairs, source_ids, target_ids):
        fits = check_fit(source, longest, tokenizers.source), check_fit(target, longest)
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
        refused[pair.number] = SkippedPair(pair.number, reason)
    return refused


def analyse_heads(translator: Translator, pairs: Iterable[LinkedPair]) -> HeadAnalysis:
    """Measures what every head does, and where links are known how well it aligns.

    Args:
        translator: an open run.
        pairs: with or without links.

    Raises:
        InputError: the run has no weights, or takes none of the pairs.
    """
    counter = AlignmentCounter()
    skipped: list[SkippedPair] = []
    unaligned: list[SkippedPair] = []

    def counted() -> Iterator[AttentionRecord]:
        for pair, record in read_attention(translator, pairs):
            if isinstance(record, SkippedPair):
                skipped.append(record)
                continue
            if pair.gold is not None:
                words = word_attention(record, pair.source_words, pair.target_words)
                if words is None:
                    unaligned.append(SkippedPair(pair.number, MISMATCH))
                else:
                    counter.add(words, pair.gold)
            yield record

    measures = measure_heads(counted())
    return HeadAnalysis(measures, counter.result(), skipped, unaligned)


def choose_heads(
    translator: Translator,
    heads: str | None,
    errors: AlignmentErrors | None = None,
    reading: str | None = None,
) -> Pointer:
    """The heads to align by.

    Args:
        translator: an open run.
        heads: ``best`` for a single head, ``layer`` for the mean of a layer's, ``average``
            for the mean of all; None for the one of these that errs least, or without
            ``errors`` for ``best``.
        errors: choose those that err least; None takes for ``best`` the mean of the few heads,
            or for ``layer`` of their layer, that training found by names and numbers and put
            into restoration.json.
        reading: one of `READINGS`; None takes the one that errs less, or ``written``,
            by which training found them.

    Raises:
        InputError: training found none.
    """
    if errors is not None:
        choose = {"best": errors.best_head, "layer": errors.best_layer, "average": errors.all_heads}
        readings = READINGS if reading is None else (reading,)
        rates = [choose[name](readings) for name in ([heads] if heads else choose)]
        return min(rates, key=lambda rated: rated[1])[0]
    reading = reading or READINGS[0]
    if heads == "average":
        return Pointer(reading)
    found = translator.restoration.alignment
    if found is None:
        raise InputError(
            f"{translator.run.restoration}: expected heads that training found to align, found"
            " none; choose them by --gold, or name them with --layer and --head"
        )
    sizes = translator.config.model
    pointing = pointing_heads(found, sizes.num_layers, sizes.num_heads)
    return Pointer(reading, pointing.layer, None if heads == "layer" else pointing.heads)


def named_heads(
    translator: Translator, layer: int, head: int | None, reading: str | None = None
) -> Pointer:
    """One head, or the mean of a layer's.

    Args:
        translator: an open run.
        layer: from 1.
        head: from 1; None for all of the layer.
        reading: one of `READINGS`; None is ``written``.

    Raises:
        InputError: the model has no such head.
    """
    sizes = translator.config.model
    for name, number, most in (("layer", layer, sizes.num_layers), ("head", head, sizes.num_heads)):
        if number is not None and not 1 <= number <= most:
            raise InputError(f"{name}: expected 1 to {most}, found {number}")
    return Pointer(reading or READINGS[0], layer - 1, None if head is None else (head - 1,))


def align_pairs(
    translator: Translator, pairs: Iterable[LinkedPair], pointer: Pointer
) -> Iterator[AlignedPair]:
    """Aligns the words of pairs by cross-attention.

    Args:
        translator: an open run.
        pairs: any number; a part of them is in memory at a time.
        pointer: the heads to go by, of this run.

    Yields:
        Every pair, in order.

    Raises:
        InputError: the run has no weights.
    """
    for pair, record in read_attention(translator, pairs):
        if isinstance(record, SkippedPair):
            yield AlignedPair(pair, [], record)
            continue
        words = word_attention(record, pair.source_words, pair.target_words)
        if words is None:
            yield AlignedPair(pair, [], SkippedPair(pair.number, MISMATCH))
        else:
            yield AlignedPair(pair, pointer.links(words))
