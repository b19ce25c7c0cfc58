"""Amounts with a currency or a unit, ranges and products: £3.4bn, 12 %, 5-7 kg, 10 x 15 cm."""

import dataclasses
import functools
import re
from collections.abc import Iterator

from translator.base.languages import language_facts, language_table
from translator.text.quantities.dates import calendar_of
from translator.text.quantities.forms import AFTER, BEFORE, BEFORE_WORD, Rule, follows
from translator.text.quantities.numbers import SIGN, Number, Numerals, plain
from translator.text.quantities.quantity import Meaning
from translator.text.quantities.ranges import joins_of
from translator.text.quantities.vocabulary import any_of

SIGNS = {  # of currencies
    "€": "EUR", "$": "USD", "US$": "US$", "£": "GBP", "¥": "JPY", "₹": "INR", "₽": "RUB",
    "₩": "KRW", "₺": "TRY", "₴": "UAH", "₪": "ILS", "₿": "BTC",
}  # fmt: skip
CODES = ("EUR", "USD", "GBP", "JPY", "CHF", "INR", "CNY", "SEK", "NOK", "DKK", "PLN", "CZK", "CAD")
UNITS = (  # symbols that languages share
    "km/h|m/s|mph|[kcmµ]?m[²³]?|[km]?g|[mµn]s|[mcd]?l|°[CF]?|[kMGT]B|[kMG]?Hz|[kM]?W|[kMG]?Wh|mAh"
    "|[km]?V|k?cal|hPa|dB|h|min|ha|t|px|pt|lbs?|oz|ft|¢"
)
WORD = re.compile(r"[^\W\d_]{3,}")  # no symbol
FOLLOWED = re.compile(r" [^\W\d_]")  # by a word
SHORT_SCALES = {"k": 10**3, "m": 10**6, "b": 10**9}  # of prices: $5M; k and M of decimals, too
TIMES = " ?[x×] ?"  # between the numbers of a product
DASH = " [-–] "
MORE = r"(?<=\d)\+(?![^\s.,;:!?)]|\s?\d)"  # 18+
PER_UNITS = ("kg", "km", "l", "m²", "h")


@functools.cache
def _per_words(language: str) -> dict[str, str]:
    """What a price can be for, in English, with its words in a language."""
    words: dict[str, str] = language_table(language, "amounts").get("per", {})
    return words and words | {unit: unit for unit in PER_UNITS}


@dataclasses.dataclass(frozen=True)
class Amount(Meaning):
    """A number, a range of two or a product, with a unit; or one of the latter without one.

    Attributes:
        unit: equal in all languages, such as EUR or km; empty where there is none.
        before: what stands before the numbers, with a space as given.
        per: what it is the price for, in English; empty where it says none.
    """

    numbers: tuple[Number, ...]
    dash: str
    unit: str
    before: str
    after: str
    per: str = ""

    @property
    def key(self) -> str:
        """See `Meaning.key`."""
        values = " ".join(plain(number.value) for number in self.numbers)
        per = self.per and f"/{self.per}"
        return f"amount {values} {self.unit}{per}" if self.unit else f"range {values}"

    def write(self, given: str, languages: tuple[str, str]) -> str:
        """See `Meaning.write`; the sign of a currency stands where the language has it."""
        table = language_table(languages[1], "amounts")
        if self.per:
            word = _per_words(languages[1]).get(self.per)
            price = dataclasses.replace(self, per="").write(given, languages)
            return f"{price}/{word}" if word else given
        written, target = (self.before + self.after).strip(), languages[1]
        is_sign = written in SIGNS
        is_before = table.get("sign_before", bool(self.before))
        is_short = is_sign and not is_before
        dash = self.dash
        if dash.strip().isalpha() and not re.fullmatch(TIMES, dash):
            if not joins_of(target):
                return given
            dash = f" {joins_of(target)[0]} "
        numbers = dash.join(n.write(given, languages, is_short) for n in self.numbers)
        if is_sign:
            minus = numbers[: is_before and numbers[0] in SIGN]
            return (
                f"{minus}{written}{numbers[len(minus) :]}" if is_before else f"{numbers} {written}"
            )
        if written == "%":
            return f"{numbers}{table.get('percent', self.after)}"
        if written in CODES or not WORD.search(self.after):
            return f"{self.before}{numbers}{self.after}"
        words = table.get("units", {}).get(self.unit)
        return f"{numbers} {words[[n.value for n in self.numbers] != [1]]}" if words else given


