"""Data sets that the package mtdata lists, such as ``mtdata:Statmt-news_commentary-16-deu-eng``.

Gowda et al. (2021), "Many-to-English Machine Translation Tools, Data, and Pretrained Models",
https://aclanthology.org/2021.acl-demo.37

Of mtdata only the list is used, a file of JSON lines that ``mtdata index`` writes. What it names
is downloaded here, because mtdata goes on without a certificate where that is wrong.
"""

import fnmatch
import gzip
import itertools
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from functools import partial
from importlib.metadata import distribution
from pathlib import Path, PurePosixPath
from typing import Any

from translator.base.cache import cached_folder, home, make_folder
from translator.base.download import RemoteFile, fetch
from translator.base.errors import InputError
from translator.base.languages import language_facts
from translator.base.progress import progress
from translator.base.texts import listed
from translator.config.corpus import MTDATA
from translator.corpora.files import Pair
from translator.corpora.pair_files import Wanted, read_pairs
from translator.corpora.pair_files.opening import opened

FOLDER = "corpora/mtdata"
ENTRY, CITATIONS, MEMBERS = "entry.json", "citations.bib", "members"
SIDES = "txt"  # the form of two files with a sentence a line
FORMS = (SIDES, "tsv", "tmx")
DAMAGE = (
    zipfile.BadZipFile,
    tarfile.TarError,
    gzip.BadGzipFile,
    zlib.error,
    EOFError,
    RuntimeError,  # a password, or a method that is not known
)


def fetch_listed(name: str) -> tuple[Path, ...]:
    """Downloads a data set, unless it is in the cache.

    Args:
        name: its id, with ``mtdata:`` before it.

    Returns:
        A file for each side, or one or more files of pairs.

    Raises:
        InputError: mtdata does not list it, its form is not read here, or it cannot be downloaded.
        ModuleNotFoundError: mtdata is not installed, and its list is needed.
    """
    did = name.removeprefix(MTDATA)
    entry = _read(cached_folder(FOLDER, did, partial(_describe, did)))
    files = _remote_files(entry)
    if not entry["members"]:
        return tuple(map(fetch, files))

    def unpack(folder: Path) -> None:
        _unpack(fetch(files[0]), entry["members"], folder)

    return tuple(sorted(cached_folder(f"{FOLDER}/{did}", MEMBERS, unpack).iterdir()))


def read_listed(name: str, languages: tuple[str, str]) -> Iterator[Pair]:
    """The pairs of a data set that was fetched, in the order of two languages."""
    paths = fetch_listed(name)
    entry = _read(home() / FOLDER / name.removeprefix(MTDATA))
    first, second = (language_facts(code).code for code in entry["did"].split("-")[-2:])
    wanted = Wanted((first, second), entry["columns"])
    groups = [paths] if entry["form"] == SIDES else [(path,) for path in paths]
    pairs = itertools.chain.from_iterable(read_pairs(group, wanted) for group in groups)
    if language_facts(languages[0]).code == first:
        return pairs
    return ((source, target) for target, source in pairs)


def is_fetched(name: str) -> bool:
    """Whether nothing of a data set would have to be downloaded."""
    folder = home() / FOLDER / name.removeprefix(MTDATA)
    if not folder.is_dir():
        return False
    if (entry := _read(folder))["members"]:
        return (folder / MEMBERS).is_dir()
    return all(file.is_cached() for file in _remote_files(entry))


def describe_listed() -> Iterator[tuple[str, dict[str, str]]]:
    """What ``translator corpora`` prints about mtdata, and each data set that was fetched."""
    yield (
        "mtdata:ID",
        {
            "pairs": "of any data set of two languages that mtdata list -id prints",
            "licence": "each has its own, which mtdata does not name",
            "cite": "what mtdata names, and https://aclanthology.org/2021.acl-demo.37",
            "address": "https://github.com/thammegowda/mtdata",
        },
    )
    for folder in sorted((home() / FOLDER).glob("*-*")):
        citations = folder / CITATIONS
        if is_fetched(MTDATA + folder.name):
            yield (
                MTDATA + folder.name,
                {
                    "licence": f"see {_read(folder)['urls'][0]}",
                    "cite": str(citations) if citations.stat().st_size else "mtdata names nothing",
                    "cached": f"yes, {folder}",
                },
            )


