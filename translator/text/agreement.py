"""What a translation must have kept of its sentence: numbers, negation, length, questions."""

import re
from collections import Counter
from collections.abc import Sequence
from decimal import Decimal
from typing import NamedTuple

from translator.base.languages import language_facts
from translator.base.texts import listed
from translator.text.quantities.numbers import number_words
from translator.text.quantities.quantity import Quantity
from translator.text.quantities.reading import QuantityReader
from translator.text.quantities.words import SpokenNumber

KINDS = {  # of disagreements, as a summary says them
    "numbers": "with other numbers than their translations",
    "negation": "with a negation on one side only",
    "length": "with translations of unusual length",
    "question": "with a question on one side only",
    "spans": "with names, numbers or addresses whose place is a guess",
}
FEWEST_LETTERS = 40  # of a sentence whose translation may be too short or too long
MANY_LETTERS = 60  # of one whose translation has nearly the usual length
SHORTEST, LONGEST = 0.5, 1.8  # times the letters that translations usually have
SHORTEST_OF_MANY = 0.6
WORD = re.compile(r"\d+|[^\W\d_]+")
VALUE = re.compile(r"\d+(?:\.\d+)?")  # in the key of a quantity
ASKS = re.compile(r"\?(?!\w)")  # but not within a web address
QUESTION = re.compile(r"\?[\"'“”„‘’»«)\s]*$")

# Tables by languages, measured on the pairs of Tatoeba: of real pairs at most one of a hundred
# may disagree.
LETTERS = {"en": 1.0, "de": 1.19}  # how many the same text has, mean of all pairs
STANDS_FOR = {  # beginnings of words that say a number, but are no number words
    "en": {
        "0.5": ("half",), "2": ("both", "couple", "pair", "twice", "twin", "doubl", "second"),
        "3": ("third", "tripl"), "4": ("quarter",), "7": ("week",), "10": ("decade",),
        "12": ("noon", "midday", "midnight", "dozen"), "14": ("fortnight", "week"),
        "15": ("quarter",), "30": ("half",), "100": ("centur",),
    },
    "de": {
        "0.5": ("halb",), "2": ("beid", "paar", "doppel", "zwilling"), "7": ("woche",),
        "10": ("jahrzehnt",), "12": ("mittag", "mitternacht", "dutzend"), "15": ("viertel",),
        "30": ("halb",), "100": ("jahrhundert",),
    },
}  # fmt: skip


class Negation(NamedTuple):
    """How a language denies, as regular expressions for texts in lower case.

    Attributes:
        denies: words that deny.
        may_deny: others that say so in another way, such as "unhappy" or "hardly".
    """

    denies: re.Pattern[str]
    may_deny: re.Pattern[str]


NEGATIONS = {
    "en": Negation(
        re.compile(
            r"\b(?:not|cannot|no|never|nobody|nothing|none|nowhere|neither|nor|without)\b|n't\b"
        ),
        re.compile(
            r"\b(?:un(?!d|i|cle)|im(?=p)|dis)\w+|\w+less\b|\b(?:until|hardly|barely|scarcely|"
            r"seldom|rarely|few|little|ever|only|absent|wrong|out|avoid\w*|fail\w*|forget\w*|"
            r"hat(?:e|es|ed)|lack\w*|miss\w*|prevent\w*|refus\w*|stop\w*)\b"
        ),
    ),
    "de": Negation(
        re.compile(
            r"\b(?:nicht|nichts|kein\w*|nie|niemals|niemand\w*|nirgend\w*|weder|ohne|nein)\b"
        ),
        re.compile(
            r"\b(?:un(?!d\b|s\b|ser|ter)|miss)\w+|\w+los(?:e[mnrs]?)?\b|\b(?:kaum|selten|erst|"
            r"nur|wenig\w*|egal|gleich|umsonst|verboten|verzicht\w*|fehl\w*|trotzdem|"
            r"ausschließlich|beruhig\w*)\b"
        ),
    ),
}  # fmt: skip


class Disagreement(NamedTuple):
    """Something that only one of a sentence and its translation says.

    Attributes:
        kind: of `KINDS`.
        text: for the user.
    """

    kind: str
    text: str


LOST_SPANS = Disagreement("spans", "what was put back may stand in the wrong place")


