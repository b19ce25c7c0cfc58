"""Reads the user's own files: lines of UTF-8, plain or gzipped."""

import contextlib
import gzip
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path

from translator.base.errors import InputError
from translator.config.schema import FilesConfig


def decode_lines(lines: Iterable[bytes], name: str, errors: str = "strict") -> Iterator[str]:
    """Decodes lines of bytes; line ends (LF or CRLF) and a leading BOM are dropped.

    Only a line feed ends a line, so that one line of a file is one sentence
    whatever other characters it holds.

    Args:
        lines: as a binary file yields them.
        name: names the file in errors.
        errors: ``replace`` puts U+FFFD for bytes that are not UTF-8.

    Raises:
        InputError: a line is not UTF-8; the message names the line.
    """
    for number, line in enumerate(lines, start=1):
        try:
            text = line.decode("utf-8", errors)
        except UnicodeDecodeError as error:
            raise InputError(
                f"{name}, line {number}: expected UTF-8, found the byte"
                f" 0x{line[error.start]:02x} at column {error.start + 1}; convert the file first"
            ) from None
        if number == 1:
            text = text.removeprefix("\ufeff")
        yield text.removesuffix("\n").removesuffix("\r")


def iterate_lines(path: str | Path, errors: str = "strict") -> Iterator[str]:
    """Yields the lines of a plain or ``.gz`` file; ``errors`` as in `decode_lines`.

    Raises:
        InputError: the file is missing, a directory, cut short or not UTF-8.
    """
    path = Path(path).expanduser()
    opener = gzip.open if path.suffix == ".gz" else open
    with _expected_file(path):
        try:
            with opener(path, "rb") as file:
                yield from decode_lines(file, str(path), errors)
        except (gzip.BadGzipFile, zlib.error, EOFError):
            raise InputError(
                f"{path}: expected a whole .gz file, found one cut short, damaged or not gzipped;"
                " get it again"
            ) from None


def count_lines(paths: Iterable[Path]) -> int | None:
    """How many lines files have together; None where one cannot be read, or not twice."""
    paths = [path.expanduser() for path in paths]
    if not all(path.is_file() for path in paths):
        return None
    with contextlib.suppress(InputError, OSError):
        return sum(1 for path in paths for _ in iterate_lines(path, "replace"))
    return None


def read_lines(path: str | Path) -> tuple[str, ...]:
    """Reads all that `iterate_lines` yields."""
    return tuple(iterate_lines(path))


def read_zip_member(path: Path, member: str) -> tuple[str, ...]:
    """Reads all lines of one file in a zip archive that `check_zip` has seen; nothing is unpacked.

    Raises:
        InputError: a line is not UTF-8.
    """
    with zipfile.ZipFile(path) as archive, archive.open(member) as file:
        return tuple(decode_lines(file, f"{path}, {member}"))


def files_of(files: FilesConfig) -> tuple[Path, ...]:
    """The paths that a configuration names, each of them a file.

    Raises:
        InputError: one is not.
    """
    names = (files.tsv, files.source, files.target)
    paths = tuple(Path(name).expanduser() for name in names if name)
    for path in paths:
        with _expected_file(path):
            path.open("rb").close()
    return paths


def read_pairs(files: FilesConfig) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Reads aligned sentences from a TSV file or from two files.

    Returns:
        The source sentences and the target sentences, equally many.

    Raises:
        InputError: a file cannot be read, a TSV line has no tab, the two files
            have different numbers of lines, or there is nothing in them.
    """
    if files.tsv is not None:
        return columns(read_lines(files.tsv), files.tsv)
    return aligned(Path(files.source), Path(files.target))


def aligned(source: Path, target: Path) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Reads two files of which line by line translates the other.

    Raises:
        InputError: as in `read_pairs`.
    """
    sources, targets = read_lines(source), read_lines(target)
    if len(sources) != len(targets):
        shorter, longer = sorted(((sources, source), (targets, target)), key=lambda s: len(s[0]))
        raise InputError(
            f"{source} has {len(sources):,} lines and {target} has {len(targets):,}:"
            f" expected one translation a line, {shorter[1].name} ends before line"
            f" {len(shorter[0]) + 1:,} of {longer[1].name}: {_excerpt(longer[0][len(shorter[0])])}"
        )
    if not sources:
        raise InputError(f"{source}: expected sentence pairs, found an empty file")
    return sources, targets


def columns(lines: tuple[str, ...], name: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Takes lines apart at tabs: source, target, and anything further is left out.

    Raises:
        InputError: a line has no tab, or there are none.
    """
    if not lines:
        raise InputError(f"{name}: expected sentence pairs, found an empty file")
    pairs = []
    for number, line in enumerate(lines, start=1):
        fields = line.split("\t")
        if len(fields) < 2:
            raise InputError(
                f"{name}, line {number}: expected source TAB target, found no tab in"
                f" {_excerpt(line)}; put it right or remove the line"
            )
        pairs.append(fields[:2])
    sources, targets = zip(*pairs)
    return sources, targets


def _excerpt(line: str) -> str:
    return repr(line if len(line) <= 40 else line[:39] + "…")


@contextlib.contextmanager
def _expected_file(path: Path) -> Iterator[None]:
    try:
        yield
    except (FileNotFoundError, NotADirectoryError):
        raise InputError(
            f"{path}: expected a text file, found nothing there; mind that paths start"
            " from the folder you are in"
        ) from None
    except IsADirectoryError:
        raise InputError(
            f"{path}: expected a text file, found a directory; name a file in it"
        ) from None
