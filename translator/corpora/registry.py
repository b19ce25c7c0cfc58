"""The corpora that a configuration can name: where they come from, and their licences."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import ValidationError

from translator.base.cache import key_of, sha256
from translator.base.download import RemoteFile, fetch
from translator.base.errors import InputError
from translator.base.languages import language_facts
from translator.config.schema import CorpusConfig, MixedCorpusConfig
from translator.corpora.demo import PAIRS, load_demo_corpus, read_identity
from translator.corpora.files import check_file, iterate_lines
from translator.corpora.opus import (
    check_archive,
    describe_opus,
    fetch_opus,
    opus_file,
    read_opus,
)
from translator.corpora.pair_files import ReadOptions, choice_key, read_pairs
from translator.corpora.phrasebook import FOLDER, phrasebook_files, read_phrasebook

PHRASEBOOK = "143,627 (141,614 to train on)"
Splits = dict[str, Iterator[tuple[str, str]]]  # (source, target) of each split's pairs

SPLITS = ("train", "validation", "test")
CORPUS_VERSION = 1  # raise it when the same files are cleaned or split differently
# Earlier versions had these rules of cleaning as keys; fingerprints of their runs include them
ALWAYS = ("normalize_unicode", "normalize_whitespace", "drop_empty")
TATOEBA = RemoteFile(
    "corpora/tatoeba/deu-eng.zip",
    "https://www.manythings.org/anki/deu-eng.zip",
    check=partial(check_archive, languages=("en", "de")),
)
MULTI30K = "https://raw.githubusercontent.com/multi30k/dataset/master/data/task1"
MULTI30K_LICENCE = "free for research, see https://github.com/multi30k/dataset"
MULTI30K_LINES = {"train": 29_000, "val": 1_014, "test_2016_flickr": 1_000}
MULTI30K_HASHES = {  # published hashes of the raw files
    "train.en.gz": "d79cfa999dd4c51d2cb42499b6796d5a882c3a8a961923c25a898c90f8bbd56f",
    "train.de.gz": "726e39b2fa9eb9ffb6dc763fb35a179f80fae06ffc5d28b6ace5faa883de28a6",
    "val.en.gz": "14f7d25ddd868909a9213e361768460edcacdd6ab9d1e77b92560dc10c10dc28",
    "val.de.gz": "f0cba2f995189cf5770f29a8a9a537a3ad3f51657ad873405082ff6863a5e75a",
    "test_2016_flickr.en.gz": "611d361c6334bc7246101d48097c13cf5c4413c5befc793cc629934359d532d9",
    "test_2016_flickr.de.gz": "9204244e408ccb38d2a55cfcd344df15005fc42a07a6e55ca6c52b6ababb8cc8",
}


class KnownCorpus(NamedTuple):
    """One entry of the registry. Every known corpus is English and German.

    Attributes:
        pairs: how many sentence pairs it has, as text.
        licence: the licence and the authors.
        files: the files to download; none if the corpus comes with the program.
        read: returns an iterator of each split's pairs, English first; a corpus without splits
            of its own has only ``train``.
        may_be_passed_on: whether its licence lets others publish some of its pairs.
        bundled: the place of a corpus that comes with the program.
    """

    pairs: str
    licence: str
    files: tuple[RemoteFile, ...]
    read: Callable[[], Splits]
    may_be_passed_on: bool = False
    bundled: Path | None = None

    def describe(self) -> dict[str, str]:
        """Facts about the corpus, by their names."""
        address, cached = "none", f"not needed, {self.bundled}"
        if self.files:
            address = self.files[0].address
            state = "yes" if all(file.is_cached() for file in self.files) else "no"
            cached = f"{state}, {self.files[0].path.parent}"
        facts = {"pairs": self.pairs, "licence": self.licence}
        return facts | {"address": address, "cached": cached}


def known_corpora() -> dict[str, KnownCorpus]:
    """Every known corpus by its name."""
    return {
        "demo": KnownCorpus(
            "32,100 (30,000 to train on)",
            "MIT, part of this program",
            (),
            _read_demo,
            bundled=PAIRS,
        ),
        "phrasebook": KnownCorpus(
            PHRASEBOOK,
            "MIT, part of this program; cldr-names.tsv Unicode License v3, by Unicode, Inc.",
            (),
            read_phrasebook,
            bundled=FOLDER,
        ),
        "tatoeba": KnownCorpus(
            "169,813 as of 2018-05, more in newer files",
            "CC BY 2.0, by tatoeba.org and www.manythings.org/anki",
            (TATOEBA,),
            lambda: {"train": read_pairs((TATOEBA.path,), ReadOptions(("en", "de")))},
            may_be_passed_on=True,
        ),
        "multi30k": KnownCorpus(
            "31,014 (29,000 to train on)", MULTI30K_LICENCE, _multi30k_files(""), _read_multi30k
        ),
        "multi30k-tokenized": KnownCorpus(
            "the same, lower-cased, normalised and tokenised by its authors",
            MULTI30K_LICENCE,
            _multi30k_files(".lc.norm.tok"),
            partial(_read_multi30k, ".lc.norm.tok"),
        ),
    }


def describe_corpora() -> Iterator[tuple[str, dict[str, str]]]:
    """Yields the names of all corpora, and what ``translator corpora`` prints about each."""
    for name, corpus in known_corpora().items():
        yield name, corpus.describe()
    yield "opus:NAME-VERSION", describe_opus()


def fetch_corpus(name: str) -> tuple[Path, ...]:
    """Downloads the files of a known corpus that are not in the cache yet."""
    return tuple(fetch(file) for file in known_corpora()[name].files)


def fetch_for(config: CorpusConfig) -> tuple[Path, ...]:
    """Downloads the files of a configured corpus that are not in the cache yet."""
    if config.is_of_opus:
        return (fetch_opus(config.name, config.languages),)
    return fetch_corpus(config.name)


def is_at_hand(config: CorpusConfig) -> bool:
    """Whether a corpus needs no download any more."""
    if config.is_of_opus:
        return opus_file(config.name, config.languages).is_cached()
    known = known_corpora().get(config.name)
    return known is None or all(file.is_cached() for file in known.files)


def read_corpus(config: CorpusConfig, report: Callable[[str], None] = lambda line: None) -> Splits:
    """Opens every split of a corpus, not yet cleaned; the source language comes first.

    Args:
        report: is called with each message about what the program assumes about the user's files.
    """
    _check_has_sentences(config)
    files = {
        split: read_pairs(paths, read_options(config, split, report))
        for split, paths in config.split_paths.items()
    }
    if config.name == "files":
        return files
    fetch_for(config)
    if config.is_of_opus:
        return {"train": read_opus(config.name, config.languages), **files}
    is_swapped = language_facts(config.source_language).code == "de"  # the files have English first
    splits = known_corpora()[config.name].read()
    return {
        split: ((pair[1], pair[0]) for pair in pairs) if is_swapped else pairs
        for split, pairs in splits.items()
    }


def fingerprint(config: CorpusConfig) -> str:
    """A key for the corpus's bytes and the settings that clean and split them.

    Returns:
        32 hexadecimal digits.
    """
    _check_has_sentences(config)
    hashes: dict[str, Any]
    if config.name == "files":
        hashes = {
            split: _hashes(paths, read_options(config, split))
            for split, paths in config.split_paths.items()
        }
    elif config.name == "demo":
        hashes = read_identity()
    elif config.name == "phrasebook":
        files = phrasebook_files()
        hashes = {split: _hashes(paths) for split, paths in files.items()}
    else:
        hashes = {path.name: sha256(path) for path in fetch_for(config)}
        for split, paths in config.split_paths.items():
            hashes[split] = _hashes(paths, read_options(config, split))
    settings = config.model_dump(exclude={*SPLITS, "tokenized"})
    del settings["cleaning"]["max_length_ratio"]  # this key is about the encoding
    settings["cleaning"] |= dict.fromkeys(ALWAYS, True)
    return key_of([CORPUS_VERSION, hashes, settings])


def _check_has_sentences(config: CorpusConfig) -> None:
    if config.name == "none":
        raise InputError(
            "corpus.name: expected a corpus, found none because the model was imported; name a"
            " corpus to train on, or your own files (--source with --reference or --target)"
        )


def mixed_fingerprint(config: CorpusConfig, mixed: MixedCorpusConfig) -> str:
    """A key for the pairs of a further corpus. It does not depend on the weight."""
    if mixed.train is None:
        key = fingerprint(known_corpus(config, mixed.name, "corpora"))
    else:
        key = key_of(_hashes(mixed.train.paths, mixed_read_options(config, mixed)))
    return key if mixed.tag is None else key_of([key, mixed.tag])


def known_corpus(config: CorpusConfig, name: str, origin: str) -> CorpusConfig:
    """The configuration of a known corpus, in the languages of another corpus."""
    values = {"name": name, "source_language": config.source_language}
    values["target_language"] = config.target_language
    try:
        return CorpusConfig.model_validate({**values, "cleaning": config.cleaning})
    except ValidationError as error:
        problem = error.errors(include_url=False)[0]["msg"].partition(", ")[2]
        raise InputError(f"{origin}: {problem}") from None


def read_options(
    config: CorpusConfig, split: str, report: Callable[[str], None] = lambda line: None
) -> ReadOptions:
    """How the files of a split are read.

    Args:
        split: such as ``train``, whose columns also apply to the other splits.
    """
    columns = config.train.columns if config.train else None
    advice = "set corpus.train.columns, such as to [2, 3]"
    return ReadOptions(config.languages, columns, split != "train", report=report, advice=advice)


def mixed_read_options(
    config: CorpusConfig,
    mixed: MixedCorpusConfig,
    report: Callable[[str], None] = lambda line: None,
) -> ReadOptions:
    """How the files of a further corpus are read; see `read_options`."""
    columns = mixed.train.columns if mixed.train else None
    advice = "set corpora.train.columns, such as to [2, 3]"
    return ReadOptions(config.languages, columns, report=report, advice=advice)


def _hashes(paths: Sequence[Path], options: ReadOptions | None = None) -> list[Any]:
    """The hashes of files; and the parts that are read, if not all parts are read."""
    for path in paths:
        check_file(path)
    choice = choice_key(paths, options) if options else None
    hashes: list[Any] = [(sha256(path), path.suffix == ".gz") for path in paths]
    return hashes if choice is None else [*hashes, choice]


def _read_demo() -> Splits:
    return {
        split: ((pair.source, pair.target) for pair in pairs)
        for split, pairs in zip(SPLITS, load_demo_corpus())
    }


def _multi30k_files(variant: str) -> tuple[RemoteFile, ...]:
    """The English and the German file of each split. The variant has no published hashes."""
    folder, ending = ("tok", "") if variant else ("raw", ".gz")
    return tuple(
        RemoteFile(
            f"corpora/multi30k/{name}",
            f"{MULTI30K}/{folder}/{name}",
            MULTI30K_HASHES.get(name),
            partial(_check_lines, count=count) if variant else None,
        )
        for stem, count in MULTI30K_LINES.items()
        for name in (f"{stem}{variant}.{language}{ending}" for language in ("en", "de"))
    )


def _check_lines(path: Path, count: int) -> None:
    lines = sum(1 for _ in iterate_lines(path))
    if lines != count:
        raise InputError(f"expected {count:,} lines, found {lines:,}")


def _read_multi30k(variant: str = "") -> Splits:
    paths = [file.path for file in _multi30k_files(variant)]
    return {
        split: read_pairs((english, german))
        for split, english, german in zip(SPLITS, paths[0::2], paths[1::2])
    }
