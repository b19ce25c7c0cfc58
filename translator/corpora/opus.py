"""Corpora of OPUS by their names, such as ``opus:News-Commentary-v16``, in any two languages.

Tiedemann (2012), "Parallel Data, Tools and Interfaces in OPUS",
https://aclanthology.org/L12-1246
"""

import zipfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from translator.base.cache import home
from translator.base.download import NotThereError, RemoteFile, fetch
from translator.base.errors import InputError
from translator.base.languages import language_facts
from translator.base.texts import shorten
from translator.config.corpus import OPUS
from translator.corpora.files import Pair
from translator.corpora.pair_files import Wanted, read_pairs

FOLDER = "corpora/opus"
ADDRESS = "https://object.pouta.csc.fi/OPUS-{}/{}/moses/{}.txt.zip"
PAPER = "Tiedemann (2012), https://aclanthology.org/L12-1246"


def opus_file(name: str, languages: tuple[str, str]) -> RemoteFile:
    """The archive of a corpus between two languages.

    Args:
        name: with ``opus:`` before it.
    """
    corpus, _, version = name.removeprefix(OPUS).rpartition("-")
    codes = "-".join(sorted(language_facts(language).code for language in languages))
    return RemoteFile(
        f"{FOLDER}/{corpus}/{version}/{codes}.txt.zip",
        ADDRESS.format(corpus, version, codes),
        check=partial(_check, languages=languages),
    )


def fetch_opus(name: str, languages: tuple[str, str]) -> Path:
    """Downloads the archive of a corpus between two languages, unless it is in the cache.

    Raises:
        InputError: OPUS has no such corpus, or it cannot be downloaded.
    """
    file = opus_file(name, languages)
    try:
        return fetch(file)
    except NotThereError:
        raise NotThereError(
            f"{name}: expected a corpus of OPUS with {' and '.join(languages)}, found none at"
            f" {file.address}; https://opus.nlpl.eu has the names, versions and languages"
        ) from None


def read_opus(name: str, languages: tuple[str, str]) -> Iterator[Pair]:
    """The pairs of a corpus that was fetched, in the order of two languages."""
    return read_pairs((opus_file(name, languages).path,), Wanted(languages))


def describe_opus() -> Iterator[tuple[str, dict[str, str]]]:
    """What ``translator corpora`` prints about OPUS, and each of its corpora that was fetched."""
    yield (
        "opus:NAME-VERSION",
        {
            "pairs": "of any corpus of OPUS, in any two languages that it has",
            "licence": "each corpus has its own",
            "cite": PAPER,
            "address": "https://opus.nlpl.eu",
        },
    )
    for path in sorted((home() / FOLDER).glob("*/*/*.txt.zip")):
        corpus, version, languages = path.parts[-3], path.parts[-2], path.name.partition(".")[0]
        if zipfile.is_zipfile(path):
            yield (
                f"{OPUS}{corpus}-{version}, {languages}",
                {
                    "licence": _licence(path),
                    "cite": f"{PAPER}, and what its README names",
                    "cached": f"yes, {path}",
                },
            )


def _licence(path: Path) -> str:
    """The first line of an archive's licence."""
    with zipfile.ZipFile(path) as archive:
        name = next((name for name in archive.namelist() if name.startswith("LICENSE")), None)
        lines = archive.read(name).decode("utf-8", "replace").split("\n") if name else []
    return shorten(next(filter(None, map(str.strip, lines)), "see its address"))


def _check(path: Path, languages: tuple[str, str]) -> None:
    """Checks that an archive has pairs."""
    if next(read_pairs((path,), Wanted(languages)), None) is None:
        raise InputError("expected an archive with a file for each language, found none")
