"""Ordinal numbers in digits, and decades: the 21st, im 3. Stock, the 1990s."""

import dataclasses
import re
from collections.abc import Iterator

from translator.base.languages import language_facts, language_table
from translator.text.quantities.quantity import BEFORE, Meaning, Rule, follows, text_before

DAYS = 31


@dataclasses.dataclass(frozen=True)
class Ordinal(Meaning):
    """An ordinal number in digits.

    Attributes:
        number: such as 21.
        ends_sentence: whether a point follows, which is not written twice.
    """

    number: int
    ends_sentence: bool = False

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
        form: the form of the table ``decades`` that the words before it ask for: ``alone``,
            ``after_article``, ``after_preposition`` with an article, or ``age``.
    """

    year: str
    form: str

    @property
    def key(self) -> str:
        """See `Meaning.key`; the 1990s may be said as the 90s."""
        return f"decade {self.year.removeprefix('19')}"

    def write(self, given: str, languages: tuple[str, str]) -> str:
        """See `Meaning.write`."""
        table = language_table(languages[1], "decades")
        return table["written"][self.form].format(self.year) if table else given


class OrdinalReader:
    """Reads the ordinal numbers and decades of a language."""

    def __init__(self, language: str) -> None:
        self._form = language_facts(language).ordinal_form
        words = language_table(language, "ordinals")
        self._words = {name: "|".join(each) for name, each in words.items()}
        self._decades = language_table(language, "decades")

    def rules(self) -> Iterator[Rule]:
        """The forms of ordinal numbers and decades."""
        if self._form == "21st":
            yield Rule(re.compile(rf"{BEFORE}(\d{{1,4}})(?i:st|nd|rd|th)(?!\w)"), self._read)
        elif self._words:
            pattern = rf"{BEFORE}(\d{{1,4}})\.(?= (?P<next>[^\W\d]\w*)|[-–,]|$)"
            yield Rule(re.compile(pattern), self._read_pointed)
        if self._decades:
            pattern = rf"{BEFORE}{self._decades['pattern']}(?!\w)"
            yield Rule(re.compile(pattern), self._read_decade)

    def _read(self, match: re.Match[str]) -> Ordinal:
        return Ordinal(int(match[1]), ends_sentence=match.string.startswith(".", match.end()))

    def _read_pointed(self, match: re.Match[str]) -> Ordinal | None:
        """A number with a point that does not end the sentence, or that is a day of a month."""
        number, word = int(match[1]), match["next"] or ""
        before = self._words["before" if word else "before_last"]
        is_one = follows(match.string, match.start(), before) and (bool(word) or number <= DAYS)
        is_one |= word[:1].islower() or re.match(self._words["after"], word) is not None
        return Ordinal(number) if is_one else None

    def _read_decade(self, match: re.Match[str]) -> Decade | None:
        before = text_before(match.string, match.start())
        for form, words in self._decades["after"].items():
            if re.search(rf"{words}$", before, re.IGNORECASE):
                return Decade(match["year"], form)
        is_sure = re.fullmatch(self._decades["sure"], match[0])
        return Decade(match["year"], "alone") if is_sure else None