def _read(folder: Path) -> dict[str, Any]:
    entry: dict[str, Any] = json.loads((folder / ENTRY).read_text("utf-8"))
    return entry


def _remote_files(entry: dict[str, Any]) -> list[RemoteFile]:
    names = [PurePosixPath(url).name for url in entry["urls"]]
    names = names if len(names) > 1 else [entry["filename"]]
    return [
        RemoteFile(f"{FOLDER}/{entry['did']}/{name}", url, check=_check)
        for url, name in zip(entry["urls"], names)
    ]


def _check(path: Path) -> None:
    """Refuses what is no text and no archive, such as a web page."""
    if not tarfile.is_tarfile(path):
        with opened(path):
            pass


def _unpack(archive: Path, patterns: list[str], folder: Path) -> None:
    """Takes those files out of a zip or tar archive that have these names, ``*`` included."""
    packed: Any
    try:
        is_zip = zipfile.is_zipfile(archive)
        with zipfile.ZipFile(archive) if is_zip else tarfile.open(archive) as packed:
            names = packed.namelist() if is_zip else [m.name for m in packed if m.isfile()]
            for number, pattern in enumerate(patterns):
                found = fnmatch.filter(names, pattern)
                if len(found) != 1:
                    raise InputError(
                        f"{archive}: expected one file {pattern} in the archive, found"
                        f" {listed(found) or 'none'}; unpack it, and name its files with name:"
                        " files"
                    )
                place = folder / f"{number:02}-{PurePosixPath(found[0]).name}"
                open_member = packed.open if is_zip else packed.extractfile
                with open_member(found[0]) as member, open(place, "wb") as file:
                    shutil.copyfileobj(member, file)
    except DAMAGE:
        raise InputError(
            f"{archive}: expected a whole archive, found one cut short, damaged or with a"
            " password; remove it to download it again"
        ) from None


def _describe(did: str, folder: Path) -> None:
    """Writes into a folder what mtdata's list has of a data set, and what to cite."""
    entry = _look_up(did)
    urls = [entry["url"]] if isinstance(entry["url"], str) else entry["url"]
    members, columns = entry.get("in_paths", []), entry.get("cols", [0, 1])
    form = (entry.get("in_ext") or entry["ext"]).partition(".")[0]
    is_whole = form != SIDES or len({*(members or urls)}) == 2
    if form not in FORMS or not is_whole or len(columns) != 2:
        raise InputError(
            f"{MTDATA}{did}: expected TSV, TMX or a file for each side, found {form} in"
            f" {listed(members or urls)}; see whether mtdata echo {did} > pairs.tsv writes its"
            " pairs, and name that file with name: files"
        )
    described = {
        "did": did,
        "urls": urls,
        "filename": entry["filename"],
        "members": members,
        "form": form,
        "columns": [column + 1 for column in columns] if form == "tsv" else None,
    }
    (folder / ENTRY).write_text(json.dumps(described), "utf-8")
    papers = Path(str(distribution("mtdata").locate_file("mtdata/resource/refs.bib")))
    cited = "|".join(re.escape(key) for key in entry.get("cite", ()))
    texts = re.split(r"\n(?=@)", papers.read_text("utf-8"))
    texts = [text for text in texts if re.match(rf"@\w+\{{(?:{cited}),", text)]
    (folder / CITATIONS).write_text("\n".join(texts), "utf-8")


def _look_up(did: str) -> dict[str, Any]:
    """The entry of mtdata's list that has an id."""
    place = Path(os.path.expanduser(os.environ.get("MTDATA", "~/.mtdata")))
    index = place / f"mtdata.index.{distribution('mtdata').version}.jsonl"
    if not index.is_file():
        make_folder(place)
        command = [sys.executable, "-P", "-m", "mtdata", "index"]
        with progress("mtdata writes its list"):
            done = subprocess.run(command, cwd=place, capture_output=True, text=True)
        if done.returncode or not index.is_file():
            problem = (done.stderr.strip() or "no file").splitlines()[-1]
            raise InputError(f"{index}: expected mtdata index to write it, found: {problem}")
    start = f"{json.dumps({'did': did})[:-1]},"
    with open(index, encoding="utf-8") as lines:
        for line in lines:
            if line.startswith(start):
                entry: dict[str, Any] = json.loads(line)
                return entry
    raise InputError(
        f"{MTDATA}{did}: expected an id of {index}, found none such; mtdata list -id prints all"
    )
