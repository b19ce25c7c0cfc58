"""Opens a file of text, whatever it is packed by: gzip, bz2, xz, zstd, UTF-16; or names what it is.

All of it is streamed, so that memory does not grow with the file.
"""

import bz2
import codecs
import contextlib
import gzip
import io
import lzma
import re
import shlex
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any, NamedTuple

from translator.base.errors import InputError
from translator.base.files import path_below_home
from translator.corpora.files import expected_file

BEGINNING = 1 << 16  # bytes by which a file is known
BLOCK = 1 << 15  # bytes of UTF-16 that are read at a time
ZSTD_BLOCK = 1 << 9  # packed bytes, which become 16 MiB at the most
MOST_LAYERS = 2  # of compression
ZIP = b"PK\x03\x04"
EMPTY_ZIP = b"PK\x05\x06"
PARQUET = b"PAR1"
FOREIGN = (  # how files begin that have no pairs for us, what they are, and what to do
    (rb"%PDF", "a PDF", "write its text with pdftotext"),
    (rb"SQLite format 3\0", "an SQLite database, such as an .sdltm", "export it as TMX"),
    (rb"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old Office file", "save it as CSV or Unicode text"),
    (rb"ARROW1|\xff{4}", "an Arrow file", "write it with to_parquet of Hugging Face's datasets"),
    (rb"7z\xbc\xaf\x27\x1c", "a 7z archive", "unpack it with 7z x, and name the files in it"),
    (rb"Rar!", "a RAR archive", "unpack it with unrar x, and name the files in it"),
    (rb"(?s:.{257})ustar", "a tar archive", "unpack it with tar -xf {name}, and name its files"),
    (rb"\x5d\0\0", "an .lzma file", "unpack it with xz -d --format=lzma"),
    (rb"\x04\x22\x4d\x18", "an .lz4 file", "unpack it with lz4 -d"),
    (
        rb"(?s:\s|<\?.*?\?>|<!--.*?-->)*<(?:\w+:)?xliff\b",
        "XLIFF",
        "export it as TMX, or write its pairs as TSV",
    ),
    (
        rb"(?:\s*#.*\n|\s*\n)*\s*(?:msgid|msgctxt)\s+\"|\xde\x12\x04\x95|\x95\x04\x12\xde",
        "a catalogue of gettext",
        "write it as TMX, as with po2tmx of the Translate Toolkit",
    ),
    (rb"\x80[\2-\5][\x95}]", "a pickle of Python", "write its pairs with the to_csv of pandas"),
    (rb"\{\\rtf", "an RTF document", "save it as text"),
    (rb"\xff\xfe\0\0|\0\0\xfe\xff", "text in UTF-32", "convert it with iconv -f UTF-32 -t UTF-8"),
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
        rb"\s*WEBVTT|\s*\d+\s*\n(?:\d\d:){2}\d\d[.,]\d{3} -->",
        "subtitles",
        "write the text of each language in a file, line by line, without the times",
    ),
    (rb"version https://git-lfs", "a pointer of Git LFS", "fetch the file with git lfs pull"),
    (rb"diff --git ", "changes to a file", "apply them with git apply, and name that file"),
    (rb"PRAGMA \w+=|INSERT INTO |(?:--\s*\n)?-- .*\bdump\b", "SQL", "write its table as CSV"),
    (rb"%\d{8}~\d{6}\t", "a memory of Wordfast", "export it as TMX"),
    (rb"(?:---\s*\n)?- [\w-]+:.*\n  [\w-]+:", "YAML", "write it as JSONL, as with yq -c '.[]'"),
)
READ = (ZIP, EMPTY_ZIP, PARQUET, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)  # though not text
MOST_TIMES = 100  # that unpacking may make a file larger, from so many bytes on; text: up to 50
LARGE = 1 << 28
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
    """Opens a file and unpacks it. A zip archive stays as it is; see `archives`.

    Raises:
        InputError: it is missing, damaged, or has no text; also while it is read.
    """
    path = path_below_home(path, "file")
    with (
        expected_file(path),
        contextlib.ExitStack() as stack,
        named_damage(str(path)),
    ):
        file = stack.enter_context(open(path, "rb", buffering=0))
        packed = path.stat().st_size if path.is_file() else None
        yield unpacked(file, str(path), stack, packed)


@contextlib.contextmanager
def named_damage(name: str) -> Iterator[None]:
    """Turns what damaged packed files raise into errors that name the file."""
    try:
        yield
    except (gzip.BadGzipFile, zlib.error, EOFError, lzma.LZMAError, OSError) as error:
        if isinstance(error, OSError) and error.errno is not None:  # it is not the content
            raise
        raise InputError(
            f"{name}: expected a whole {_ending(name)} file, found one cut short, damaged or not"
            f" {'gzipped' if name.endswith('.gz') else 'packed so'}; get it again"
        ) from None
    except UnicodeDecodeError:
        raise InputError(
            f"{name}: expected UTF-16, as its first bytes say, found bytes that are not; save it"
            " again, best in UTF-8"
        ) from None


