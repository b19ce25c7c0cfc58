"""Amounts with a currency or a unit: £3.4bn, 12 %, five dollars, a 10-minute walk."""

import dataclasses
import re
from collections.abc import Iterator

from translator.base.languages import language_facts, language_table
from translator.text.quantities.numbers import SIGN, Number, NumberReader
from translator.text.quantities.quantity import (
    AFTER,
    BEFORE,
    BEFORE_WORD,
    Candidate,
    Joint,
    Meaning,
    Rule,
    any_of,
    follows,
)

SIGNS = {  # of currencies
    "€": "EUR", "$": "USD", "US$": "US$", "£": "GBP", "¥": "JPY", "₹": "INR", "₽": "RUB",
    "₩": "KRW", "₺": "TRY", "₴": "UAH", "₪": "ILS", "₿": "BTC",
}  # fmt: skip
CODES = ("EUR", "USD", "GBP", "JPY", "CHF", "INR", "CNY", "SEK", "NOK", "DKK", "PLN", "CZK", "CAD")
UNITS = (  # symbols that languages share
    "mph|[kcmµ]?m[²³]?|[km]?g|[mµn]s|[mcd]?l|°[CF]?|[kMGT]B|[kMG]?Hz|[kM]?W|[kMG]?Wh|mAh"
    "|[km]?V|k?cal|hPa|dB|h|min|ha|t|px|pt|lbs?|oz|ft|¢"
)
MORE = r"\+(?![^\s.,;:!?)]|\s?\d)"  # 18+
WORD = r"[^\W\d_]{3,}"  # no symbol
FOLLOWED = r" [^\W\d_]"  # by a word
SHORT_SCALES = {"k": 10**3, "m": 10**6, "b": 10**9}  # of prices: $5M; k and M of decimals, too


def units_of(language: str) -> dict[str, str]:
    """Units before a noun, by their English names: what is written, and, after ``|``, also read."""
    return language_table(language, "compounds")


def unit_words(language: str) -> dict[str, str]:
    """The words of a language for units, in lower case, and what they are in all languages."""
    units = language_table(language, "amounts").get("units", {})
    return {word.lower(): unit for unit, forms in units.items() for word in forms}


@dataclasses.dataclass(frozen=True)
class Amount(Meaning):
    """A number with a unit.

    Attributes:
        unit: equal in all languages, such as EUR or km; with a hyphen before one that is joined
            with its number, as in "a 10-minute walk".
        before: what stands before the number, with a space as given.
        after: likewise what stands after it.
    """

    number: Number
    unit: str
    before: str
    after: str

    @property
    def key(self) -> str:
        """See `Meaning.key`."""
        return f"amount {self.number.key.partition(' ')[2]} {self.unit}"

    def write(self, given: str, languages: tuple[str, str]) -> str:
        """See `Meaning.write`; the sign of a currency stands where the language has it."""
        table = language_table(languages[1], "amounts")
        number = self.number.write(given, languages)
        symbol = (self.before + self.after).strip()
        if self.unit.startswith("-"):
            unit = units_of(languages[1]).get(self.unit[1:], "").partition("|")[0]
            hyphen = "-" * language_facts(languages[1]).capitalizes_nouns  # before the noun
            return f"{number}-{unit}{hyphen}" if unit else given
        if symbol in SIGNS:
            if not table.get("sign_before", bool(self.before)):
                return f"{number} {symbol}"
            minus = number[: number[0] in SIGN]
            return f"{minus}{symbol}{number[len(minus) :]}"
        if symbol == "%":
            return f"{number}{table.get('percent', self.after)}"
        if symbol in CODES or not re.search(WORD, self.after):
            return f"{self.before}{number}{self.after}"
        words = table.get("units", {}).get(self.unit)
        return f"{number} {words[self.number.value != 1]}" if words else given


class AmountReader:
    """Reads the amounts of a language, and its numbers."""

    def __init__(self, language: str) -> None:
        self._numbers = NumberReader(language)
        self._compounds = units_of(language)
        self._units = unit_words(language)
        self._days = language_table(language, "calendar").get("days", ())

    def rules(self) -> Iterator[Rule]:
        """The forms of amounts and numbers."""
        digits, currency, codes = self._numbers.digits, any_of(SIGNS), any_of(CODES)
        named = rf"(?i:{any_of(self._units)})" if self._units else "(?!)"
        symbols = rf"(?:{UNITS})(?:/(?:{UNITS}))?"  # km/h
        forms = [
            rf"(?P<sign>{SIGN})(?P<before>{currency} ?|{codes} )(?P<number>{digits})"
            rf"(?P<short>[kKmMB](?!\w))?{AFTER}",
            rf"(?P<number>{SIGN}{digits})(?P<short>(?<=[.,]\d)[kKM](?!\w))?(?:,[-–]{{1,2}})?"
            rf"(?P<after> ?(?:{currency}|{symbols}|[%‰])|{MORE}| (?:{codes}|{named}))?{AFTER}",
        ]
        if self._compounds:
            units = "|".join(f"(?P<{name}>{unit})" for name, unit in self._compounds.items())
            forms.append(rf"(?P<number>{digits})(?P<after>-)(?:{units})(?= [^\W\d])")
        for form in forms:
            yield Rule(re.compile(rf"{BEFORE}{form}"), self._read)
        words = rf"{BEFORE_WORD}(?P<number>{self._numbers.words})(?P<after> {named})?(?!\w)"
        not_ordinal = rf"(?!-{any_of(self._days)}\b)"  # the twenty-first is not twenty
        yield Rule(re.compile(words + not_ordinal), self._read)

    def _read(self, match: re.Match[str]) -> Meaning | None:
        groups = {name: text for name, text in match.groupdict().items() if text}
        number = self._numbers.read(groups.get("sign", "") + groups["number"])
        if number is None:
            return None
        if scale := SHORT_SCALES.get(groups.get("short", "").lower()):
            number = dataclasses.replace(number, value=number.value * scale, scale=scale)
        before, after = groups.get("before", ""), groups.get("after", "")
        symbol = (before + after).strip()
        if after.startswith("-"):
            return Amount(number, f"-{match.lastgroup}", "", after)
        unit = SIGNS.get(symbol, self._units.get(symbol.lower(), symbol))
        return Amount(number, unit, before, after) if symbol else number

    def read_range(
        self, text: str, first: Candidate | None, joint: Joint, last: Candidate
    ) -> tuple[int, Meaning, Meaning] | None:
        """A range such as 5-7 kg, or 15 to 20 minutes.

        With a word between them it rises and counts something: 3 to 2 is a result, and so may be 2
        to 3 at the end. After "from" the model is told enough.
        """
        if first is None:
            return None
        ends = first.meaning, last.meaning
        one, other = (each.number if isinstance(each, Amount) else each for each in ends)
        amounts = [each for each in ends if isinstance(each, Amount)]
        if not (isinstance(one, Number) and isinstance(other, Number)):
            return None
        if not (one.digits and other.digits) or len({each.unit for each in amounts}) > 1:
            return None
        if joint.join is not None:
            is_counted = isinstance(last.meaning, Amount) or re.match(
                FOLLOWED, text[last.end : last.end + 2]
            )
            is_said = follows(text, first.start, "from|von")
            if joint.join or not is_counted or one.value >= other.value or is_said:
                return None
        if amounts and amounts[0].unit in SIGNS.values():  # one sign may be that of both
            price = dataclasses.replace(amounts[0], number=one)
            return first.start, price, dataclasses.replace(price, number=other)
        return None if amounts == [first.meaning] else (first.start, *ends)
