"""Files of pairs that have another form than they seem to: quoted fields, a header, bare CR.

Training refuses such files. An inspection reads them, says what it found, and writes what training
reads.
"""

import itertools
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from translator.base.errors import InputError
from translator.base.languages import code_of, language_facts
from translator.base.texts import quoted

Pair = tuple[str, str]
COLUMN_NAMES = frozenset(
    ("source", "src", "source_text", "target", "tgt", "trg", "target_text", "translation")
)
LOOKED_AT = 20  # lines at the beginning that are all quoted, by which training knows such a file
FEWEST_QUOTED = 3  # of them that there must be


def is_header(pair: Pair, languages: tuple[str, str]) -> bool:
    """Whether a first line has the names of its columns, such as ``en`` and ``de``."""
    return all(
        (name := unquoted(field).strip().lower()) in COLUMN_NAMES
        or code_of(name) == language_facts(language).code
        for field, language in zip(pair, languages)
    )


def is_quoted(field: str) -> bool:
    """Whether a field stands in quotation marks, with each mark inside of it doubled."""
    inside = field.strip()[1:-1]
    is_enclosed = len(field.strip()) >= 2 and field.strip()[0] == field.strip()[-1] == '"'
    return is_enclosed and '"' not in inside.replace('""', "")


def sign_of_quotes(field: str) -> int:
    """What the marks in one field show about its file.

    Programs that write quoted fields put marks around each that has a mark in it, and double those.

    Returns:
        1 if it has marks as no other text writes them; -1 if it has some that are not doubled; 0 if
        it may be of either kind.
    """
    if '"' not in field:
        return 0
    if not is_quoted(field):
        return -1
    inside = field.strip()[1:-1]
    return int('""' in inside and inside.strip('"') != "")


def unquoted(field: str) -> str:
    """A field without the quotation marks around it, and with the marks inside of it single."""
    return field.strip()[1:-1].replace('""', '"') if is_quoted(field) else field


def are_quoted(pairs: Sequence[Pair]) -> bool:
    """Whether lines of a TSV file show that its fields are quoted, all of them or where needed."""
    fields = [field for pair in pairs for field in pair if field.strip()]
    if sum(map(sign_of_quotes, fields)) > 0:
        return True
    return len(pairs) >= FEWEST_QUOTED and bool(fields) and all(map(is_quoted, fields))


def describe_header(path: Path, pair: Pair) -> str:
    """What is said of a file with a header row."""
    return f"{path}, line 1: expected a pair of sentences, found a header row, {_shown(pair)}"


def describe_quoted(path: Path, pairs: Iterable[Pair], first: int = 1) -> str:
    """What is said of a file whose fields are quoted.

    Args:
        path: the file.
        pairs: lines of it, of which the first quoted one is named.
        first: the number of the first one.
    """
    number, pair = next(
        (number, pair) for number, pair in enumerate(pairs, first) if any(map(is_quoted, pair))
    )
    return (
        f"{path}, line {number}: expected plain source TAB target, found fields in quotation marks,"
        f" as spreadsheets write them, {_shown(pair)}"
    )


def _shown(pair: Pair) -> str:
    return " and ".join(map(quoted, pair))


def refuse_forms(
    pairs: Iterator[Pair], paths: tuple[Path, ...], languages: tuple[str, str]
) -> Iterator[Pair]:
    """Iterates over pairs, but for files that have a header row or quoted fields.

    Args:
        pairs: as they are read.
        paths: of one TSV file, whose fields may be quoted, or of two files.
        languages: the codes of both sides.

    Raises:
        InputError: the file has one of these forms; of one that quotes only some fields, the lines
            before the first such field were already yielded.
    """
    beginning = list(itertools.islice(pairs, LOOKED_AT))
    if beginning and is_header(beginning[0], languages):
        raise _refused(describe_header(paths[0], beginning[0]), paths)
    if len(paths) == 1 and are_quoted(beginning):
        raise _refused(describe_quoted(paths[0], beginning), paths)
    yield from beginning
    signs = sum(map(sign_of_quotes, itertools.chain.from_iterable(beginning)))
    for number, pair in enumerate(pairs, LOOKED_AT + 1):
        if len(paths) == 1 and ('"' in pair[0] or '"' in pair[1]):
            signs += sum(map(sign_of_quotes, pair))
            if signs > 0:
                raise _refused(describe_quoted(paths[0], [pair], number), paths)
        yield pair


def _refused(found: str, paths: tuple[Path, ...]) -> InputError:
    files = " ".join(map(str, paths))
    return InputError(
        f"{found}; 'translator inspect {files} --write clean.tsv' writes a file without them"
    )


def refuse_bare_returns(lines: Iterable[str], name: str) -> Iterator[str]:
    """Iterates over lines, but for files that end their lines with CR alone.

    Args:
        lines: as `iterate_lines` reads them, so that such a file is one line.
        name: names the file in errors.

    Raises:
        InputError: the file has several lines, and no LF.
    """
    first, count = "", 0
    for count, line in enumerate(lines, start=1):
        first = first if count > 1 else line
        yield line
    if count == 1 and "\r" in first:
        raise bare_returns(name)


def bare_returns(name: str) -> InputError:
    """The error of a file that ends its lines with CR alone."""
    return InputError(
        f"{name}: expected lines that end with LF or CRLF, found CR line ends alone, as old"
        f" programs write; convert it first, as with tr '\\r' '\\n' < {name}"
    )
