"""Rows of TSV and CSV files, plain or with fields in quotation marks."""

import contextlib
import csv
import itertools
import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from translator.base.errors import InputError
from translator.base.texts import quoted
from translator.corpora.files import Pair, expect_rows
from translator.corpora.pair_files.rows import Row, as_line

SAMPLE = 200  # rows that are read to recognise the form of a table
MARKS_SAMPLE = 10_000  # lines that are read to see whether fields are in quotation marks
MARKS = ";,|"  # possible separators of CSV; if several are possible, the first one is taken
BARS = " ||| "  # separates fields in files of fast_align and Moses
IN_MARKS = re.compile(r'(?<![^\t\n])"((?:[^"\t]|"")*)"(?![^\t\n])')  # a field of a TSV file


def read_tab_separated(lines: Iterable[str], name: str) -> Iterator[Pair]:
    """Splits lines at tabs into source and target; skips blank lines at the end.

    Further columns are ignored.
    """

    def pairs() -> Iterator[Pair]:
        for place, (number, fields) in enumerate(split_at_tabs(lines, name), start=1):
            if number != place:
                raise _without_tab(name, place, "")
            yield fields[0], fields[1]

    yield from expect_rows(pairs(), name)


def split_at_tabs(lines: Iterable[str], name: str) -> Iterator[Row]:
    """Splits each line at tabs, with its number; skips blank lines."""
    for number, line in enumerate(lines, start=1):
        fields = line.split("\t")
        if len(fields) > 1:
            yield number, fields
        elif line.strip():
            raise _without_tab(name, number, line)


def _without_tab(name: str, number: int, line: str) -> InputError:
    advice = "correct the line or remove it"
    if number == 1:
        advice += ", or name two files if each side has its own"
    return InputError(
        f"{name}, line {number}: expected source TAB target, found no tab in {quoted(line)};"
        f" {advice}"
    )


def table_rows(lines: Iterator[str], name: str, report: Callable[[str], None]) -> Iterator[Row]:
    """The rows of a TSV or CSV file, with the number of the line where each begins.

    A file with tabs in its first line is TSV. Otherwise a file is CSV if all rows at the beginning
    have the same number of semicolons, commas or bars.
    """
    beginning = list(itertools.islice(lines, MARKS_SAMPLE))
    lines = itertools.chain(beginning, lines)
    if all(BARS in line for line in beginning if line.strip()):
        yield from split_at_tabs((line.replace(BARS, "\t") for line in lines), name)
        return
    is_tsv = "\t" in next(filter(str.strip, beginning))
    mark = "\t" if is_tsv else _find_mark(beginning[:SAMPLE], name)
    if mark != "\t":
        yield from _quoted_rows(lines, mark, name)
    elif _are_in_marks("\n".join(beginning)):
        report(f"{name}: fields in quotation marks are read without the marks")
        yield from _quoted_rows(lines, mark, name)
    else:
        yield from split_at_tabs(lines, name)


def _find_mark(lines: Sequence[str], name: str) -> str:
    """The mark that divides all rows into the same number of fields, if it is no punctuation."""
    for mark in MARKS:
        rows: list[list[str]] = []
        with contextlib.suppress(csv.Error):  # reading reports an unclosed field later
            for row in csv.reader((f"{line}\n" for line in lines), delimiter=mark):
                rows += [row] if any(map(str.strip, row)) else []
        fields = [field for row in rows for field in row[1:]]
        is_prose = 2 * sum(field.startswith(" ") for field in fields) > len(fields)
        if fields and len(set(map(len, rows))) == 1 and not is_prose:
            return mark
    return max(",;|", key=lines[0].count) if name.lower().endswith(".csv") else "\t"


def _are_in_marks(text: str) -> bool:
    """Whether all fields of a TSV file, or all that need them, are in quotation marks.

    A field needs them if it has a quotation mark inside. That mark is doubled.
    """
    rest = IN_MARKS.sub("", text)
    if '"' in rest:
        return False
    is_needed = any('""' in field or "\n" in field for field in IN_MARKS.findall(text))
    return is_needed or (not rest.strip() and text.count("\n") > 1)


def _quoted_rows(lines: Iterable[str], mark: str, name: str) -> Iterator[Row]:
    """Reads rows whose fields may be in quotation marks, with line ends and marks inside."""
    reader = csv.reader((f"{line}\n" for line in lines), delimiter=mark, strict=True)
    width = 2
    for place in itertools.count():
        number = reader.line_num + 1
        try:
            row = next(reader, None)
        except csv.Error as error:
            problem = str(error).partition(" (")[0]
            raise InputError(
                f"{name}, line {number}: expected fields with {quoted(mark)} between them, each of"
                f" at most {csv.field_size_limit() >> 10} KiB, and quotation marks inside quoted"
                f" fields doubled, found {problem!r} by line {reader.line_num}; correct the marks"
            ) from None
        if row is None:
            return
        if not any(map(str.strip, row)):
            continue
        width = max(len(row), 2) if place == 0 else width
        if len(row) != width:
            raise InputError(
                f"{name}, line {number}: expected {width} fields as in the rows before, found"
                f" {len(row)} in {quoted(mark.join(row))}; put quotation marks around fields that"
                f" contain {mark!r}"
            )
        yield number, [as_line(field) for field in row]
