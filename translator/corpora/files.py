"""Reads lines and sentence pairs from the user's own files: UTF-8, plain or gzipped."""

import contextlib
import gzip
import itertools
import zlib
from collections import deque
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, Any, TypeVar

from translator.base.errors import InputError
from translator.base.files import path_below_home
from translator.base.texts import quoted

Pair = tuple[str, str]
Entry = TypeVar("Entry")
MAX_LINE_BYTES = 1 << 24  # 16 MiB, so that a file without line ends cannot fill the memory


class UnequalFiles(InputError):
    """Two files that belong together have different numbers of lines.

    Attributes:
        problem: the message without the advice.
    """

    def __init__(self, problem: str) -> None:
        super().__init__(
            f"{problem}; check that the lines belong together: with a model of these languages,"
            " translator inspect shows up to which line they do"
        )
        self.problem = problem


class LineEnds:
    """How the lines of a file end: LF, CRLF, or, for the last line, nothing.

    Line ends wait until they are taken, because another thread may read the file.
    """

    def __init__(self) -> None:
        self._waiting: deque[str] = deque()
        self._taken = 0

    def add(self, end: str) -> None:
        """Adds the end of the next line."""
        self._waiting.append(end)

    def take(self, place: int) -> str:
        """Returns the end of a line that was read, and forgets the ends before it.

        Args:
            place: the number of the line, from 0; higher than in the call before.
        """
        while self._taken < place:
            self._waiting.popleft()
            self._taken += 1
        self._taken += 1
        return self._waiting.popleft()


def decode_lines(
    lines: Iterable[bytes], name: str, errors: str = "strict", ends: LineEnds | None = None
) -> Iterator[str]:
    """Decodes lines of bytes; line ends (LF or CRLF) and a leading BOM are dropped.

    Only a line feed ends a line. So one line of a file is one sentence, whatever other characters
    the line has.

    Args:
        errors: ``replace`` puts U+FFFD for bytes that are not UTF-8. Then there is an error only
            if the first line is not text.
        ends: receives the end of each line before the line is yielded.
    """
    for number, line in enumerate(lines, start=1):
        if (errors == "strict" or number == 1) and _is_binary(line):
            raise InputError(
                f"{name}, line {number}: expected text in UTF-8, found zero bytes, as in UTF-16 or"
                " a binary file; convert it first, for example with iconv -f UTF-16 -t UTF-8"
            )
        try:
            text = line.decode("utf-8", errors)
        except UnicodeDecodeError as error:
            raise InputError(
                f"{name}, line {number}: expected UTF-8, found the byte"
                f" 0x{line[error.start]:02x} at column {error.start + 1}; mend the line, or"
                " convert a file in another encoding: iconv -f WINDOWS-1252 -t UTF-8"
            ) from None
        if number == 1:
            text = text.removeprefix("\ufeff")
        plain = text.removesuffix("\n").removesuffix("\r")
        if ends is not None:
            ends.add(text[len(plain) :])
        yield plain


def _is_binary(line: bytes) -> bool:
    """Whether a line has too many zero bytes for text, or begins a ZIP archive or PDF."""
    return 4 * line.count(0) >= len(line) >= 8 or line.startswith((b"PK\x03\x04", b"%PDF-"))


def iterate_stream(
    file: IO[bytes] | gzip.GzipFile, name: str, errors: str = "strict", ends: LineEnds | None = None
) -> Iterator[str]:
    """Yields the lines of an open binary file, such as standard input."""
    return decode_lines(_split_lines(file, name), name, errors, ends)


def _split_lines(file: IO[bytes] | gzip.GzipFile, name: str) -> Iterator[bytes]:
    number = 0
    while line := file.readline(MAX_LINE_BYTES + 1):
        number += 1
        if len(line) > MAX_LINE_BYTES:
            raise InputError(
                f"{name}, line {number}: expected a line of text of at most"
                f" {MAX_LINE_BYTES >> 20} MiB, found a longer one; split it into lines"
            )
        yield line


def iterate_lines(
    path: str | Path, errors: str = "strict", ends: LineEnds | None = None
) -> Iterator[str]:
    """Yields the lines of a plain or ``.gz`` file; ``errors`` and ``ends`` as in `decode_lines`.

    Raises:
        InputError: the file is missing, a directory, cut short or not UTF-8.
    """
    path = path_below_home(path, "file")
    with expect_file(path):
        try:
            with gzip.open(path, "rb") if path.suffix == ".gz" else open(path, "rb") as file:
                yield from iterate_stream(file, str(path), errors, ends)
        except (gzip.BadGzipFile, zlib.error, EOFError):
            raise InputError(
                f"{path}: expected a whole .gz file, found a file that is cut short, damaged or"
                " not gzipped; get it again"
            ) from None


def read_lines(path: str | Path) -> tuple[str, ...]:
    """Reads all lines of a plain or ``.gz`` file."""
    return tuple(iterate_lines(path))


def count_lines(paths: Iterable[Path]) -> int | None:
    """Counts the lines of all files; None if a file cannot be read, or can be read only once."""
    paths = [path_below_home(path, "file") for path in paths]
    if not all(path.is_file() for path in paths):
        return None
    with contextlib.suppress(InputError, OSError):
        return sum(1 for path in paths for _ in iterate_lines(path, "replace"))
    return None


def check_file(path: Path) -> None:
    """Checks that a file can be opened more than once."""
    if path.is_fifo():
        raise InputError(
            f"{path}: expected a file, found a pipe; save the data in a file, which training can"
            " read several times"
        )
    with expect_file(path):
        path.open("rb").close()


def zip_lines(*streams: tuple[str, Iterable[Any]]) -> Iterator[tuple[Any, ...]]:
    """Iterates over several streams together; skips blank lines at the end of one of them.

    Args:
        *streams: the stream's name for errors, and its lines or the items read from them.

    Raises:
        UnequalFiles: one stream ends before another.
    """
    ended = object()
    names, lines = zip(*streams)
    rows = enumerate(itertools.zip_longest(*lines, fillvalue=ended), start=1)
    for number, items in rows:
        if ended in items:
            left = [item for row in ((0, items), *rows) for item in row[1] if item is not ended]
            if not any(map(_has_text, left)):
                return
            short = names[items.index(ended)]
            long = next(name for name, item in zip(names, items) if item is not ended)
            first = left[0] if isinstance(left[0], str) else "\t".join(left[0])
            raise UnequalFiles(
                f"{short}: expected as many lines as in {long}, found only {number - 1:,}; line"
                f" {number:,} of {long} is left over: {quoted(first)}"
            )
        yield items


def expect_rows(rows: Iterator[Entry], name: str) -> Iterator[Entry]:
    """Passes on rows; raises an error if there are none."""
    is_empty = True
    for row in rows:
        is_empty = False
        yield row
    if is_empty:
        raise InputError(f"{name}: expected sentence pairs, found an empty file")


def _has_text(item: Any) -> bool:
    return not isinstance(item, str) or bool(item.strip())


@contextlib.contextmanager
def expect_file(path: Path) -> Iterator[None]:
    """Turns the errors of a file that cannot be opened into errors for the user."""
    try:
        yield
    except (FileNotFoundError, NotADirectoryError):
        raise InputError(
            f"{path}: expected a text file, found nothing there; relative paths start from the"
            " current folder"
        ) from None
    except IsADirectoryError:
        raise InputError(
            f"{path}: expected a text file, found a directory; name a file in it"
        ) from None
