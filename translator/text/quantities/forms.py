"""What the forms of all kinds of quantities share: a rule, and what may stand around them."""

import re
from collections.abc import Callable
from typing import NamedTuple

from translator.text.quantities.quantity import Meaning

SPACE_IN_NUMBER = "\u00a0"  # the only other space that texts are read with
BEFORE = r"(?<![\w.,:/)\]%$€£¥-])"  # digits after these are a part of something else
AFTER = r"(?!\w|/\d|[-–]\d|[.,:]\d)"
BEFORE_WORD, AFTER_WORD = r"(?<![\w-])(?<!\w['’])", r"(?![\w-])"
STARTS_SENTENCE = re.compile(r"(?:^|[.!?:…])[\"'“”„‘’»«()\[\]*_\s]*$")


class Rule(NamedTuple):
    """One form of quantities: where two have found equally much, the earlier rule counts.

    Attributes:
        pattern: what may be a quantity.
        read: says what it means; None where it is none.
    """

    pattern: re.Pattern[str]
    read: Callable[[re.Match[str]], Meaning | None]


def with_plain_spaces(text: str) -> str:
    """A text of the same length: a special space stays one only before three digits of a number."""
    text = text.translate(str.maketrans("\u2009\u202f", SPACE_IN_NUMBER * 2))
    return re.sub(rf"{SPACE_IN_NUMBER}(?!(?<=\d.)\d{{3}}(?!\d))", " ", text)


def text_before(match: re.Match[str]) -> str:
    """The few words before what was found."""
    return match.string[max(0, match.start() - 40) : match.start()]


def follows(match: re.Match[str], words: str) -> bool:
    """Whether one of these words, a regular expression, stands before what was found."""
    return re.search(rf"(?<!\w)(?:{words})\s$", text_before(match), re.IGNORECASE) is not None


def without_names(pattern: str) -> str:
    """A regular expression without the names of its groups."""
    return re.sub(r"\?P<\w+>", "?:", pattern)


def with_capitals_of(given: str, written: str) -> str:
    """Writes capitals where the words of the source have them: all, or the first letter."""
    if given.isupper() and len(given) > 1:
        return written.upper()
    return written[:1].upper() + written[1:] if given[:1].isupper() else written
