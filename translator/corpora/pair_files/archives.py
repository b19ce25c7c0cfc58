"""Opens the files of pairs in a zip archive: one, or a source and a target as OPUS packs them."""

import contextlib
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from translator.base.errors import InputError
from translator.base.files import path_below_home
from translator.base.languages import language_facts
from translator.base.texts import listed
from translator.corpora.pair_files.opening import Stream, foreign, named_damage, unpacked

ASIDE = re.compile(  # files that archives have beside their pairs
    r"(?:.*/)?(?:__MACOSX/.*|\..*|_about.*|(?:readme|licen[cs]e|copying|changes)[^/]*|.*\.ids)",
    re.IGNORECASE,
)
ENCRYPTED = 1  # a flag of a member
MOST_TIMES = 200  # that unpacking makes a text larger, which is about 4
OFFICE = {"[Content_Types].xml", "content.xml"}  # of Microsoft's and of OpenDocument's files
PACKED = re.compile(r"\.(?:gz|bz2|xz)\Z")


@contextlib.contextmanager
def opened_members(path: Path, languages: tuple[str, str] | None) -> Iterator[tuple[Stream, ...]]:
    """Opens what a zip archive has: a file of pairs, or a source and a target.

    Nothing is unpacked to the disk.

    Args:
        languages: the codes of both sides; with None the order of the names decides.

    Raises:
        InputError: it is an Office file, is damaged or encrypted, or has no or several files that
            may be meant.
    """
    path = path_below_home(path, "file")
    try:
        with (
            named_damage(str(path)),
            zipfile.ZipFile(path) as archive,
            contextlib.ExitStack() as stack,
        ):
            infos = [info for info in archive.infolist() if not info.is_dir()]
            names = [info.filename for info in infos]
            if not OFFICE.isdisjoint(names):
                advice = "save its table as CSV or Unicode text"
                raise foreign(str(path), "an Office document", advice)
            if any(info.flag_bits & ENCRYPTED for info in infos):
                advice = f"unpack it with unzip {path}"
                raise foreign(str(path), "an archive with a password", advice)
            if any(info.file_size > MOST_TIMES * max(info.compress_size, 1) for info in infos):
                raise foreign(str(path), "an archive that would fill the disk", "get another one")
            names = [name for name in names if not ASIDE.fullmatch(name)]
            yield tuple(
                unpacked(stack.enter_context(archive.open(name)), f"{path}, {name}", stack)
                for name in _chosen(names, path, languages)
            )
    except (zipfile.BadZipFile, NotImplementedError) as error:
        raise InputError(
            f"{path}: expected a whole zip archive, found a damaged one, {error}; get it again"
        ) from None


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
