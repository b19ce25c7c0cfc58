"""Prepares the tokenizers and the encoded corpus that a configuration describes."""

import functools
import json
import shutil
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from translator.base.cache import cached_folder, crc32, home, key_of
from translator.base.counts import describe_counts
from translator.config.schema import Config
from translator.corpora import (
    Corpus,
    SentencePairs,
    fingerprint,
    load_corpus,
    mixed_fingerprint,
    synthetic_fingerprint,
    untagged,
)
from translator.data.added_pairs import MARKED, SYNTHETIC, added_pairs, mixed_pairs
from translator.data.encoded_pairs import EncodedPairs, PairWriter
from translator.data.encoding import EncodingReport, PairRules, encode_pairs, id_types, store_text
from translator.data.linked_pairs import Linker
from translator.data.masked_pairs import PairMasker
from translator.data.word_links import LEAST_ASSOCIATION, WordLinks, make_lexicon
from translator.text.codecs import learn_names
from translator.text.lexicon import Lexicon
from translator.text.mask_codec import make_masker
from translator.text.plain_pairs import plain_pairs
from translator.text.restoration import Restoration
from translator.tokenizers.sources import describe_stand_ins, find_tokenizers, train_tokenizers
from translator.tokenizers.subword import Tokenizers

KIND = "encoded"  # the folder of the cache
REPORT = "report.txt"  # lines for the user about an encoded corpus
RESTORATION = "restoration.json"  # what was learnt from its text
LEXICON = "lexicon.json"  # its words with their translations
MASKED = "with masks"  # the name of copies with masks for the user
MORE_MASKS = 0.5  # the share of copies with marks that have masks for known names as well
OWN = "own.json"  # how many training pairs are the corpus's own
MIXED = "mixed.json"  # how many at the end are of each further corpus
CHECKSUMS = "checksums.json"  # of the other files
ENCODING_VERSION = 14  # raise it when the same settings give other files


class TrainingData(NamedTuple):
    """What a training needs.

    Attributes:
        fingerprint: the corpus's.
        tokenizers: of both sides.
        train: the training pairs, memory-mapped as all pairs below.
        train_key: a key for what is in them.
        own: those of them that are the corpus's own; others were added.
        mixed: how many of them are of each further corpus; these come last.
        validation: the pairs of the validation split that fit the model.
        validation_text: the text of all pairs of the validation split; see `read_text`.
        restoration: what is learnt from the training split's text; see `Restoration.of_corpus`.
        lexicon: the training split's words with their translations.
    """

    fingerprint: str
    tokenizers: Tokenizers
    train: EncodedPairs
    train_key: str
    own: EncodedPairs
    mixed: tuple[int, ...]
    validation: EncodedPairs
    validation_text: EncodedPairs
    restoration: Restoration
    lexicon: Lexicon

    def masker(self, tags: Sequence[str]) -> PairMasker | None:
        """What puts masks into pairs; None for a model without any.

        Args:
            tags: the names of those that may begin a source.
        """
        return _masker(self.tokenizers, self.restoration.names, tags)


def prepare(
    config: Config,
    report: Callable[[str], None],
    tokenizers: Tokenizers | None = None,
    corpus_key: str | None = None,
) -> TrainingData:
    """Reads, cleans, splits and encodes a corpus, unless it is in the cache.

    Args:
        config: says which corpus and which tokenizers.
        report: is given each line for the user.
        tokenizers: those of a run that is resumed; None prepares new ones.
        corpus_key: the corpus's fingerprint, if it is known already.

    Returns:
        The data.

    Raises:
        InputError: the corpus or the tokenizers cannot be used.
    """
    began = time.perf_counter()
    notes = describe_stand_ins(config) if tokenizers is None else []
    corpus_key = corpus_key or fingerprint(config.corpus)
    tokenizers = tokenizers or find_tokenizers(config, corpus_key)
    folder = _find(_key(config, corpus_key, tokenizers)) if tokenizers else None
    how = "found encoded"
    if tokenizers is None or folder is None:
        tags = config.tokenizer.tags
        corpus = load_corpus(config.corpus, tags)
        corpus = corpus._replace(train=plain_pairs(corpus.train, config.corpus.languages))
        tokenizers = tokenizers or train_tokenizers(
            config, corpus_key, untagged(corpus.train, tags)
        )
        key = _key(config, corpus_key, tokenizers)
        write = functools.partial(_write, corpus, tokenizers, config)
        folder = _find(key) or cached_folder(KIND, key, write)
        how = "read, cleaned, split and encoded"
    for line in [*(folder / REPORT).read_text("utf-8").splitlines(), *notes]:
        report(line)
    report(
        f"vocabulary: {tokenizers.source.size:,} {config.corpus.source_language} pieces,"
        f" {tokenizers.target.size:,} {config.corpus.target_language} pieces"
    )
    report(f"corpus {how} in {time.perf_counter() - began:.1f} s: {folder}")
    return _open(folder, corpus_key, tokenizers)


