"""Opens text files, also packed files (gzip, bz2, xz) and UTF-16; names the form of other files.

A zip archive has a file of pairs, or a source file and a target file, as in OPUS. All forms except
UTF-16 are streamed, so large files need no more memory than small files.
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
from translator.corpora.files import expect_file

BEGINNING = 1 << 16  # bytes that are read to recognise the form of a file
ZIP = (b"PK\x03\x04", b"PK\x05\x06")  # an archive with files, and an empty one
PARQUET = b"PAR1"
FOREIGN = (  # the beginnings of files that are not read, what they are, and what to do
    (rb"%PDF", "a PDF", "write its text with pdftotext"),
    (rb"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old Office file", "save it as CSV or Unicode text"),
    (rb"7z\xbc\xaf\x27\x1c|Rar!|(?s:.{257})ustar", "an archive", "unpack it, and name its files"),
    (rb"\x28\xb5\x2f\xfd", "a zstd file", "unpack it with zstd -d"),
    (
        rb"\s*<(?i:!doctype\s+html|html|head|body|table|tr)\b[^\t\r\n]*(?:[\r\n]|\Z)",
        "a web page",
        "download the file that it links to, or save its table as CSV",
    ),
    (
        rb"\s*<(?:src|ref|tst|hyp)set\b",
        "SGML, as WMT uses it",
        r"write its text with sed -n 's/<seg[^>]*>\(.*\)<\/seg>/\1/p'",
    ),
    (
        rb'(?:\s|#.*\n)*msg(?:id|ctxt) "[^\t\n]*\n',
        "a catalogue of gettext",
        "write its pairs as TMX with po2tmx from the Translate Toolkit",
    ),
    (
        rb"(?is)\s*<(?:(?:\?xml|!doctype)\b(?!.*<tmx\b)|(?:\w+:)?xliff\b)",
        "XML",
        "write its pairs as TMX or CSV",
    ),
)
UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
ASIDE = re.compile(  # files in archives that have no pairs
    r"(?:.*/)?(?:__MACOSX/.*|\..*|_about.*|(?:readme|licen[cs]e|copying|changes)[^/]*|.*\.ids)",
    re.IGNORECASE,
)
ENCRYPTED = 1  # the flag of an encrypted file in an archive
MOST_TIMES = 200  # the unpacked text may be this many times larger; about 4 is usual
SMALL = 1 << 26  # bytes; a text up to this size may be compressed more, such as equal lines
OFFICE = {"[Content_Types].xml", "content.xml"}  # in Microsoft's and OpenDocument's files
PACKED = re.compile(r"\.(?:gz|bz2|xz)\Z")
LEGACY = 0.02  # a file with this share of lines with wrong bytes is not UTF-8


class Stream(NamedTuple):
    """An open file, unpacked.

    Attributes:
        file: the unpacked bytes.
        name: the name of the file, for errors.
        beginning: the first bytes; ``file`` still yields them.
        is_recoded: whether the text was UTF-16.
    """

    file: io.BufferedReader
    name: str
    beginning: bytes
    is_recoded: bool = False


@contextlib.contextmanager
def open_stream(path: Path) -> Iterator[Stream]:
    """Opens a file and unpacks it. A zip archive stays as it is; see `open_members`."""
    path = path_below_home(path, "file")
    with expect_file(path), contextlib.ExitStack() as stack, name_damage(str(path)):
        file = stack.enter_context(open(path, "rb", buffering=0))
        yield unpack(file, str(path), stack)


@contextlib.contextmanager
def name_damage(name: str) -> Iterator[None]:
    """Turns the errors of damaged packed files into errors that name the file."""
    try:
        yield
    except (gzip.BadGzipFile, zlib.error, EOFError, lzma.LZMAError, OSError) as error:
        if isinstance(error, OSError) and error.errno is not None:  # an error of the disk
            raise
        raise InputError(
            f"{name}: expected a whole packed file, found a file that is cut short, damaged or"
            " of another kind; get it again"
        ) from None
    except UnicodeDecodeError:
        raise InputError(
            f"{name}: expected UTF-16, as its first bytes say, found other bytes; save it again,"
            " best in UTF-8"
        ) from None


def unpack(file: IO[bytes], name: str, stack: contextlib.ExitStack) -> Stream:
    """The content of an open file without compression, and in UTF-8.

    Args:
        file: the packed bytes.
        name: a name for errors; a file whose name ends in ``.gz`` must be gzipped.
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
    """Raises an error for a file whose form is known, but cannot be read here."""
    for pattern, form, advice in FOREIGN:
        if re.match(pattern, beginning.removeprefix(codecs.BOM_UTF8)):
            raise not_pairs(name, form, advice)
    if not beginning.startswith((*ZIP, PARQUET, *UTF_16)) and _is_binary(beginning):
        advice = "name a file of text, or convert it with iconv -f UTF-16LE -t UTF-8"
        raise not_pairs(name, "a binary file, or UTF-16 without a BOM", advice)


