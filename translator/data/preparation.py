"""Prepares the tokenizers and the encoded corpus that a configuration describes."""

import functools
import itertools
import json
import shutil
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from translator.base.cache import cached_folder, crc32, home, key_of
from translator.base.parallel import keeping_processes
from translator.base.texts import describe_counts
from translator.config.schema import Config
from translator.corpora.corpus import Corpus, HeldOutPairs, load_corpus, with_set_aside
from translator.corpora.pairs import SentencePairs, untagged
from translator.corpora.registry import fingerprint, mixed_fingerprint
from translator.data.encoded_pairs import EncodedPairs, PairWriter
from translator.data.encoding import PairRules, encode_pairs, id_types, store_text
from translator.data.masked_pairs import PairMasker
from translator.data.training_pairs import (
    ORIGINS,
    FurtherCorpus,
    Origins,
    plain_pairs,
    read_further_corpora,
    write_training_pairs,
)
from translator.data.word_links import WordLinks, translations_of_words
from translator.text.codec import make_preprocessor
from translator.text.learnt_words import LearntWords
from translator.tokenizers.sources import find_tokenizers, train_tokenizers
from translator.tokenizers.subword import Tokenizers

KIND = "encoded"  # the folder of the cache
REPORT = "report.txt"  # lines for the user about an encoded corpus
HELD_OUT = "held-out.json"  # some held-out pairs of the corpus
CHECKSUMS = "checksums.json"  # checksums of the other files
LEARNT_PAIRS = 5_000_000  # most pairs from which words and pieces are learnt
ENCODING_VERSION = 22  # raise it when the same settings give different files


class TrainingData(NamedTuple):
    """The prepared data of a training.

    Attributes:
        train: the training pairs; these and all pairs below are memory-mapped.
        train_key: a key for the content of the training pairs.
        written: the training pairs that people wrote. They come from the corpus, and from each
            further corpus from which words are learnt. All other pairs were added.
        mixed: how many training pairs come from each further corpus, copies included. These pairs
            are the last ones.
        validation: the pairs of the validation split that fit the model.
        validation_text: the text of all pairs of the validation split; see `read_text`.
        held_out: the file of held-out pairs that a run keeps.
    """

    fingerprint: str
    tokenizers: Tokenizers
    train: EncodedPairs
    train_key: str
    written: tuple[EncodedPairs, ...]
    mixed: tuple[int, ...]
    validation: EncodedPairs
    validation_text: EncodedPairs
    held_out: Path
    words: LearntWords

    def count_tags(self) -> dict[str, int]:
        """Counts the training pairs of each tag, and pairs without a tag under an empty name.

        Returns:
            Counts by name; empty for a model without tags.
        """
        source, tokenizer = self.train.source, self.tokenizers.source
        if not tokenizer.tags:
            return {}
        tags = dict(zip(tokenizer.ids_of_tags(tokenizer.tags), tokenizer.tags))
        counts = dict.fromkeys(("", *tokenizer.tags), 0)
        places = source.offsets[:-1] + int(tokenizer.has_start)
        ends, tagged = source.offsets[1:], 0
        while len(places):
            ids = source.ids[places]
            has_tag = np.isin(ids, list(tags))
            for number, count in zip(*np.unique(ids[has_tag], return_counts=True)):
                counts[tags[int(number)]] += int(count)
            tagged = tagged or int(has_tag.sum())  # a line's first place with tags
            goes_on = has_tag & (places + 1 < ends)
            places, ends = places[goes_on] + 1, ends[goes_on]
        counts[""] = len(self.train) - tagged
        return counts


def prepare(
    config: Config,
    report: Callable[[str], None],
    tokenizers: Tokenizers | None = None,
    corpus_key: str | None = None,
) -> TrainingData:
    """Reads, cleans, splits and encodes a corpus, unless it is in the cache.

    Args:
        tokenizers: the tokenizers of a run that is resumed; None prepares new tokenizers.
    """
    began = time.perf_counter()
    corpus_key = corpus_key or fingerprint(config.corpus)
    learnt_key = _learnt_key(config, corpus_key)
    tokenizers = tokenizers or find_tokenizers(config, learnt_key)
    folder = _find(_key(config, corpus_key, tokenizers)) if tokenizers else None
    how = "found encoded"
    if tokenizers is None or folder is None:
        with keeping_processes():
            tokenizers, folder = _encode(config, corpus_key, learnt_key, tokenizers, report)
        how = "read, cleaned, split and encoded"
    for line in (folder / REPORT).read_text("utf-8").splitlines():
        report(line)
    report(
        f"vocabulary: {tokenizers.source.size:,} {config.corpus.source_language} pieces,"
        f" {tokenizers.target.size:,} {config.corpus.target_language} pieces"
    )
    report(f"corpus {how} in {time.perf_counter() - began:.1f} s: {folder}")
    return _open(folder, corpus_key, tokenizers)


def _encode(
    config: Config,
    corpus_key: str,
    learnt_key: str,
    tokenizers: Tokenizers | None,
    report: Callable[[str], None],
) -> tuple[Tokenizers, Path]:
    """Encodes a corpus, with new tokenizers if there are none; returns tokenizers and folder."""
    tags = config.tokenizer.tags
    corpus = load_corpus(config.corpus, tags, report)
    corpus = corpus._replace(train=plain_pairs(corpus.train, config.corpus.languages))
    further = list(read_further_corpora(corpus, config, report))
    learnt = [corpus.train, *(mixed.pairs for mixed in further if mixed.is_learnt_from)]
    plain = untagged(_join(learnt), tags).sample(LEARNT_PAIRS)
    tokenizers = tokenizers or train_tokenizers(config, learnt_key, plain)
    key = _key(config, corpus_key, tokenizers)
    write = functools.partial(_write, corpus, further, plain, tokenizers, config)
    return tokenizers, _find(key) or cached_folder(KIND, key, write)


