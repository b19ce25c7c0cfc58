"""Which columns of a table are source and target: by numbers, by names, or by what they hold."""

import functools
import re
import statistics
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from translator.base.errors import InputError
from translator.base.languages import language_facts
from translator.base.texts import listed, quoted
from translator.corpora.files import Pair
from translator.corpora.pair_files.rows import Row, Table, Wanted

SIDE_NAMES = (
    frozenset(("source", "src", "source_text")),
    frozenset(("target", "tgt", "trg", "target_text", "translation")),
)
VARIANT = re.compile(r"([a-z]{2,3})[-_][a-z0-9]{2,4}")  # such as en-GB, eng_Latn
PARTS = re.compile(r"[_.]")  # between those of a name such as text_en
MOST = 0.9  # share of values by which a column is known
HALF = 0.5
FEWEST = 3  # values by which one is known
FEWEST_LABELS = 20  # values by which few different ones are known as labels
LABEL_SHARE = 0.1  # different ones among labels
PREFIX = 24  # characters that such values share: an attribution
LONG_NAME = 4  # characters from which on the name of a language is a word of its own
WORDS = 2  # of a side in a list of words, at the most
TEXT = "text"
LABELS = "labels"
SHOWN = 30  # characters of an example
IDENTIFIED = 3000  # characters by which a language is identified
EXPONENT = re.compile(r"[-+]?[\d.,]+e[-+]?\d+", re.IGNORECASE)


def _is_number(value: str) -> bool:
    """Whether there are digits and no letters, as in dates and links of words, too."""
    if not any(map(str.isdigit, value)):
        return False
    return not any(map(str.isalpha, value)) or EXPONENT.fullmatch(value) is not None


KINDS: tuple[tuple[str, Callable[[str], Any]], ...] = (
    ("numbers", _is_number),
    ("addresses", re.compile(r"(?:[a-z]+://|www\.|[\w.]+@)\S+", re.IGNORECASE).fullmatch),
    ("ids", re.compile(r"(?=.*\d)[!-~]+").fullmatch),
    ("codes", re.compile(r"[A-Za-z]{2,3}(?:[_-]\w{2,4})?").fullmatch),
)


class Choice(NamedTuple):
    """The columns of source and target.

    Attributes:
        keys: their places from 0, or their names.
        has_header: whether the first row has the names of columns.
    """

    keys: tuple[Any, Any]
    has_header: bool


def choose(table: Table, rows: Sequence[Row], wanted: Wanted) -> Choice:
    """Chooses the columns of source and target.

    Args:
        table: what ``rows`` are of.
        rows: the first ones.
        wanted: languages, and columns that are named.

    Raises:
        InputError: there are no such columns, or it is not clear which are meant.
    """
    first = rows[0][1]
    keys: list[Any] = list(dict.fromkeys(key for _, cells in rows for key in cells))
    if not table.is_named:
        keys = list(range(max(len(cells) for _, cells in rows)))
    names = keys if table.is_named else [cells_at(first, key) for key in keys]
    columns = wanted.columns
    if wanted.may_be_plain and len(keys) <= 2:
        columns = None
    values = [[cells_at(cells, key) for _, cells in rows] for key in keys]
    by_name = find_sides(names, wanted.languages)
    if not table.is_named and by_name and all(names[i] in values[i][1:] for i in by_name):
        by_name = None  # every row says its languages
    has_header = not table.is_named and (by_name is not None or _is_header(values))
    if columns is not None and isinstance(columns[0], str):
        folded = [name.strip().lower() for name in names]
        missing = [name for name in columns if name.strip().lower() not in folded]
        if missing:
            what = (
                f"columns {listed(names)}" if table.is_named else f"the first row {listed(names)}"
            )
            raise InputError(
                f"{table.name}: expected a column with the name {quoted(missing[0])}, found {what};"
                f" {wanted.choosing} names two by such names, or by their numbers"
            )
        places = tuple(folded.index(name.strip().lower()) for name in columns)
        return _said(table, keys, places, not table.is_named, names, wanted)
    if has_header and columns is None:
        _refuse_list_of_words(table, names, values, wanted)
    if columns is not None:
        if max(columns) > len(keys):
            raise InputError(
                f"{table.name}: expected column {max(columns)}, found {len(keys)}:"
                f" {_looks(keys, names, values, table, has_header)}; {wanted.choosing} names two"
            )
        places = tuple(number - 1 for number in columns)
    elif by_name is not None:
        places = by_name
    else:
        places = _judged(table, keys, names, [each[has_header:] for each in values], wanted)
    return _said(table, keys, places, has_header, names, wanted)


