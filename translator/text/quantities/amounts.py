"""Amounts with a currency or a unit, and ranges of numbers: £3.4bn, 12 %, 5-7 kg."""

import dataclasses
import re
from collections.abc import Iterator
from typing import NamedTuple

from translator.text.quantities.forms import (
    AFTER,
    BEFORE,
    BEFORE_WORD,
    Rule,
)
from translator.text.quantities.numbers import SIGN, Number, Numerals
from translator.text.quantities.quantity import Meaning
from translator.text.quantities.vocabulary import any_of

SIGNS = {  # of currencies
    "€": "EUR", "$": "USD", "US$": "USD", "£": "GBP", "¥": "JPY", "₹": "INR", "₽": "RUB",
    "₩": "KRW", "₺": "TRY", "₴": "UAH", "₪": "ILS", "₿": "BTC",
}  # fmt: skip
CODES = ("EUR", "USD", "GBP", "JPY", "CHF", "INR", "CNY", "SEK", "NOK", "DKK", "PLN", "CZK", "CAD")
SIGNS_BEFORE = {"en": True, "de": False}  # where signs stand: €5, 5 €
UNITS = (  # symbols that languages share
    "km/h|m/s|mph|[kcmµ]?m[²³]?|[km]?g|[mµn]s|[mcd]?l|°[CF]?|[kMGT]B|[kMG]?Hz|[kM]?W|[kMG]?Wh|mAh"
    "|[km]?V|k?cal|hPa|dB|h|min|ha|t|px|pt"
)
WORD = re.compile(r"[^\W\d_]{3,}")  # no symbol
PERCENT = {"en": "%", "de": " %"}  # with what stands before it
WORDS = {  # of units that no case changes: one, several, and other forms
    "en": {
        "EUR": ("euro", "euros"), "USD": ("dollar", "dollars", "US dollars"),
        "JPY": ("yen", "yen"), "pound": ("pound", "pounds"), "cent": ("cent", "cents"),
        "%": ("percent", "percent", "per cent"), "°": ("degree", "degrees"),
        "°C": ("degree Celsius", "degrees Celsius"),
        "°F": ("degree Fahrenheit", "degrees Fahrenheit"),
    },
    "de": {
        "EUR": ("Euro", "Euro", "Euros"), "USD": ("Dollar", "Dollar", "US-Dollar"),
        "JPY": ("Yen", "Yen"), "pound": ("Pfund", "Pfund"), "cent": ("Cent", "Cent", "Cents"),
        "%": ("Prozent", "Prozent"), "°": ("Grad", "Grad"), "°C": ("Grad Celsius", "Grad Celsius"),
        "°F": ("Grad Fahrenheit", "Grad Fahrenheit"),
    },
}  # fmt: skip
SHORT_SCALES = {"k": 10**3, "m": 10**6}  # after a number with the sign of a currency


class Numbers(NamedTuple):
    """A number, or two that are a range.

    Attributes:
        first: the number, or the first one.
        last: the last one of a range.
        dash: what stands between them.
    """

    first: Number
    last: Number | None = None
    dash: str = ""

    @property
    def key(self) -> str:
        """What both say."""
        return " ".join(number.key.partition(" ")[2] for number in self.both())

    def both(self) -> list[Number]:
        """Those that there are."""
        return [self.first, *([self.last] if self.last else [])]

    def write(self, given: str, languages: tuple[str, str], is_short: bool = False) -> str:
        """Both as the second language writes them, with the scales in full or abbreviated."""
        return self.dash.join(each.write_in(given, languages, is_short) for each in self.both())


@dataclasses.dataclass(frozen=True)
class NumberRange(Meaning):
    """Two numbers with a dash, such as 10-12."""

    numbers: Numbers
    kind: str = dataclasses.field(default="range", init=False)

    @property
    def key(self) -> str:
        """See `Meaning.key`."""
        return f"range {self.numbers.key}"

    def values(self) -> list[str]:
        """See `Meaning.values`."""
        return self.numbers.key.split()

    def write(self, given: str, languages: tuple[str, str]) -> str:
        """See `Meaning.write`."""
        return self.numbers.write(given, languages)


