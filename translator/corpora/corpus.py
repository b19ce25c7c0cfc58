"""A corpus as the rest of the program sees it: read, cleaned and split."""

import functools
import json
from collections.abc import Callable, Collection, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from pydantic import TypeAdapter, ValidationError

from translator.base.errors import InputError
from translator.base.files import read_file, whole_file
from translator.base.languages import language_facts
from translator.base.texts import Counts, describe_counts
from translator.config.schema import CorpusConfig, MixedCorpusConfig
from translator.corpora import cleaning
from translator.corpora.cleaning import normalized_key
from translator.corpora.demo import load_demo_corpus
from translator.corpora.files import Pair
from translator.corpora.pair_files import read_pairs
from translator.corpora.pairs import SentencePairs, with_tag
from translator.corpora.registry import (
    known_corpora,
    known_corpus,
    mixed_read_options,
    read_corpus,
    read_options,
)
from translator.corpora.tags import check_tags, split_tags

MOST_KEPT = 500  # held-out sentences of a split that a run stores


class Corpus(NamedTuple):
    """The splits of a corpus.

    Attributes:
        validation: decides which weights are the best.
        test: None if the configuration names validation files and no test files.
        changed: how many sentences each rule of cleaning changed.
        dropped: how many training pairs each rule of cleaning dropped.
        set_aside: pairs that are not trained on because one side is held out. Empty unless the
            corpus is split here.
        phenomena: the labels of each test pair, if the corpus has labels.
    """

    train: SentencePairs
    validation: SentencePairs
    test: SentencePairs | None
    changed: Counts
    dropped: Counts
    set_aside: SentencePairs = SentencePairs((), ())
    phenomena: tuple[frozenset[str], ...] | None = None

    @property
    def held_out(self) -> list[SentencePairs]:
        """The pairs for scores. No model may be trained on them.

        These are validation, test, and further translations of held-out sentences: the pairs that
        were set aside and have neither side in the training split.
        """
        trained = [set(aside).intersection(side) for aside, side in zip(self.set_aside, self.train)]
        references = SentencePairs.from_pairs(
            pair
            for pair in zip(*self.set_aside)
            if not any(text in texts for text, texts in zip(pair, trained))
        )
        return [pairs for pairs in (self.validation, self.test, references) if pairs is not None]


def load_corpus(
    config: CorpusConfig,
    tags: Collection[str] = (),
    report: Callable[[str], None] = lambda line: None,
) -> Corpus:
    """Reads a corpus, cleans it, and splits it if it has no splits of its own.

    In existing validation and test splits only Unicode and white space are normalised, so that
    scores are comparable with published scores. The rules that drop pairs apply to the training
    split and to a corpus that is split here.

    Args:
        tags: names of tags that may begin a source line; any other name is text.
        report: is called with each message about what the program assumes about the user's files.
    """
    rules = config.cleaning
    changed, dropped = Counts(), Counts()
    splits = {
        name: cleaning.normalize(_check_tags(pairs, config, name, tags), changed)
        for name, pairs in read_corpus(config, report).items()
    }
    count = len(splits["train"])
    splits["train"] = cleaning.drop_empty_and_duplicates(splits["train"], rules, dropped, tags=tags)
    split_here = "validation" not in splits
    set_aside = SentencePairs((), ())
    if split_here:
        if rules.drop_held_out and "test" in splits:  # validation must not have test sentences
            splits["train"], _ = cleaning.drop_held_out(
                splits["train"], [splits["test"]], dropped, tags
            )
        splits |= _split(splits["train"], config, "test" not in splits, tags)
    held_out = [splits[name] for name in ("validation", "test") if name in splits]
    if rules.drop_held_out:
        splits["train"], leaks = cleaning.drop_held_out(splits["train"], held_out, dropped, tags)
        set_aside = leaks if split_here else set_aside
    if not splits["train"]:
        advice = "check corpus.cleaning and corpus.split"
        if len(config.split_paths) > 1:
            advice = "give corpus.validation and corpus.test other sentences than corpus.train"
        raise InputError(
            f"corpus: expected pairs to train on, found none left of {count:,}; dropped:"
            f" {describe_counts(dropped)}; validation and test: {sum(map(len, held_out)):,};"
            f" {advice}"
        )
    test, validation = splits.get("test"), splits["validation"]
    phenomena = None
    if config.name == "demo":
        phenomena = tuple(pair.phenomena for pair in load_demo_corpus().test)
    return Corpus(splits["train"], validation, test, changed, dropped, set_aside, phenomena)


def load_held_out(
    config: CorpusConfig, split: str, tags: Collection[str] = ()
) -> tuple[SentencePairs | None, tuple[frozenset[str], ...] | None]:
    """Loads ``validation`` or ``test``. Of the user's own files, only that split is read.

    All translations of a held-out sentence are included. If the corpus is split here, its
    English sentences decide the split. So a held-out German sentence may have further
    translations in the pairs that were set aside from the training split.

    Args:
        split: ``validation`` or ``test``.

    Returns:
        The pairs, or None if the corpus has no such split; and the labels of each pair, if the
        corpus has labels.
    """
    paths = config.split_paths
    if config.is_unknown and (split in paths or "validation" in paths):
        if split not in paths:
            return None, None
        raw = _check_tags(
            read_pairs(paths[split], read_options(config, split)), config, split, tags
        )
        return cleaning.normalize(raw, Counts()), None
    corpus = load_corpus(config, tags)
    pairs = getattr(corpus, split)
    pairs = with_set_aside(pairs, zip(*corpus.set_aside))
    return pairs, corpus.phenomena if split == "test" else None


