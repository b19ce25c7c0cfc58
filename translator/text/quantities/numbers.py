"""Numbers in digits and in words: 1,234.5 is 1.234,5, and thirty-eight is achtunddreißig."""

import functools
import re
from decimal import Decimal
from typing import NamedTuple

from translator.base.languages import language_facts, language_table
from translator.text.quantities.quantity import any_of, with_capitals_of

SPACE_IN_NUMBER = "\u00a0"  # the only other space in texts that were read
SPACED = (  # 10 000, but 101 300 may be two numbers, if the space is a plain one; 1'000
    rf"[1-9]\d?(?: \d{{3}})+(?!\d| \d)|[1-9]\d\d(?: 000)+(?!\d| \d)"
    rf"|\d{{1,3}}(?:{SPACE_IN_NUMBER}\d{{3}}){{1,6}}(?!\d|{SPACE_IN_NUMBER})"
    r"|\d{1,3}(?:['’]\d{3})+(?!\d)"
)
SIGN = "[-−–+]?"
MOST_DIGITS = 18  # a longer number is a code
MOST = 10**15  # from here on, numbers are not said in words
MILLION = 10**6
BY_HUNDREDS = range(1100, 2000)  # fifteen hundred, neunzehnhundertneunzig
HALF = Decimal("0.5")