def _is_binary(beginning: bytes) -> bool:
    """Whether a text has more than a few stray zero bytes."""
    if b"\0" not in beginning:
        return False
    try:
        codecs.getincrementaldecoder("utf-8")().decode(beginning)
    except UnicodeDecodeError:
        return True
    return 4 * beginning.count(0) >= len(beginning)


def is_in_another_encoding(beginning: bytes) -> bool:
    """Whether text is not UTF-8 at all, and not just damaged at a few places."""
    text = codecs.getincrementaldecoder("utf-8")("replace").decode(beginning)
    lost = text.count("\ufffd") - beginning.count("\ufffd".encode())
    not_ascii = sum(character > "\x7f" for character in text)
    return 2 * lost > not_ascii and lost > LEGACY * beginning.count(b"\n")


def not_pairs(name: str, form: str, advice: str) -> InputError:
    """The error for a file whose form is known, but cannot be read here."""
    return InputError(f"{name}: expected sentence pairs, found {form}; {advice}")


def _open_gzip(file: io.BufferedReader) -> gzip.GzipFile:
    return gzip.GzipFile(fileobj=file)


_OPENERS: dict[bytes, Callable[[io.BufferedReader], Any]] = {
    b"\x1f\x8b": _open_gzip,
    b"BZh": bz2.BZ2File,
    b"\xfd7zXZ\0": lzma.LZMAFile,
}


@contextlib.contextmanager
def open_members(path: Path, languages: tuple[str, str] | None) -> Iterator[tuple[Stream, ...]]:
    """Opens the file of pairs in a zip archive, or its source and target. Writes no file.

    Args:
        languages: the codes of both sides. If None, the order of the names decides.
    """
    path = path_below_home(path, "file")
    try:
        with (
            name_damage(str(path)),
            zipfile.ZipFile(path) as archive,
            contextlib.ExitStack() as stack,
        ):
            infos = [info for info in archive.infolist() if not info.is_dir()]
            names = [info.filename for info in infos]
            if not OFFICE.isdisjoint(names):
                advice = "save its table as CSV or Unicode text"
                raise not_pairs(str(path), "an Office document", advice)
            if any(info.flag_bits & ENCRYPTED for info in infos):
                advice = f"unpack it with unzip {path}"
                raise not_pairs(str(path), "an archive with a password", advice)
            names = [name for name in names if not ASIDE.fullmatch(name)]
            members = _choose_members(names, path, languages)
            for info in map(archive.getinfo, members):
                if info.file_size > max(SMALL, MOST_TIMES * info.compress_size):
                    form = f"a file that grows more than {MOST_TIMES} times when it is unpacked"
                    raise not_pairs(str(path), form, "get another archive")
            yield tuple(
                unpack(stack.enter_context(archive.open(name)), f"{path}, {name}", stack)
                for name in members
            )
    except (zipfile.BadZipFile, NotImplementedError) as error:
        raise InputError(
            f"{path}: expected a whole zip archive, found a damaged one: {error}; get it again"
        ) from None


def _choose_members(
    names: list[str], path: Path, languages: tuple[str, str] | None
) -> list[str] | tuple[str, str]:
    if len(names) == 1:
        return names
    sides = [name for name in names if not name.lower().endswith(".xml")]  # OPUS's alignments
    if languages is None and len(sides) == 2 and len({_split(name)[0] for name in sides}) == 1:
        stem = _split(sides[0])[0]  # such as de-en, which gives the order of sides
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
        f"{path}: expected one file of pairs in the archive, or one for each language, found"
        f" {listed(names)}; unpack it with unzip {path}, and name a file of it"
    )


def _split(name: str) -> tuple[str, str]:
    """Splits a name into the part before its last ending, and this ending."""
    place = PurePosixPath(PACKED.sub("", name))
    return str(place.with_suffix("")), place.suffix.removeprefix(".")


def _is_in(name: str, language: str) -> bool:
    return language_facts(_split(name)[1]).code.lower() == language_facts(language).code.lower()
