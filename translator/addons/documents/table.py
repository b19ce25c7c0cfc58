"""Translates chosen columns of tables: comma-separated (.csv) or tab-separated (.tsv)."""

import contextlib
import csv
import functools
import io
import itertools
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from translator.addons.documents.document import Document, decode
from translator.addons.documents.values import Value, document_of_values
from translator.base.errors import InputError
from translator.base.texts import listed, printable, quoted, shorten

SEPARATORS = ",;\t|"
SAYS_SEPARATOR = re.compile(r"sep=([,;\t|])\r?\n")  # as Excel writes it
SAMPLE = 1 << 16  # characters; the separator is searched in them
QUOTED = re.compile(r'(?:^|\t)"(?:[^"]|"")*+"(?=[\t\r\n]|\Z)', re.MULTILINE)  # a cell between tabs
csv.field_size_limit(1 << 24)


class TableRow(NamedTuple):
    """A row of a table.

    Attributes:
        start: the place where it begins, in characters.
    """

    start: int
    cells: list[str]


def read_table(content: bytes, name: str, columns: Sequence[str] = ()) -> Document:
    """Reads a table in UTF-8. If columns are chosen by name, the first row has the names.

    If no cell between tabs is in quotation marks, these marks are ordinary characters.

    Args:
        columns: numbers from 1, or names; may be left out if there is only one column.
    """
    file_text = decode(content, name)
    is_tsv = name.lower().endswith(".tsv")
    declared = SAYS_SEPARATOR.match(file_text)
    separator = "\t" if is_tsv else declared[1] if declared else _separator(file_text[:SAMPLE])
    may_quote = not is_tsv or QUOTED.search(file_text) is not None
    rows = list(_rows(file_text, separator, may_quote, name))[declared is not None :]
    names = [cell.strip() for cell in rows[0].cells] if rows else []
    if not columns and len(names) > 1:
        raise InputError(
            f"{name}: expected a column, found none; choose one by number or name with --column (in"
            f" a request: with the field column); the {len(names)} columns are: {_listed(names)}"
        )
    column_numbers = {_number(column, names, name) for column in columns or ("1",)}
    first = int(any(not column.isdecimal() for column in columns))
    values = (
        cell._replace(place=f"row {i}, column {j + 1}")
        for i, row in enumerate(rows[first:], start=first + 1)
        for j, cell in enumerate(_cells(row, file_text))
        if j in column_numbers
    )
    quote = functools.partial(_as_cell, separator=separator, may_quote=may_quote)
    return document_of_values(file_text, content, values, quote)


def _separator(sample: str) -> str:
    """Guesses the separator: with it, most rows have as many cells as the first row."""
    lines = list(io.StringIO(sample, newline=""))

    def fitness(separator: str) -> tuple[bool, bool, float]:
        reader = csv.reader(lines, delimiter=separator, strict=True)
        counts: list[int] = []
        with contextlib.suppress(csv.Error):
            counts += (len(row) for row in reader if row)
        first = counts[0] if counts else 1
        share = counts.count(first) / max(len(counts), 1)
        return reader.line_num == len(lines), first > 1 and share >= 0.5, share

    return max(SEPARATORS, key=fitness)


def _rows(file_text: str, separator: str, may_quote: bool, name: str) -> Iterator[TableRow]:
    lines = list(io.StringIO(file_text, newline=""))
    line_starts = [0, *itertools.accumulate(map(len, lines))]
    reader = csv.reader(
        lines,
        delimiter=separator,
        quoting=csv.QUOTE_MINIMAL if may_quote else csv.QUOTE_NONE,
        strict=True,
    )
    first_line = 0
    try:
        for cells in reader:
            yield TableRow(line_starts[first_line], cells)
            first_line = reader.line_num
    except csv.Error as error:
        raise InputError(
            f"{name}, line {first_line + 1}: expected a row of a table: {error}; correct it"
        ) from None


def _cells(row: TableRow, file_text: str) -> Iterator[Value]:
    """Yields the cells of a row. They may be in quotation marks in the file."""
    start = row.start
    for text in row.cells:
        as_quoted = _in_quotes(text)
        end = start + len(as_quoted if file_text.startswith(as_quoted, start) else text)
        yield Value(start, end, text)
        start = end + 1


def _as_cell(text: str, old: str, separator: str, may_quote: bool) -> str:
    """A text as a cell: in quotation marks if the old cell had them or the text needs them."""
    needs_them = text.startswith('"') or separator in text
    is_quoted = may_quote and (old.startswith('"') or needs_them)
    return _in_quotes(text) if is_quoted else text


def _in_quotes(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'


def _number(column: str, names: Sequence[str], file: str) -> int:
    if column.isdecimal() and 1 <= int(column) <= max(len(names), 1):
        return int(column) - 1
    if column in names:
        return names.index(column)
    if len(names) < 2:
        raise InputError(
            f"{file}: expected the column {quoted(column)}, found no table of several columns; give"
            " each row as many cells as the first row"
        )
    raise InputError(
        f"{file}: expected the number of a column, 1 to {len(names)}, or one of"
        f" {_listed(names)}, found {quoted(column)}"
    )


def _listed(names: Sequence[str]) -> str:
    """Names of columns in one line."""
    return listed([shorten(printable(name)) for name in names])
