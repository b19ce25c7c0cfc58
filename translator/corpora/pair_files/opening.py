"""Opens a file of text, whether it is packed by gzip, bz2 or xz, or UTF-16; or names what it is.

A zip archive has a file of pairs, or a source and a target, as OPUS packs them. All but UTF-16 is
streamed, so that memory does not grow with the file.
"""

import bz2
import codecs
import contextlib
import gzip
import io
import lzma
import re
import zipfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path, PurePosixPath
from typing import IO, Any, NamedTuple

from translator.base.errors import InputError
from translator.base.files import path_below_home
from translator.base.languages import language_facts
from translator.base.texts import listed
from translator.corpora.files import expected_file

BEGINNING = 1 << 16  # bytes by which a file is known
ZIP = (b"PK\x03\x04", b"PK\x05\x06")  # with files in it, and empty
PARQUET = b"PAR1"
FOREIGN = (  # how files begin that have no pairs for us, what they are, and what to do
    (rb"%PDF", "a PDF", "write its text with pdftotext"),
    (rb"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old Office file", "save it as CSV or Unicode text"),
    (rb"7z\xbc\xaf\x27\x1c|Rar!|(?s:.{257})ustar", "an archive", "unpack it, and name its files"),
    (rb"\x28\xb5\x2f\xfd", "a file in zstd", "unpack it with zstd -d"),
    (
        rb"\s*<(?i:!doctype\s+html|html|head|body|table|tr)\b[^\t\r\n]*(?:[\r\n]|\Z)",
        "a web page",
        "download the file that it links to, or save its table as CSV",
    ),
    (
        rb"\s*<(?:src|ref|tst|hyp)set\b",
        "SGML of WMT",
        r"write its text with sed -n 's/<seg[^>]*>\(.*\)<\/seg>/\1/p'",
    ),
    (
        rb'(?:\s|#.*\n)*msg(?:id|ctxt) "[^\t\n]*\n',
        "a catalogue of gettext",
        "write its pairs as TMX with po2tmx of the Translate Toolkit",
    ),
    (
        rb"(?is)\s*<(?:(?:\?xml|!doctype)\b(?!.*<tmx\b)|(?:\w+:)?xliff\b)",
        "XML",
        "write its pairs as TMX or CSV",
    ),
)
UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
ASIDE = re.compile(  # files that archives have beside their pairs
    r"(?:.*/)?(?:__MACOSX/.*|\..*|_about.*|(?:readme|licen[cs]e|copying|changes)[^/]*|.*\.ids)",
    re.IGNORECASE,
)
ENCRYPTED = 1  # a flag of a member
MOST_TIMES = 200  # that unpacking makes a text larger, which is about 4
SMALL = 1 << 26  # bytes of a text that may be packed tighter, as one of equal lines is
OFFICE = {"[Content_Types].xml", "content.xml"}  # of Microsoft's and of OpenDocument's files
PACKED = re.compile(r"\.(?:gz|bz2|xz)\Z")
LEGACY = 0.02  # share of lines with bytes that are not UTF-8 by which a file is not


class Stream(NamedTuple):
    """An open file, unpacked.

    Attributes:
        file: its bytes.
        name: of the file, for errors.
        beginning: its first bytes, which are still to be read.
        is_recoded: whether its text was UTF-16.
    """

    file: io.BufferedReader
    name: str
    beginning: bytes
    is_recoded: bool = False


@contextlib.contextmanager
def opened(path: Path) -> Iterator[Stream]:
    """Opens a file and unpacks it. A zip archive stays as it is; see `opened_members`."""
    path = path_below_home(path, "file")
    with expected_file(path), contextlib.ExitStack() as stack, named_damage(str(path)):
        file = stack.enter_context(open(path, "rb", buffering=0))
        yield unpacked(file, str(path), stack)


@contextlib.contextmanager
def named_damage(name: str) -> Iterator[None]:
    """Turns what damaged packed files raise into errors that name the file."""
    try:
        yield
    except (gzip.BadGzipFile, zlib.error, EOFError, lzma.LZMAError, OSError) as error:
        if isinstance(error, OSError) and error.errno is not None:  # it is not the content
            raise
        raise InputError(
            f"{name}: expected a whole packed file, found one cut short, damaged or not packed so;"
            " get it again"
        ) from None
    except UnicodeDecodeError:
        raise InputError(
            f"{name}: expected UTF-16, as its first bytes say, found bytes that are not; save it"
            " again, best in UTF-8"
        ) from None


