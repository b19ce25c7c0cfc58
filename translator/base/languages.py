"""Facts about many languages, and the tables of a few languages.

The tables of a language are in `languages/CODE.toml`. The module that reads a table explains its
keys.
"""

import functools
import re
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple

from translator.base.errors import InputError
from translator.base.late import difflib
from translator.base.texts import quoted

FOLDER = Path(__file__).parents[1] / "languages"
PRIVATE = "x-"  # the beginning of our codes for languages without a code


class Language(NamedTuple):
    """Facts about a language. Unlisted languages have the defaults.

    Attributes:
        code: such as ``de``.
        has_spaces: whether spaces separate its words.
        decimal_mark: the mark before the decimals of a number; None if it is not known.
        group_mark: the mark between the thousands of a number; None if it is a space or is not
            known.
        ordinal_form: 21 as an ordinal number in digits; None if it is not known.
        capitalizes_nouns: whether every noun has a capital. A capital then does not mark a name.
        quotation_marks: the opening and the closing mark; None if they are not known.
        name: its English name; empty if it is not known.
    """

    code: str
    has_spaces: bool = True
    decimal_mark: Literal[".", ","] | None = None
    group_mark: Literal[".", ","] | None = None
    ordinal_form: Literal["21st", "21."] | None = None
    capitalizes_nouns: bool = False
    quotation_marks: tuple[str, str] | None = None
    name: str = ""

    def ordinal(self, number: str) -> str:
        """Writes a whole number as an ordinal; unchanged if the language's form is not known."""
        if self.ordinal_form is None:
            return number
        if self.ordinal_form == "21.":
            return f"{number}."
        is_teen = number[-2:-1] == "1"
        endings = {"1": "st", "2": "nd", "3": "rd"}
        return number + ("th" if is_teen else endings.get(number[-1:], "th"))


# Scripts without spaces between words, by their names in langcodes
_UNSPACED = frozenset(("Hans", "Hant", "Hani", "Jpan", "Thai", "Laoo", "Khmr", "Mymr", "Tibt"))
_DECIMAL_POINT = ("zh", "ja", "th", "ko", "he", "hi")
_DECIMAL_COMMA = (
    "fr", "es", "it", "nl", "pt", "da", "sv", "nb", "no", "fi", "pl", "cs", "sk", "hu", "ro", "ru",
    "uk", "bg", "el", "tr", "sl", "hr", "sr", "lt", "lv", "et", "id", "vi", "ca", "gl", "is",
)  # fmt: skip
_GROUPED_BY_POINTS = ("es", "it", "nl", "da", "el", "tr", "sl", "hr", "sr", "ro", "id", "vi", "ca")
_ORDINALS_WITH_POINTS = (
    "da", "nb", "no", "fi", "pl", "cs", "sk", "hu", "hr", "sr", "sl", "lv", "et", "is", "tr",
)  # fmt: skip
_OTHER_NAMES = {  # names in Wikipedia, BPEmb and libraries, and names that people use
    "zh_yue": "yue", "zh_classical": "lzh", "cmn": "zh", "deutsch": "de", "mandarin": "zh",
    "farsi": "fa", "castilian": "es", "flemish": "nl", "brazilian": "pt", "simple": "en",
}  # fmt: skip


_KNOWN_WELL = {
    "en": Language(
        "en", decimal_mark=".", group_mark=",", ordinal_form="21st", quotation_marks=('"', '"'),
        name="English",
    ),
    "de": Language(
        "de", decimal_mark=",", group_mark=".", ordinal_form="21.", quotation_marks=("„", "“"),
        capitalizes_nouns=True, name="German",
    ),
}  # fmt: skip


@functools.cache
def language_facts(language: str) -> Language:
    """The facts about a language.

    Args:
        language: its code or a name, as for `code_of`; a variant such as the ``-AT`` of ``de-AT``
            or the ``_AT`` of ``de_AT`` is ignored.

    Returns:
        The facts; for an unknown language the defaults, with ``language`` as its code.
    """
    code = code_of(language)
    if code is None:
        return Language(language.partition("-")[0])
    return _KNOWN_WELL.get(code) or _facts_from_lists(code)


def _facts_from_lists(code: str) -> Language:
    decimal_mark: Literal[".", ","] | None = "." if code in _DECIMAL_POINT else None
    return Language(
        code,
        has_spaces=script_of(code) not in _UNSPACED,
        decimal_mark="," if code in _DECIMAL_COMMA else decimal_mark,
        group_mark="." if code in _GROUPED_BY_POINTS else None,
        ordinal_form="21." if code in _ORDINALS_WITH_POINTS else None,
        capitalizes_nouns=code == "lb",
        name=_names().get(code, ""),
    )


