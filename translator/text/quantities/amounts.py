"""Numbers, amounts with a currency or a unit, and codes: 38, £3.4bn, 12 %, five dollars, 2.10.3."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from translator.base.languages import language_table
from translator.text.quantities.numbers import SIGN, Number, NumberReader
from translator.text.quantities.quantity import Meaning, Quantity, Rule, any_of, text_before

SIGNS = {  # signs of currencies
    "€": "EUR", "$": "USD", "US$": "US$", "£": "GBP", "¥": "JPY", "₹": "INR", "₽": "RUB",
    "₩": "KRW", "₺": "TRY", "₴": "UAH", "₪": "ILS", "₿": "BTC",
}  # fmt: skip
CODES = ("EUR", "USD", "GBP", "JPY", "CHF", "INR", "CNY", "SEK", "NOK", "DKK", "PLN", "CZK", "CAD")
UNITS = (  # symbols that languages share
    "mph|[kcmµ]?m[²³]?|[km]?g|[mµn]s|[mcd]?l|°[CF]?|[kMGT]B|[kMG]?Hz|[kM]?W|[kMG]?Wh|mAh"
    "|[km]?V|k?cal|hPa|dB|h|min|ha|t|px|pt|lbs?|oz|ft|¢"
)
FULL = "(?:,[-–]{1,2})?"  # 5,- €
MORE = r"\+(?![^\s.,;:!?)]|\s?\d)"  # 18+
SHORT_SCALES = {"k": 10**3, "m": 10**6, "b": 10**9}  # $5M; k and M after decimals, too
CODE = (
    r"[A-Z]{2}\d\d(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?"  # an IBAN
    r"|(?:\+|\(\d{2,5}\) ?|0\d{2,5}(?: / |[ /-]))\d[\d ()/-]*\d\d"  # a telephone number
    r"|(?<!\d{3} )\d{3}(?: \d{3}){2,}(?!\d| \d)|(?<!\d{4} )\d{4}(?: \d{4}){2,}(?!\d| \d)"
    r"|[1-9]\d? [1-9]/[2-9]|\d+ : \d+|\d+(?:[.,:/–-]\d+)*|\d*[½¼¾⅓⅔⅛]"
)
VERSION = r"\d+(?:\.\d{1,2}\+?|\+)"
# A name before a code, with a capital inside sentences, too: with Python 3.11, iOS 17.1, USB 3.0
NAME = r"[\w,;)] [a-z]*[A-Z]\w+|(?<![\w.-])(?:[A-Z]?[a-z]+[A-Z]\w*|[A-Z]{2,5})"


class Code(NamedTuple):
    """Digits that are the same in every language, such as a telephone number."""

    text: str

    @property
    def key(self) -> str:
        return f"code {''.join(self.text.split())}"

    def write(self, original: str, language: str) -> str:
        return original


class Amount(NamedTuple):
    """A number with a unit.

    Attributes:
        unit: equal in all languages, such as EUR or km. A hyphen comes first if the unit is joined
            with its number, as in "a 10-minute walk".
        before: the sign or code before the number, with the typed space.
        after: the sign, symbol or code after the number, with the typed space.
        is_word: whether the unit is a word of the language.
    """

    number: Number
    unit: str
    before: str
    after: str
    is_word: bool

    @property
    def key(self) -> str:
        return f"amount {self.number.key.partition(' ')[2]} {self.unit}"

    def write(self, original: str, language: str) -> str:
        table = language_table(language, "amounts")
        number = self.number.write(original, language)
        symbol = (self.before + self.after).strip()
        if self.unit.startswith("-"):
            names, unit = table.get("before_nouns", {}), self.unit[1:]
            name = names.get(unit) if isinstance(names, dict) else unit  # English has its own list
            return f"{number}-{name}" if name else original
        if self.is_word:
            words = table.get("units", {}).get(self.unit)
            return f"{number} {words[self.number.total != 1]}" if words else original
        if symbol in SIGNS and table.get("sign_before", bool(self.before)):
            minus = self.number.sign
            return f"{minus}{symbol}{number.removeprefix(minus)}"
        if symbol in SIGNS:
            return f"{number} {symbol}"
        if symbol == "%":
            return f"{number}{table.get('percent', self.after)}"
        return f"{self.before}{number}{self.after}"


class AmountReader:
    """Reads the amounts, numbers and codes of a language."""

    def __init__(self, language: str) -> None:
        self._numbers = NumberReader(language)
        table = language_table(language, "amounts")
        units, self._before_nouns = table.get("units", {}), table.get("before_nouns", ())
        self._units = {word.lower(): unit for unit, forms in units.items() for word in forms}
        self._days = language_table(language, "calendar").get("days", ())
        self._from = language_table(language, "conjunctions").get("from", "")
        labels = language_table(language, "codes").get("labels", ())
        self._before_version = rf"(?:\b(?i:{any_of(labels)})|{NAME}) \Z" if labels else "(?!)"

    def rules(self) -> Iterator[Rule]:
        """The forms of versions, amounts and numbers; the form of other codes comes last."""
        digits, currency, codes = self._numbers.digits, any_of(SIGNS), any_of(CODES)
        named = rf"(?i:{any_of(self._units)})" if self._units else "(?!)"
        symbols = rf"(?:{UNITS})(?:/(?:{UNITS}|s))?"  # km/h
        not_ordinal = rf"(?!-{any_of(self._days)}\b)"  # the twenty-first is not twenty
        yield Rule(VERSION, self._read_version)
        for form in (
            rf"(?P<number>{digits})-(?P<joined>{any_of(self._before_nouns)})(?= [^\W\d])",
            rf"(?P<sign>{SIGN})(?P<before>{currency} ?|{codes} )(?P<number>{digits})"
            rf"(?P<short>[kKmMB](?!\w))?(?P<after>/(?:{UNITS}))?",
            rf"(?P<number>{SIGN}{digits})(?P<short>(?<=[.,]\d)[kKM](?!\w))?"
            rf"{FULL}(?P<after> ?(?:{currency}(?:/(?:{UNITS}))?|{symbols}|[%‰])|{MORE}| {codes})?",
            rf"(?P<number>{SIGN}{digits}){FULL}(?P<word> {named})",
        ):
            yield Rule(form, self._read)
        words = rf"(?P<number>{self._numbers.words})(?P<word> {named})?{not_ordinal}"
        yield Rule(words, self._read, self._numbers.stems)
        yield Rule(CODE, lambda match: Code(match[0]))

    def _read_version(self, match: re.Match[str]) -> Code | None:
        is_version = re.search(self._before_version, text_before(match))
        return Code(match[0]) if is_version else None

    def _read(self, match: re.Match[str]) -> Meaning | None:
        groups = {name: text for name, text in match.groupdict().items() if text}
        number = self._numbers.read(groups.get("sign", "") + groups["number"])
        if number is None:
            return None
        if scale := SHORT_SCALES.get(groups.get("short", "").lower()):
            number = number._replace(scale=scale)
        before, after, word = (groups.get(name, "") for name in ("before", "after", "word"))
        symbol = (before + after).strip()
        if "joined" in groups:
            return Amount(number, f"-{groups['joined']}", "", "", False)
        unit = self._units[word.strip().lower()] if word else SIGNS.get(symbol, symbol)
        return Amount(number, unit, before, after, bool(word)) if unit else number

    def read_range(
        self, text: str, first: Quantity, last: Quantity, join: str
    ) -> tuple[Meaning, Meaning] | None:
        """A range such as 5-7 kg, or 15 to 20 minutes.

        After a word such as "to", the second number must be larger and count something: "3 to 2" is
        a result, and "2 to 3" at the end may be one. After "from", each number has its own mask.
        """
        ends = first.meaning, last.meaning
        low, high = (end.number if isinstance(end, Amount) else end for end in ends)
        if not (isinstance(low, Number) and isinstance(high, Number)):
            return None
        amounts = [end for end in ends if isinstance(end, Amount)]
        if low.is_spoken or high.is_spoken or len({amount.unit for amount in amounts}) > 1:
            return None
        if join:
            is_counted = high != ends[1] or re.match(r" [^\W\d_]", text[last.end : last.end + 2])
            is_said = text[: first.start].lower().endswith(f"{self._from} ")
            if join != "to" or not is_counted or low.total >= high.total or is_said:
                return None
        if amounts and amounts[0].unit in SIGNS.values():  # one sign may belong to both
            return amounts[0]._replace(number=low), amounts[0]._replace(number=high)
        return None if amounts == [ends[0]] else ends
