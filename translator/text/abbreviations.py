"""Abbreviations are written out as the corpora write them, before a line is split into sentences.

A model has hardly seen "z. B." or "approx.", whose points also look like ends of sentences. What an
abbreviation means is sure in the places that its table says, and is written with words that are
frequent in sentences: "bzw." as "oder", "approx." as "about", "Mr" as "Mr.". Others stay.
"""

import functools
import re
from collections.abc import Callable, Collection, Iterable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from translator.base.languages import language_facts, language_table
from translator.text.quantities.amounts import units_of
from translator.text.sentences import words_that_begin
from translator.text.spans.intervals import Intervals

END = re.compile(r"(?:<[^<>]*>|[\"'“”»«*_])*\s*$")
START = re.compile(r"(?:^|[.!?:]\s+)[\"'“„»«(\[*_]*$")
ABBREVIATED_WORDS = 2  # at most, of a text of nothing but one abbreviation
FIRST_WORD = re.compile(r"\s+[\"'“„»«(\[*_]*([^\W\d_]+)")
WORD = re.compile(r"[^\W\d_]+")
NAME = re.compile(r"[A-ZÄÖÜ][\w.-]*\s$")
DAY = re.compile(r"\s\w+\.?\s\d")  # a month after a weekday
MAY_BE_JOINED = re.compile(r"\d(?:[snrt][tdh])?-[^\W\d_]")
OFTEN_LAST = frozenset(
    ("acronyms", "closing", "after_names", "after_numbers", "endings", "months", "weekdays")
)
ONE = re.compile(r"(?<![\d.,])1\s?$")
LOOKED_AT = 40  # characters before an abbreviation
NOTHING: Mapping[str, str] = MappingProxyType({})


class Abbreviations(NamedTuple):
    """The abbreviations of a language, by the places where their meaning is sure.

    The point after an abbreviation that is given without one may be missing. A small first letter
    stands for a capital, too.

    Attributes:
        anywhere: not more than words around them.
        acronyms: letters with points, written without: "U.S." as "US".
        after_acronyms: words that begin a sentence after an acronym.
        closing: those that may end a sentence.
        before_numbers: as in "No. 5", "p. xii".
        before_of: as in "No. of items".
        after_numbers: as in "5 hrs."; in the singular and the plural.
        after_names: after a word with a capital. Where few words have capitals, not before one, as
            in "St. Louis".
        endings: of words, as in "Hauptstr.".
        months: before or after a number.
        weekdays: after one of `before_weekdays`, before a number, or in a range.
        before_weekdays: words, divided by ``|``.
        to: what is written for the dash between two weekdays.
        joined: a regular expression of hyphens between a number with its unit and a noun, as in
            "2-Liter Flasche", "8 Uhr Zug"; {units} stands for those of compounds.
    """

    anywhere: Mapping[str, str]
    closing: Mapping[str, str]
    before_numbers: Mapping[str, str]
    after_numbers: Mapping[str, tuple[str, str]]
    before_of: Mapping[str, str] = NOTHING
    acronyms: Mapping[str, str] = NOTHING
    after_acronyms: Collection[str] = ()
    before_names: Mapping[str, str] = NOTHING
    after_names: Mapping[str, str] = NOTHING
    endings: Mapping[str, str] = NOTHING
    months: Mapping[str, str] = NOTHING
    weekdays: Mapping[str, str] = NOTHING
    before_weekdays: str = ""
    to: str = ""
    joined: str = "(?!)"


def with_written_abbreviations(
    text: str,
    language: str,
    find_fixed: Callable[[str], Iterable[tuple[int, int]]] = lambda text: (),
    knows: Callable[[str], bool] = lambda word: True,
) -> str:
    """A text with its abbreviations written out, as the table has them; others stay.

    A noun that is joined with a number and its unit stands alone then: 2-Liter Flasche.

    The point of an abbreviation that also ends a sentence stays: at the end of the text, and before
    a capital where the abbreviation often stands last.

    Args:
        find_fixed: finds start and end of each part that stays, such as a web address.
        knows: tells whether a model has learnt a word; an abbreviation of other words stays.
    """
    writer = _writer(language_facts(language).code)
    return text if writer is None else writer.write(text, find_fixed, knows)


@functools.cache
def _writer(code: str) -> "_Writer | None":
    table = language_table(code, "abbreviations")
    if not table:
        return None
    joined = table["joined"].replace("{units}", "|".join(units_of(code).values()))
    return _Writer(Abbreviations(**{**table, "joined": joined}), words_that_begin(code))


def _any_of(table: Iterable[str], has_points: bool = True) -> str:
    """A regular expression for abbreviations; what has several parts may have no spaces.

    Args:
        has_points: whether those that are given with a point have one.
    """

    def pattern(word: str) -> str:
        first = f"[{word[0]}{word[0].upper()}]"
        rest = re.sub(r"\\\.(?:\\ )?(?=.)", r"\\.\\s?", re.escape(word[1:]))
        needs_point = has_points and word.endswith(".") and "." not in word[:-1]
        return first + (rest if needs_point or "/" in word else rest.removesuffix(r"\.") + r"\.?")

    return f"(?:{'|'.join(map(pattern, sorted(table, key=len, reverse=True)))})"


def _key(text: str) -> str:
    return re.sub(r"[.\s]", "", text).casefold()


