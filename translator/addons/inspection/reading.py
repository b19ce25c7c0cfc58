"""Reads the pairs to inspect, from files or by a configuration, and opens the model."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from translator.addons.inspection.languages import LanguageIdentifier
from translator.addons.inspection.pair_scores import Pair
from translator.base.errors import InputError
from translator.base.languages import language_facts
from translator.config.schema import CorpusConfig
from translator.config.yaml_file import read_config, shipped_configs
from translator.corpora.files import UnequalFiles
from translator.corpora.pair_files import AS_THEY_ARE, ReadOptions, read_numbered_pairs
from translator.corpora.registry import read_corpus, read_options
from translator.runs.choosing import check_languages, find_run, shipped_between
from translator.translation.translator import Translator

YAML_ENDINGS = (".yaml", ".yml")
MOST_FILES = 2


class Source(NamedTuple):
    """The origin of the pairs to inspect.

    Attributes:
        paths: one file of pairs, or a source file and a target file; empty for a known corpus.
        languages: the codes of both sides; None for a side whose language is identified.
        options: the columns of a table.
        known: the configuration of a known corpus.
        notes: the parts of a configuration that are not inspected, a sentence each.
    """

    paths: tuple[Path, ...]
    languages: tuple[str | None, str | None]
    options: ReadOptions = AS_THEY_ARE
    known: CorpusConfig | None = None
    notes: tuple[str, ...] = ()


class ReadPairs(NamedTuple):
    """Pairs with their languages.

    Attributes:
        pairs: as they are in the files.
        lines: the number of the line, or record, where each pair begins.
        languages: the codes of both sides.
        notes: parts that are not inspected, and assumptions about the files, a sentence each.
        is_unequal: whether one of two files has more lines. Then even its earlier lines may belong
            to other lines of the other file.
    """

    pairs: list[Pair]
    lines: list[int]
    languages: tuple[str, str]
    notes: list[str]
    is_unequal: bool = False


def find_source(
    files: tuple[Path, ...],
    languages: tuple[str | None, str | None],
    columns: Sequence[int | str] | None = None,
) -> Source:
    """Decides whether files are pairs or a configuration.

    Args:
        files: one or two files, or a configuration or its name.
    """
    if len(files) > MOST_FILES:
        raise InputError(
            "expected one file of pairs, a source and a target file, or a configuration, found"
            f" {len(files)} files"
        )
    is_name = str(files[0]) in shipped_configs() and not files[0].exists()
    if not is_name and files[0].suffix.lower() not in YAML_ENDINGS:
        if columns is not None and len(files) > 1:
            raise InputError("--columns: expected one file with both sides, found two files")
        both = (languages[0], languages[1]) if languages[0] and languages[1] else None
        advice = "name two columns, such as --columns 2,3"
        return Source(files, languages, ReadOptions(both, columns, advice=advice))
    if len(files) > 1 or any(languages) or columns is not None:
        raise InputError(
            f"{files[0]}: expected only a configuration, which names files, languages and"
            " columns, found more; leave out other files, --from, --to and --columns"
        )
    config = read_config(files[0])
    corpus, notes = config.corpus, []
    if config.corpora:
        notes.append("only the pairs of the key corpus are inspected, not those of corpora")
    if corpus.train is None:
        return Source((), corpus.languages, known=corpus, notes=tuple(notes))
    options = read_options(corpus, "train")
    return Source(corpus.train.paths, corpus.languages, options, notes=tuple(notes))


def read_source(source: Source, identifier: LanguageIdentifier) -> ReadPairs:
    """Reads the pairs to inspect, from files or from the training split of a corpus.

    If one of two files is longer, the rest of its lines is left out.
    """
    notes = list(source.notes)
    if source.known is not None:
        pairs = list(read_corpus(source.known)["train"])
        lines = list(range(1, len(pairs) + 1))
        return ReadPairs(pairs, lines, source.known.languages, notes)
    paths, is_unequal = source.paths, False
    pairs, lines = [], []
    try:
        options = source.options._replace(errors="replace", report=notes.append)
        for line, pair in read_numbered_pairs(paths, options):
            lines.append(line)
            pairs.append(pair)
    except UnequalFiles as error:
        is_unequal = True
        if not pairs:
            raise InputError(error.problem) from None
        notes.append(f"{error.problem}; lines without a partner are left out")
    known = find_languages(paths, tuple(zip(*pairs)), source.languages, identifier)
    return ReadPairs(pairs, lines, known, notes, is_unequal)


def find_languages(
    paths: tuple[Path, ...],
    sides: Sequence[Sequence[str]],
    languages: tuple[str | None, str | None],
    identifier: LanguageIdentifier,
) -> tuple[str, str]:
    """The language codes of both sides. If a code is None, the language is identified."""
    names = [f"{paths[0]}, column {n}" for n in (1, 2)] if len(paths) == 1 else map(str, paths)
    codes = [
        identifier.language_of(side, name) if language is None else language_facts(language).code
        for side, name, language in zip(sides, names, languages)
    ]
    if codes[0] == codes[1]:
        raise InputError(
            f"{paths[-1]}: expected a target in another language than the source, found {codes[0]}"
            " on both sides; if this is wrong, name the languages with --from and --to"
        )
    return codes[0], codes[1]


def open_model(languages: tuple[str, str], run: Path | None) -> Translator | None:
    """Opens a model between two languages, in either direction.

    Args:
        run: the run to open; None for the model that comes with the program. The newest run is
            never taken, because it may have been trained on the pairs to score.

    Returns:
        None if no run is named and no model comes with the program for these languages.
    """
    if run is None:
        shipped = shipped_between(languages) or shipped_between(languages[::-1])
        return None if shipped is None else Translator(shipped)
    directory = find_run(run)
    check_languages(directory, languages)
    return Translator(directory)