class AgreementJudge:
    """Compares sentences with their translations.

    Args:
        source: the code of the language of the sentences.
        target: that of the translations. What no table says of a language is not compared.
    """

    def __init__(self, source: str, target: str) -> None:
        self._readers = QuantityReader(source), QuantityReader(target)
        self._codes = source, target = language_facts(source).code, language_facts(target).code
        self._negations = NEGATIONS.get(source), NEGATIONS.get(target)
        known = source in LETTERS and target in LETTERS
        self._growth = LETTERS[target] / LETTERS[source] if known else None

    def compare(self, source: str, text: str) -> tuple[Disagreement, ...]:
        """What only one of a sentence and its translation says.

        Args:
            source: the sentence, as it was given.
            text: its translation, as it is printed.
        """
        checks = self._numbers, self._negation, self._length, self._question
        problems = zip(KINDS, (check(source, text) for check in checks))
        return tuple(Disagreement(kind, problem) for kind, problem in problems if problem)

    def _numbers(self, source: str, text: str) -> str:
        given, written = (reader.find(t) for reader, t in zip(self._readers, (source, text)))
        if not given and not written:
            return ""
        lost = _lacking(given, written, text, self._codes[1])
        added = _lacking(written, given, source, self._codes[0])
        if lost:
            instead = f" (it has {listed(added)})" if added else ""
            return f"numbers that the translation lacks: {listed(lost)}{instead}"
        return f"numbers that only the translation has: {listed(added)}" if added else ""

    def _negation(self, source: str, text: str) -> str:
        ours, theirs = self._negations
        if ours is None or theirs is None or ASKS.search(f"{source} {text}"):
            return ""
        given, written = (side.lower().replace("’", "'") for side in (source, text))
        is_given, is_written = bool(ours.denies.search(given)), bool(theirs.denies.search(written))
        if is_given and not is_written and not theirs.may_deny.search(written):
            return "a negation that the translation lacks"
        if is_written and not is_given and not ours.may_deny.search(given):
            return "a negation that only the translation has"
        return ""

    def _length(self, source: str, text: str) -> str:
        letters = sum(map(str.isalnum, source))
        if self._growth is None or letters < FEWEST_LETTERS:
            return ""
        ratio = sum(map(str.isalnum, text)) / (letters * self._growth)
        if ratio < (SHORTEST if letters < MANY_LETTERS else SHORTEST_OF_MANY):
            return "a part of it may be lost"
        return "its translation is unusually long" if ratio > LONGEST else ""

    def _question(self, source: str, text: str) -> str:
        if QUESTION.search(source) and not ASKS.search(text):
            return "a question that the translation does not ask"
        if QUESTION.search(text) and not ASKS.search(source):
            return "only the translation asks"
        return ""


def _lacking(
    wanted: Sequence[Quantity], others: Sequence[Quantity], text: str, language: str
) -> list[str]:
    """The quantities of one side with a number that the other side does not have.

    Args:
        wanted: of the one side.
        others: of the other side.
        text: the other side.
        language: the code of its language.
    """
    available = Counter(quantity.key for quantity in others)
    unequal = []
    for quantity in wanted:
        if available[quantity.key]:
            available[quantity.key] -= 1
        else:
            unequal.append(quantity)
    values = Counter(value for each in others if available[each.key] for value in _values_of(each))
    outside = text
    for quantity in reversed(others):
        outside = outside[: quantity.start] + outside[quantity.end :]
    words = WORD.findall(outside.lower())
    lacking = []
    for quantity in unequal:
        own = Counter(_values_of(quantity))
        if any(not values[value] and not _is_said(value, words, language) for value in own):
            lacking.append(quantity.given)
        values -= own
    return lacking


def _values_of(quantity: Quantity) -> list[str]:
    """The numbers of a quantity: 5 and 30 of 5:30, and 5 alone of 5:00."""
    return [each.lstrip("0") or "0" for each in VALUE.findall(quantity.key.replace(":00", ""))]


def _is_said(value: str, words: Sequence[str], language: str) -> bool:
    """Whether a word begins with a number, as "dreimal" does, or stands for it, as "both"."""
    if value in words:  # such as 19 in "19th"
        return True
    stems = STANDS_FOR.get(language, {}).get(value, ())
    spoken = number_words(language)
    if spoken is not None and value.replace(".", "").isdecimal():
        written = spoken.write(SpokenNumber(Decimal(value), False))
        stems = (*stems, *([written] if written else []))
    return any(word.startswith(stem) for word in words for stem in stems)
