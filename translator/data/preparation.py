"""From a configuration to what a training is fed: tokenizers and the encoded corpus."""

import functools
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from translator.base.cache import cached_folder, key_of
from translator.base.errors import InputError
from translator.config.schema import CleaningConfig, Config
from translator.corpora import Corpus, describe, fingerprint, load_corpus
from translator.data.encoding import EncodedPairs, encode_pairs, store_text
from translator.text.restoration import Restoration
from translator.tokenizers.sources import prepare_tokenizers
from translator.tokenizers.subword import Tokenizers

REPORT = "report.txt"  # what is said of an encoded corpus
RESTORATION = "restoration.json"  # what is known of its text
ENCODING_VERSION = 3  # to be raised when the same settings come to encode otherwise


class TrainingData(NamedTuple):
    """What a training is fed.

    Attributes:
        fingerprint: the corpus's.
        tokenizers: of both sides.
        train: memory-mapped, as everything below.
        validation: those pairs that the model takes.
        validation_text: of all pairs.
        restoration: what the training side's text tells; see `Restoration.of_corpus`.
    """

    fingerprint: str
    tokenizers: Tokenizers
    train: EncodedPairs
    validation: EncodedPairs
    validation_text: EncodedPairs
    restoration: Restoration


def prepare(
    config: Config,
    report: Callable[[str], None],
    tokenizers: Tokenizers | None = None,
    corpus_key: str | None = None,
) -> TrainingData:
    """Reads, cleans, splits and encodes a corpus, or finds it encoded already.

    Args:
        config: says which corpus and which tokenizers.
        report: is given each line for the reader.
        tokenizers: those of a run that goes on; None prepares new ones.
        corpus_key: the corpus's fingerprint, where it is known already.

    Returns:
        The data.

    Raises:
        InputError: the corpus or the tokenizers cannot be used.
    """
    began = time.perf_counter()
    corpus_key = corpus_key or fingerprint(config.corpus)
    corpus = functools.cache(lambda: load_corpus(config.corpus))
    notes: list[str] = []
    if tokenizers is None:
        tokenizers, notes = prepare_tokenizers(config, corpus_key, lambda: corpus().train)
    key = key_of(
        [
            ENCODING_VERSION,
            corpus_key,
            [tokenizer.fingerprint for tokenizer in tokenizers],
            config.data.max_length,
            config.corpus.cleaning.model_dump(),
        ]
    )
    reused = True

    def build(folder: Path) -> None:
        nonlocal reused
        reused = False
        _encode_corpus(corpus(), tokenizers, config, folder)

    folder = cached_folder("encoded", key, build)
    try:
        encoded = _open(folder)
    except (
        OSError,
        ValueError,
        EOFError,
        InputError,
    ):  # damaged, as by a power cut
        shutil.rmtree(folder)
        encoded = _open(cached_folder("encoded", key, build))
    for line in [*encoded.said, *notes]:
        report(line)
    report(
        f"vocabulary: {tokenizers.source.size:,} {config.corpus.source_language} pieces,"
        f" {tokenizers.target.size:,} {config.corpus.target_language} pieces"
    )
    how = "found encoded" if reused else "read, cleaned, split and encoded"
    report(f"corpus {how} in {time.perf_counter() - began:.1f} s: {folder}")
    return TrainingData(corpus_key, tokenizers, **encoded.pairs, restoration=encoded.restoration)


class _Encoded(NamedTuple):
    said: list[str]
    pairs: dict[str, EncodedPairs]
    restoration: Restoration


def _open(folder: Path) -> _Encoded:
    said = (folder / REPORT).read_text("utf-8").splitlines()
    names = ("train", "validation", "validation_text")
    pairs = {name: EncodedPairs.load(folder, name) for name in names}
    return _Encoded(said, pairs, Restoration.load(folder / RESTORATION))


def drops_numbers(rules: CleaningConfig, tokenizers: Tokenizers) -> bool:
    """Whether pairs of unequal numbers are dropped; nobody can learn them who sees only zeros."""
    if rules.drop_unequal_numbers == "auto":
        return any(tokenizer.hides_digits for tokenizer in tokenizers)
    return rules.drop_unequal_numbers


def _encode_corpus(corpus: Corpus, tokenizers: Tokenizers, config: Config, folder: Path) -> None:
    length, rules = config.data.max_length, config.corpus.cleaning
    train, train_report = encode_pairs(
        corpus.train,
        tokenizers,
        length,
        "train",
        rules.max_length_ratio,
        rules.drop_empty,
        drops_numbers(rules, tokenizers),
        corpus.dropped,
    )
    validation, validation_report = encode_pairs(
        corpus.validation, tokenizers, length, "validation", drop_empty=rules.drop_empty
    )
    train.save(folder, "train")
    validation.save(folder, "validation")
    store_text(corpus.validation).save(folder, "validation_text")
    Restoration.of_corpus(corpus.train, tokenizers).save(folder / RESTORATION)
    test = f", {len(corpus.test):,} to test" if corpus.test else ""
    lines = [
        f"corpus {config.corpus.name}: {len(train):,} pairs to train on,"
        f" {len(validation):,} to validate{test}"
    ]
    for what, counts in (
        ("sentences put right", corpus.changed),
        ("training pairs dropped", train_report.dropped),
        ("validation pairs dropped", validation_report.dropped),
    ):
        if any(counts.values()):
            lines.append(f"{what}: {describe(counts)}")
    (folder / REPORT).write_text("\n".join(lines), "utf-8")
