"""Reads the user's own files: lines of UTF-8, plain or gzipped."""

import gzip
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path

from translator.config import FilesConfig
from translator.errors import InputError


def decode_lines(lines: Iterable[bytes], name: str) -> Iterator[str]:
    """Decodes lines of bytes; line ends (LF or CRLF) and a leading BOM are dropped.

    Only a line feed ends a line, so that one line of a file is one sentence
    whatever other characters it holds.

    Args:
        lines: as a binary file yields them.
        name: names the file in errors.

    Raises:
        InputError: a line is not UTF-8; the message names the line.
    """
    for number, line in enumerate(lines, start=1):
        try:
            text = line.decode("utf-8")
        except UnicodeDecodeError as error:
            raise InputError(
                f"{name}, line {number}: expected UTF-8, found the byte"
                f" 0x{line[error.start]:02x} at column {error.start + 1}; convert the file first"
            ) from None
        if number == 1:
            text = text.removeprefix("\ufeff")
        yield text.removesuffix("\n").removesuffix("\r")


def read_lines(path: str | Path) -> tuple[str, ...]:
    """Reads all lines of a plain or ``.gz`` file.

    Raises:
        InputError: the file is missing, a directory, cut short or not UTF-8.
    """
    path = Path(path)
    opener = gzip.open if path.suffix == ".gz" else open
    try:
        with opener(path, "rb") as file:
            return tuple(decode_lines(file, str(path)))
    except FileNotFoundError:
        raise InputError(f"{path}: expected a text file, found nothing there") from None
    except IsADirectoryError:
        raise InputError(f"{path}: expected a text file, found a directory") from None
    except (gzip.BadGzipFile, zlib.error, EOFError):
        raise InputError(
            f"{path}: expected a whole .gz file, found one cut short or damaged"
        ) from None


def read_pairs(files: FilesConfig) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Reads aligned sentences from a TSV file or from two files.

    Returns:
        The source sentences and the target sentences, equally many.

    Raises:
        InputError: a file cannot be read, a TSV line has no tab, the two files
            have different numbers of lines, or there is nothing in them.
    """
    if files.tsv is not None:
        sources, targets = _read_tsv(files.tsv)
        name = files.tsv
    else:
        sources, targets = read_lines(files.source), read_lines(files.target)
        name = files.source
        if len(sources) != len(targets):
            raise InputError(
                f"{files.source} has {len(sources):,} lines and {files.target} has"
                f" {len(targets):,}: expected one translation a line"
            )
    if not sources:
        raise InputError(f"{name}: expected sentence pairs, found an empty file")
    return sources, targets


def _read_tsv(path: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    pairs = []
    for number, line in enumerate(read_lines(path), start=1):
        columns = line.split("\t")
        if len(columns) < 2:
            raise InputError(f"{path}, line {number}: expected source TAB target, found no tab")
        pairs.append(columns[:2])
    sources, targets = zip(*pairs) if pairs else ((), ())
    return sources, targets
