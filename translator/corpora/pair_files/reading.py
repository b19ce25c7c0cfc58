"""Reads sentence pairs from files of all known forms."""

import contextlib
import itertools
import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from translator.base.errors import InputError
from translator.corpora.files import Pair, expect_rows, iterate_stream, zip_lines
from translator.corpora.pair_files.columns import Columns, choose, is_header
from translator.corpora.pair_files.opening import (
    PARQUET,
    ZIP,
    Stream,
    is_in_another_encoding,
    not_pairs,
    open_members,
    open_stream,
)
from translator.corpora.pair_files.records import read_json_lines, read_parquet
from translator.corpora.pair_files.rows import AS_THEY_ARE, ReadOptions, Row, Table
from translator.corpora.pair_files.tables import SAMPLE, table_rows
from translator.corpora.pair_files.tmx import read_tmx

TMX = re.compile(
    r"(?:\s|<\?.*?\?>|<!--.*?-->|<!DOCTYPE[^>\[]*(?:\[.*?\]\s*)?>)*<tmx\b",
    re.DOTALL | re.IGNORECASE,
)
JSON = re.compile(r'[\[{]\s*["\[{]')
PLAIN = [1, 2]  # the columns that earlier versions read from every TSV file


class OpenPairs(NamedTuple):
    """Pairs that are being read.

    Attributes:
        pairs: each with the number of its first line, or of its record.
        choice: the parts of the files that are read, as plain values; None if all are read.
    """

    pairs: Iterator[tuple[int, Pair]]
    choice: list[Any] | None = None


def read_pairs(paths: Sequence[Path], options: ReadOptions = AS_THEY_ARE) -> Iterator[Pair]:
    """Reads the sentence pairs of one file, or of a source file and a target file.

    Args:
        paths: one file of any known form, or two files with a sentence on each line.
    """
    return (pair for _, pair in read_numbered_pairs(paths, options))


def read_numbered_pairs(
    paths: Sequence[Path], options: ReadOptions = AS_THEY_ARE
) -> Iterator[tuple[int, Pair]]:
    """Like `read_pairs`; each pair has the number of its first line, or of its record."""
    with _open_pairs(paths, options) as open_pairs:
        yield from expect_rows(open_pairs.pairs, str(paths[0]))


def choice_key(paths: Sequence[Path], options: ReadOptions) -> list[Any] | None:
    """The parts of the files that are read; None if earlier versions read the same parts."""
    if len(paths) > 1:
        return None
    with _open_pairs(paths, options._replace(report=lambda line: None)) as open_pairs:
        return open_pairs.choice


def read_side_by_side(
    paths: Sequence[Path], options: ReadOptions = AS_THEY_ARE
) -> Iterator[tuple[str, ...]]:
    """Reads files whose lines belong together; skips blank lines at the end."""
    with contextlib.ExitStack() as stack:
        streams = _open_sides(paths, options, stack)
        yield from expect_rows(_side_by_side(streams, options.errors), str(paths[0]))


def _side_by_side(streams: Sequence[Stream], errors: str) -> Iterator[tuple[str, ...]]:
    for stream in streams:
        form = _form(stream)
        if form != "table":
            raise not_pairs(
                stream.name, f"{form} as one side", "name only this file, as it has both sides"
            )
    return zip_lines(*((stream.name, _lines(stream, errors)) for stream in streams))


@contextlib.contextmanager
def _opened_streams(
    path: Path, options: ReadOptions, languages: tuple[str, str] | None
) -> Iterator[tuple[Stream, ...]]:
    """Opens a file. In a zip archive, opens the file of pairs, or the files of both sides."""
    with contextlib.ExitStack() as stack:
        streams: tuple[Stream, ...] = (stack.enter_context(open_stream(path)),)
        if streams[0].beginning.startswith(ZIP):
            streams = stack.enter_context(open_members(path, languages))
            names = " and ".join(stream.name.removeprefix(f"{path}, ") for stream in streams)
            options.report(f"{path}: read from the archive: {names}")
        for stream in streams:
            if stream.is_recoded:
                options.report(f"{stream.name}: read as UTF-16")
        yield streams


def _open_sides(
    paths: Sequence[Path], options: ReadOptions, stack: contextlib.ExitStack
) -> list[Stream]:
    sides: list[Stream] = []
    for path in paths:
        streams = stack.enter_context(_opened_streams(path, options, None))
        if len(streams) > 1:
            raise not_pairs(str(path), "an archive of both sides", "name only the archive")
        sides += streams
    return sides