def _key(config: Config, corpus_key: str, tokenizers: Tokenizers) -> str:
    """A key for everything that decides how a corpus is encoded."""
    return key_of(
        [
            ENCODING_VERSION,
            corpus_key,
            [tokenizer.fingerprint for tokenizer in tokenizers],
            config.data.max_length,
            config.corpus.cleaning.model_dump(),
            synthetic_fingerprint(config.corpus),
            [config.data.noise, config.data.marks],
            config.data.word_pairs,
            *([config.tokenizer.masks] * bool(config.tokenizer.masks)),
            *(mixed_fingerprint(config.corpus, mixed) for mixed in config.corpora),
        ]
    )


def _find(key: str) -> Path | None:
    """The folder of an encoded corpus; None if there is none. A damaged one is removed.

    All of it is read once, to compare its checksums: 10 million pairs take about a second, less
    than the first epoch needs to read them anyway.
    """
    folder = home() / KIND / key
    if not folder.is_dir():
        return None
    try:
        if json.loads((folder / CHECKSUMS).read_text("utf-8")) == _checksums(folder):
            return folder
    except (OSError, ValueError):  # damaged, as by a power cut
        pass
    shutil.rmtree(folder)
    return None


def _open(folder: Path, fingerprint: str, tokenizers: Tokenizers) -> TrainingData:
    checksums = json.loads((folder / CHECKSUMS).read_text("utf-8"))
    train = EncodedPairs.load(folder, "train")
    mixed = json.loads((folder / MIXED).read_text("utf-8")) if MIXED in checksums else ()
    return TrainingData(
        fingerprint,
        tokenizers,
        train,
        key_of(sorted(item for item in checksums.items() if item[0].startswith("train."))),
        train.first(json.loads((folder / OWN).read_text("utf-8"))),
        tuple(mixed),
        EncodedPairs.load(folder, "validation"),
        EncodedPairs.load(folder, "validation_text"),
        Restoration.load(folder / RESTORATION),
        Lexicon.load(folder / LEXICON),
    )


