"""Files of pairs that have another form than they seem to: quoted fields, a header, bare CR.

Training refuses such files. An inspection reads them, says what it found, and writes what training
reads.
"""

import itertools
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from translator.base.errors import InputError
from translator.base.languages import language_facts
from translator.base.texts import quoted

Pair = tuple[str, str]
COLUMN_NAMES = frozenset(
    ("source", "src", "source_text", "target", "tgt", "trg", "target_text", "translation")
)
LOOKED_AT = 20  # lines at the beginning by which a file is taken for a quoted one
FEWEST_QUOTED = 3  # of them that there must be


def is_header(pair: Pair, languages: tuple[str, str]) -> bool:
    """Whether a first line has the names of its columns, such as ``en`` and ``de``."""
    return all(
        (name := unquoted(field).strip().lower()) in COLUMN_NAMES or name in _names(language)
        for field, language in zip(pair, languages)
    )


def _names(language: str) -> set[str]:
    facts = language_facts(language)
    return {name.lower() for name in (language, facts.code, facts.name, *facts.aliases) if name}


def is_quoted(field: str) -> bool:
    """Whether a field stands in quotation marks, with each mark inside of it doubled."""
    inside = field.strip()[1:-1]
    is_enclosed = len(field.strip()) >= 2 and field.strip()[0] == field.strip()[-1] == '"'
    return is_enclosed and '"' not in inside.replace('""', "")


def is_surely_quoted(field: str) -> bool:
    """Whether a field is quoted and has marks inside, which no other text writes doubled."""
    return is_quoted(field) and '""' in field.strip()[1:-1]


def unquoted(field: str) -> str:
    """A field without the quotation marks around it, and with the marks inside of it single."""
    return field.strip()[1:-1].replace('""', '"') if is_quoted(field) else field


def are_quoted(pairs: Sequence[Pair]) -> bool:
    """Whether the first lines of a TSV file show that its fields are quoted."""
    fields = [field for pair in pairs for field in pair if field.strip()]
    if any(map(is_surely_quoted, fields)):
        return True
    return len(pairs) >= FEWEST_QUOTED and bool(fields) and all(map(is_quoted, fields))


def describe_header(path: Path, pair: Pair) -> str:
    """What is said of a file with a header row."""
    return f"{path}, line 1: expected a pair of sentences, found a header row, {_shown(pair)}"


def describe_quoted(path: Path, pairs: Sequence[Pair]) -> str:
    """What is said of a file whose fields are quoted."""
    number, pair = next(
        (number, pair) for number, pair in enumerate(pairs, start=1) if any(map(is_quoted, pair))
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
        InputError: the first lines show that the file has one of these forms.
    """
    beginning = list(itertools.islice(pairs, LOOKED_AT))
    found = ""
    if beginning and is_header(beginning[0], languages):
        found = describe_header(paths[0], beginning[0])
    elif len(paths) == 1 and are_quoted(beginning):
        found = describe_quoted(paths[0], beginning)
    if found:
        files = " ".join(map(str, paths))
        raise InputError(
            f"{found}; 'translator inspect {files} --write clean.tsv' writes a file without them"
        )
    yield from beginning
    yield from pairs


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