def unpacked(file: IO[bytes], name: str, stack: contextlib.ExitStack) -> Stream:
    """The content of an open file without compression, and in UTF-8.

    Args:
        file: its bytes.
        name: for errors; what ends in ``.gz`` must be gzipped.
    """

    def buffered(raw: Any) -> io.BufferedReader:
        return stack.enter_context(io.BufferedReader(raw, BEGINNING))

    stream = buffered(file)
    beginning = stream.peek(1)
    opener = next((_OPENERS[magic] for magic in _OPENERS if beginning.startswith(magic)), None)
    if opener is not None or name.endswith(".gz"):
        stream = buffered((opener or _open_gzip)(stream))
    beginning = stream.peek(1)[:BEGINNING]
    refuse_foreign(beginning, name)
    if beginning.startswith(UTF_16):
        stream = buffered(io.BytesIO(stream.read().decode("utf-16").encode()))
        beginning = stream.peek(1)[:BEGINNING]
        refuse_foreign(beginning, name)
        return Stream(stream, name, beginning, is_recoded=True)
    return Stream(stream, name, beginning)


def refuse_foreign(beginning: bytes, name: str) -> None:
    """Names a file of a form that has no pairs for us."""
    for pattern, found, advice in FOREIGN:
        if re.match(pattern, beginning.removeprefix(codecs.BOM_UTF8)):
            raise foreign(name, found, advice)
    if not beginning.startswith((*ZIP, PARQUET, *UTF_16)) and _is_binary(beginning):
        advice = "name a file of text, or convert it with iconv -f UTF-16LE -t UTF-8"
        raise foreign(name, "a binary file, or UTF-16 without its mark", advice)


def _is_binary(beginning: bytes) -> bool:
    """Whether there are zero bytes, and not only stray ones in a text."""
    if b"\0" not in beginning:
        return False
    try:
        codecs.getincrementaldecoder("utf-8")().decode(beginning)
    except UnicodeDecodeError:
        return True
    return 4 * beginning.count(0) >= len(beginning)


def is_in_another_encoding(beginning: bytes) -> bool:
    """Whether text is not UTF-8 at all, rather than damaged at a few places."""
    text = codecs.getincrementaldecoder("utf-8")("replace").decode(beginning)
    lost = text.count("\ufffd") - beginning.count("\ufffd".encode())
    others = sum(character > "\x7f" for character in text)
    return 2 * lost > others and lost > LEGACY * beginning.count(b"\n")


def foreign(name: str, found: str, advice: str) -> InputError:
    """The error of a file that is known and not read."""
    return InputError(f"{name}: expected sentence pairs, found {found}; {advice}")


def _open_gzip(file: io.BufferedReader) -> gzip.GzipFile:
    return gzip.GzipFile(fileobj=file)


_OPENERS: dict[bytes, Callable[[io.BufferedReader], Any]] = {
    b"\x1f\x8b": _open_gzip,
    b"BZh": bz2.BZ2File,
    b"\xfd7zXZ\0": lzma.LZMAFile,
}


@contextlib.contextmanager
def opened_members(path: Path, languages: tuple[str, str] | None) -> Iterator[tuple[Stream, ...]]:
    """Opens what a zip archive has: a file of pairs, or a source and a target.

    Nothing is unpacked to the disk.

    Args:
        languages: the codes of both sides; with None the order of the names decides.
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
            names = [name for name in names if not ASIDE.fullmatch(name)]
            chosen = _chosen(names, path, languages)
            for info in map(archive.getinfo, chosen):
                if info.file_size > max(SMALL, MOST_TIMES * info.compress_size):
                    raise foreign(str(path), f"a file packed {MOST_TIMES}-fold", "get another one")
            yield tuple(
                unpacked(stack.enter_context(archive.open(name)), f"{path}, {name}", stack)
                for name in chosen
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