@functools.cache
def code_of(language: str) -> str | None:
    """The code of a language.

    Args:
        language: a code of two or three letters, also with a variant; or an English name; in upper
            or lower case. A language without a code has ``x-`` and a name.

    Returns:
        The code, such as ``de`` for ``de_AT``, ``ger`` and ``German``; None if there is none.
    """
    typed = language.strip().lower()
    if typed in _KNOWN_WELL or typed.startswith(PRIVATE):
        return typed
    for name in (typed, re.split("[-_]", typed)[0]):
        if code := _OTHER_NAMES.get(name) or _codes_by_name().get(name) or _valid_code(name):
            return code
    return None


def _valid_code(tag: str) -> str | None:
    """Takes the language code out of a language tag; None if the tag is not valid."""
    import langcodes
    from langcodes.tag_parser import LanguageTagError

    try:
        code = langcodes.Language.get(tag.replace("_", "-")).language
    except LanguageTagError:
        return None
    return code if code is not None and langcodes.tag_is_valid(code) else None


def script_of(code: str) -> str:
    """The usual script of a language, such as ``Latn``; ``Zyyy`` if unknown."""
    import langcodes

    valid = _valid_code(code)
    return valid and langcodes.Language.get(valid).maximize().script or "Zyyy"


def names_of(language: str) -> set[str]:
    """The names and codes that files use for a language, in lower case."""
    import langcodes

    facts = language_facts(language)
    names = {language.lower(), facts.code, facts.name.lower()}
    names |= {name for name, code in _OTHER_NAMES.items() if code == facts.code}
    if valid := _valid_code(facts.code):
        tag = langcodes.Language.get(valid)
        names |= {tag.to_alpha3(), tag.to_alpha3(variant="B")}
    return names - {""}


def check_language(language: str, place: str) -> None:
    """Checks that a language is known."""
    if code_of(language) is None:
        code = _nearest(language.strip().lower())
        meant = f"did you mean {code} ({_names()[code]})? " if code else ""
        raise InputError(
            f"{place}: expected a language such as de or German, found {quoted(language)};"
            f" {meant}{PRIVATE}NAME is for a language without a code"
        )


def _nearest(typed: str) -> str | None:
    """Guesses a language's code from a country's code, or from a misspelt or incomplete name."""
    import langcodes

    if re.fullmatch("[a-z]{2}", typed):
        code = langcodes.Language.get(f"und-{typed}").maximize().language
        if code in _names() and code != "en":  # langcodes answers en if no language is likely
            return str(code)
    names = _codes_by_name()
    near = [name for name in names if name.startswith(typed)] if len(typed) > 2 else []
    near += difflib.get_close_matches(typed, names, n=1, cutoff=0.7)
    return names[near[0]] if near else None


@functools.cache
def _codes_by_name() -> dict[str, str]:
    return {name.lower(): code for code, name in _names().items()}


@functools.cache
def _names() -> dict[str, str]:
    """The English names of languages by their codes."""
    return tomllib.loads((FOLDER / "names.toml").read_text("utf-8"))


def _codes(languages: Sequence[str | None]) -> list[str | None]:
    return [name and language_facts(name).code.lower() for name in languages]


class Direction(NamedTuple):
    """The wanted languages of a translation, as the user typed them.

    Attributes:
        source: the language to translate from; None for any.
        target: the language to translate into; None for any.
    """

    source: str | None = None
    target: str | None = None

    def allows(self, languages: Sequence[str | None]) -> bool:
        """Whether this choice fits the languages of a model; () if these are unknown."""
        pairs = zip(*map(_codes, (self, languages or (None, None))))
        return all(wanted in (None, code) for wanted, code in pairs)

    def __str__(self) -> str:
        named = zip(("--from", "--to"), self)
        return " ".join(f"{option} {quoted(name)}" for option, name in named if name is not None)


ANY = Direction()


def language_table(language: str, name: str) -> dict[str, Any]:
    """Reads a table of a language's file, with tuples for lists; empty if there is none."""
    table: dict[str, Any] = _tables(language_facts(language).code).get(name, {})
    return table


@functools.cache
def _tables(code: str) -> dict[str, Any]:
    for path in FOLDER.iterdir():
        if path.name == f"{code}.toml":
            tables: dict[str, Any] = _with_tuples(tomllib.loads(path.read_text("utf-8")))
            return tables
    return {}


def _with_tuples(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _with_tuples(entry) for key, entry in value.items()}
    return tuple(map(_with_tuples, value)) if isinstance(value, list) else value