def _write(corpus: Corpus, tokenizers: Tokenizers, config: Config, folder: Path) -> None:
    """Encodes a corpus into a folder, with the checksums of its files."""
    plain = untagged(corpus.train, config.tokenizer.tags)
    names = learn_names(plain, tokenizers)
    masker = _masker(tokenizers, names, config.tokenizer.tags)
    rewrite = None if masker is None else masker.as_translated
    train, added, mixed = _write_training_pairs(corpus, plain, tokenizers, config, folder, masker)
    rules = PairRules(config.data.max_length, drop_empty=config.corpus.cleaning.drop_empty)
    with PairWriter(folder, "validation", id_types(tokenizers)) as writer:
        plain_validation = plain_pairs(corpus.validation, config.corpus.languages)
        validation = encode_pairs(
            plain_validation, tokenizers, rules, writer, "validation", rewrite=rewrite
        )
    store_text(corpus.validation, folder, "validation_text")
    Restoration.of_corpus(plain, tokenizers)._replace(names=names).save(folder / RESTORATION)
    (folder / OWN).write_text(json.dumps(train.kept), "utf-8")
    if mixed:
        (folder / MIXED).write_text(json.dumps([each.kept for _, each in mixed]), "utf-8")
    test = f", {len(corpus.test):,} to test" if corpus.test else ""
    lines = [
        f"corpus {config.corpus.name}:"
        f" {train.kept + sum(each.kept for each in added.values()):,} pairs to train on,"
        f" {validation.kept:,} to validate{test}"
    ]
    if added:
        counted = (f"{each.kept:,} {name}" for name, each in added.items())
        lines.append(f"added to the training pairs: {', '.join(counted)}")
    lines += [f"corpus {name}: {each.kept:,} pairs to draw from" for name, each in mixed]
    for what, counts in (
        ("sentences changed", corpus.changed),
        ("training pairs dropped", train.dropped),
        ("synthetic pairs dropped", added[SYNTHETIC].dropped if SYNTHETIC in added else {}),
        *((f"corpus {name}, pairs dropped", each.dropped) for name, each in mixed),
        ("validation pairs dropped", validation.dropped),
    ):
        if any(counts.values()):
            lines.append(f"{what}: {describe_counts(counts)}")
    (folder / REPORT).write_text("\n".join(lines), "utf-8")
    (folder / CHECKSUMS).write_text(json.dumps(_checksums(folder)), "utf-8")


def _masker(
    tokenizers: Tokenizers, names: Mapping[str, Any], tags: Sequence[str]
) -> PairMasker | None:
    if not tokenizers.target.masks:
        return None
    return PairMasker(make_masker(tokenizers, names), tags)


def _write_training_pairs(
    corpus: Corpus,
    plain: SentencePairs,
    tokenizers: Tokenizers,
    config: Config,
    folder: Path,
    masker: PairMasker | None,
) -> tuple[EncodingReport, dict[str, EncodingReport], list[tuple[str, EncodingReport]]]:
    """Writes the training pairs and the lexicon.

    Args:
        corpus: cleaned.
        plain: its training split without tags.
        tokenizers: of both sides.
        config: says what is added and dropped.
        folder: of the encoded corpus.
        masker: puts masks into pairs; None for a model without any.

    Returns:
        Reports on the corpus's own pairs, on those that were added, by their names, and on those
        of each further corpus.
    """
    cleaning = config.corpus.cleaning
    rules = PairRules(
        config.data.max_length,
        cleaning.max_length_ratio,
        cleaning.drop_empty,
        config.drops_unequal_numbers,
        tuple(config.tokenizer.tags),
    )
    added: dict[str, EncodingReport] = {}
    worth = bytearray()
    with PairWriter(folder, "train", id_types(tokenizers)) as writer:
        encode = functools.partial(
            encode_pairs,
            tokenizers=tokenizers,
            rules=rules,
            writer=writer,
            rewrite=None if masker is None else masker.as_translated,
        )
        rewrite = None if masker is None else functools.partial(masker.as_translated, worth=worth)
        own = encode(corpus.train, name="train", dropped=corpus.dropped, rewrite=rewrite)
        links = WordLinks.of(plain)
        for name, pairs, dropped in added_pairs(corpus, plain, config, links, tokenizers):
            if masker is not None and name == MARKED:
                rewrite = functools.partial(masker.as_translated, more=MORE_MASKS)
                added[name] = encode(pairs, name=name, dropped=dropped, rewrite=rewrite)
            else:
                added[name] = encode(pairs, name=name, dropped=dropped)
        if masker is not None:
            linker = Linker(links, LEAST_ASSOCIATION)
            share = config.tokenizer.masks or 0
            copies = SentencePairs.from_pairs(masker.copies(corpus.train, worth, share, linker))
            if copies:
                added[MASKED] = encode(copies, name=MASKED, rewrite=None)
        mixed = [
            (name, encode(pairs, name=name, dropped=dropped))
            for name, pairs, dropped in mixed_pairs(corpus, config)
        ]
    make_lexicon(links).save(folder / LEXICON)
    return own, added, mixed


def _checksums(folder: Path) -> dict[str, int]:
    return {path.name: crc32(path) for path in folder.iterdir() if path.name != CHECKSUMS}
