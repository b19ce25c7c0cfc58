"""Ordinal numbers in digits, and decades: the 21st, im 3. Stock, the 1990s."""

import dataclasses
import functools
import re
from collections.abc import Iterator
from typing import NamedTuple

from translator.base.languages import language_facts, language_table
from translator.text.quantities.forms import BEFORE, Rule, follows, text_before
from translator.text.quantities.quantity import Meaning

DAYS = 31


class Ordinals(NamedTuple):
    """What tells a number with a point that is an ordinal one from the end of a sentence.

    Attributes:
        before_last: those before one whose point may be that of the sentence: a day of a month.
        after: words that follow one also where none of these stands before.
    """

    before: str
    before_last: str
    after: str


class Decades(NamedTuple):
    """How a language writes decades.

    Attributes:
        pattern: a regular expression of what may be one, with its year.
        sure: one of what is one without `cue`.
        cue: one of the words before, where the group `case` is a preposition that German has the
            dative after, and `own` tells whose age it is.
        written: a decade without an article, with one, after `case`, and an age.
    """

    pattern: str
    sure: str
    cue: str
    written: tuple[str, str, str, str]


NO_ORDINALS = Ordinals("(?!)", "(?!)", "(?!)")


@functools.cache
def _ordinals_of(language: str) -> Ordinals:
    table = language_table(language, "ordinals")
    return (
        Ordinals(**{key: "|".join(words) for key, words in table.items()}) if table else NO_ORDINALS
    )


@functools.cache
def _decades_of(language: str) -> Decades | None:
    table = language_table(language, "decades")
    return Decades(**{**table, "cue": "|".join(table["cue"])}) if table else None


@dataclasses.dataclass(frozen=True)
class Ordinal(Meaning):
    """An ordinal number in digits.

    Attributes:
        number: such as 21.
        ends_sentence: whether a point follows, which is not written twice.
    """

    number: int
    ends_sentence: bool

    @property
    def key(self) -> str:
        """See `Meaning.key`."""
        return f"ordinal {self.number}"

    def write(self, given: str, languages: tuple[str, str]) -> str:
        """See `Meaning.write`."""
        facts = language_facts(languages[1])
        ends_twice = facts.ordinal_form == "21." and self.ends_sentence
        return str(self.number) if ends_twice else facts.ordinal(str(self.number))


@dataclasses.dataclass(frozen=True)
class Decade(Meaning):
    """A decade, or the age of a person in tens.

    Attributes:
        year: the first one, as it was given: 1990 or 90.
        form: the place of the form in `Decades.written` that the words before it ask for.
    """

    year: str
    form: int

    @property
    def key(self) -> str:
        """See `Meaning.key`; the 1990s may be said as the 90s."""
        return f"decade {self.year.removeprefix('19')}"

    def write(self, given: str, languages: tuple[str, str]) -> str:
        """See `Meaning.write`."""
        decades = _decades_of(languages[1])
        return decades.written[self.form].format(self.year) if decades else given


class OrdinalReader:
    """Reads the ordinal numbers and decades of a language."""

    def __init__(self, language: str) -> None:
        self._form = language_facts(language).ordinal_form
        self._words = _ordinals_of(language)
        self._decades = _decades_of(language)

    def rules(self) -> Iterator[Rule]:
        """The forms of ordinal numbers and decades."""
        if self._form == "21st":
            pattern = rf"{BEFORE}(\d{{1,4}})(?i:st|nd|rd|th)(?!\w)"
            yield Rule(re.compile(pattern), self._read_ordinal)
        elif self._form == "21.":
            pattern = rf"{BEFORE}(\d{{1,4}})\.(?= (?P<next>[^\W\d]\w*)|,|$)"
            yield Rule(re.compile(pattern), self._read_pointed)
        if self._decades is not None:
            pattern = rf"(?:{BEFORE}|(?<=[Mm]id-)){self._decades.pattern}(?!\w)"
            yield Rule(re.compile(pattern), functools.partial(_read_decade, self._decades))

    def _read_ordinal(self, match: re.Match[str]) -> Ordinal:
        return Ordinal(int(match[1]), ends_sentence=match.string.startswith(".", match.end()))

    def _read_pointed(self, match: re.Match[str]) -> Ordinal | None:
        """A number with a point that does not end the sentence, or that is a day of a month."""
        number, word = int(match[1]), match["next"] or ""
        if word:
            is_one = word[0].islower() or follows(match, self._words.before)
            is_one |= re.match(self._words.after, word) is not None
        else:
            is_one = number <= DAYS and follows(match, self._words.before_last)
        return Ordinal(number, ends_sentence=False) if is_one else None


def _read_decade(decades: Decades, match: re.Match[str]) -> Decade | None:
    cue = re.search(decades.cue, text_before(match), re.IGNORECASE)
    if cue is None and not re.fullmatch(decades.sure, match[0]):
        return None
    found = cue.groupdict() if cue else {}
    if found.get("own"):
        form = 3 * (len(match["year"]) == 2)
    else:
        form = 2 if found.get("case") else int(cue is not None and cue[0][0] != "0")
    return Decade(match["year"], form)
