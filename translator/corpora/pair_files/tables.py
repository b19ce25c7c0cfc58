"""Rows of TSV and CSV files, plain or with fields in quotation marks."""

import csv
import itertools
import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from translator.base.errors import InputError
from translator.base.texts import quoted
from translator.corpora.files import Pair, expected_rows
from translator.corpora.pair_files.rows import Row, as_line

FEWEST_QUOTED = 3  # rows that are all quoted, by which such a file is known
SAMPLE = 200  # lines, by which a file is known
SAMPLE_CHARACTERS = 1 << 20  # that these have at the most
MARKS = ";,|"  # that stand between the fields of CSV; the first wins where several may be meant
BARS = " ||| "  # of fast_align and Moses, for tabs
ABOVE = re.compile(r"sep=.|#TYPE .*")  # what Excel and PowerShell write above the rows


def read_tab_separated(lines: Iterable[str], name: str) -> Iterator[Pair]:
    """Splits lines at tabs: source, target, and any further columns are ignored.

    Blank lines at the end are left out.

    Args:
        lines: without their ends.
        name: names them in errors.

    Yields:
        (source, target) of each line.

    Raises:
        InputError: a line has no tab, or there are no lines.
    """

    def pairs() -> Iterator[Pair]:
        for place, (number, fields) in enumerate(split_at_tabs(enumerate(lines, 1), name), 1):
            if number != place:
                raise _without_tab(name, place, "")
            yield fields[0], fields[1]

    yield from expected_rows(pairs(), name)


def split_at_tabs(lines: Iterable[tuple[int, str]], name: str) -> Iterator[Row]:
    """The fields of each line with its number; blank lines are left out.

    Raises:
        InputError: a line has no tab.
    """
    for number, line in lines:
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


def table_rows(lines: Iterator[str], name: str, tell: Callable[[str], None]) -> Iterator[Row]:
    """The rows of a TSV or CSV file, with the number of the line where each begins.

    Tabs in the first line make it a TSV file. Otherwise semicolons, commas or bars make it CSV, if
    all rows at the beginning have as many.

    Args:
        lines: without their ends.
        name: of the file.
        tell: is given what is assumed.

    Raises:
        InputError: a line does not fit.
    """
    beginning = _sample(lines)
    lines = itertools.chain(beginning, lines)
    if all(BARS in line for line in beginning if line.strip()):
        beginning = [line.replace(BARS, "\t") for line in beginning]
        lines = (line.replace(BARS, "\t") for line in lines)
    numbered = enumerate(lines, start=1)
    above = [line for line in beginning[:1] if ABOVE.fullmatch(line.strip('"'))]
    for line in above:
        tell(f"{name}: line 1, {quoted(line)}, is of the program, and left out")
        beginning = beginning[1:]
        next(numbered)
    first = next(filter(str.strip, beginning), "")
    mark = "\t" if "\t" in first else _find_mark(beginning, name)
    if mark in (None, "\t"):
        fields = [line.split("\t") for line in beginning if line.strip()]
        if not are_quoted(fields) and not _has_lines_inside(beginning):
            yield from _plain_rows(numbered, name, tell)
            return
        tell(f"{name}: fields in quotation marks are read without these")
    yield from _quoted_rows(numbered, mark or "\t", name, len(above))


def _sample(lines: Iterator[str]) -> list[str]:
    found: list[str] = []
    characters = 0
    for line in itertools.islice(lines, SAMPLE):
        found.append(line)
        characters += len(line)
        if characters > SAMPLE_CHARACTERS:
            break
    return found


def _find_mark(lines: Sequence[str], name: str) -> str | None:
    """The mark between fields by which all rows have equally many; prose has a space behind it."""
    found = []
    for mark in MARKS:
        rows = [row for row in _whole_rows(lines, mark) if any(map(str.strip, row))]
        fields = [field for row in rows for field in row[1:]]
        is_prose = 2 * sum(field.startswith(" ") for field in fields) > len(fields)
        widths = set(map(len, rows))
        if len(widths) == 1 and max(widths) > 1 and not is_prose:
            found.append(mark)
    if not found and name.lower().endswith(".csv"):  # what is wrong is said when it is read
        first = "".join(lines[:1])
        return max(",;|", key=first.count) if any(map(first.count, MARKS + '"')) else None
    return found[0] if found else None


