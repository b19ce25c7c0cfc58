"""Finds the columns of source and target in a table: by options, by names or by place."""

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from translator.base.errors import InputError
from translator.base.languages import names_of
from translator.base.texts import listed, quoted
from translator.corpora.files import Pair
from translator.corpora.pair_files.rows import ReadOptions, Row, Table

SIDE_NAMES = (
    {"source", "src", "source_text"},
    {"target", "tgt", "trg", "target_text", "translation"},
)
PARTS = re.compile(r"[-_.]")  # separates parts of names such as en-GB, eng_Latn, text_en
NO_WORDS = re.compile(r"[\W\d_]+|(?=.*[\d/@])[!-~]+")  # dates, links, ids, addresses and the like
FEWEST = 3  # values of a column that are enough to recognise its kind
SHOWN = 30  # characters of an example


class Columns(NamedTuple):
    """The columns of source and target.

    Attributes:
        keys: their places from 0, or their names.
        has_header: whether the first row has the names of columns.
    """

    keys: tuple[Any, Any]
    has_header: bool


def choose(table: Table, rows: Sequence[Row], options: ReadOptions) -> Columns:
    """Chooses the columns of source and target. Without names: the first two, if they are text.

    Raises:
        InputError: there are no such columns, or it is not clear which columns are meant.
    """
    keys: list[Any] = list(dict.fromkeys(key for _, cells in rows for key in cells))
    if not table.is_named:
        keys = list(range(max(len(cells) for _, cells in rows)))
    values = [[_cell(cells, key) for _, cells in rows] for key in keys]
    names = keys if table.is_named else [column[0] for column in values]
    by_name = find_sides(names, options.languages)
    if not table.is_named and by_name and all(names[i] in values[i][1:] for i in by_name):
        by_name = None  # the columns have names of languages, not texts
    columns = None if options.may_be_plain and len(keys) <= 2 else options.columns
    if columns is None:
        places = by_name or ((0, 1) if _are_sides(table, values, options) else None)
    else:
        places = _places_of(columns, names)
    if places is None:
        raise _not_clear(table, names, values, options)
    are_names = columns is not None and isinstance(columns[0], str)
    has_header = not table.is_named and (are_names or places == by_name)
    pair = " and ".join(quoted(names[place]) for place in places)
    notes = [f"line {rows[0][0]} is a header row, {pair}, and is left out"] * has_header
    if columns is None and not table.has_languages and (len(keys) > 2 or places != (0, 1)):
        read = f"columns {places[0] + 1} and {places[1] + 1} of {len(keys)} are read, {pair}"
        notes.append(f"{read}; if these are wrong, {options.advice}")
    if notes:
        options.report(f"{table.name}: {'; '.join(notes)}")
    return Columns((keys[places[0]], keys[places[1]]), has_header)


def _cell(cells: Any, key: Any) -> str:
    """The cell of a row at a place or under a name; "" if there is none."""
    if isinstance(key, int):
        return cells[key] if key < len(cells) else ""
    return cells.get(key) or ""


def _places_of(columns: Sequence[Any], names: Sequence[str]) -> tuple[int, int] | None:
    """The places of the two columns that the user chose; None if one is missing."""
    labels: Sequence[Any] = range(1, len(names) + 1)
    if isinstance(columns[0], str):
        columns, labels = ([name.strip().lower() for name in side] for side in (columns, names))
    places = [labels.index(column) for column in columns if column in labels]
    return (places[0], places[1]) if len(places) == 2 else None


def _are_sides(table: Table, values: Sequence[Sequence[str]], options: ReadOptions) -> bool:
    """Whether the first two columns may be source and target."""
    if table.has_languages:  # no name is a language of the pairs
        return options.languages is None and len(values) == 2
    are_words = [_are_words(column) for column in values]
    if len(values) <= 2:
        return are_words in ([True, True], [False, False])
    are_labels = len(values[0]) >= FEWEST and any(len(set(column)) == 1 for column in values[:2])
    return all(are_words[:2]) and not are_labels


def _are_words(column: Sequence[str]) -> bool:
    """Whether most values of a column are words. Empty values do not count."""
    filled = list(filter(None, map(str.strip, column)))
    words = sum(NO_WORDS.fullmatch(value) is None for value in filled)
    return len(filled) < FEWEST or 2 * words > len(filled)


def _not_clear(
    table: Table, names: Sequence[str], values: Sequence[Sequence[str]], options: ReadOptions
) -> InputError:
    """The error that lists the columns, each with an example."""
    labels = names if table.is_named else range(1, len(names) + 1)
    examples = [next(filter(str.strip, column), "") for column in values]
    shown = [f"{label}: {quoted(example[:SHOWN])}" for label, example in zip(labels, examples)]
    expected = f"one column for each of {' and '.join(options.languages or ('two languages',))}"
    if options.columns is not None:
        expected = f"columns {listed(list(map(quoted, options.columns)))}"
    advice = options.advice
    if len(names) < 2:
        advice = "name a file that has source and target, for example in each record"
    return InputError(
        f"{table.name}: expected {expected}, found {table.form} with {listed(shown)}; {advice}"
    )


def find_sides(names: Sequence[str], languages: tuple[str, str] | None) -> tuple[int, int] | None:
    """The places of the names of source and target; None if they are missing or not clear.

    Args:
        names: the names of columns, such as ``en`` or ``target``.
    """
    sides = []
    for side in (0, 1):
        language = languages[side] if languages else ""
        places = [i for i, name in enumerate(names) if _is_side(name, side, language)]
        exact = [i for i in places if names[i].strip().lower() == language.lower()]
        sides.append(exact or places)
    if [len(places) for places in sides] != [1, 1] or sides[0] == sides[1]:
        return None
    return sides[0][0], sides[1][0]


def _is_side(name: str, side: int, language: str) -> bool:
    plain = name.strip(' "').lower()
    side_names = names_of(language) if language else set()
    parts = PARTS.split(plain)
    has_code = (
        len(parts) > 1 and all(parts) and " " not in plain and side_names & {parts[0], parts[-1]}
    )
    return plain in side_names | SIDE_NAMES[side] or bool(has_code)


def is_header(pair: Pair, languages: tuple[str, str]) -> bool:
    """Whether a first line has names of columns, such as ``en`` and ``de``."""
    return find_sides(pair, languages) == (0, 1)
