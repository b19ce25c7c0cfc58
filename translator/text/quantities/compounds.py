"""Numbers that are a part of what describes a noun: a 10-minute walk, eine 2-Liter-Flasche."""

import dataclasses
import re
from collections.abc import Iterator

from translator.base.languages import language_facts
from translator.text.quantities.forms import BEFORE, Rule
from translator.text.quantities.numbers import Number, digits_pattern, plain, read_digits
from translator.text.quantities.quantity import Meaning

UNITS = {  # by language in the same order: what is written, and others that are read
    "en": (
        "second", "minute", "hour", "day", "week", "month", "year", "mile", "kilometer|kilometre",
        "meter|metre", "liter|litre", "inch", "foot", "pound", "kilo", "ton", "watt", "dollar",
        "euro", "cent", "yen", "percent", "degree", "page", "star", "room", "person", "point",
        "word", "course", "digit", "step", "player", "part", "lane", "question",
    ),
    "de": (
        "Sekunden|sekündige[mnrs]?", "Minuten|minütige[mnrs]?", "Stunden|stündige[mnrs]?",
        "Tage|Tages|tägige[mnrs]?", "Wochen|wöchige[mnrs]?", "Monats|monatige[mnrs]?", "Jahres",
        "Meilen", "Kilometer", "Meter", "Liter", "Zoll", "Fuß", "Pfund", "Kilo", "Tonnen", "Watt",
        "Dollar", "Euro", "Cent", "Yen", "Prozent", "Grad", "Seiten|seitige[mnrs]?", "Sterne",
        "Zimmer", "Personen|köpfige[mnrs]?", "Punkte", "Wörter", "Gänge", "Ziffern|stellige[mnrs]?",
        "Schritte", "Spieler", "Teile|teilige[mnrs]?", "Spuren|spurige[mnrs]?", "Fragen",
    ),
}  # fmt: skip


@dataclasses.dataclass(frozen=True)
class Compound(Meaning):
    """A number with a unit that describes the noun after it.

    Attributes:
        number: of the units.
        unit: the place of the unit in `UNITS`.
    """

    number: Number
    unit: int

    @property
    def key(self) -> str:
        """See `Meaning.key`."""
        return f"compound {plain(self.number.value)} {UNITS['en'][self.unit].partition('|')[0]}"

    def write(self, given: str, languages: tuple[str, str]) -> str:
        """See `Meaning.write`; what is joined with the noun after it ends with a hyphen."""
        units = UNITS.get(languages[1])
        if units is None:
            return given
        unit = units[self.unit].partition("|")[0]
        joint = "-" * language_facts(languages[1]).capitalizes_nouns
        return f"{self.number.write(given, languages)}-{unit}{joint}"


class CompoundReader:
    """Reads numbers with units before nouns.

    Args:
        language: its code.
    """

    def __init__(self, language: str) -> None:
        self._language = language
        self._units = UNITS.get(language, ())

    def rules(self) -> Iterator[Rule]:
        """The form of compounds."""
        if self._units:
            unit = "|".join(f"(?P<unit{n}>{unit})" for n, unit in enumerate(self._units))
            digits = digits_pattern(self._language)
            pattern = rf"{BEFORE}(?P<digits>{digits})-(?:{unit})(?= [^\W\d])"
            yield Rule(re.compile(pattern), self._read)

    def _read(self, match: re.Match[str]) -> Compound | None:
        digits, unit = match["digits"], match.lastgroup or ""
        value = read_digits(digits, self._language)
        if value is None:
            return None
        return Compound(Number(value, digits), int(unit.removeprefix("unit")))
