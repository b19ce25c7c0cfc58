"""Numbers, of which a tokenizer with masked digits shows only the shape.

Tokenizers such as BPEmb's write every digit as 0. The model translates the zeros, and the
digits are taken from the source and written as the target language does.
"""

import re
from collections.abc import Iterator, Sequence

from translator.base.languages import language_facts
from translator.text import memo
from translator.text.memo import ShownWord, Span
from translator.text.punctuation import MARKS
from translator.text.stand_ins.kind import Place, SpanKind, StandIn

NUMBER = re.compile(r"\d+(?:[.,:/]\d+)*")
SHOWN_NUMBER = re.compile(rf"(?<![-–−\d.,:/]){NUMBER.pattern}(?![-–\d])")
PLAIN_NUMBER = "00"  # shown in place of a number with marks in it
SAME_SHAPE = 0.5  # added to the attention if number and stand-in have the same shape
SAME_DIGITS = 0.5  # and if they have equally many digits
TIME_WORDS = {"am", "pm", "a.m", "p.m", "o'clock", "o’clock"}  # a time before them keeps its point
TIME = re.compile(r"\d{1,2}\.\d\d")
ORDINAL = re.compile(rf"({NUMBER.pattern})((?:st|nd|rd|th)+)\b", re.IGNORECASE)  # of English
NUMBER_OR_ORDINAL = re.compile(rf"{ORDINAL.pattern}|{NUMBER.pattern}", re.IGNORECASE)
ENDS_WORD = re.compile(r"[^\w.-]|$")
NUMBERED = {"version", "chapter", "section", "figure"}  # a number after them keeps its point


class NumberKind(SpanKind):
    """Numbers, for tokenizers that mask digits.

    A number with marks in it, such as 1,234.5 or 7:30, is shown as a plain one: its shape
    is rare, and models omit what is rare. Next to a hyphen, as in 9:00-17:30, it is shown
    as it is.

    Args:
        languages: codes of source and target; they decide how decimals are written.
    """

    name = memo.NUMBER
    can_realign = True

    def __init__(self, languages: tuple[str, str]) -> None:
        self.languages = languages
        forms = tuple(language_facts(language).ordinal_form for language in languages)
        self.from_endings = forms == ("21st", "21.")
        self.from_points = forms == ("21.", "21st")

    def find(self, text: str) -> Iterator[StandIn]:
        """See `SpanKind.find`."""
        for found in SHOWN_NUMBER.finditer(text):
            if not found.group().isdigit():
                yield StandIn(found.start(), found.end(), PLAIN_NUMBER)

    def find_given(self, word: ShownWord) -> list[str]:
        """All numbers: the tokenizer masks the digits of each."""
        return NUMBER.findall(word.outside_of_spans(self.name))

    def must_stay(self, given: str, word: ShownWord) -> bool:
        """Numbers of several digits; one digit is often written as a word, such as "ein"."""
        rest = word.given.replace(given, "", 1)
        is_whole = not any(map(str.isalnum, rest)) or ORDINAL.search(word.given) is not None
        return is_whole and sum(map(str.isdigit, given)) > 1

    def find_stand_ins(self, word: str) -> Iterator[Span]:
        """Numbers whose digits are all 0; a "²" that the tokenizer writes as 2 is none."""
        for number in find_numbers(word):
            if is_masked(number.text):
                yield number

    def fit(self, stand_in: str, given: str) -> float:
        """Numbers of the same shape or with equally many digits fit better."""
        shape = _shape(without_ending(stand_in))
        shapes = [_shape(given), _shape(SHOWN_NUMBER.sub(_shown, given))]
        same = SAME_SHAPE * (shape in shapes)
        return same + SAME_DIGITS * (shape.count("0") in [each.count("0") for each in shapes])

    def write(self, place: Place) -> str:
        """Writes decimals and ordinals as the target language does, but not times and versions.

        The model sees no digits, so it cannot know that 21 ends in "st".
        """
        number = re.sub(r"\d", lambda digit: str(int(digit.group())), place.given)
        is_written = ORDINAL.fullmatch(place.stand_in) is not None
        is_ordinal = is_written or self._is_ordinal(place) and self._lacks_end(place)
        group_mark = language_facts(self.languages[0]).group_mark or ""
        if is_ordinal and number.replace(group_mark, "").isdigit():
            return language_facts(self.languages[1]).ordinal(localized(number, self.languages))
        return number if keeps_point(number, place) else localized(number, self.languages)

    def _is_ordinal(self, place: Place) -> bool:
        """Whether a number was given as an ordinal: "21st" in English, "21." before a word."""
        given = place.source_words[place.source_word]
        if self.from_endings:
            ordinal = ORDINAL.search(given)
            return ordinal is not None and ordinal[1] == place.given
        is_last = place.source_word == len(place.source_words) - 1
        return self.from_points and given == f"{place.given}." and not is_last

    def _lacks_end(self, place: Place) -> bool:
        """Whether the model has written an ordinal without its end, unless English has none there.

        English has none before a month and after it: "on May 21".
        """
        if place.target_word == len(place.target_words):  # the model has dropped it
            return True
        written, following = (*place.target_words[place.target_word :], "")[:2]
        rest = written.partition(place.stand_in)[2]
        if self.from_endings:
            return ENDS_WORD.match(rest) is not None
        return not rest and following.islower()

    def realign(self, text: str, seen: Sequence[str]) -> list[str] | None:
        """Puts the numbers of a text into the tokenizer's words if both have equally many."""
        numbers = NUMBER.findall(text)
        if len(numbers) != sum(len(NUMBER.findall(word)) for word in seen):
            return None
        remaining = iter(numbers)
        return [NUMBER.sub(lambda _: next(remaining), word) for word in seen]


