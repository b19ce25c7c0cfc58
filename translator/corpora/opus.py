"""Corpora of OPUS by their names, such as ``opus:News-Commentary-v16``, in any two languages.

Tiedemann (2012), "Parallel Data, Tools and Interfaces in OPUS",
https://aclanthology.org/L12-1246
"""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from translator.base.download import RemoteFile
from translator.base.errors import InputError
from translator.base.languages import language_facts
from translator.config.corpus import OPUS
from translator.corpora.files import Pair
from translator.corpora.pair_files import Wanted, read_pairs

ADDRESS = "https://object.pouta.csc.fi/OPUS-{}/{}/moses/{}.txt.zip"


def opus_file(name: str, languages: tuple[str, str]) -> RemoteFile:
    """The archive of a corpus between two languages.

    Args:
        name: with ``opus:`` before it.
        languages: the codes of both sides.
    """
    corpus, _, version = name.removeprefix(OPUS).rpartition("-")
    codes = "-".join(sorted(language_facts(language).code for language in languages))
    return RemoteFile(
        f"corpora/opus/{corpus}/{version}/{codes}.txt.zip",
        ADDRESS.format(corpus, version, codes),
        check=partial(_check, languages=languages),
    )


def read_opus(name: str, languages: tuple[str, str]) -> Iterator[Pair]:
    """The pairs of a corpus that was fetched, in the order of two languages."""
    return read_pairs((opus_file(name, languages).path,), Wanted(languages))


def _check(path: Path, languages: tuple[str, str]) -> None:
    """Checks that an archive has pairs."""
    if next(read_pairs((path,), Wanted(languages)), None) is None:
        raise InputError("expected an archive with a file for each language, found none")