def read_mixed(
    config: CorpusConfig,
    mixed: MixedCorpusConfig,
    corpus: Corpus,
    dropped: Counts,
    tags: Collection[str] = (),
    report: Callable[[str], None] = lambda line: None,
) -> SentencePairs:
    """Reads the training pairs of a further corpus, and adds its tag.

    They are cleaned like the pairs of the first corpus. Pairs of the training split are dropped.

    Args:
        dropped: the number of pairs that each rule dropped is added here.
    """
    rules = config.cleaning
    if mixed.train is None:
        loaded = load_corpus(known_corpus(config, mixed.name, "corpora"))
        dropped.update(loaded.dropped)
        pairs = loaded.train
    else:
        paths = mixed.train.paths
        raw = read_pairs(paths, mixed_read_options(config, mixed, report))
        pairs = cleaning.normalize(check_tags(raw, tags, str(paths[0])), Counts())
    pairs = cleaning.drop_empty_and_duplicates(pairs, rules, dropped, corpus.train, tags)
    return with_tag(pairs, mixed.tag)


def _check_tags(
    pairs: Iterable[tuple[str, str]], config: CorpusConfig, split: str, tags: Collection[str]
) -> Iterable[tuple[str, str]]:
    """Passes on the pairs of a split; refuses unknown tags."""
    paths = config.split_paths.get(split)
    return check_tags(pairs, tags, str(paths[0]) if paths else f"{config.name}, {split}")


def _split(
    pairs: SentencePairs, config: CorpusConfig, with_test: bool, tags: Collection[str]
) -> dict[str, SentencePairs]:
    names = ["validation", "test"] if with_test else ["validation"]
    by_target = language_facts(config.target_language).code == "en"
    key = functools.partial(_deciding_key, by_target, tags)
    splits = cleaning.split_by_hash(
        pairs, key, {name: getattr(config.split, name) for name in names}
    )
    empty = [name for name in names if not splits[name]]
    if pairs and empty:
        raise InputError(
            f"corpus.split.{empty[0]}: expected pairs to hold out, found none among"
            f" {len(set(map(key, zip(*pairs)))):,} different sentences; raise this key above"
            f" {getattr(config.split, empty[0])}, or name files of your own"
        )
    return splits


def _deciding_key(by_target: bool, tags: Collection[str], pair: tuple[str, str]) -> str:
    """The key that decides a pair's split: from its English side or, without one, its source."""
    return normalized_key(pair[1] if by_target else split_tags(pair[0], tags)[1])


class HeldOutPairs(NamedTuple):
    """Pairs that a run was not trained on, with their attribution.

    Attributes:
        licence: the corpus's licence and authors; empty if its pairs may not be passed on.
        pairs: test pairs (source, target).
        validation: validation pairs.
    """

    corpus: str
    licence: str
    address: str
    pairs: list[Pair]
    validation: tuple[Pair, ...] = ()

    @classmethod
    def of(
        cls, corpus: str, test: SentencePairs | None, validation: SentencePairs | None
    ) -> "HeldOutPairs":
        """Chooses sentences at equal distances in the corpus, with all of their translations."""
        known = known_corpora().get(corpus)
        attribution = ("", "")
        if known is not None and known.may_be_passed_on and known.files:
            attribution = (known.licence, known.files[0].address)
        samples = [_sample(list(zip(*pairs))) if pairs else [] for pairs in (test, validation)]
        return cls(corpus, *attribution, samples[0], tuple(samples[1]))

    @classmethod
    def read(cls, path: Path) -> "HeldOutPairs":
        """Reads a file that `write` wrote."""
        try:
            return _READER.validate_json(read_file(path))
        except ValidationError:
            raise InputError(
                f"{path}: expected held-out pairs in JSON, found something else; remove the file"
            ) from None

    def write(self, path: Path) -> None:
        """Writes it as JSON, a line for each text."""
        with whole_file(path) as file:
            file.write(json.dumps(self._asdict(), ensure_ascii=False, indent=0).encode())


_READER = TypeAdapter(HeldOutPairs)


def _sample(pairs: Sequence[Pair]) -> list[Pair]:
    sources = list(dict.fromkeys(source for source, _ in pairs))
    places = np.linspace(0, len(sources) - 1, min(MOST_KEPT, len(sources))).round().astype(int)
    sampled = {sources[place] for place in places}
    return [pair for pair in pairs if pair[0] in sampled]


def with_set_aside(pairs: SentencePairs, set_aside: Iterable[Pair]) -> SentencePairs:
    """Adds the pairs that were set aside and have the sources of held-out pairs."""
    sentences = set(pairs.sources)
    more = [pair for pair in set_aside if pair[0] in sentences]
    return SentencePairs.from_pairs([*zip(*pairs), *more])