def _join(corpora: Sequence[SentencePairs]) -> SentencePairs:
    if len(corpora) == 1:
        return corpora[0]
    return SentencePairs.from_pairs(itertools.chain.from_iterable(zip(*pairs) for pairs in corpora))


def _learnt_key(config: Config, corpus_key: str) -> str:
    """A key for all text on which tokenizers are trained."""
    further = [
        mixed_fingerprint(config.corpus, mixed) for mixed in config.corpora if mixed.is_learnt_from
    ]
    return key_of([corpus_key, *further]) if further else corpus_key


def _key(config: Config, corpus_key: str, tokenizers: Tokenizers) -> str:
    """A key for everything that decides how a corpus is encoded."""
    return key_of(
        [
            ENCODING_VERSION,
            corpus_key,
            [tokenizer.fingerprint for tokenizer in tokenizers],
            config.data.max_length,
            config.corpus.cleaning.model_dump(),
            [config.data.noise, config.data.marks],
            config.data.word_pairs,
            *["truecase"] * config.data.truecase,
            *([config.tokenizer.masks] * bool(config.tokenizer.masks)),
            *(mixed_fingerprint(config.corpus, mixed) for mixed in config.corpora),
        ]
    )


def _find(key: str) -> Path | None:
    """The folder of an encoded corpus; None if there is none. A damaged folder is removed.

    Comparing the checksums reads all files. This takes about a second for 10 million pairs. The
    first epoch must read the files anyway, and takes longer for that.
    """
    folder = home() / KIND / key
    if not folder.is_dir():
        return None
    try:
        if json.loads((folder / CHECKSUMS).read_text("utf-8")) == _checksums(folder):
            return folder
    except (OSError, ValueError):  # damaged, for example by a power cut
        pass
    shutil.rmtree(folder)
    return None


def _open(folder: Path, fingerprint: str, tokenizers: Tokenizers) -> TrainingData:
    checksums = json.loads((folder / CHECKSUMS).read_text("utf-8"))
    train = EncodedPairs.load(folder, "train")
    origins = Origins(*json.loads((folder / ORIGINS).read_text("utf-8")))
    return TrainingData(
        fingerprint,
        tokenizers,
        train,
        key_of(sorted(item for item in checksums.items() if item[0].startswith("train."))),
        tuple(train.part(*ends) for ends in origins.written),
        tuple(origins.mixed),
        EncodedPairs.load(folder, "validation"),
        EncodedPairs.load(folder, "validation_text"),
        folder / HELD_OUT,
        LearntWords.load(folder),
    )


def _write(
    corpus: Corpus,
    further: Sequence[FurtherCorpus],
    plain: SentencePairs,
    tokenizers: Tokenizers,
    config: Config,
    folder: Path,
) -> None:
    """Encodes a corpus into a folder, with the checksums of its files."""
    links = WordLinks.of(plain)
    words = LearntWords.learn(plain, tokenizers, translations_of_words(links))
    words.save(folder)
    preprocessor = make_preprocessor(tokenizers, words, config.data.truecase)
    masker = PairMasker(preprocessor) if preprocessor.rewrites else None
    rewrite = None if masker is None else masker.as_translated
    main, *further_reports = write_training_pairs(
        corpus, further, links, tokenizers, config, folder, masker
    )
    rules = PairRules(config.data.max_length)
    with PairWriter(folder, "validation", id_types(tokenizers)) as writer:
        plain_validation = plain_pairs(corpus.validation, config.corpus.languages)
        validation = encode_pairs(
            plain_validation,
            tokenizers,
            rules,
            writer,
            "validation",
            rewrite=rewrite,
        )
    store_text(corpus.validation, folder, "validation_text")
    splits = (
        pairs and with_set_aside(pairs, zip(*corpus.set_aside))
        for pairs in (corpus.test, corpus.validation)
    )
    HeldOutPairs.of(config.corpus.name, *splits).write(folder / HELD_OUT)
    test = f", {len(corpus.test):,} to test" if corpus.test else ""
    copies = f" and {main.size - main.own.kept:,} copies" if main.added else ""
    lines = [
        f"corpus {config.corpus.name}: {main.own.kept:,} pairs{copies} to train on,"
        f" {validation.kept:,} to validate{test}"
    ]
    if main.added:
        lines.append(f"copies: {main.describe_added()}")
    for mixed in further_reports:
        copies = f", and copies of them: {mixed.describe_added()}" if mixed.added else ""
        lines.append(f"corpus {mixed.name}: {mixed.own.kept:,} pairs to draw from{copies}")
    for title, counts in (
        ("sentences changed", corpus.changed),
        ("training pairs dropped", main.own.dropped),
        *((f"corpus {mixed.name}, pairs dropped", mixed.own.dropped) for mixed in further_reports),
        ("validation pairs dropped", validation.dropped),
    ):
        if any(counts.values()):
            lines.append(f"{title}: {describe_counts(counts)}")
    (folder / REPORT).write_text("\n".join(lines), "utf-8")
    (folder / CHECKSUMS).write_text(json.dumps(_checksums(folder)), "utf-8")


def _checksums(folder: Path) -> dict[str, int]:
    return {path.name: crc32(path) for path in folder.iterdir() if path.name != CHECKSUMS}