def _ending(name: str) -> str:
    ending = name.rpartition(".")[2]
    return f".{ending}" if ending in ("gz", "bz2", "xz", "zst", "zip") else "packed"


def unpacked(file: IO[bytes], name: str, stack: contextlib.ExitStack, packed: int | None) -> Stream:
    """The content of an open file without compression, and in UTF-8.

    Args:
        file: its bytes.
        name: for errors; what ends in ``.gz`` must be gzipped.
        packed: bytes that it has on the disk; None where that is not known.
    """

    def buffered(raw: Any) -> io.BufferedReader:
        return stack.enter_context(io.BufferedReader(raw, BEGINNING))

    stream = buffered(file)
    is_gz = name.endswith(".gz")
    for _ in range(MOST_LAYERS):
        beginning = stream.peek(1)
        opener = next((open_it for magic, open_it in _OPENERS if magic.match(beginning)), None)
        if opener is None and not is_gz:
            break
        stream = buffered((opener or _OPENERS[0][1])(stream))
        if packed is not None:
            stream = buffered(_Pieces(_bounded(stream, packed, name)))
        is_gz = False
    beginning = stream.peek(1)[:BEGINNING]
    refuse_foreign(beginning, name)
    if beginning.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        stream = buffered(_Pieces(_recoded(stream)))
        beginning = stream.peek(1)[:BEGINNING]
        refuse_foreign(beginning, name)
        return Stream(stream, name, beginning, is_recoded=True)
    return Stream(stream, name, beginning)


def refuse_foreign(beginning: bytes, name: str) -> None:
    """Names a file of a form that has no pairs for us."""
    for pattern, found, advice in FOREIGN:
        if re.match(pattern, beginning.removeprefix(codecs.BOM_UTF8)):
            raise foreign(name, found, advice.replace("{name}", shlex.quote(name)))
    if not beginning.startswith(READ) and _is_binary(beginning):
        even, odd = (beginning[place::2].count(0) for place in (0, 1))
        if 4 * min(even, odd) > max(even, odd):
            raise foreign(name, "a binary file", "name a file of text")
        advice = f"convert text with iconv -f UTF-16{'BE' if even > odd else 'LE'} -t UTF-8"
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


def check_size(size: int, packed: int, name: str) -> None:
    """Refuses a file that was made to fill the disk or the memory.

    Args:
        size: bytes that it has, or has so far, when it is unpacked.
        packed: bytes that it has on the disk.
    """
    if size > max(LARGE, MOST_TIMES * packed):
        found = f"{packed:,} bytes that become more than {size - 1:,}"
        raise foreign(name, found, "get it from elsewhere, or unpack it if it is yours")


def _bounded(file: io.BufferedReader, packed: int, name: str) -> Iterator[bytes]:
    size = 0
    while block := file.read(BLOCK):
        size += len(block)
        check_size(size, packed, name)
        yield block


def foreign(name: str, found: str, advice: str) -> InputError:
    """The error of a file that is known and not read."""
    return InputError(f"{name}: expected sentence pairs, found {found}; {advice}")


class _Pieces(io.RawIOBase):
    """A file of pieces of bytes that come one after another."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self._pieces = pieces
        self._rest = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not self._rest:
            piece = next(self._pieces, None)
            if piece is None:
                return 0
            self._rest = piece
        count = min(len(buffer), len(self._rest))
        buffer[:count], self._rest = self._rest[:count], self._rest[count:]
        return count


def _recoded(file: io.BufferedReader) -> Iterator[bytes]:
    """The text of a file in UTF-16 as UTF-8."""
    decoder = codecs.getincrementaldecoder("utf-16")("strict")
    while block := file.read(BLOCK):
        yield decoder.decode(block).encode()
    yield decoder.decode(b"", final=True).encode()


def _open_zstd(file: io.BufferedReader) -> _Pieces:
    """A file in zstd; unlike the package's own reader it notices where one is cut short."""
    import zstandard

    def pieces() -> Iterator[bytes]:
        frame, rest = None, b""
        try:
            while block := rest or file.read(ZSTD_BLOCK):
                frame = frame or zstandard.ZstdDecompressor().decompressobj()
                yield frame.decompress(block)
                rest = frame.unused_data if frame.eof else b""
                frame = None if frame.eof else frame
        except zstandard.ZstdError:
            raise EOFError from None
        if frame is not None:
            raise EOFError

    return _Pieces(pieces())


_OPENERS: tuple[tuple[re.Pattern[bytes], Callable[[io.BufferedReader], Any]], ...] = (
    (re.compile(rb"\x1f\x8b"), lambda file: gzip.GzipFile(fileobj=file)),
    (re.compile(rb"BZh[1-9](?:1AY&SY|\x17rE8P\x90)"), bz2.BZ2File),
    (re.compile(rb"\xfd7zXZ\0"), lzma.LZMAFile),
    (re.compile(rb"\x28\xb5\x2f\xfd"), _open_zstd),
)
