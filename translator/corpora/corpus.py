"""What every corpus looks like to the rest of the program."""

from typing import NamedTuple

from translator.config import CorpusConfig
from translator.corpora.files import read_pairs


class SentencePairs(NamedTuple):
    """Aligned sentences: ``targets[i]`` translates ``sources[i]``."""

    sources: tuple[str, ...]
    targets: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.sources)


class Corpus(NamedTuple):
    """The splits of a corpus.

    ``test`` is None where the configuration names no test files. ``phenomena``
    holds a set of labels for each test pair, where the corpus knows them.
    """

    train: SentencePairs
    validation: SentencePairs
    test: SentencePairs | None
    phenomena: tuple[frozenset[str], ...] | None = None


def load_corpus(config: CorpusConfig) -> Corpus:
    """Loads every split that the configuration names.

    Raises:
        InputError: a file is missing, is not UTF-8 or does not fit its partner.
    """
    if config.name == "demo":
        return _load_demo()
    return Corpus(*(load_split(config, split)[0] for split in ("train", "validation", "test")))


def load_split(
    config: CorpusConfig, split: str
) -> tuple[SentencePairs | None, tuple[frozenset[str], ...] | None]:
    """Loads one split, ``train``, ``validation`` or ``test``, and no file of another.

    Returns:
        The pairs, None where the configuration names no files for them, and the
        labels of each pair, where the corpus knows them.

    Raises:
        InputError: as in `load_corpus`.
    """
    if config.name == "demo":
        corpus = _load_demo()
        return getattr(corpus, split), corpus.phenomena if split == "test" else None
    files = getattr(config, split)
    return SentencePairs(*read_pairs(files)) if files else None, None


def _load_demo() -> Corpus:
    from translator.corpora.demo import load_demo_corpus

    demo = load_demo_corpus()
    train, validation, test = (
        SentencePairs(tuple(pair.source for pair in split), tuple(pair.target for pair in split))
        for split in demo
    )
    return Corpus(train, validation, test, tuple(pair.phenomena for pair in demo.test))
