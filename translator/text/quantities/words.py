"""Numbers in words, read and written by one grammar: what stands before a scale multiplies it."""

import re
from decimal import Decimal
from typing import NamedTuple

from translator.text.quantities.vocabulary import Vocabulary, any_of

YEARS = range(1100, 2000)  # may be said by their hundreds: nineteen ninety, neunzehnhundertneunzig
MOST = 10**15  # from here on, numbers are not said in words
HALF = Decimal("0.5")


class SpokenNumber(NamedTuple):
    """What words say.

    Attributes:
        is_year: whether it is said by its hundreds, as a year is.
    """

    value: Decimal
    is_year: bool


class NumberWords:
    """Reads and writes numbers in words.

    Attributes:
        pattern: what may be a number in words, as a regular expression without groups.
        first: words that one of those begins with, in lower case.
    """

    def __init__(self, words: Vocabulary) -> None:
        self._words = words
        self._is_joined = words.is_joined
        self._values = {word: Decimal(value) for value, word in enumerate(words.small)}
        self._values |= {word: Decimal(10 * n) for n, word in enumerate(words.tens, 2)}
        self._values |= dict.fromkeys(words.articles, Decimal(1))
        self._values |= dict.fromkeys(words.halves, HALF) | {words.one_and_a_half: 1 + HALF}
        self._factors = {
            form.lower(): value for value, forms in words.scales.items() for form in forms[:2]
        }
        self._factors |= {words.hundred: 100, words.thousand: 1000, words.dozen.lower(): 12}
        if self._is_joined:
            self._values["eineinhalb"] = 1 + HALF
        else:
            self._factors["oh"] = 100
        tokens = any_of((*self._values, *self._factors))
        first = {token.split()[0] for token in (*self._values, *self._factors)}
        self.first = tuple(first - {"a", "and"})
        self._token = re.compile(tokens if self._is_joined else rf"\b{tokens}\b")
        pattern = self._joined_pattern() if self._is_joined else self._spaced_pattern()
        digit = any_of(words.small[:10])
        self._decimals = re.compile(rf" {words.point}((?: {digit}\b)+)", re.IGNORECASE)
        self.pattern = rf"(?:{pattern}(?: {words.point}(?: {digit}\b)+)?)"

    def _spaced_pattern(self) -> str:
        words = self._words
        ones, small, tens = map(any_of, (words.small[1:10], words.small, words.tens))
        below_100 = rf"(?:{tens}(?:[- ]{ones}\b)?|{small})"
        below_1000 = (
            rf"(?:(?:{below_100}|an?)[- ]hundred(?:(?: and |[- ]){below_100})?|{below_100})"
        )
        scale = any_of(
            (words.thousand, words.dozen, *(forms[0] for forms in words.scales.values()))
        )
        year = rf"(?:{any_of(words.small[13:])}|twenty) (?:{tens}(?:-{ones})?"
        year += rf"|{any_of(words.small[10:])}|oh {ones})(?![\w-])"
        of_scale = rf"(?:half a|a half|half|a)(?=[- ]{scale}(?![\w-]))"
        first = rf"(?:{of_scale}|{below_1000}(?: and a half)?|{words.hundred}|{words.thousand})"
        return rf"(?:{year}|{first}(?:[- ]{scale}(?:(?: and)? {below_1000})?)*)"

    def _joined_pattern(self) -> str:
        words = self._words
        ones = any_of(("ein", *words.small[2:10]))
        small, tens = any_of(words.small), any_of(words.tens)
        below_100 = rf"(?:(?:{ones}und)?{tens}|{small}|ein(?=tausend))"
        below_1000 = rf"(?:(?:ein|{small})?hundert(?:(?:und)?{below_100})?|{below_100})"
        plain = rf"(?:{below_1000}?tausend(?:(?:und)?{below_1000})?|{below_1000})"
        scale = any_of(
            (words.dozen, *(form for forms in words.scales.values() for form in forms[:2]))
        )
        article = rf"{any_of((*words.articles, *words.halves[:-1]))}(?= {scale}\b)"
        first = rf"(?:anderthalb|{ones}einhalb|{article}|{plain})"
        return rf"(?:{first}(?: {scale}(?: (?:und )?{plain})?)*)"

    def read(self, text: str) -> SpokenNumber:
        """What `pattern` has found says."""
        if found := self._decimals.search(text):
            whole = self.read(text[: found.start()]).value
            digits = [self._words.small.index(word) for word in found[1].lower().split()]
            return SpokenNumber(Decimal(f"{whole}.{''.join(map(str, digits))}"), False)
        total = current = Decimal(0)
        is_year = False
        for token in self._token.findall(text.lower()):
            value, factor = self._values.get(token, Decimal(0)), self._factors.get(token, 1)
            if 13 <= current <= 20 and value >= 10:  # nineteen ninety
                factor = 100
            is_year |= factor == 100 and 10 < current <= 20
            current = (current or Decimal(factor > 1)) * factor + value
            if factor >= 1000:
                total, current = total + current, Decimal(0)
        return SpokenNumber(total + current, is_year)

    def write(self, spoken: SpokenNumber) -> str | None:
        """A number in words; None where it has none of a usual form."""
        value, is_year = spoken
        if not 0 <= value < MOST or value % HALF or value == HALF:
            return None
        if is_year and int(value) in YEARS and value % 1000:
            return self._write_year(*divmod(int(value), 100))
        scale = max((each for each in self._words.scales if each <= value), default=1)
        count = value / scale
        if scale > 1 and count % HALF:
            whole = self._with_scale(Decimal(int(count)), scale)
            return f"{whole} {self.write(SpokenNumber(value % scale, False))}"
        return self._with_scale(count, scale)

    def _with_scale(self, count: Decimal, scale: int) -> str:
        if count % 1:
            whole = self._below_million(int(count))
            half = "einhalb" if self._is_joined else " and a half"
            words = self._words.one_and_a_half if count == 1 + HALF else f"{whole}{half}"
        else:
            words = self._below_million(int(count))
        if scale == 1:
            return words
        singular, plural, _ = self._words.scales[scale]
        if count == 1:
            return f"{'eine' if self._is_joined else 'a'} {singular}"
        return f"{words} {plural}"

    def _write_year(self, hundreds: int, rest: int) -> str:
        if self._is_joined or hundreds < 13 or rest < 10:
            return self._join(hundreds, self._words.hundred, rest)
        return f"{self._below_million(hundreds)} {self._below_million(rest)}"

    def _below_million(self, value: int) -> str:
        words = self._words
        if value >= 100:
            factor, name = (1000, words.thousand) if value >= 1000 else (100, words.hundred)
            return self._join(value // factor, name, value % factor)
        if value < 20:
            return words.small[value]
        tens, ones = words.tens[value // 10 - 2], words.small[value % 10]
        if value % 10 == 0:
            return tens
        return (
            f"{ones.removesuffix('s') if value % 10 == 1 else ones}und{tens}"
            if self._is_joined
            else f"{tens}-{ones}"
        )

    def _join(self, count: int, name: str, rest: int) -> str:
        first = self._below_million(count)
        last = self._below_million(rest) if rest else ""
        if self._is_joined:
            first = "" if count == 1 else first.removesuffix("s") if count % 100 == 1 else first
            return f"{first}{name}{last}"
        return f"{first} {name}{' and' * (0 < rest < 100)} {last}".rstrip()
