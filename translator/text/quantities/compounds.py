"""Numbers that are a part of what describes a noun: a 10-minute walk, eine 2-Liter-Flasche."""

import dataclasses
import re
from collections.abc import Iterator

from translator.base.languages import language_facts, language_table
from translator.text.quantities.forms import BEFORE, Rule
from translator.text.quantities.numbers import Number, digits_pattern, plain, read_digits
from translator.text.quantities.quantity import Meaning


def units_of(language: str) -> dict[str, str]:
    """Units by their English names: what is written, and what is also read, divided by ``|``."""
    return language_table(language, "compounds")


@dataclasses.dataclass(frozen=True)
class Compound(Meaning):
    """A number with a unit that describes the noun after it."""

    number: Number
    unit: str

    @property
    def key(self) -> str:
        """See `Meaning.key`."""
        return f"compound {plain(self.number.value)} {self.unit}"

    def write(self, given: str, languages: tuple[str, str]) -> str:
        """See `Meaning.write`; what is joined with the noun after it ends with a hyphen."""
        unit = units_of(languages[1]).get(self.unit, "").partition("|")[0]
        if not unit:
            return given
        joint = "-" * language_facts(languages[1]).capitalizes_nouns
        return f"{self.number.write(given, languages)}-{unit}{joint}"


class CompoundReader:
    """Reads numbers with units before nouns."""

    def __init__(self, language: str) -> None:
        self._language = language
        self._units = units_of(language)

    def rules(self) -> Iterator[Rule]:
        """The form of compounds."""
        if self._units:
            unit = "|".join(f"(?P<{name}>{unit})" for name, unit in self._units.items())
            digits = digits_pattern(self._language)
            pattern = rf"{BEFORE}(?P<digits>{digits})-(?:{unit})(?= [^\W\d])"
            yield Rule(re.compile(pattern), self._read)

    def _read(self, match: re.Match[str]) -> Compound | None:
        digits, unit = match["digits"], match.lastgroup or ""
        value = read_digits(digits, self._language)
        if value is None:
            return None
        return Compound(Number(value, digits), unit)
