"""Tables, comma-separated (.csv) and tab-separated (.tsv): the texts of chosen columns."""

import csv
import io
from collections.abc import Sequence

from translator.addons.documents.document import Document, Text, Written, decoded
from translator.base.errors import InputError
from translator.base.texts import listed

SEPARATORS = ",;\t|"
SAMPLE = 1 << 16  # characters that the separator is guessed from
csv.field_size_limit(1 << 24)


def read_table(content: bytes, name: str, columns: Sequence[str] = ()) -> Document:
    """Reads a table in UTF-8, whose first row has the names of the columns if these are asked for.

    Args:
        content: of the file.
        name: of the file, for errors.
        columns: their numbers, from 1, or names; may be left out if there is one column.

    Raises:
        InputError: it is no such table, or has no such column.
    """
    page = decoded(content, name)
    end = "\r\n" if "\r\n" in page else "\n"
    try:
        separator = csv.Sniffer().sniff(page[:SAMPLE], SEPARATORS).delimiter
    except csv.Error:  # of one column, for example
        separator = "\t" if name.endswith(".tsv") else ","
    try:
        given = io.StringIO(page, newline="")
        rows = list(csv.reader(given, delimiter=separator, strict=True))
    except csv.Error as error:
        raise InputError(f"{name}: expected a table of separated values: {error}") from None
    names = rows[0] if rows else []
    if not columns and len(names) > 1:
        raise InputError(
            f"{name}: expected --column with a number or a name, as there are {len(names)} columns:"
            f" {listed(names)}; found none"
        )
    chosen = [_number(column, names, name) for column in columns or ("1",)]
    first = int(any(not column.isdecimal() for column in columns))
    cells = [
        (i, j)
        for i, row in enumerate(rows)
        for j, cell in enumerate(row)
        if i >= first and j in chosen and any(map(str.isalpha, cell))
    ]
    texts = [Text(" ".join(rows[i][j].split()), f"row {i + 1}, column {j + 1}") for i, j in cells]

    def write(written: Sequence[Written]) -> bytes:
        made = [list(row) for row in rows]
        for (i, j), each in zip(cells, written):
            made[i][j] = each.text
        output = io.StringIO()
        csv.writer(output, delimiter=separator, lineterminator=end).writerows(made)
        return output.getvalue().encode()

    return Document(texts, write)


def _number(column: str, names: Sequence[str], file: str) -> int:
    if column.isdecimal() and 1 <= int(column) <= max(len(names), 1):
        return int(column) - 1
    if column in names:
        return names.index(column)
    raise InputError(
        f"{file}: expected the number of a column, 1 to {len(names)}, or one of {listed(names)},"
        f" found {column!r}"
    )