class AmountReader:
    """Reads the amounts of a language, and its numbers."""

    def __init__(self, language: str) -> None:
        self._numerals = Numerals(language)
        self._is_even_with_dash = language_facts(language).decimal_mark == ","
        self._per = {word: name for name, word in _per_words(language).items()}
        self._to = joins_of(language)[:1]
        calendar = calendar_of(language)
        self._ordinals = calendar.days if calendar else ()
        self._unit_of = {
            word.lower(): unit
            for unit, forms in language_table(language, "amounts").get("units", {}).items()
            for word in forms
        }

    def rules(self) -> Iterator[Rule]:
        """The forms of amounts, ranges and numbers."""
        digits, words = self._numerals.digits, self._numerals.words
        currency, codes = any_of(SIGNS), any_of(CODES)
        ordinals = any_of(self._ordinals)  # the twenty-first is not twenty
        named = rf"(?i:{any_of(self._unit_of)})" if self._unit_of else "(?!)"
        even = r"(?:,[-–]{1,2})?" if self._is_even_with_dash else ""  # 5,- Euro
        last = rf"(?:(?P<dash>[-–]|{DASH})(?:{currency})?(?P<last>{digits}))?{even}"
        before = rf"(?P<before>{currency} ?|{codes} )"
        per = rf"(?:/(?P<per>{any_of(self._per)})(?!\w))?" if self._per else ""
        unit = rf" ?(?:{currency}|{UNITS}|[%‰]|{MORE})| (?:{codes}|{named})"
        after = rf"(?:(?P<after>{unit}){per})?"
        short = r"(?P<short>(?<=[.,]\d)[kKM](?!\w))?"
        yield Rule(
            re.compile(rf"{BEFORE}(?P<sign>{SIGN}){before}(?P<first>{digits}){last}"
                       rf"(?P<short>[kKmMB](?!\w))?{per}{AFTER}"),
            self._read,
        )  # fmt: skip
        plain = rf"{BEFORE}(?P<first>{SIGN}{digits}){last}{short}{after}{AFTER}"
        yield Rule(re.compile(plain), self._read)
        several = rf"(?P<join>{TIMES}|{DASH}){digits}(?:(?P=join){digits})*"
        series = rf"{BEFORE}(?P<first>{digits})(?P<rest>{several}){after}{AFTER}"
        yield Rule(re.compile(series), self._read)
        if self._to:
            dash = rf"(?P<dash> {any_of(self._to)} )"
            spoken = rf"{BEFORE}(?P<first>{digits}){dash}(?P<last>{digits}){after}{AFTER}"
            yield Rule(re.compile(spoken), self._read_spoken)
        yield Rule(
            re.compile(
                rf"{BEFORE_WORD}(?P<first>{words})(?P<after> {named})?(?!\w)(?!-{ordinals}\b)"
            ),
            self._read,
        )

    def _read_spoken(self, match: re.Match[str]) -> Meaning | None:
        """A range such as 15 to 20 minutes: 3 to 2 is a result, and so may be 2 to 3 at the end."""
        found = self._read(match)
        if not isinstance(found, Amount) or found.numbers[0].value >= found.numbers[1].value:
            return None
        if follows(match, "from|von"):  # which tells the model enough
            return None
        return found if found.unit or FOLLOWED.match(match.string, match.end()) else None

    def _read(self, match: re.Match[str]) -> Meaning | None:
        groups = match.groupdict("")
        given = [groups.get("sign", "") + groups["first"], groups.get("last", "")]
        rest, dash = groups.get("rest", ""), groups.get("join") or groups.get("dash", "")
        given += rest.split(dash) if rest else []
        read = [self._numerals.read(number) for number in given if number]
        numbers = [number for number in read if number is not None]
        if len(numbers) < len(read) or dash == "x" and not numbers[0].value:  # 0x1 is hexadecimal
            return None
        if scale := SHORT_SCALES.get(groups.get("short", "").lower()):
            value = numbers[-1].value * scale
            numbers[-1] = dataclasses.replace(numbers[-1], value=value, scale=scale)
        before, after = groups.get("before", ""), groups.get("after", "")
        written = (before + after).strip()
        if not written and len(numbers) == 1:
            return numbers[0]
        unit = SIGNS.get(written, self._unit_of.get(written.lower(), written))
        per = self._per.get(groups.get("per", ""), "")
        return Amount(tuple(numbers), dash, unit, before, after, per)