class NumberWords:
    """Reads and writes numbers in words, by the table ``numbers`` of a language.

    Attributes:
        pattern: a regular expression without groups for possible numbers in words.
        stems: the beginnings of the words in such numbers.
        scales: the names of 12, 100, 1000 and so on: singular, plural, abbreviation.
        after_digits: words and abbreviations after digits, with their factors.
    """

    def __init__(self, language: str) -> None:
        words = language_table(language, "numbers")
        self._small, self._tens, self._pair = words["small"], words["tens"], words["pair"]
        self._joined_one = words["joined_one"]
        self._articles, self._halves = words["articles"], words["halves"]
        self._and_a_half, self._one_and_a_half = words["and_a_half"], words["one_and_a_half"]
        self._gap, self._before_tens = words["gap"], words["before_tens"]
        self.scales = {int(value): forms for value, forms in words["scales"].items()}
        self._factors = {word: n for n in self.scales for word in self._names(n)}
        short = {form.lower(): n for n, forms in self.scales.items() for form in forms[2:]}
        short |= {form.rstrip("."): n for form, n in short.items()}
        self.after_digits = self._factors | short
        halves = *self._halves, self._and_a_half.strip()
        self._values = {word: Decimal(n) for n, word in enumerate(self._small)}
        self._values |= {word: Decimal(10 * n) for n, word in enumerate(self._tens, 2)}
        self._values |= dict.fromkeys((*self._articles, self._joined_one), Decimal(1))
        self._values |= dict.fromkeys(halves, HALF)
        self._values |= dict.fromkeys(self._one_and_a_half, 1 + HALF)
        self._values[language_table(language, "conjunctions")["and"]] = Decimal(0)
        self.stems = (
            *(self._small[0], *self._small[2:], *self._tens, *self._factors),
            *(article + scale for article in self._articles for scale in self._factors),
            *(form.split(" ")[-1] for form in self._one_and_a_half),
            self._pair.format(ones=self._joined_one, tens=""),  # as in einundzwanzig
        )
        self.pattern = self._pattern()

    def _names(self, scale: int) -> tuple[str, str]:
        """The singular and the plural name of a scale, in lower case."""
        singular, plural = self.scales[scale][:2]
        return singular.lower().split(" ")[-1], plural.lower().replace("{}", "").strip()

    def _pattern(self) -> str:
        articles, small, tens = map(any_of, (self._articles, self._small, self._tens))
        ones = any_of((self._joined_one, *self._small[2:10]))
        pair = self._pair.replace("-", "[- ]").format(tens=tens, ones=ones)
        scale, hundred, thousand = (
            any_of(name for n in scales for name in self._names(n))
            for scales in ([n for n in self.scales if n != 100], [100], [1000])
        )
        below_100 = rf"(?:{pair}|{small}|{tens}|{self._joined_one}(?={thousand}))"
        below_1000 = rf"(?:(?:(?:(?:{articles}|{below_100})[- ]?)?{hundred}"
        below_1000 += rf"(?:{self._gap}{below_100})?)|{below_100})"
        first = rf"(?:{any_of((*self._articles, *self._halves))}(?=[- ]?{scale}(?!\w))"
        first += rf"|{any_of(self._one_and_a_half)}|{below_1000}(?:{self._and_a_half})?"
        first += rf"|{thousand}(?:{self._gap}{below_1000})?)"
        hundreds = any_of((*self._small[13:], self._tens[0]))
        year = rf"{hundreds} (?:{pair}|{tens}|{any_of(self._small[10:])})(?![\w-])"
        return rf"(?:{year}|{first}(?:[- ]?{scale}(?:{self._gap}{below_1000})?)*)"

    @functools.cached_property
    def _word(self) -> re.Pattern[str]:
        return re.compile(any_of((*self._values, *self._factors)))

    def read(self, text: str) -> Decimal:
        """The value of a text that `pattern` found. A scale multiplies the number before it."""
        total = current = Decimal(0)
        for word in self._word.findall(text.lower()):
            value, factor = self._values.get(word, Decimal(0)), self._factors.get(word, 1)
            if 13 <= current <= 20 and value >= 10:  # nineteen ninety
                factor = 100
            current = (current or Decimal(factor > 1)) * factor + value
            if factor >= 1000:
                total, current = total + current, Decimal(0)
        return total + current

    def write(self, value: Decimal | int) -> str | None:
        """A number in words; None if it has no usual form in words."""
        if not 0 <= value < MOST or value % HALF or value == HALF:
            return None
        if value % 1:
            half = f"{self.joined(int(value))}{self._and_a_half}"
            return self._one_and_a_half[0] if value == 1 + HALF else half
        number = int(value)
        if number < 20:
            return str(self._small[number])
        if number < 100:
            tens, ones = self._tens[number // 10 - 2], number % 10
            return str(self._pair.format(tens=tens, ones=self.joined(ones)) if ones else tens)
        is_by_hundreds = number in BY_HUNDREDS and number % 1000 > 0
        scale = 100 if is_by_hundreds else max(scale for scale in self.scales if scale <= number)
        singular, plural = self.scales[scale][:2]
        count, remainder = divmod(Decimal(number), scale)
        if scale >= MILLION and remainder == scale * HALF:
            count, remainder = count + HALF, Decimal(0)
        is_apart = " " in plural
        before = self.write(count) if is_apart else self.joined(count)
        written = str(singular if count == 1 else plural.format(before))
        if is_by_hundreds and is_apart and count > 12 and remainder >= 10:
            return f"{before} {self.write(remainder)}"  # nineteen ninety
        between = " " * is_apart + self._before_tens * (remainder < 100)
        return f"{written}{between}{self.write(remainder)}" if remainder else written

    def joined(self, count: Decimal | int) -> str:
        """A number in words, joined with the next word: "eins" then becomes "ein"."""
        written = self.write(count) or ""
        ends_with_one = count % 100 == 1
        return written.removesuffix(self._small[1]) + self._joined_one if ends_with_one else written


@functools.cache
def number_words(language: str) -> NumberWords | None:
    """The reader and writer of number words of a language; None if they are not known."""
    return NumberWords(language) if language_table(language, "numbers") else None


def _group_mark(language: str) -> str:
    """The mark that groups digits. If the facts have none, a default is used."""
    facts = language_facts(language)
    return facts.group_mark or {".": ",", ",": SPACE_IN_NUMBER}.get(facts.decimal_mark or "", "")


def digits_pattern(language: str) -> str:
    """A regular expression without groups for numbers in digits with the marks of a language."""
    decimal, group = language_facts(language).decimal_mark, _group_mark(language)
    grouped = rf"|\d{{1,3}}(?:{re.escape(group)}\d{{3}})+(?!\d)" if group.strip() else ""
    decimals = rf"(?:{re.escape(decimal)}\d+)?" if decimal else ""
    bare = r"|\.\d+" if decimal == "." else ""  # .5
    return rf"(?:(?:{SPACED}{grouped}|\d+){decimals}{bare})"


def write_digits(value: Decimal, language: str, is_grouped: bool = True) -> str:
    """A value in digits, in the format of the language."""
    decimal = language_facts(language).decimal_mark or "."
    marks = str.maketrans({",": _group_mark(language) or ",", ".": decimal})
    return f"{value:{',' * is_grouped}f}".translate(marks)


class Number(NamedTuple):
    """A number. 2.50 and 2.5 have one key.

    Attributes:
        value: the number as written, without its sign and without the scale after digits.
        scale: the factor of the word after digits; 1 without such a word.
        is_grouped: whether its digits have marks for thousands.
        is_spoken: whether it is in words.
    """

    value: Decimal
    sign: str = ""
    scale: int = 1
    is_grouped: bool = False
    is_spoken: bool = False

    @property
    def total(self) -> Decimal:
        """Its value with sign and scale."""
        value = self.value * self.scale
        return -value if self.sign and self.sign != "+" else value

    @property
    def key(self) -> str:
        return f"number {self.total.normalize():f}"

    def write(self, original: str, language: str) -> str:
        words = number_words(language)
        if self.is_spoken:
            number = words and words.write(self.value) or write_digits(self.value, language)
            return with_capitals_of(original, number)
        if self.scale == 1:
            return self.sign + write_digits(self.value, language, self.is_grouped)
        if words is None or self.scale < MILLION:
            return write_digits(self.total.normalize(), language)
        singular, plural = words.scales[self.scale][:2]
        name = (singular if self.value == 1 else plural).split(" ")[-1]
        return f"{self.sign}{write_digits(self.value, language, self.is_grouped)} {name}"


class NumberReader:
    """Reads numbers of a language in digits or words, alone or as part of something else.

    Attributes:
        digits: a regular expression without groups for a number in digits, with scale.
        words: the same for a number in words; it fits nothing if the words are not known.
    """

    def __init__(self, language: str) -> None:
        self._decimal = language_facts(language).decimal_mark or "\0"
        self._words = words = number_words(language)
        self._scales = words.after_digits if words else {}
        self.stems = words.stems if words else ()
        scale = rf"(?i: ?{any_of(self._scales)}(?!\w))?" if words else ""
        digits = digits_pattern(language)
        self._parts = rf"({SIGN})({digits})(.*)"
        self.digits = rf"(?:{digits}{scale})"
        self.words = rf"(?i:{words.pattern})" if words else r"(?!)"

    def read(self, text: str) -> Number | None:
        """Reads a text as a number; None for a code, such as 007, and for "one"."""
        parts = re.fullmatch(self._parts, text)
        if parts is None:
            value = self._words.read(text) if self._words else Decimal(1)
            return None if value == 1 else Number(value, is_spoken=True)
        sign, digits, scale = parts.groups()
        whole, _, decimals = digits.partition(self._decimal)
        plain = re.sub(r"\D", "", whole)
        is_telephone = sign == "+" and " " in whole
        is_code = len(plain + decimals) > MOST_DIGITS or plain[:1] == "0" != plain
        if is_telephone or is_code:
            return None
        value = Decimal(f"{plain or 0}.{decimals}" if decimals else plain)
        return Number(value, sign, self._scales.get(scale.strip().lower(), 1), plain != whole)