@dataclasses.dataclass(frozen=True)
class Amount(Meaning):
    """Numbers with a unit.

    Attributes:
        numbers: of them.
        unit: equal in all languages, such as EUR or km.
        before: what stands before the numbers, with a space as given.
        after: what stands after them.
    """

    numbers: Numbers
    unit: str
    before: str
    after: str
    kind: str = dataclasses.field(default="amount", init=False)

    @property
    def key(self) -> str:
        """See `Meaning.key`."""
        return f"amount {self.numbers.key} {self.unit}"

    def values(self) -> list[str]:
        """See `Meaning.values`."""
        return self.numbers.key.split()

    def write(self, given: str, languages: tuple[str, str]) -> str:
        """See `Meaning.write`."""
        written, target = (self.before + self.after).strip(), languages[1]
        if written in SIGNS:
            return self._write_sign(written, given, languages)
        numbers = self.numbers.write(given, languages)
        if written in CODES or not WORD.search(self.after):
            return f"{self.before}{numbers}{PERCENT.get(target) if written == '%' else self.after}"
        words = WORDS.get(target, {}).get(self.unit)
        return f"{numbers} {words[self.numbers.key != '1']}" if words else given

    def _write_sign(self, sign: str, given: str, languages: tuple[str, str]) -> str:
        """With the sign of a currency where the language has it."""
        if SIGNS_BEFORE.get(languages[1], bool(self.before)):
            numbers = self.numbers.write(given, languages)
            minus = numbers[: numbers[0] in SIGN]
            return f"{minus}{sign}{numbers[len(minus) :]}"
        return f"{self.numbers.write(given, languages, is_short=True)} {sign}"


class AmountReader:
    """Reads the amounts of a language, and its numbers.

    Args:
        language: its code.
    """

    def __init__(self, language: str) -> None:
        self._numerals = Numerals(language)
        self._unit_of = {
            word.lower(): unit for unit, forms in WORDS.get(language, {}).items() for word in forms
        }

    def rules(self) -> Iterator[Rule]:
        """The forms of amounts, ranges and numbers."""
        digits, words = self._numerals.digits, self._numerals.words
        currency, codes = any_of(SIGNS), any_of(CODES)
        named = rf"(?i:{any_of(self._unit_of)})" if self._unit_of else "(?!)"
        last = rf"(?:(?P<dash>[-–]| – )(?P<last>{digits}))?"
        before = rf"(?P<before>{currency} ?|{codes} )"
        after = rf"(?P<after> ?(?:{currency}|{UNITS}|[%‰])| (?:{codes}|{named}))?"
        yield Rule(
            re.compile(rf"{BEFORE}(?P<sign>{SIGN}){before}(?P<first>{digits}){last}"
                       rf"(?P<short>[km](?!\w))?{AFTER}"),
            self._read,
        )  # fmt: skip
        plain = rf"{BEFORE}(?P<first>{SIGN}{digits}){last}{after}{AFTER}"
        yield Rule(re.compile(plain), self._read)
        yield Rule(
            re.compile(rf"{BEFORE_WORD}(?P<first>{words})(?P<after> {named})?(?!\w)"),
            self._read,
        )

    def _read(self, match: re.Match[str]) -> Meaning | None:
        groups = match.groupdict("")
        first = self._numerals.read(groups.get("sign", "") + groups["first"])
        last = self._numerals.read(groups["last"]) if groups.get("last") else None
        if first is None or groups.get("last") and last is None:
            return None
        if scale := SHORT_SCALES.get(groups.get("short", "")):
            first = dataclasses.replace(first, value=first.value * scale, scale=scale)
        numbers = Numbers(first, last, groups.get("dash", ""))
        before, after = groups.get("before", ""), groups.get("after", "")
        if written := (before + after).strip():
            unit = SIGNS.get(written, self._unit_of.get(written.lower(), written))
            return Amount(numbers, unit, before, after)
        return NumberRange(numbers) if last else first