def cells_at(cells: Any, key: Any) -> str:
    """The cell of a row at a place or under a name; empty where there is none."""
    if isinstance(key, int):
        return cells[key] if key < len(cells) else ""
    return cells.get(key) or ""


def find_sides(names: Sequence[str], languages: tuple[str, str] | None) -> tuple[int, int] | None:
    """The places of the names of source and target; None if they are not there, or not clear.

    Args:
        names: of columns, such as ``en`` or ``target``.
        languages: the codes of both sides, if they are known.
    """
    sides = []
    for side in (0, 1):
        language = languages[side] if languages else None
        ranks = [_rank(name, side, language) for name in names]
        best = min(ranks, default=0)
        found = [place for place, rank in enumerate(ranks) if rank == best]
        if best == _NO_NAME or len(found) > 1:
            return None
        sides.append(found[0])
    return None if sides[0] == sides[1] else (sides[0], sides[1])


_NO_NAME = 4


def _rank(name: str, side: int, language: str | None) -> int:
    """How well a name fits a side, from 0; `_NO_NAME` if it does not."""
    plain = name.strip().strip('"').strip().lower()
    if language is not None:
        known = _names(language)
        if plain == language.lower():
            return 0
        if plain in known or (found := VARIANT.fullmatch(plain)) and found[1] in known:
            return 1
        parts = PARTS.split(plain)
        if len(parts) > 1 and known.intersection((parts[0], parts[-1])) and " " not in plain:
            return 2
    return 3 if plain in SIDE_NAMES[side] else _NO_NAME


def _names(language: str) -> set[str]:
    facts = language_facts(language)
    return {name.lower() for name in (language, facts.code, facts.name, *facts.aliases) if name}


def is_header(pair: Pair, languages: tuple[str, str]) -> bool:
    """Whether a first line has the names of its columns, such as ``en`` and ``de``."""
    return find_sides(pair, languages) == (0, 1)


def _is_header(values: Sequence[Sequence[str]]) -> bool:
    """Whether the first row has a word where all others have numbers."""
    return any(
        len(column) > FEWEST
        and kind_of(column[1:]) == "numbers"
        and column[0].strip()
        and kind_of(column[:1]) != "numbers"
        for column in values
    )


def _refuse_list_of_words(
    table: Table, names: Sequence[str], values: Sequence[Sequence[str]], wanted: Wanted
) -> None:
    """Refuses a row such as ``English`` and ``Deutsch`` in a list of words, which may be both."""
    lengths = [len(value.split()) for column in values for value in column[1:] if value.strip()]
    known = {name for language in wanted.languages or () for name in _names(language)}
    are_words = all(
        len(name.strip()) >= LONG_NAME and name.strip().lower() in known for name in names
    )
    if are_words and lengths and statistics.median(lengths) <= WORDS:
        raise InputError(
            f"{table.name}, line 1: expected a pair of words or a header row, found"
            f" {' and '.join(map(quoted, names))}, which may be either; if it is a header row,"
            f" remove it; if it is a pair, move it below another one"
        )


def kind_of(values: Sequence[str]) -> str:
    """What a column holds: ``empty``, one of `KINDS`, `LABELS` or `TEXT`."""
    filled = [value.strip() for value in values if value.strip()]
    if len(filled) <= HALF * len(values):
        return "empty"
    for kind, match in KINDS:
        if sum(map(bool, map(match, filled))) >= MOST * len(filled):
            if kind == "codes" and not len(set(filled)) <= FEWEST <= len(filled):
                continue
            return kind
    if len(filled) >= FEWEST:
        few = len(filled) >= FEWEST_LABELS and len(set(filled)) <= LABEL_SHARE * len(filled)
        prefixes = Counter(value[:PREFIX] for value in filled if len(value) > PREFIX)
        shared = max(prefixes.values(), default=0) > HALF * len(filled)
        if few or shared or len(set(filled)) == 1:
            return LABELS
    return TEXT


