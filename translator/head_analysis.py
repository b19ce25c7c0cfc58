"""What the heads of a run do on sentence pairs, and word alignments drawn from them."""

import itertools
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from translator.attention.alignment_errors import AlignmentCounter, AlignmentErrors
from translator.attention.alignments import (
    Link,
    Links,
    Pointer,
    check_links,
    parse_links,
    word_attention,
)
from translator.attention.measures import HeadMeasures, measure_heads
from translator.attention.records import AttentionRecord
from translator.corpora import load_held_out
from translator.corpora.demo import load_demo_corpus
from translator.corpora.files import iterate_lines
from translator.decoding.translate import Translator
from translator.errors import InputError

TOGETHER = 256  # pairs that are in memory at once, with the attention of a part of them
TO_CHOOSE_BY = 500  # pairs by whose links the best head is chosen


class LinkedPair(NamedTuple):
    """A sentence pair with the words that links count.

    Attributes:
        number: of its line, from 1.
        source: as the model reads it.
        target: likewise.
        source_words: its words and marks, spaces aside.
        target_words: likewise.
        gold: its links by people, or by the grammar it is of, where they are known.
    """

    number: int
    source: str
    target: str
    source_words: tuple[str, ...]
    target_words: tuple[str, ...]
    gold: Links | None = None


class SkippedPair(NamedTuple):
    """A pair that is left out.

    Attributes:
        number: of its line, from 1.
        reason: in words.
    """

    number: int
    reason: str

    def __str__(self) -> str:
        return f"line {self.number}: left out: {self.reason}"


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


def read_test_split(translator: Translator) -> list[LinkedPair]:
    """The test split of a run's corpus; the demo corpus's with the links of its grammar.

    Raises:
        InputError: the corpus has no test split, or its files cannot be read.
    """
    config = translator.config.corpus
    pairs, _ = load_held_out(config, "test")
    if pairs is None:
        raise InputError(
            "corpus.test: the run's configuration names no test files; give --source and --target"
        )
    texts = list(zip(*pairs))
    if config.name != "demo":
        return [
            LinkedPair(number, *pair, *(tuple(text.split()) for text in pair))
            for number, pair in enumerate(texts, start=1)
        ]
    swapped = (config.source_language, config.target_language) == ("de", "en")
    order = slice(None, None, -1 if swapped else 1)
    found = []
    for number, (pair, drawn) in enumerate(zip(texts, load_demo_corpus().test), start=1):
        links = frozenset(link[order] for link in drawn.alignment)
        words = (drawn.source_tokens, drawn.target_tokens)[order]
        found.append(LinkedPair(number, *pair, *words, Links(links, links)))
    return found


def read_files(source: Path, target: Path, gold: Path | None = None) -> Iterator[LinkedPair]:
    """Reads aligned files line by line; the words are those between spaces.

    Args:
        source: sentences, plain or ``.gz``.
        target: their translations.
        gold: their links, lines of the Pharaoh format.

    Raises:
        InputError: one cannot be read, they have different numbers of lines or none,
            or a line has links of words that are not there.
    """
    pairs = together({str(source): iterate_lines(source), str(target): iterate_lines(target)})
    yield from _linked(pairs, str(source), gold)


def read_columns(lines: Iterable[str], name: str, gold: Path | None = None) -> Iterator[LinkedPair]:
    """Reads ``source TAB target`` lines; anything further is left out.

    Args:
        lines: without their ends.
        name: names them in errors.
        gold: as in `read_files`.

    Raises:
        InputError: a line has no tab; else as in `read_files`.
    """
    yield from _linked(_split_columns(lines, name), name, gold)


def _split_columns(lines: Iterable[str], name: str) -> Iterator[tuple[str, str]]:
    for number, line in enumerate(lines, start=1):
        source, *rest = line.split("\t")
        if not rest:
            raise InputError(
                f"{name}, line {number}: expected source TAB target, found no tab in it; put it"
                " right or remove the line"
            )
        yield source, rest[0]


def _linked(pairs: Iterable[tuple[str, str]], name: str, gold: Path | None) -> Iterator[LinkedPair]:
    number = 0
    if gold is not None:
        pairs = together({name: pairs, str(gold): iterate_lines(gold)})
    else:
        pairs = ((pair, None) for pair in pairs)
    for number, ((source, target), line) in enumerate(pairs, start=1):
        pair = LinkedPair(number, source, target, tuple(source.split()), tuple(target.split()))
        if line is not None:
            place = f"{gold}, line {number}"
            links = parse_links(line, place)
            check_links(links, len(pair.source_words), len(pair.target_words), place)
            pair = pair._replace(gold=links)
        yield pair
    if not number:
        raise InputError(f"{name}: expected sentence pairs, found an empty file")


def together(streams: dict[str, Iterable[Any]]) -> Iterator[tuple[Any, ...]]:
    """Goes through streams of lines side by side.

    Args:
        streams: by names for errors.

    Raises:
        InputError: one ends before another.
    """
    ended = object()
    for number, items in enumerate(itertools.zip_longest(*streams.values(), fillvalue=ended)):
        if ended in items:
            names = list(streams)
            short = names[items.index(ended)]
            long = next(name for name, item in zip(names, items) if item is not ended)
            raise InputError(
                f"{short}: expected as many lines as in {long}, found only {number:,}; mind that"
                " line by line they belong together"
            )
        yield items


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
    for pair, *ids in zip(pairs, source_ids, target_ids):
        if min(map(len, ids)) <= 2:
            reason = "expected words on both sides, found none on one"
        elif max(map(len, ids)) > longest:
            reason = (
                f"expected at most {longest} tokens a side, start and end included, found"
                f" {max(map(len, ids))}"
            )
        elif not tokenizers.source.spells(ids[0]):
            reason = "expected a source of known characters, found none that the tokenizer knows"
        else:
            continue
        refused[pair.number] = SkippedPair(pair.number, reason)
    return refused


def analyse_heads(
    translator: Translator,
    pairs: Iterable[LinkedPair],
    report: Callable[[SkippedPair], None] = lambda skipped: None,
) -> HeadAnalysis:
    """Measures what every head does, and where links are known how well it aligns.

    Args:
        translator: an open run.
        pairs: with or without links.
        report: is told of each pair that is left out.

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
                report(record)
                continue
            if pair.gold is not None:
                words = word_attention(record, pair.source_words, pair.target_words)
                if words is None:
                    unaligned.append(_mismatch(pair))
                    report(unaligned[-1])
                else:
                    counter.add(words, pair.gold)
            yield record

    measures = measure_heads(counted())
    return HeadAnalysis(measures, counter.result(), skipped, unaligned)


def _mismatch(pair: LinkedPair) -> SkippedPair:
    return SkippedPair(pair.number, "its words are not those that the tokenizer's pieces spell")


def align_pairs(
    translator: Translator, pairs: Iterable[LinkedPair], pointer: Pointer
) -> Iterator[AlignedPair]:
    """Aligns the words of pairs by cross-attention.

    Args:
        translator: an open run.
        pairs: any number; they stream.
        pointer: the heads to go by.

    Yields:
        Every pair, in order.

    Raises:
        InputError: the run has no weights, or not those heads.
    """
    check_pointer(translator, pointer)
    for pair, record in read_attention(translator, pairs):
        if isinstance(record, SkippedPair):
            yield AlignedPair(pair, [], record)
            continue
        words = word_attention(record, pair.source_words, pair.target_words)
        if words is None:
            yield AlignedPair(pair, [], _mismatch(pair))
        else:
            yield AlignedPair(pair, pointer.links(words))
