"""The sentence pairs that heads are measured on, with word alignments where they are known."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from translator.addons.attention.alignments import Link
from translator.base.errors import InputError
from translator.config.schema import CorpusConfig
from translator.corpora import load_held_out
from translator.corpora.demo import load_demo_corpus
from translator.corpora.pair_files import read_pairs
from translator.runs.directory import RunDirectory
from translator.runs.held_out import load_split


class MeasuredPair(NamedTuple):
    """A sentence pair.

    Attributes:
        number: of its line, from 1.
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

    Those of the demo corpus have gold alignments.

    Args:
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
    return [_with_single_spaces(number, *pair) for number, pair in enumerate(zip(*pairs), start=1)]


def demo_test_pairs(config: CorpusConfig) -> list[MeasuredPair]:
    """The test pairs of the demo corpus, with their gold alignments."""
    pairs, _ = load_held_out(config, "test")
    texts = list(zip(*pairs or ()))
    swapped = (config.source_language, config.target_language) == ("de", "en")
    measured = []
    for number, ((source, target), drawn) in enumerate(zip(texts, load_demo_corpus().test), 1):
        links = frozenset((b, a) if swapped else (a, b) for a, b in drawn.alignment)
        words = drawn.source_tokens, drawn.target_tokens
        source_words, target_words = words[::-1] if swapped else words
        measured.append(MeasuredPair(number, source, target, source_words, target_words, links))
    return measured


def read_pair_files(source: Path, target: Path) -> Iterator[MeasuredPair]:
    """Reads parallel files line by line.

    Raises:
        InputError: a file cannot be read, or the files differ in their number of lines or are
            empty.
    """
    for number, pair in enumerate(read_pairs((source, target)), start=1):
        yield _with_single_spaces(number, *pair)


def _with_single_spaces(number: int, source: str, target: str) -> MeasuredPair:
    """A pair whose white space becomes single spaces, as in training."""
    return MeasuredPair(number, " ".join(source.split()), " ".join(target.split()))
