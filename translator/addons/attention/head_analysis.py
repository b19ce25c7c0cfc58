"""What the heads of a run do on sentence pairs."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from translator.addons.attention.alignment_errors import AlignmentCounter, AlignmentErrors
from translator.addons.attention.alignments import word_attention
from translator.addons.attention.measured_pairs import MeasuredPair
from translator.addons.attention.measures import HeadMeasures, measure_heads
from translator.text.fitting import Fit, check_fit
from translator.translation.records import AttentionRecord
from translator.translation.translator import Translator


class SkippedPair(NamedTuple):
    """A pair that is left out.

    Attributes:
        number: of its line, from 1.
    """

    number: int
    reason: str


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


def unfit_pairs(translator: Translator, pairs: Sequence[MeasuredPair]) -> dict[int, SkippedPair]:
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
    pairs: Sequence[MeasuredPair],
    advance: Callable[[int], object] = lambda count: None,
) -> HeadAnalysis:
    """Measures what every head does and, given gold alignments, how well it aligns words.

    Args:
        advance: called with the number of further pairs that are done.

    Returns:
        The measures, the error rates, and the pairs that were left out.
    """
    counter = AlignmentCounter()
    skipped = unfit_pairs(translator, pairs)
    kept = [pair for pair in pairs if pair.number not in skipped]
    unaligned: list[SkippedPair] = []

    def counted_records() -> Iterator[AttentionRecord]:
        advance(len(skipped))
        sides = [pair.source for pair in kept], [pair.target for pair in kept]
        for pair, record in zip(kept, translator.attention_of_pairs(*sides) if kept else ()):
            advance(1)
            if pair.gold is not None:
                words = word_attention(record, pair.source_words, pair.target_words)
                if words is None:
                    reason = "its words are not those that the tokenizer's pieces spell"
                    unaligned.append(SkippedPair(pair.number, reason))
                else:
                    counter.add(words, pair.gold)
            yield record

    measures = measure_heads(counted_records())
    return HeadAnalysis(measures, counter.result(), list(skipped.values()), unaligned)
