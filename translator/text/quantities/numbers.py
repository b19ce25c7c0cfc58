"""Numbers in digits and in words: 1,234.5 is 1.234,5, and thirty-eight is achtunddreißig."""

import dataclasses
import functools
import re
from decimal import Decimal

from translator.base.languages import Language, language_facts, language_table
from translator.text.quantities.quantity import Meaning, any_of, with_capitals_of

SIGN = "[-−–+]?"
SPACE_IN_NUMBER = "\u00a0"  # the only other space that texts are read with
SPACED = (  # 10 000, but 101 300 may be two numbers, if the space is a plain one; 1'000
    rf"(?:[1-9]\d?(?: \d{{3}})+|[1-9]\d\d(?: 000)+)(?!\d| \d)"
    rf"|\d{{1,3}}(?:{SPACE_IN_NUMBER}\d{{3}}){{1,6}}(?!\d|{SPACE_IN_NUMBER})"
    r"|\d{1,3}(?:['’]\d{3})+(?!\d)"
)
MOST_DIGITS = 18  # a longer number is a code
MOST = 10**15  # from here on, numbers are not said in words
MILLION = 10**6
BY_HUNDREDS = range(1100, 2000)  # fifteen hundred, neunzehnhundertneunzig
HALF = Decimal("0.5")


