"""Sentence pairs split into words, with the gold alignments of those words."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from translator.addons.attention.alignments import Links, check_links, parse_links
from translator.base.errors import InputError
from translator.config.schema import CorpusConfig
from translator.corpora import load_held_out
from translator.corpora.demo import load_demo_corpus
from translator.corpora.files import iterate_lines, zip_lines
from translator.corpora.pair_files import AS_THEY_ARE, Wanted, read_pairs, read_tab_separated
from translator.runs.directory import RunDirectory
from translator.runs.held_out import load_split


class SegmentedPair(NamedTuple):
    """A sentence pair split into the words that its alignment counts.

    Attributes:
        number: of its line, from 1.
        source: the source sentence as the model reads it.
        target: the target sentence as the model reads it.
        source_words: words and punctuation marks of the source, without spaces.
        target_words: words and punctuation marks of the target, without spaces.
        gold: the gold alignment, by people or by the grammar that generated the pair; None
            if there is none.
    """

    number: int
    source: str
    target: str
    source_words: tuple[str, ...]
    target_words: tuple[str, ...]
    gold: Links | None = None


def gold_pairs(config: CorpusConfig) -> dict[tuple[str, str], SegmentedPair]:
    """The test pairs of the demo corpus, which have gold alignments, by their texts; else none.

    Raises:
        InputError: the corpus cannot be read.
    """
    pairs = demo_test_pairs(config) if config.name == "demo" else []
    return {(pair.source, pair.target): pair for pair in pairs}


def read_test_split(
    run: RunDirectory, report: Callable[[str], None] = lambda line: None
) -> list[SegmentedPair]:
    """Reads the test split of a run's corpus, or the test pairs that come with the run.

    Those of the demo corpus have gold alignments.

    Args:
        run: the run.
        report: is given a line where it is not the whole split.

    Raises:
        InputError: the corpus has no test split, or its files cannot be read.
    """
    config = run.read_config()
    if config.corpus.name == "demo":
        return demo_test_pairs(config.corpus)
    pairs = load_split(run, config, "test", report, "--source and --target").pairs
    if pairs is None:
        raise InputError(
            "corpus.test: expected test files in the run's configuration, found none; give --source"
            " and --target"
        )
    return [_split_at_spaces(number, *pair) for number, pair in enumerate(zip(*pairs), start=1)]


def demo_test_pairs(config: CorpusConfig) -> list[SegmentedPair]:
    """The test pairs of the demo corpus, with their gold alignments."""
    pairs, _ = load_held_out(config, "test")
    texts = list(zip(*pairs or ()))
    swapped = (config.source_language, config.target_language) == ("de", "en")
    found = []
    for number, ((source, target), drawn) in enumerate(zip(texts, load_demo_corpus().test), 1):
        links = frozenset((b, a) if swapped else (a, b) for a, b in drawn.alignment)
        words = drawn.source_tokens, drawn.target_tokens
        source_words, target_words = words[::-1] if swapped else words
        gold = Links(links, links)
        found.append(SegmentedPair(number, source, target, source_words, target_words, gold))
    return found


def _split_at_spaces(number: int, source: str, target: str) -> SegmentedPair:
    """A pair split at white space, which becomes single spaces as in training."""
    source_words, target_words = tuple(source.split()), tuple(target.split())
    return SegmentedPair(
        number, " ".join(source_words), " ".join(target_words), source_words, target_words
    )


def read_segmented_files(
    files: Sequence[Path], gold: Path | None = None, wanted: Wanted = AS_THEY_ARE
) -> Iterator[SegmentedPair]:
    """Reads parallel files line by line, or a file of pairs; words are what spaces separate.

    Args:
        files: of sentences and of their translations, or of both.
        gold: their gold alignments, lines in the Pharaoh format.
        wanted: how they are read.

    Yields:
        A pair per line.

    Raises:
        InputError: a file cannot be read, the files differ in their number of lines or are
            empty, or a line links words that do not exist.
    """
    yield from _with_gold(read_pairs(files, wanted), str(files[0]), gold)


def read_segmented_lines(
    lines: Iterable[str], name: str, gold: Path | None = None
) -> Iterator[SegmentedPair]:
    """Reads ``source TAB target`` lines; further columns are ignored.

    Args:
        lines: without their line ends.
        name: names the lines in errors.
        gold: as in `read_segmented_files`.

    Yields:
        A pair per line.

    Raises:
        InputError: a line has no tab; else as in `read_segmented_files`.
    """
    yield from _with_gold(read_tab_separated(lines, name), name, gold)


def _with_gold(
    pairs: Iterable[tuple[str, str]], name: str, gold: Path | None
) -> Iterator[SegmentedPair]:
    """Splits pairs into words and adds the gold alignment of each line, where there is a file."""
    with_links: Iterable[tuple[tuple[str, str], str | None]]
    if gold is None:
        with_links = ((pair, None) for pair in pairs)
    else:
        with_links = zip_lines((name, pairs), (str(gold), iterate_lines(gold)))
    for number, ((source, target), line) in enumerate(with_links, start=1):
        pair = _split_at_spaces(number, source, target)
        if line is not None:
            place = f"{gold}, line {number}"
            links = parse_links(line, place)
            check_links(links, len(pair.source_words), len(pair.target_words), place)
            pair = pair._replace(gold=links)
        yield pair
