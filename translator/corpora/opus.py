"""Corpora of OPUS by their names, such as ``opus:News-Commentary-v16``, in any two languages.

Tiedemann (2012), "Parallel Data, Tools and Interfaces in OPUS",
https://aclanthology.org/L12-1246
"""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from translator.base.cache import home
from translator.base.download import NotThereError, RemoteFile, fetch
from translator.base.languages import language_facts
from translator.config.corpus import OPUS
from translator.corpora.files import Pair
from translator.corpora.pair_files import ReadOptions, read_pairs

FOLDER = "corpora/opus"
ADDRESS = "https://object.pouta.csc.fi/OPUS-{}/{}/moses/{}.txt.zip"
PAPER = "Tiedemann (2012), https://aclanthology.org/L12-1246"


def opus_file(name: str, languages: tuple[str, str]) -> RemoteFile:
    """The archive of a corpus between two languages.

    Args:
        name: the name of the corpus, with ``opus:`` before it.
    """
    corpus, _, version = name.removeprefix(OPUS).rpartition("-")
    codes = "-".join(sorted(language_facts(language).code for language in languages))
    return RemoteFile(
        f"{FOLDER}/{corpus}/{version}/{codes}.txt.zip",
        ADDRESS.format(corpus, version, codes),
        check=partial(check_archive, languages=languages),
    )


def fetch_opus(name: str, languages: tuple[str, str]) -> Path:
    """Downloads the archive of a corpus between two languages, unless it is in the cache."""
    file = opus_file(name, languages)
    try:
        return fetch(file)
    except NotThereError:
        raise NotThereError(
            f"{name}: expected a corpus of OPUS with {' and '.join(languages)}, found none at"
            f" {file.address}; https://opus.nlpl.eu lists names, versions and languages"
        ) from None


def read_opus(name: str, languages: tuple[str, str]) -> Iterator[Pair]:
    """Reads the pairs of a corpus that was fetched, in the order of the two languages."""
    return read_pairs((opus_file(name, languages).path,), ReadOptions(languages))


def describe_opus() -> dict[str, str]:
    """Returns the text that ``translator corpora`` prints about OPUS."""
    return {
        "pairs": "of any corpus of OPUS, in any two languages that it has",
        "licence": "each corpus has its own, in its archive",
        "cite": f"{PAPER}, and the papers that the README in the archive names",
        "address": "https://opus.nlpl.eu",
        "cached": f"in {home() / FOLDER}",
    }


def check_archive(path: Path, languages: tuple[str, str]) -> None:
    """Checks that an archive has pairs of the two languages."""
    next(read_pairs((path,), ReadOptions(languages)))
