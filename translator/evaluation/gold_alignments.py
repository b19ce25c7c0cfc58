"""Sentence pairs with the words that links count, and the links that are known of them."""

import itertools
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from translator.attention.alignments import Links, check_links, parse_links
from translator.base.errors import InputError
from translator.config.schema import CorpusConfig
from translator.corpora import load_held_out
from translator.corpora.demo import load_demo_corpus
from translator.corpora.files import iterate_lines


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


def read_test_split(config: CorpusConfig) -> list[LinkedPair]:
    """The test split of a corpus; the demo corpus's with the links of its grammar.

    Raises:
        InputError: the corpus has no test split, or its files cannot be read.
    """
    pairs, _ = load_held_out(config, "test")
    if pairs is None:
        raise InputError(
            "corpus.test: expected test files in the run's configuration, found none; give --source"
            " and --target"
        )
    texts = list(zip(*pairs))
    if config.name != "demo":
        return [_of_words(number, *pair) for number, pair in enumerate(texts, start=1)]
    swapped = (config.source_language, config.target_language) == ("de", "en")
    order = slice(None, None, -1 if swapped else 1)
    found = []
    for number, (pair, drawn) in enumerate(zip(texts, load_demo_corpus().test), start=1):
        links = frozenset(link[order] for link in drawn.alignment)
        words = (drawn.source_tokens, drawn.target_tokens)[order]
        found.append(LinkedPair(number, *pair, *words, Links(links, links)))
    return found


def _of_words(number: int, source: str, target: str) -> LinkedPair:
    """The pair of a line, its white space made spaces as training's is."""
    words = source.split(), target.split()
    return LinkedPair(number, *map(" ".join, words), *map(tuple, words))


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
    pairs = _together((str(source), iterate_lines(source)), (str(target), iterate_lines(target)))
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
        pairs = _together((name, pairs), (str(gold), iterate_lines(gold)))
    else:
        pairs = ((pair, None) for pair in pairs)
    for number, ((source, target), line) in enumerate(pairs, start=1):
        pair = _of_words(number, source, target)
        if line is not None:
            place = f"{gold}, line {number}"
            links = parse_links(line, place)
            check_links(links, len(pair.source_words), len(pair.target_words), place)
            pair = pair._replace(gold=links)
        yield pair
    if not number:
        raise InputError(f"{name}: expected sentence pairs, found an empty file")


def _together(*streams: tuple[str, Iterable[Any]]) -> Iterator[tuple[Any, ...]]:
    """Goes through streams of lines side by side.

    Args:
        *streams: each with its name for errors.

    Raises:
        InputError: one ends before another.
    """
    ended = object()
    names, lines = zip(*streams)
    for number, items in enumerate(itertools.zip_longest(*lines, fillvalue=ended)):
        if ended in items:
            short = names[items.index(ended)]
            long = next(name for name, item in zip(names, items) if item is not ended)
            raise InputError(
                f"{short}: expected as many lines as in {long}, found only {number:,}; mind that"
                " line by line they belong together"
            )
        yield items


def take(pairs: Iterator[LinkedPair], limit: int) -> list[LinkedPair]:
    """The first pairs; the others are read too, so that what is wrong in them comes to light."""
    first = list(itertools.islice(pairs, limit))
    for _ in pairs:
        pass
    return first