class _Writer:
    """Writes out the abbreviations of a language.

    Args:
        beginnings: the words that surely begin a sentence; none if any capital does.
    """

    def __init__(self, table: Abbreviations, beginnings: frozenset[str]) -> None:
        self.beginnings = beginnings
        self.meanings: dict[str, dict[str, str | tuple[str, str]]] = {
            group: {_key(word): meaning for word, meaning in words.items()}
            for group, words in table._asdict().items()
            if isinstance(words, Mapping)
        }
        keys = (word for group in self.meanings for word in getattr(table, group))
        self.parts = {WORD.findall(word.lower())[:2][-1] for word in keys}  # i.e. by its e
        self.endings = tuple(table.endings)
        self.after_acronyms = frozenset(table.after_acronyms)
        apart, upper = r"(?<![\w.@/&-])", "[A-ZÄÖÜ]"
        days = _any_of(table.weekdays) if table.weekdays else "(?!)"
        bare = _any_of(table.weekdays, has_points=False) if table.weekdays else "(?!)"
        after_day = "|".join(
            rf"(?<=\b{day.removesuffix('.')}{point}{dash})"
            for day in table.weekdays
            for point in ("", r"\.")
            for dash in ("[-–]", r"\s[-–]\s")
        )
        months = _any_of(table.months) if table.months else "(?!)"
        places = {
            "after_numbers": (r"(?<=\d)\s?", r"(?!\w)"),
            "before_numbers": (apart, r"(?=\s?\d|\s[ivx]{2,}\b)"),
            "before_of": (apart, r"(?=\sof\s(?!course))"),
            "before_names": (apart, rf"(?=\s{upper})"),
            "after_names": (
                rf"(?<=\w\s){apart}",
                r"(?!\w)" if beginnings else rf"(?!\w|\s+{upper})",
            ),
            "endings": (r"(?<=[^\W\d_])", r"(?!\w)"),
            "acronyms": (apart, r"(?!\.?\w)"),
            "closing": (apart, r"(?!\w)"),
            "anywhere": (apart, r"(?!\w)"),
        }
        self.to = table.to
        ways = [
            rf"(?P<weekdays>{apart}(?i:{table.before_weekdays})\s{days}(?!\w)"
            rf"|{apart}{days}(?=,?\s\d|,\s\w+\.?\s\d|\s(?:{table.before_weekdays})\s{days}(?!\w))"
            rf"|{apart}{bare}\s?[-–]\s?(?={bare}(?!\w))|(?={bare}(?!\w))(?:{after_day}){bare})",
            rf"(?P<months>{apart}{months}(?=\s\d)"
            rf"|(?:(?<=\d\s)|(?<=\d\.\s)|(?<=\d[snrt][tdh]\s)){months}(?!\w))",
        ]
        ways.append(rf"(?P<joined>{table.joined})")
        for group, (before, after) in places.items():
            if self.meanings[group]:
                words = _any_of(getattr(table, group))
                ways.append(rf"(?P<{group}>{before}{words}){after}")
        self.pattern = re.compile("|".join(ways))
        self.in_capitals = re.compile("|".join(ways), re.IGNORECASE)

    def write(
        self,
        text: str,
        find_fixed: Callable[[str], Iterable[tuple[int, int]]],
        knows: Callable[[str], bool],
    ) -> str:
        """See `with_written_abbreviations`."""
        lower = text.lower()
        may_have_some = not self.parts.isdisjoint(WORD.findall(lower))
        may_have_some |= any(ending in lower for ending in self.endings)
        if not may_have_some and MAY_BE_JOINED.search(text) is None:
            return text
        in_capitals = text.isupper() and len(text.split()) > ABBREVIATED_WORDS
        found = list((self.in_capitals if in_capitals else self.pattern).finditer(text))
        if not found:
            return text
        fixed = Intervals(find_fixed(text))
        pieces: list[str] = []
        end = 0
        for each in found:
            if fixed.are_free(*each.span()):
                meaning = self._meaning(each)
                if not all(map(knows, WORD.findall(meaning))):
                    continue
                pieces += (text[end : each.start()], meaning.upper() if in_capitals else meaning)
                end = each.end()
        return "".join([*pieces, text[end:]])

    def _meaning(self, found: re.Match[str]) -> str:
        """What stands for an abbreviation in its place."""
        group, given, text = found.lastgroup or "", found[0], found.string
        if group == "joined":
            return given.replace("-", " ") if given in ("-", "-Uhr-") else f"{given[:-1]} "
        lead = ""
        to = ""
        if group == "weekdays":
            to = f" {self.to} " * (given[-1] in " -–")
            lead, space, given = given.rstrip(" -–").rpartition(" ")
            lead += space
        elif group == "after_numbers":
            lead, given = " ", given.lstrip()
        before = max(0, found.start() - LOOKED_AT), found.start()
        forms = self.meanings[group][_key(given)]
        meaning = forms if isinstance(forms, str) else forms[not ONE.search(text, *before)]
        if group == "after_names" and not NAME.search(text, *before):
            return found[0]
        if given[0].isupper() and not lead and START.search(text, *before):
            meaning = meaning[0].upper() + meaning[1:]
        ends = END.match(text, found.end()) or group in OFTEN_LAST and self._begins(found)
        return lead + meaning + to + "." * (given.endswith(".") and bool(ends))

    def _begins(self, found: re.Match[str]) -> bool:
        """Whether a sentence seems to begin after an abbreviation."""
        word = FIRST_WORD.match(found.string, found.end())
        if word is not None and found.lastgroup == "acronyms":
            return word[1] in self.after_acronyms
        if word is None or found.lastgroup == "weekdays" and DAY.match(found.string, found.end()):
            return False
        if not self.beginnings or found.lastgroup == "closing":
            return word[1][0].isupper()
        return word[1] in self.beginnings
