"""Which columns of a table are source and target: by numbers, by names, or by what they hold."""

import functools
import re
import statistics
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from translator.base.errors import InputError
from translator.base.languages import language_facts, names_of
from translator.base.texts import listed, quoted
from translator.corpora.files import Pair
from translator.corpora.pair_files.rows import Row, Table, Wanted

SIDE_NAMES = (
    frozenset(("source", "src", "source_text")),
    frozenset(("target", "tgt", "trg", "target_text", "translation")),
)
VARIANT = re.compile(r"([a-z]{2,3})[-_][a-z0-9]{2,4}")  # such as en-GB, eng_Latn
CODE = re.compile(r"[a-z]{2}", re.IGNORECASE)  # of a language, without a variant
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
NUMBERS = "numbers"
LABELS = "labels"
SHOWN = 30  # characters of an example
GUESSED = 0.05  # probability of one among a hundred languages
IDENTIFIED = 3000  # characters by which a language is identified
EXPONENT = re.compile(r"[-+]?[\d.,]+e[-+]?\d+", re.IGNORECASE)


def _is_number(value: str) -> bool:
    """Whether there are digits and no letters, as in dates and links of words, too."""
    if not any(map(str.isdigit, value)):
        return False
    return not any(map(str.isalpha, value)) or EXPONENT.fullmatch(value) is not None