def _judged(
    table: Table,
    keys: Sequence[Any],
    names: Sequence[str],
    values: Sequence[Sequence[str]],
    wanted: Wanted,
) -> tuple[int, int]:
    """The places of source and target, by what the columns hold."""
    kinds = [kind_of(column) for column in values]
    texts = [place for place, kind in enumerate(kinds) if kind in (TEXT, LABELS)]
    languages = wanted.languages
    if table.has_languages:  # their names would have told
        if languages is None and len(keys) == 2:
            return 0, 1
    elif len(keys) == 2:
        others = {kind for kind in kinds if kind not in (TEXT, LABELS, "empty")}
        if len(texts) != 1 or not others or len(values[0]) < FEWEST:
            return 0, 1
    else:
        for places in (texts, [place for place in texts if kinds[place] != LABELS]):
            if found := _fitting(places, values, languages):
                return found
    expected = f"{languages[0]} and {languages[1]}" if languages else "two languages"
    raise InputError(
        f"{table.name}: expected one column of each of {expected}, found {table.form} with"
        f" {_looks(keys, names, values, table, False)}; {wanted.choosing} says which two are meant"
    )


def _fitting(
    places: Sequence[int], values: Sequence[Sequence[str]], languages: tuple[str, str] | None
) -> tuple[int, int] | None:
    """The places of source and target among those of text; None where they are not clear."""
    found = {place: _language(values[place]) for place in places} if languages else {}
    sides = [
        [place for place in found if _is_same(found[place], language)]
        for language in languages or ()
    ]
    if sides and len(sides[0]) == len(sides[1]) == 1:
        return sides[0][0], sides[1][0]
    return (places[0], places[1]) if len(places) == 2 else None


def _looks(
    keys: Sequence[Any],
    names: Sequence[str],
    values: Sequence[Sequence[str]],
    table: Table,
    has_header: bool,
) -> str:
    """What each column looks like, with an example."""
    shown = []
    for place, column in enumerate(values):
        label = names[place] if table.is_named else str(place + 1)
        rest = column[has_header:]
        kind = kind_of(rest)
        if kind == TEXT or kind == LABELS and (table.is_named or len(values) == 2):
            kind = _language(rest) or TEXT
        example = next((value for value in rest if value.strip()), "")
        cut = example if len(example) <= SHOWN else f"{example[: SHOWN - 1]}…"
        shown.append(f"{label}: {kind}" + f" ({quoted(cut)})" * bool(cut))
    return listed(shown)


def _said(
    table: Table,
    keys: Sequence[Any],
    places: tuple[int, ...],
    has_header: bool,
    names: Sequence[str],
    wanted: Wanted,
) -> Choice:
    """The choice, after the user was told where it may be another one."""
    first, second = places
    said = []
    if has_header:
        said.append(f"line 1 is a header row, {_pair(names, places)}, and left out")
    if table.is_named and len(keys) > 2:
        said.append(f"{_pair(names, places)} of {listed(names)} are read")
    elif not table.is_named and wanted.columns is None and (len(keys) > 2 or first > second):
        begun = f", {_pair(names, places)}" * (not has_header)
        said.append(f"columns {first + 1} and {second + 1} of {len(keys)} are read{begun}")
    if said:
        others = f"; {wanted.choosing} chooses others" * (wanted.columns is None and len(keys) > 2)
        wanted.tell(f"{table.name}: {'; '.join(said)}{others}")
    return Choice((keys[first], keys[second]), has_header)


def _pair(names: Sequence[str], places: Sequence[int]) -> str:
    return " and ".join(quoted(names[place]) for place in places)


@functools.cache
def _identifier() -> Any:
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)


def _language(values: Sequence[str]) -> str | None:
    """The language of a column's text; None where it cannot be told, as without py3langid."""
    text = "\n".join(values)[:IDENTIFIED]
    if not text.strip():
        return None
    try:
        return str(_identifier().classify(text)[0])
    except ModuleNotFoundError:
        return None


def _is_same(found: str | None, language: str) -> bool:
    same = {"nb": "no", "nn": "no", "zh_yue": "zh", "zh_classical": "zh", "gan": "zh", "wuu": "zh"}
    code = language_facts(language).code.lower()
    return found is not None and same.get(found, found) == same.get(code, code)