def _whole_rows(lines: Sequence[str], mark: str) -> list[list[str]]:
    """The rows at the beginning, the last one excepted if it has no end; none if one is wrong."""
    rows: list[list[str]] = []
    try:
        for row in csv.reader((f"{line}\n" for line in lines), delimiter=mark, strict=True):
            rows.append(row)
    except csv.Error as error:
        return [] if "expected after" in str(error) else rows
    return rows


def _has_lines_inside(lines: Sequence[str]) -> bool:
    """Whether fields of a TSV file have line ends inside, as those of spreadsheets may."""
    rows = _whole_rows(lines, "\t")
    long = [field for row in rows for field in row if "\n" in field.strip("\n")]
    return bool(long) and len(set(map(len, rows))) == 1 and not any("\t" in each for each in long)


def _plain_rows(
    lines: Iterator[tuple[int, str]], name: str, tell: Callable[[str], None]
) -> Iterator[Row]:
    """Rows without quotation marks around fields, until a line shows that the file has these."""
    signs = 0
    for number, line in lines:
        if '"' in line:
            signs += sum(map(sign_of_quotes, line.split("\t")))
            if signs > 0:
                tell(
                    f"{name}: from line {number:,} on, fields in quotation marks are read without"
                    " these"
                )
                rest = itertools.chain([(number, line)], lines)
                yield from _quoted_rows(rest, "\t", name, number - 1)
                return
        yield from split_at_tabs([(number, line)], name)


def _quoted_rows(
    lines: Iterator[tuple[int, str]], mark: str, name: str, taken: int = 0
) -> Iterator[Row]:
    """Rows whose fields may be in quotation marks, and then have line ends and marks inside.

    Args:
        lines: with their numbers.
        mark: what stands between fields.
        name: of the file.
        taken: the number of the line before the first one.

    Raises:
        InputError: a field is not closed or too long, or a row has another number of fields.
    """

    def read() -> Iterator[str]:
        nonlocal taken
        for number, line in lines:
            taken = number
            yield f"{line}\n"

    reader = csv.reader(read(), delimiter=mark, strict=True)
    width = 0
    while True:
        before = taken
        try:
            row = next(reader, None)
        except csv.Error as error:
            problem = str(error).partition(" (")[0]
            raise InputError(
                f"{name}, line {before + 1}: expected fields with {quoted(mark)} between them, in"
                " quotation marks where needed, with those inside doubled, and at most"
                f" {csv.field_size_limit() >> 10} KiB in each, found"
                f" {problem!r} by line {taken}; correct the marks there"
            ) from None
        if row is None:
            return
        if not any(map(str.strip, row)):
            continue
        width = width or len(row)
        if mark == "\t" and len(row) < 2:
            raise _without_tab(name, before + 1, row[0])
        if len(row) != width and mark != "\t" or len(row) < 2:
            raise InputError(
                f"{name}, line {before + 1}: expected {width} fields as in the rows before, found"
                f" {len(row)} in {quoted(mark.join(row))}; put a field with {mark!r} in it into"
                " quotation marks"
            )
        yield before + 1, [as_line(field) for field in row]


def are_quoted(rows: Sequence[Sequence[str]]) -> bool:
    """Whether rows of a TSV file show that its fields are quoted, all of them or where needed."""
    fields = [field for row in rows for field in row if field.strip()]
    if sum(map(sign_of_quotes, fields)) > 0:
        return True
    return len(rows) >= FEWEST_QUOTED and bool(fields) and all(map(_is_enclosed, fields))


def sign_of_quotes(field: str) -> int:
    """What the marks in one field show about its file.

    Programs that write quoted fields put marks around each that has a mark in it, and double those.

    Returns:
        1 if it has marks as no other text writes them; -1 if it has some that are not doubled; 0 if
        it may be of either kind.
    """
    if '"' not in field:
        return 0
    if not _is_enclosed(field):
        return -1
    inside = field.strip()[1:-1]
    return int('""' in inside and inside.strip('"') != "")


def _is_enclosed(field: str) -> bool:
    """Whether a field stands in quotation marks, with each mark inside of it doubled."""
    inside = field.strip()[1:-1]
    is_enclosed = len(field.strip()) >= 2 and field.strip()[0] == field.strip()[-1] == '"'
    return is_enclosed and '"' not in inside.replace('""', "")
