"""Opens the files of pairs in a zip archive: one, or a source and a target as OPUS packs them."""

import contextlib
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from translator.base.errors import InputError
from translator.base.files import path_below_home
from translator.base.languages import language_facts
from translator.base.texts import listed, quoted
from translator.corpora.pair_files.opening import (
    ZIP,
    Stream,
    check_size,
    foreign,
    named_damage,
    unpacked,
)

ASIDE = re.compile(  # files that archives have beside their pairs
    r"(?:.*/)?(?:__MACOSX/.*|\..*|_about.*|(?:readme|licen[cs]e|copying|changes)[^/]*|.*\.ids)",
    re.IGNORECASE,
)
CLIMBS = re.compile(r"/|\\|[A-Za-z]:|(?:.*[/\\])?\.\.(?:[/\\]|\Z)")
ENCRYPTED = 1  # a flag of a member
SHEET = "save it as CSV or Unicode text"
OFFICE = (  # a member, or the beginning of one, and what its archive is
    ("xl/", "an Excel workbook", SHEET),
    ("word/", "a Word document", "put its pairs into a table, and save that as CSV"),
    ("ppt/", "a PowerPoint document", "write its pairs into a CSV file"),
    ("content.xml", "an OpenDocument file", SHEET),
    ("META-INF/", "a program", "name a file of text"),
)
PACKED = re.compile(r"\.(?:gz|bz2|xz|zst)\Z")


@contextlib.contextmanager
def opened_members(path: Path, languages: tuple[str, str] | None) -> Iterator[tuple[Stream, ...]]:
    """Opens what a zip archive has: a file of pairs, or a source and a target.

    Nothing is unpacked to the disk.

    Args:
        languages: the codes of both sides; with None the order of the names decides.

    Raises:
        InputError: it is an Office file, is damaged or encrypted, has names outside of it, or has
            no or several files that may be meant.
    """
    path = path_below_home(path, "file")
    try:
        with (
            named_damage(str(path)),
            zipfile.ZipFile(path) as archive,
            contextlib.ExitStack() as stack,
        ):
            members = _members(archive, path)
            streams = tuple(
                unpacked(
                    stack.enter_context(archive.open(member)),
                    f"{path}, {member}",
                    stack,
                    archive.getinfo(member).compress_size,
                )
                for member in _chosen(members, path, languages)
            )
            for stream in streams:
                if stream.beginning.startswith(ZIP):
                    advice = f"unpack it with unzip {path}, and name a file of it"
                    raise foreign(stream.name, "an archive within an archive", advice)
            yield streams
    except (zipfile.BadZipFile, NotImplementedError) as error:
        raise InputError(
            f"{path}: expected a whole zip archive, found a damaged one, {error}; get it again"
        ) from None


def _members(archive: zipfile.ZipFile, path: Path) -> list[str]:
    """The names of the files that may have pairs."""
    infos = [info for info in archive.infolist() if not info.is_dir()]
    for info in infos:
        if CLIMBS.match(info.filename):
            raise InputError(
                f"{path}: expected names inside of the archive, found {quoted(info.filename)};"
                f" do not unpack it, and get it from elsewhere"
            )
    for info in infos:
        check_size(info.file_size, info.compress_size, f"{path}, {info.filename}")
        for beginning, found, advice in OFFICE:
            if info.filename.startswith(beginning):
                raise foreign(str(path), found, advice)
    names = [info.filename for info in infos if not ASIDE.fullmatch(info.filename)]
    if any(info.flag_bits & ENCRYPTED for info in infos):
        raise foreign(str(path), "an archive with a password", f"unpack it with unzip {path}")
    return names


def _chosen(
    names: list[str], path: Path, languages: tuple[str, str] | None
) -> list[str] | tuple[str, str]:
    if len(names) == 1:
        return names
    sides = [name for name in names if not name.lower().endswith(".xml")]  # alignments of OPUS
    if languages is None and len(sides) == 2 and len({_split(name)[0] for name in sides}) == 1:
        stem = _split(sides[0])[0]  # its own order, as that of de-en.de and de-en.en
        return sorted(sides, key=lambda name: (stem.rfind(_split(name)[1]), name))
    pairs = [
        (source, target)
        for source in sides
        for target in sides
        if languages is not None
        and source != target
        and _split(source)[0] == _split(target)[0]
        and all(map(_is_in, (source, target), languages))
    ]
    if len(pairs) == 1:
        return pairs[0]
    raise InputError(
        f"{path}: expected one file of pairs in the archive, or one of each language, found"
        f" {listed(names)}; unpack it with unzip {path}, and name a file of it"
    )


def _split(name: str) -> tuple[str, str]:
    """A name without its last ending, and that ending."""
    place = PurePosixPath(PACKED.sub("", name))
    return str(place.with_suffix("")), place.suffix.removeprefix(".")


def _is_in(name: str, language: str) -> bool:
    return language_facts(_split(name)[1]).code.lower() == language_facts(language).code.lower()
