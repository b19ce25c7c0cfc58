"""Tables, comma-separated (.csv) and tab-separated (.tsv): the texts of chosen columns."""

import contextlib
import csv
import functools
import io
import itertools
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from translator.addons.documents.document import Document, decoded
from translator.addons.documents.values import Value, document_of_values
from translator.base.errors import InputError
from translator.base.texts import listed, printable, quoted, shorten

SEPARATORS = ",;\t|"
SAYS_SEPARATOR = re.compile(r"sep=([,;\t|])\r?\n")  # as Excel writes it
SAMPLE = 1 << 16  # characters that the separator is found in
QUOTED = re.compile(r'(?:^|\t)"(?:[^"]|"")*+"(?=[\t\r\n]|\Z)', re.MULTILINE)  # a cell between tabs
csv.field_size_limit(1 << 24)


class TableRow(NamedTuple):
    """A row of a table.

    Attributes:
        start: where it begins, in characters.
    """

    start: int
    cells: list[str]


def read_table(content: bytes, name: str, columns: Sequence[str] = ()) -> Document:
    """Reads a table in UTF-8, whose first row has the names of the columns if these are asked for.

    Where no cell between tabs is in quotation marks, these are signs like others.

    Args:
        columns: their numbers, from 1, or names; may be left out if there is one column.
    """
    page = decoded(content, name)
    is_tsv = name.lower().endswith(".tsv")
    said = SAYS_SEPARATOR.match(page)
    separator = "\t" if is_tsv else said[1] if said else _separator(page[:SAMPLE])
    may_quote = not is_tsv or QUOTED.search(page) is not None
    rows = list(_rows(page, separator, may_quote, name))[said is not None :]
    names = [each.strip() for each in rows[0].cells] if rows else []
    if not columns and len(names) > 1:
        raise InputError(
            f"{name}: expected a number or a name with --column, or in the field column of a"
            f" request, as there are {len(names)} columns: {_listed(names)}; found none"
        )
    chosen = {_number(column, names, name) for column in columns or ("1",)}
    first = int(any(not column.isdecimal() for column in columns))
    values = (
        cell._replace(place=f"row {i}, column {j + 1}")
        for i, row in enumerate(rows[first:], start=first + 1)
        for j, cell in enumerate(_cells(row, page))
        if j in chosen
    )
    quote = functools.partial(_as_cell, separator=separator, may_quote=may_quote)
    return document_of_values(page, content, values, quote)


def _separator(page: str) -> str:
    """What separates the cells: most rows have as many of them as the first one."""
    lines = list(io.StringIO(page, newline=""))

    def fitness(separator: str) -> tuple[bool, bool, float]:
        reader = csv.reader(lines, delimiter=separator, strict=True)
        counts: list[int] = []
        with contextlib.suppress(csv.Error):
            counts += (len(row) for row in reader if row)
        first = counts[0] if counts else 1
        share = counts.count(first) / max(len(counts), 1)
        return reader.line_num == len(lines), first > 1 and share >= 0.5, share

    return max(SEPARATORS, key=fitness)


def _rows(page: str, separator: str, may_quote: bool, name: str) -> Iterator[TableRow]:
    lines = list(io.StringIO(page, newline=""))
    begins = [0, *itertools.accumulate(map(len, lines))]
    reader = csv.reader(
        lines,
        delimiter=separator,
        quoting=csv.QUOTE_MINIMAL if may_quote else csv.QUOTE_NONE,
        strict=True,
    )
    begin = 0
    try:
        for cells in reader:
            yield TableRow(begins[begin], cells)
            begin = reader.line_num
    except csv.Error as error:
        raise InputError(
            f"{name}, line {begin + 1}: expected a row of a table: {error}; correct it"
        ) from None


def _cells(row: TableRow, page: str) -> Iterator[Value]:
    """The cells of a row, which are in the file as they are here, or in quotation marks."""
    start = row.start
    for text in row.cells:
        as_quoted = _in_quotes(text)
        end = start + len(as_quoted if page.startswith(as_quoted, start) else text)
        yield Value(start, end, text)
        start = end + 1


def _as_cell(text: str, old: str, separator: str, may_quote: bool) -> str:
    """A text in quotation marks, if it had some or needs them."""
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
            f"{file}: expected rows that have as many cells as the first one, and the column"
            f" {quoted(column)}, found none or a single column; correct the rows"
        )
    raise InputError(
        f"{file}: expected the number of a column, 1 to {len(names)}, or one of"
        f" {_listed(names)}, found {quoted(column)}"
    )


def _listed(names: Sequence[str]) -> str:
    """Names of columns in one line."""
    return listed([shorten(printable(name)) for name in names])
