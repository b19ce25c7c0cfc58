"""What is known of languages: a few facts of many, and the tables of some.

The tables of a language are in `languages/CODE.toml`. Each module that reads one says what its keys
mean.
"""

import functools
import re
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple

from translator.base.texts import quoted

FOLDER = Path(__file__).parents[1] / "languages"


class Language(NamedTuple):
    """What several rooms know of a language. Languages that are not listed have the defaults.

    Attributes:
        code: such as ``de``.
        has_spaces: whether spaces separate its words.
        decimal_mark: what separates the decimals of a number; None where that is not known.
        group_mark: what separates the thousands of a number; None where it is a space, or where
            that is not known.
        ordinal_form: 21 as an ordinal number in digits; None where that is not known.
        capitalizes_nouns: whether every noun has a capital, so that a capital marks no name.
        quotation_marks: what opens and closes a quotation; None where that is not known.
        aliases: other names that a configuration may give it, as BPEmb does.
        name: its English name, where a message needs it.
    """

    code: str
    has_spaces: bool = True
    decimal_mark: Literal[".", ","] | None = None
    group_mark: Literal[".", ","] | None = None
    ordinal_form: Literal["21st", "21."] | None = None
    capitalizes_nouns: bool = False
    quotation_marks: tuple[str, str] | None = None
    aliases: tuple[str, ...] = ()
    name: str = ""

    def ordinal(self, number: str) -> str:
        """A whole number as an ordinal; as it is where that is not known."""
        if self.ordinal_form is None:
            return number
        if self.ordinal_form == "21.":
            return f"{number}."
        is_teen = number[-2:-1] == "1"
        endings = {"1": "st", "2": "nd", "3": "rd"}
        return number + ("th" if is_teen else endings.get(number[-1:], "th"))


# ISO 639-3, and those of ISO 639-2 that differ from it, as in the names of public models.
_THREE_LETTERS = {
    "bg": ("bul",), "ca": ("cat",), "cs": ("ces", "cze"), "da": ("dan",), "el": ("ell", "gre"),
    "es": ("spa",), "et": ("est",), "fi": ("fin",), "fr": ("fra", "fre"), "gl": ("glg",),
    "he": ("heb",), "hi": ("hin",), "hr": ("hrv",), "hu": ("hun",), "id": ("ind",),
    "is": ("isl", "ice"), "it": ("ita",), "ja": ("jpn",), "ko": ("kor",), "lt": ("lit",),
    "lv": ("lav",), "nb": ("nob",), "nl": ("nld", "dut"), "no": ("nor",), "pl": ("pol",),
    "pt": ("por",), "ro": ("ron", "rum"), "ru": ("rus",), "sk": ("slk", "slo"), "sl": ("slv",),
    "sr": ("srp",), "sv": ("swe",), "th": ("tha",), "tr": ("tur",), "uk": ("ukr",), "vi": ("vie",),
    "zh": ("zho", "chi", "cmn"),
}  # fmt: skip
_WITHOUT_SPACES = (
    "zh", "zh_yue", "zh_classical", "wuu", "gan", "ja", "th", "lo", "km", "my", "bo",
)  # fmt: skip
_DECIMAL_POINT = ("zh", "ja", "th", "ko", "he", "hi")
_DECIMAL_COMMA = (
    "fr", "es", "it", "nl", "pt", "da", "sv", "nb", "no", "fi", "pl", "cs", "sk", "hu", "ro", "ru",
    "uk", "bg", "el", "tr", "sl", "hr", "sr", "lt", "lv", "et", "id", "vi", "ca", "gl", "is",
)  # fmt: skip
_GROUPED_BY_POINTS = ("es", "it", "nl", "da", "el", "tr", "sl", "hr", "sr", "ro", "id", "vi", "ca")
_ORDINALS_WITH_POINTS = (
    "da", "nb", "no", "fi", "pl", "cs", "sk", "hu", "hr", "sr", "sl", "lv", "et", "is", "tr",
)  # fmt: skip


def _plain(code: str) -> Language:
    """A language of which little is known."""
    decimal_mark: Literal[".", ","] | None = "." if code in _DECIMAL_POINT else None
    return Language(
        code,
        has_spaces=code not in _WITHOUT_SPACES,
        decimal_mark="," if code in _DECIMAL_COMMA else decimal_mark,
        group_mark="." if code in _GROUPED_BY_POINTS else None,
        ordinal_form="21." if code in _ORDINALS_WITH_POINTS else None,
        aliases=_THREE_LETTERS.get(code, ()),
    )


_KNOWN_WELL = (
    Language(
        "en", decimal_mark=".", group_mark=",", ordinal_form="21st", quotation_marks=('"', '"'),
        aliases=("eng", "English"), name="English",
    ),
    Language(
        "de", decimal_mark=",", group_mark=".", ordinal_form="21.", quotation_marks=("„", "“"),
        capitalizes_nouns=True, aliases=("ger", "deu", "German", "Deutsch"), name="German",
    ),
    Language("lb", capitalizes_nouns=True),
)  # fmt: skip
_OTHERS = map(_plain, (*_WITHOUT_SPACES, *_DECIMAL_POINT, *_DECIMAL_COMMA))
_BY_NAME = {
    name.lower(): facts
    for facts in (*_OTHERS, *_KNOWN_WELL)  # the latter replace what is said of all others
    for name in (facts.code, *facts.aliases, *_THREE_LETTERS.get(facts.code, ()))
}


def language_facts(language: str) -> Language:
    """The facts about a language.

    Args:
        language: its code or another name that the table has, in any case; a variant such as
            the ``-AT`` of ``de-AT`` or the ``_AT`` of ``de_AT`` is ignored.

    Returns:
        An entry of the table, or one of defaults for a language that is not in it.
    """
    return _BY_NAME.get(_known_name(language), Language(language.partition("-")[0]))


def _codes(languages: Sequence[str | None]) -> list[str | None]:
    return [name and language_facts(name).code.lower() for name in languages]


class Direction(NamedTuple):
    """The languages between which a user wants to translate, as they are typed.

    Attributes:
        source: to translate from; any if None.
        target: to translate into; any if None.
    """

    source: str | None = None
    target: str | None = None

    def allows(self, languages: Sequence[str | None]) -> bool:
        """Whether a source and a target are these languages; () are unknown ones."""
        pairs = zip(*map(_codes, (self, languages or (None, None))))
        return all(wanted in (None, found) for wanted, found in pairs)

    def __str__(self) -> str:
        named = zip(("--from", "--to"), self)
        return " ".join(f"{option} {quoted(name)}" for option, name in named if name is not None)


ANY = Direction()


def language_table(language: str, name: str) -> dict[str, Any]:
    """A table in the file of a language, with tuples for lists; empty where it has none.

    Args:
        language: as for `language_facts`.
        name: of the table.
    """
    table: dict[str, Any] = _tables(language_facts(language).code).get(name, {})
    return table


@functools.cache
def _tables(code: str) -> dict[str, Any]:
    for path in FOLDER.glob("*.toml"):
        if path.stem == code:
            tables: dict[str, Any] = _with_tuples(tomllib.loads(path.read_text("utf-8")))
            return tables
    return {}


def _with_tuples(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _with_tuples(each) for key, each in value.items()}
    return tuple(map(_with_tuples, value)) if isinstance(value, list) else value


def is_known_language(language: str) -> bool:
    """Whether the table has a language; see `language_facts`."""
    return _known_name(language) in _BY_NAME


def _known_name(language: str) -> str:
    name = language.lower()
    return name if name in _BY_NAME else re.split("[-_]", name)[0]