def _lines(stream: Stream, errors: str) -> Iterator[str]:
    if b"\r" in stream.beginning[:-1] and b"\n" not in stream.beginning:
        advice = r"convert them, for example with tr '\r' '\n' < FILE > NEW"
        raise not_pairs(stream.name, "lines that end in CR alone", advice)
    errors = "strict" if is_in_another_encoding(stream.beginning) else errors
    return iterate_stream(stream.file, stream.name, errors)


@contextlib.contextmanager
def _open_pairs(paths: Sequence[Path], options: ReadOptions) -> Iterator[OpenPairs]:
    with contextlib.ExitStack() as stack:
        if len(paths) > 1:
            yield OpenPairs(_pairs_of_sides(_open_sides(paths, options, stack), options))
            return
        streams = stack.enter_context(_opened_streams(paths[0], options, options.languages))
        if len(streams) > 1:
            names = [stream.name.removeprefix(f"{paths[0]}, ") for stream in streams]
            yield OpenPairs(_pairs_of_sides(streams, options), [*names])
        else:
            yield _pairs_of_table(_open_table(streams[0], options), options)


def _pairs_of_sides(streams: Sequence[Stream], options: ReadOptions) -> Iterator[tuple[int, Pair]]:
    for number, (source, target) in enumerate(_side_by_side(streams, options.errors), start=1):
        pair = source, target
        if number == 1 and options.languages and is_header(pair, options.languages):
            options.report(
                f"{streams[0].name}: line 1 is a header row, {source!r} and {target!r}, and is left"
                " out"
            )
        else:
            yield number, pair


def _open_table(stream: Stream, options: ReadOptions) -> Table:
    form = _form(stream)
    if form == "table":
        rows = table_rows(_lines(stream, options.errors), stream.name, options.report)
        return Table(stream.name, "a table", rows)
    if form == "JSONL":
        rows = read_json_lines(_lines(stream, options.errors), stream.name)
        return Table(stream.name, form, rows, is_named=True)
    if form == "TMX":
        return Table(stream.name, form, read_tmx(stream), is_named=True, has_languages=True)
    return Table(stream.name, form, read_parquet(stream), is_named=True)


def _form(stream: Stream) -> str:
    """The form of a file: ``table``, ``JSONL``, ``TMX`` or ``Parquet``."""
    if stream.beginning.startswith(PARQUET):
        return "Parquet"
    text = stream.beginning.decode("utf-8", "replace").removeprefix("\ufeff").lstrip()
    if TMX.match(text):
        return "TMX"
    first = text.partition("\n")[0]
    if "\t" in first or not text.startswith(("{", "[")):
        return "table"
    with contextlib.suppress(ValueError, RecursionError):
        if isinstance(json.loads(first), dict):
            return "JSONL"
    if JSON.match(text):
        advice = "write it as JSONL, for example with jq -c '.[]'"
        raise not_pairs(stream.name, "JSON, but not a record on each line", advice)
    return "table"


def _pairs_of_table(table: Table, options: ReadOptions) -> OpenPairs:
    sample = list(itertools.islice(table.rows, SAMPLE))
    if not sample:
        if table.is_named:
            raise InputError(
                f"{table.name}: expected pairs, found {table.form} without pairs; name another file"
            )
        return OpenPairs(iter(()))
    choice = choose(table, sample, options)
    rows = itertools.chain(sample, table.rows)
    if choice.has_header:
        next(rows)
    read = [key + 1 if isinstance(key, int) else key for key in choice.keys]
    return OpenPairs(_pairs(table, rows, choice, options), None if read == PLAIN else read)


def _pairs(
    table: Table, rows: Iterator[Row], choice: Columns, options: ReadOptions
) -> Iterator[tuple[int, Pair]]:
    """Reads the chosen columns of rows without a header."""
    first, second = choice.keys
    left_out = 0
    for number, cells in rows:
        try:
            yield number, (cells[first], cells[second])
        except (IndexError, KeyError):
            if not table.has_languages:
                raise InputError(
                    f"{table.name}, line {number}: expected {_shown(first)} and {_shown(second)},"
                    f" found {len(cells)} fields; correct the line or remove it"
                ) from None
            left_out += 1
    if left_out:
        options.report(f"{table.name}: {left_out:,} units have no translation and are left out")


def _shown(key: Any) -> str:
    return f"column {key + 1}" if isinstance(key, int) else repr(key)