def find_numbers(text: str) -> Iterator[Span]:
    """Finds numbers, with the ending of an English ordinal."""
    for found in NUMBER_OR_ORDINAL.finditer(text):
        yield Span(found.start(), found.end(), found.group())


def without_ending(number: str) -> str:
    """A number from `find_numbers` without the ending of an ordinal."""
    return number.rstrip("stndrhSTNDRH")


def is_masked(number: str) -> bool:
    """Whether all digits of a number from `find_numbers` are 0."""
    return set(without_ending(number)) <= set("0.,:/")


def _shown(found: re.Match[str]) -> str:
    return found.group() if found.group().isdigit() else PLAIN_NUMBER


def _shape(number: str) -> str:
    return re.sub(r"\d", "0", number).replace(",", ".")


def _is_among(words: set[str], word: str) -> bool:
    return word.lower().strip(MARKS) in words


def keeps_point(number: str, place: Place) -> bool:
    """Whether the point of a number separates no decimals: that of a time, or of a version."""
    s, t = place.source_word, place.target_word
    before, after = ("".join(place.source_words[max(k, 0) : k + 1]) for k in (s - 1, s + 1))
    next_word = "".join(place.target_words[t + 1 : t + 2])
    suffix = "".join(place.source_words[s : s + 1]).partition(place.given)[2]
    is_time = _is_among(TIME_WORDS, after) or _is_among(TIME_WORDS, suffix)
    is_time = (is_time or _is_among({"uhr"}, next_word)) and TIME.fullmatch(number) is not None
    return is_time or _is_among(NUMBERED, before)


def localized(number: str, languages: tuple[str, str]) -> str:
    """Writes a number as the target language does: 1,234.5 is 1.234,5 in German.

    Args:
        number: as the source language writes it.
        languages: codes of source and target.
    """
    source, target = (language_facts(language).decimal_mark for language in languages)
    if source is None or target is None or source == target:
        return number
    exchanged = number.translate(str.maketrans(".,", ",."))
    with_points = number if source == "." else exchanged
    is_decimal = re.fullmatch(r"\d+\.\d+|\d{1,3}(,\d{3})+(\.\d+)?", with_points)
    return exchanged if is_decimal else number
