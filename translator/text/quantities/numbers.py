"""Numbers in digits and in words, and calculations with them: 10 - 20 = -10, 2 x 3 < 7."""

import dataclasses
import functools
import re
from decimal import Decimal

from translator.base.languages import Language, language_facts
from translator.text.quantities.forms import AFTER, BEFORE, SPACE_IN_NUMBER, Rule, with_capitals_of
from translator.text.quantities.quantity import Meaning
from translator.text.quantities.vocabulary import Vocabulary, vocabulary_of
from translator.text.quantities.words import NumberWords, SpokenNumber

SIGN = "[-−–+]?"
SPACED = (  # 10 000, but 101 300 may be two numbers, if the space is a plain one; 1'000
    rf"(?:[1-9]\d?(?: \d{{3}})+|[1-9]\d\d(?: 000)+)(?!\d| \d)"
    rf"|\d{{1,3}}(?:{SPACE_IN_NUMBER}\d{{3}}){{1,6}}(?!\d|{SPACE_IN_NUMBER})"
    r"|\d{1,3}(?:['’]\d{3})+(?!\d)"
)
MOST_DIGITS = 18  # a longer number is a code
OPERATION = " ?[-−–+*/x×·÷] ?"
MOST_OPERATIONS = 20  # before and after a comparison, as longer ones would take too long
COMPARISON = " ?(?:[<>=]=?|[≤≥≠≈]) ?"


@functools.cache
def number_words(language: str) -> NumberWords | None:
    """What reads and writes the words of a language; None where they are not known."""
    words = vocabulary_of(language)
    return NumberWords(words) if words else None


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


def plain(value: Decimal) -> str:
    """A value as keys have it: equal for 2.50 and 2.5."""
    return f"{value.normalize():f}"


@dataclasses.dataclass(frozen=True)
class Number(Meaning):
    """A number.

    Attributes:
        digits: as given, without a scale after them; empty where the number is in words.
        scale: what the word after the digits says; 1 without one.
        is_year: whether its words are those of a year.
        is_noun: whether it has a capital as nouns have.
    """

    value: Decimal
    digits: str
    scale: int = 1
    is_year: bool = False
    is_noun: bool = False

    @property
    def key(self) -> str:
        """See `Meaning.key`."""
        return f"number {plain(self.value)}"

    def write(self, given: str, languages: tuple[str, str], is_short: bool = False) -> str:
        """See `Meaning.write`; the scale is in full or abbreviated."""
        words, vocabulary = number_words(languages[1]), vocabulary_of(languages[1])
        if not self.digits:
            written = words and words.write(SpokenNumber(self.value, self.is_year))
            written = written or write_value(self.value, languages[1])
            return written if self.is_noun else with_capitals_of(given, written)
        if self.scale == 1:
            return write_digits(self.digits, languages)
        if vocabulary is None or self.scale not in vocabulary.scales:
            return write_value(self.value, languages[1])
        forms = vocabulary.scales[self.scale]
        form = forms[2 if is_short else self.value != self.scale]
        return f"{write_digits(self.digits, languages)} {form}"


@dataclasses.dataclass(frozen=True)
class Code(Meaning):
    """Digits that are the same in every language, such as a telephone number."""

    text: str

    @property
    def key(self) -> str:
        """See `Meaning.key`; spaces make no difference."""
        return f"code {''.join(self.text.split())}"

    def write(self, given: str, languages: tuple[str, str]) -> str:
        """See `Meaning.write`."""
        return given


@dataclasses.dataclass(frozen=True)
class Calculation(Meaning):
    """Numbers with signs between them.

    Attributes:
        values: the numbers as keys have them, and the signs.
    """

    values: str

    @property
    def key(self) -> str:
        """See `Meaning.key`."""
        return f"calculation {self.values}"

    def write(self, given: str, languages: tuple[str, str]) -> str:
        """See `Meaning.write`; the signs stay."""
        digits = digits_pattern(languages[0])
        return re.sub(digits, lambda number: write_digits(number[0], languages), given)


def calculations_of(language: str) -> Rule:
    """The form of the calculations of a language."""
    digits = digits_pattern(language)
    side = rf"{SIGN}{digits}(?:{OPERATION}{SIGN}{digits}){{0,{MOST_OPERATIONS}}}"

    def value(number: re.Match[str]) -> str:
        found = read_digits(number[0], language)
        return number[0] if found is None else plain(found)

    def read(match: re.Match[str]) -> Calculation:
        return Calculation(re.sub(digits, value, match[0].replace(" ", "")))

    return Rule(re.compile(rf"{BEFORE}{side}(?:{COMPARISON}{side})+{AFTER}"), read)


class Numerals:
    """Reads a number of a language, in digits or words, alone or as a part of something else.

    Attributes:
        digits: a regular expression without groups for a number in digits, with scale.
        words: likewise for one in words; one that nothing fits where words are not known.
    """

    def __init__(self, language: str) -> None:
        self.language = language
        self._spoken = number_words(language)
        words = vocabulary_of(language)
        plain_digits = digits_pattern(language)
        self._digits = re.compile(rf"{SIGN}{plain_digits}")
        self._scales = _scales(words) if words else {}
        scale = "|".join(sorted(map(re.escape, self._scales), key=len, reverse=True))
        follows = rf"(?: ?(?:{scale})(?!\w))?" if scale else ""
        self.digits = rf"(?:{plain_digits}(?i:{follows}))"
        self.words = rf"(?i:{self._spoken.pattern})" if self._spoken else r"(?!)"

    def read(self, text: str) -> Number | None:
        """The number that a text is; None for a code and for "one"."""
        found = self._digits.match(text)
        if found is None:
            return self._read_words(text)
        value = read_digits(found[0], self.language)
        if value is None:
            return None
        scale = self._scales.get(text[found.end() :].strip().lower(), 1)
        return Number(value * scale, found[0], scale)

    def _read_words(self, text: str) -> Number | None:
        if self._spoken is None:
            return None
        value, is_year = self._spoken.read(text)
        return None if value == 1 else Number(value, "", 1, is_year)


def _scales(words: Vocabulary) -> dict[str, int]:
    """The words that may follow digits, with what they multiply by."""
    found = {form.lower(): scale for scale, forms in words.scales.items() for form in forms}
    found |= {form.rstrip("."): scale for form, scale in found.items()}
    found.pop("m", None)  # a metre, unless a currency stands before
    return {**found, words.hundred: 100, words.thousand: 1000, words.dozen.lower(): 12}