KINDS: tuple[tuple[str, Callable[[str], Any]], ...] = (
    (NUMBERS, _is_number),
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


class _Sample(NamedTuple):
    """The first rows of a table by columns: keys in rows, names, and values without a header.

    The number of its line is 0 where there is none.
    """

    table: Table
    wanted: Wanted
    keys: Sequence[Any]
    names: Sequence[str]
    values: Sequence[Sequence[str]]
    header_line: int

    def pair(self, places: Sequence[int]) -> str:
        """Two names, for messages."""
        return " and ".join(quoted(self.names[place]) for place in places)


def choose(table: Table, rows: Sequence[Row], wanted: Wanted) -> Choice:
    """Chooses the columns of source and target.

    Args:
        table: what ``rows`` are of.
        rows: the first ones.
        wanted: languages, and columns that are named.

    Raises:
        InputError: there are no such columns, or it is not clear which are meant.
    """
    keys: list[Any] = list(dict.fromkeys(key for _, cells in rows for key in cells))
    if not table.is_named:
        keys = list(range(max(len(cells) for _, cells in rows)))
    names = keys if table.is_named else [cells_at(rows[0][1], key) for key in keys]
    values = [[cells_at(cells, key) for _, cells in rows] for key in keys]
    columns = None if wanted.may_be_plain and len(keys) <= 2 else wanted.columns
    by_name = find_sides(names, wanted.languages or _languages_named(names, values))
    if not table.is_named and by_name and all(names[i] in values[i][1:] for i in by_name):
        by_name = None  # every row says its languages
    are_named = columns is not None and isinstance(columns[0], str)
    has_header = not table.is_named and (
        are_named or by_name is not None or any(map(_has_name, values))
    )
    values = [column[has_header:] for column in values]
    sample = _Sample(table, wanted, keys, names, values, rows[0][0] * has_header)
    if columns is not None:
        places = _find_columns(sample, columns)
    else:
        _refuse_list_of_words(sample)
        places = by_name or _judged(sample)
    _tell(sample, places, columns is not None)
    return Choice((keys[places[0]], keys[places[1]]), has_header)


def _languages_named(
    names: Sequence[str], values: Sequence[Sequence[str]]
) -> tuple[str, str] | None:
    """The two languages whose codes are the names of columns with text; None if there are not."""
    texts = [name.strip() for name, column in zip(names, values) if kind_of(column[1:]) == TEXT]
    codes = [text.lower() for text in texts if CODE.fullmatch(text) and language_facts(text).name]
    return (codes[0], codes[1]) if len(set(codes)) == len(codes) == 2 else None


def _find_columns(sample: _Sample, columns: Sequence[int | str]) -> tuple[int, int]:
    """The places of the columns that the user names."""
    names = [name.strip().lower() for name in sample.names]
    known: Sequence[int | str] = range(1, len(names) + 1)
    if isinstance(columns[0], str):
        columns, known = [str(name).strip().lower() for name in columns], names
    for column in columns:
        if column not in known:
            raise InputError(
                f"{sample.table.name}: expected a column {quoted(column)}, found {_looks(sample)};"
                f" {sample.wanted.choosing} names two of these, by their numbers or by names"
            )
    return known.index(columns[0]), known.index(columns[1])


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
        best = min(ranks, default=_NO_NAME)
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
        known = names_of(language)
        if plain == language.lower():
            return 0
        if plain in known or (found := VARIANT.fullmatch(plain)) and found[1] in known:
            return 1
        parts = PARTS.split(plain)
        if len(parts) > 1 and known.intersection((parts[0], parts[-1])) and " " not in plain:
            return 2
    return 3 if plain in SIDE_NAMES[side] else _NO_NAME


def is_header(pair: Pair, languages: tuple[str, str]) -> bool:
    """Whether a first line has the names of its columns, such as ``en`` and ``de``."""
    return find_sides(pair, languages) == (0, 1)


def _has_name(column: Sequence[str]) -> bool:
    """Whether a column begins with a word, and all that follows are numbers."""
    first, rest = column[:1], column[1:]
    is_word = any(map(str.strip, first)) and kind_of(first) != NUMBERS
    return len(rest) >= FEWEST and is_word and kind_of(rest) == NUMBERS


def _refuse_list_of_words(sample: _Sample) -> None:
    """Refuses a row such as ``English`` and ``Deutsch`` in a list of words, which may be both."""
    lengths = [len(value.split()) for column in sample.values for value in column if value.strip()]
    known = {name for language in sample.wanted.languages or () for name in names_of(language)}
    names = [name.strip().lower() for name in sample.names]
    are_words = all(len(name) >= LONG_NAME and name in known for name in names)
    if sample.header_line and are_words and lengths and statistics.median(lengths) <= WORDS:
        raise InputError(
            f"{sample.table.name}, line {sample.header_line}: expected a pair of words or a header"
            f" row, found {sample.pair((0, 1))}, which may be either; if it is a header row, remove"
            " it; if it is a pair, move it below another one"
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


def _judged(sample: _Sample) -> tuple[int, int]:
    """The places of source and target, by what the columns hold."""
    kinds = list(map(kind_of, sample.values))
    texts = [place for place, kind in enumerate(kinds) if kind in (TEXT, LABELS)]
    languages = sample.wanted.languages
    if sample.table.has_languages:  # their names would have told
        if languages is None and len(kinds) == 2:
            return 0, 1
    elif len(kinds) == 2:
        if len(texts) != 1 or "empty" in kinds or len(sample.values[0]) < FEWEST:
            return 0, 1
    else:
        for places in (texts, [place for place in texts if kinds[place] != LABELS]):
            if found := _fitting(places, sample.values, languages):
                return found
    expected = f"{languages[0]} and {languages[1]}" if languages else "two languages"
    advice = f"{sample.wanted.choosing} says which two are meant"
    if len(kinds) < 2:
        advice = "name a file with both, as with source and target in each record"
    raise InputError(
        f"{sample.table.name}: expected one column of each of {expected}, found"
        f" {_looks(sample)}; {advice}"
    )


def _fitting(
    places: Sequence[int], values: Sequence[Sequence[str]], languages: tuple[str, str] | None
) -> tuple[int, int] | None:
    """The places of source and target among those of text; None where they are not clear."""
    found = [_language(values[place]) for place in places] if languages else []
    sides = [
        [place for place, each in zip(places, found) if _is_same(each, language)]
        for language in languages or ()
    ]
    if sides and len(sides[0]) == len(sides[1]) == 1:
        return sides[0][0], sides[1][0]
    is_long = all(sum(map(len, values[place])) >= IDENTIFIED for place in places)
    if len(places) != 2 or (is_long and None not in found and _are_others(sides, languages)):
        return None
    return places[0], places[1]


def _are_others(sides: Sequence[Sequence[int]], languages: tuple[str, str] | None) -> bool:
    """Whether no column is in a language that the identifier knows."""
    known = _identifier().labels
    return any(
        not side and any(_is_same(each, language) for each in known)
        for side, language in zip(sides, languages or ())
    )


def _looks(sample: _Sample) -> str:
    """What each column looks like, with an example."""
    shown = []
    for place, (name, column) in enumerate(zip(sample.names, sample.values), start=1):
        is_side = sample.table.is_named or len(sample.values) == 2
        kind = kind_of(column)
        if kind == TEXT or (kind == LABELS and is_side):
            kind = _language(column) or TEXT
        example = next(filter(str.strip, column), "")
        cut = example if len(example) <= SHOWN else f"{example[: SHOWN - 1]}…"
        label = f"{name}: " if sample.table.is_named else f"{place}: "
        shown.append(f"{label}{kind}" + f" ({quoted(cut)})" * bool(cut))
    return f"{sample.table.form} with {listed(shown) if shown else 'no text'}"


def _tell(sample: _Sample, places: tuple[int, int], is_wanted: bool) -> None:
    """Tells the user of a choice that may be another one."""
    is_named, count = sample.table.is_named, len(sample.keys)
    said = []
    if sample.header_line:
        said.append(
            f"line {sample.header_line} is a header row, {sample.pair(places)}, and left out"
        )
    if not is_wanted and is_named and count > 2:
        said.append(f"{sample.pair(places)} of {listed(sample.names)} are read")
    elif not is_wanted and not is_named and (count > 2 or places != (0, 1)):
        begun = "" if sample.header_line else f", {sample.pair(places)}"
        said.append(f"columns {places[0] + 1} and {places[1] + 1} of {count} are read{begun}")
    if said:
        others = f"; {sample.wanted.choosing} chooses others" * (not is_wanted and count > 2)
        sample.wanted.tell(f"{sample.table.name}: {'; '.join(said)}{others}")


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
        language, probability = _identifier().classify(text)
        return str(language) if probability > GUESSED else None
    except ModuleNotFoundError:
        return None


def _is_same(found: str | None, language: str) -> bool:
    same = {"nb": "no", "nn": "no", "yue": "zh", "lzh": "zh", "gan": "zh", "wuu": "zh"}
    code = language_facts(language).code.lower()
    return found is not None and same.get(found, found) == same.get(code, code)
