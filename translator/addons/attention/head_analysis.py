"""Analyses the heads of a run on sentence pairs, with word alignments if these are known."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from translator.addons.attention.alignments import (
    AlignmentCounter,
    AlignmentErrors,
    Link,
    word_attention,
)
from translator.addons.attention.measures import HeadMeasures, measure_heads
from translator.base.errors import InputError
from translator.config.schema import CorpusConfig
from translator.corpora.corpus import load_held_out
from translator.corpora.demo import load_demo_corpus
from translator.corpora.pair_files import read_pairs
from translator.runs.directory import RunDirectory
from translator.runs.held_out import load_split
from translator.text.fitting import Fit, check_fit
from translator.translation.records import AttentionRecord
from translator.translation.translator import Translator


class MeasuredPair(NamedTuple):
    """A sentence pair.

    Attributes:
        number: the number of its line, from 1.
        source: the source sentence as the model reads it.
        target: the target sentence as the model reads it.
        source_words: words and punctuation marks of the source, which its alignment counts.
        gold: the links of the grammar that generated the pair; None if they are not known.
    """

    number: int
    source: str
    target: str
    source_words: tuple[str, ...] = ()
    target_words: tuple[str, ...] = ()
    gold: frozenset[Link] | None = None


def read_test_split(
    run: RunDirectory, report: Callable[[str], None] = lambda line: None
) -> list[MeasuredPair]:
    """Reads the test split of a run's corpus, or the test pairs that come with the run.

    Pairs of the demo corpus have gold alignments.

    Args:
        report: called with a line if it is not the whole split.
    """
    config = run.read_config()
    if config.corpus.name == "demo":
        return demo_test_pairs(config.corpus)
    pairs = load_split(run, config, "test", report, "--source and --target").pairs
    if pairs is None:
        raise InputError(
            "corpus.test: expected test files in the run's configuration, found none; add --source"
            " and --target"
        )
    return [_with_single_spaces(number, *pair) for number, pair in enumerate(zip(*pairs), start=1)]


def demo_test_pairs(config: CorpusConfig) -> list[MeasuredPair]:
    """The test pairs of the demo corpus, with their gold alignments."""
    pairs, _ = load_held_out(config, "test")
    texts = list(zip(*pairs or ()))
    is_swapped = (config.source_language, config.target_language) == ("de", "en")
    measured = []
    for number, ((source, target), demo_pair) in enumerate(zip(texts, load_demo_corpus().test), 1):
        links = frozenset((b, a) if is_swapped else (a, b) for a, b in demo_pair.alignment)
        words = demo_pair.source_tokens, demo_pair.target_tokens
        source_words, target_words = words[::-1] if is_swapped else words
        measured.append(MeasuredPair(number, source, target, source_words, target_words, links))
    return measured


def read_pair_files(source: Path, target: Path) -> Iterator[MeasuredPair]:
    """Reads parallel files line by line."""
    for number, pair in enumerate(read_pairs((source, target)), start=1):
        yield _with_single_spaces(number, *pair)


def _with_single_spaces(number: int, source: str, target: str) -> MeasuredPair:
    """A pair with single spaces for all white space, as in training."""
    return MeasuredPair(number, " ".join(source.split()), " ".join(target.split()))


class SkippedPair(NamedTuple):
    """A pair that is left out.

    Attributes:
        number: the number of its line, from 1.
    """

    number: int
    reason: str


class HeadAnalysis(NamedTuple):
    """The results of `analyse_heads`.

    Attributes:
        measures: means over all pairs that fit the model.
        errors: alignment error rates; None without gold alignments.
        skipped: pairs that do not fit the model.
        unaligned: pairs whose pieces do not spell the words of the gold alignment; they are
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
            reason = "expected words on both sides, found an empty side"
        elif Fit.TOO_LONG in fits:
            reason = (
                f"expected at most {longest} tokens on each side, with start and end, found"
                f" {max(len(source), len(target))}"
            )
        elif Fit.UNKNOWN in fits:
            reason = "expected a source with characters that the tokenizer knows, found none"
        else:
            continue
        skipped[pair.number] = SkippedPair(pair.number, reason)
    return skipped


def analyse_heads(
    translator: Translator,
    pairs: Sequence[MeasuredPair],
    advance: Callable[[int], object] = lambda count: None,
) -> HeadAnalysis:
    """Measures every head and, if gold alignments are known, how well it aligns words.

    Args:
        advance: called with the number of further pairs that are done.

    Returns:
        The measures, the error rates, and the pairs that were left out.
    """
    counter = AlignmentCounter()
    skipped = unfit_pairs(translator, pairs)
    fitting = [pair for pair in pairs if pair.number not in skipped]
    unaligned: list[SkippedPair] = []

    def counted_records() -> Iterator[AttentionRecord]:
        advance(len(skipped))
        sides = [pair.source for pair in fitting], [pair.target for pair in fitting]
        for pair, record in zip(fitting, translator.attention_of_pairs(*sides) if fitting else ()):
            advance(1)
            if pair.gold is not None:
                words = word_attention(record, pair.source_words, pair.target_words)
                if words is None:
                    reason = "its pieces or placeholders do not spell the words of the alignment"
                    unaligned.append(SkippedPair(pair.number, reason))
                else:
                    counter.add(words, pair.gold)
            yield record

    measures = measure_heads(counted_records())
    return HeadAnalysis(measures, counter.result(), list(skipped.values()), unaligned)