class NumberWords:
    """Reads and writes numbers in words, by the table ``numbers`` of a language.

    Attributes:
        pattern: what may be a number in words, as a regular expression without groups.
        beginnings: a regular expression of what begins such a number in lower case.
        scales: what is said for 12, 100, 1000 and so on: for one of them, several, abbreviated.
        after_digits: what words and abbreviations after digits multiply them by.
    """

    def __init__(self, language: str) -> None:
        words = language_table(language, "numbers")
        self._small, self._tens, self._pair = words["small"], words["tens"], words["pair"]
        self._articles, self._halves = words["articles"], words["halves"]
        self._and_a_half, self._one_and_a_half = words["and_a_half"], words["one_and_a_half"]
        self._gap, self._before_tens = words["gap"], words["before_tens"]
        self._point = f" {words['point'].lower()} "
        self.scales = {int(value): forms for value, forms in words["scales"].items()}
        self._factors = {word: n for n in self.scales for word in self._names(n)}
        short = {form.lower(): n for n, forms in self.scales.items() for form in forms[2:]}
        short |= {form.rstrip("."): n for form, n in short.items()}
        self.after_digits = self._factors | short
        halves = *self._halves, self._and_a_half.strip()
        self._values = dict.fromkeys(self._articles, Decimal(1)) | dict.fromkeys(halves, HALF)
        self._values |= dict.fromkeys(self._one_and_a_half, 1 + HALF)
        self._values |= {word: Decimal(n) for n, word in enumerate(self._small)}
        self._values |= {word: Decimal(10 * n) for n, word in enumerate(self._tens, 2)}
        self._values[language_table(language, "conjunctions")["and"]] = Decimal(0)
        numerals = any_of(
            (*self._small, *self._tens, *self._factors, *self._one_and_a_half, *halves)
        )
        one = self._pair.format(ones=self._before_scale(1), tens="")  # of einundzwanzig
        self.beginnings = rf"(?:{one}|{any_of(self._articles)})?{numerals}"
        self.pattern = self._pattern()

    def _names(self, scale: int) -> tuple[str, str]:
        """What one and several of a scale are called, in lower case."""
        one, several = self.scales[scale][:2]
        return one.lower().rpartition(" ")[2], several.lower().replace("{}", "").strip()

    def _pattern(self) -> str:
        articles, small, tens = map(any_of, (self._articles, self._small, self._tens))
        ones = any_of((self._before_scale(1), *self._small[2:10]))
        pair = self._pair.replace("-", "[- ]").format(tens=tens, ones=ones)
        one = rf"{self._before_scale(1)}(?={any_of(self._names(1000))})"  # of hunderteintausend
        below_100 = rf"(?:{pair}|{small}|{tens}|{one})"
        scales = {n: f"[- ]?{any_of(self._names(n))}" for n in self.scales}
        below_1000 = rf"(?:(?:{articles}|{below_100}){scales.pop(100)}|{any_of(self._names(100))})"
        below_1000 = rf"(?:{below_1000}(?:{self._gap}{below_100})?|{below_100})"
        scale = f"(?:{'|'.join(scales.values())})"
        first = rf"(?:{any_of((*self._articles, *self._halves))}(?={scale}(?!\w))"
        first += rf"|{any_of(self._one_and_a_half)}|{below_1000}(?:{self._and_a_half})?"
        first += rf"|{any_of(self._names(1000))}(?:{self._gap}{below_1000})?)"
        hundreds = any_of((*self._small[13:], self._tens[0]))
        year = rf"{hundreds} (?:{pair}|{tens}|{any_of(self._small[10:])})(?![\w-])"
        decimals = rf"{self._point}{small}(?: {small})*(?!\w)"
        return rf"(?:{year}|{first}(?:{scale}(?:{self._gap}{below_1000})?)*(?:{decimals})?)"

    @functools.cached_property
    def _token(self) -> re.Pattern[str]:
        return re.compile(any_of((*self._values, *self._factors)))

    def read(self, text: str) -> Decimal:
        """What `pattern` has found says: what stands before a scale is multiplied by it."""
        whole, _, digits = text.lower().partition(self._point)
        if digits:
            decimals = "".join(str(self._small.index(digit)) for digit in digits.split())
            return Decimal(f"{self.read(whole)}.{decimals}")
        total = current = Decimal(0)
        for token in self._token.findall(whole):
            value, factor = self._values.get(token, Decimal(0)), self._factors.get(token, 1)
            if 13 <= current <= 20 and value >= 10:  # nineteen ninety
                factor = 100
            current = (current or Decimal(factor > 1)) * factor + value
            if factor >= 1000:
                total, current = total + current, Decimal(0)
        return total + current

    def write(self, value: Decimal | int) -> str | None:
        """A number in words; None where it has none of a usual form."""
        if not 0 <= value < MOST or value % HALF or value == HALF:
            return None
        if value % 1:
            half = f"{self._before_scale(int(value))}{self._and_a_half}"
            return self._one_and_a_half[0] if value == 1 + HALF else half
        number = int(value)
        if number < 20:
            return str(self._small[number])
        if number < 100:
            tens, ones = self._tens[number // 10 - 2], number % 10
            pair: str = self._pair.format(tens=tens, ones=self._before_scale(ones))
            return pair if ones else str(tens)
        is_by_hundreds = number in BY_HUNDREDS and number % 1000 > 0
        scale = 100 if is_by_hundreds else max(each for each in self.scales if each <= number)
        one, several = self.scales[scale][:2]
        count, rest = divmod(Decimal(number), scale)
        if scale >= MILLION and rest == scale * HALF:
            count, rest = count + HALF, Decimal(0)
        is_apart = " " in several
        before = self.write(count) if is_apart else self._before_scale(count)
        written = one if count == 1 else several.format(before)
        if is_by_hundreds and is_apart and count > 12 and rest >= 10:
            return f"{before} {self.write(rest)}"  # nineteen ninety
        between = " " * is_apart + self._before_tens * (rest < 100)
        return f"{written}{between}{self.write(rest)}" if rest else str(written)

    def _before_scale(self, count: Decimal | int) -> str:
        """A number that is joined with what follows, where "eins" is "ein"."""
        written = self.write(count) or ""
        return written.removesuffix("s") if count % 100 == 1 else written


@functools.cache
def number_words(language: str) -> NumberWords | None:
    """What reads and writes the words of a language; None where they are not known."""
    return NumberWords(language) if language_table(language, "numbers") else None


def in_words(value: int, language: str) -> str:
    """A whole number in words; in digits where the words are not known."""
    words = number_words(language)
    return words and words.write(value) or str(value)


def digits_pattern(language: str) -> str:
    """A regular expression without groups for numbers in digits with the marks of a language."""
    facts = language_facts(language)
    mark = facts.group_mark or _other_group_mark(facts)
    group = re.escape(mark) if mark and mark != SPACE_IN_NUMBER else "\0"  # which SPACED has
    decimals = rf"(?:{re.escape(facts.decimal_mark)}\d+)?" if facts.decimal_mark else ""
    bare = r"|\.\d+" if facts.decimal_mark == "." else ""  # .5
    return rf"(?:(?:{SPACED}|\d{{1,3}}(?:{group}\d{{3}})+(?!\d)|\d+){decimals}{bare})"


def _other_group_mark(facts: Language) -> str:
    """What groups digits where the table has no mark."""
    return {".": ",", ",": SPACE_IN_NUMBER}.get(facts.decimal_mark or "", "")


def read_digits(digits: str, language: str) -> Decimal | None:
    """The value of digits; None where they are a code, such as 007."""
    facts = language_facts(language)
    sign = "-" if digits[0] in "-−–" else ""
    whole, mark, rest = digits.lstrip("-−–+").partition(facts.decimal_mark or "\0")
    whole = re.sub(r"\D", "", whole)
    if len(whole) + len(rest) > MOST_DIGITS or whole != whole.lstrip("0") and whole != "0":
        return None
    return Decimal(f"{sign}{whole}.{rest}" if mark else sign + whole)


def write_digits(digits: str, languages: tuple[str, str]) -> str:
    """Digits of the first language as the second one writes them: 1,234.5 is 1.234,5 in German."""
    source, target = map(language_facts, languages)
    if source.decimal_mark is None or target.decimal_mark is None:
        return digits
    whole, mark, rest = digits.partition(source.decimal_mark)
    whole += "0" * (not whole[-1:].isdigit())  # .5
    whole = re.sub(r"(?<=\d)\D(?=\d)", target.group_mark or _other_group_mark(target), whole)
    return f"{whole}{target.decimal_mark}{rest}" if mark else whole


def write_value(value: Decimal, language: str) -> str:
    """A value in digits, with groups as the language has them."""
    return write_digits(f"{value.normalize():,f}", ("en", language))


@dataclasses.dataclass(frozen=True)
class Number(Meaning):
    """A number.

    Attributes:
        digits: as given, without a scale after them; empty where the number is in words.
        scale: what the word after the digits says; 1 without one.
        is_noun: whether it has a capital as nouns have.
    """

    value: Decimal
    digits: str
    scale: int = 1
    is_noun: bool = False

    @property
    def key(self) -> str:
        """See `Meaning.key`; equal for 2.50 and 2.5."""
        return f"number {self.value.normalize():f}"

    def write(self, given: str, languages: tuple[str, str]) -> str:
        """See `Meaning.write`."""
        words = number_words(languages[1])
        if not self.digits:
            written = words and words.write(self.value) or write_value(self.value, languages[1])
            return written if self.is_noun else with_capitals_of(given, written)
        if self.scale == 1:
            return write_digits(self.digits, languages)
        if words is None or self.scale < MILLION:
            return write_value(self.value, languages[1])
        one, several = words.scales[self.scale][:2]
        name = one if self.value == self.scale else several
        return f"{write_digits(self.digits, languages)} {name.rpartition(' ')[2]}"


class NumberReader:
    """Reads a number of a language, in digits or words, alone or as a part of something else.

    Attributes:
        digits: a regular expression without groups for a number in digits, with scale.
        words: likewise for one in words; one that nothing fits where words are not known.
        scales: words after digits, with what they multiply them by.
    """

    def __init__(self, language: str) -> None:
        self._language = language
        self._words = number_words(language)
        self.scales = self._words.after_digits if self._words else {}
        digits = digits_pattern(language)
        self._digits = re.compile(rf"{SIGN}{digits}")
        scale = rf"(?i: ?{any_of(self.scales)}(?!\w))?" if self.scales else ""
        self.digits = rf"(?:{digits}{scale})"
        self.words = rf"(?i:{self._words.pattern})" if self._words else r"(?!)"

    def read(self, text: str) -> Number | None:
        """The number that a text is; None for a code and for "one"."""
        digits = self._digits.match(text)
        if digits is None:
            value = self._words.read(text) if self._words else Decimal(1)
            return None if value == 1 else Number(value, "")
        number = read_digits(digits[0], self._language)
        if number is None:
            return None
        scale = self.scales.get(text[digits.end() :].strip().lower(), 1)
        return Number(number * scale, digits[0], scale)
