"""Spans that a translation has exactly once and as they were given, such as web addresses."""

import re
from collections.abc import Collection, Iterator

from translator.base.languages import language_facts
from translator.text.copied_spans import (
    CODE,
    COUNT,
    ENDINGS,
    FILE_NAME,
    FORMULA,
    IDENTIFIER,
    IP_ADDRESS,
    LETTER,
    MAILBOX,
    OPENING,
    PLACEHOLDER,
    UNITS,
    VERSION,
    WEB_ADDRESS,
)
from translator.text.memo import Span
from translator.text.stand_ins.kind import Place, SpanKind, StandIn
from translator.text.stand_ins.stand_ins import StandIns

SAME_STAND_IN = 1.0  # added to the attention if the stand-in is exactly what was shown
COMPOUND = re.compile(r"[^-]*(-.*)")


class VerbatimKind(SpanKind):
    """A kind of span that is copied as it is, and exactly once.

    Args:
        stand_ins: what the run's model can be shown.
        languages: codes of source and target.
        words: of the training data in lower case; empty if they are not known.

    Attributes:
        pattern: what a span looks like. It needs linear time in any text.
    """

    exactly_once = True
    is_tried_again = True
    joins_neighbours = True
    pattern: re.Pattern[str]

    def __init__(
        self, stand_ins: StandIns, languages: tuple[str, str], words: Collection[str] = ()
    ) -> None:
        self.stand_ins = stand_ins
        self.languages = languages
        self.words = words

    def find(self, text: str) -> Iterator[StandIn]:
        """See `SpanKind.find`."""
        for found in self.pattern.finditer(text):
            end = self.end_of(text, found.start(), found.end())
            if end > found.start():
                yield StandIn(found.start(), end, "")

    def end_of(self, text: str, start: int, end: int) -> int:
        """Where a match of the pattern really ends; ``start`` if it is no span."""
        return end

    def show(self, given: str, stand_in: StandIn, used: Collection[str]) -> str:
        """A name, which can stand wherever a thing is called by its name."""
        return self.stand_ins.name(used)

    def find_stand_ins(self, word: str) -> Iterator[Span]:
        """See `SpanKind.find_stand_ins`."""
        return self.stand_ins.find(word)

    def is_stand_in(self, text: str, shown: str) -> bool:
        """See `SpanKind.is_stand_in`."""
        return self.stand_ins.match(text, shown)

    def hides_points(self, text: str, end: int) -> bool:
        """See `SpanKind.hides_points`; what is copied as it is may have points."""
        return self.joins_neighbours

    def fit(self, stand_in: str, given: str) -> float:
        """What was shown fits better than another form of it."""
        return SAME_STAND_IN * (stand_in.lower() == given.lower())

    def write(self, place: Place) -> str:
        """Writes the span as it is; a compound such as Tom-Datei keeps its second part."""
        compound = COMPOUND.fullmatch(place.stand_in)
        return place.given + (compound[1] if compound and place.stand_in[:1].isalpha() else "")


class CodeKind(VerbatimKind):
    """Text between backticks, whatever it has."""

    name = "code"
    pattern = re.compile(CODE)


class FormulaKind(VerbatimKind):
    """Formulas with their tags, and with a number before a unit: 12 m<sup>2</sup>.

    There is none in "21<sup>st</sup> century".
    """

    name = "formula"
    pattern = re.compile(FORMULA)


FINAL_MARKS = ".,;:!?…'’"


class WebAddressKind(VerbatimKind):
    """Web addresses: with a scheme, with www., or a domain that ends as many do."""

    name = "web address"
    pattern = re.compile(WEB_ADDRESS)

    def end_of(self, text: str, start: int, end: int) -> int:
        """Leaves out punctuation after it, and a bracket that was opened before it."""
        unopened = {
            closing: text.count(closing, start, end) - text.count(opening, start, end)
            for closing, opening in OPENING.items()
        }
        while end > start:
            last = text[end - 1]
            if unopened.get(last, 0) > 0:
                unopened[last] -= 1
            elif last not in FINAL_MARKS:
                break
            end -= 1
        return end


class EmailKind(VerbatimKind):
    """E-mail addresses, with the angle brackets around them."""

    name = "e-mail address"
    pattern = re.compile(rf"<{MAILBOX}>|(?<![\w.+%@-]){MAILBOX}")


class FileNameKind(VerbatimKind):
    """File names with a usual extension, and paths of Unix and Windows."""

    name = "file name"
    pattern = re.compile(FILE_NAME)

    def end_of(self, text: str, start: int, end: int) -> int:
        """Leaves out punctuation after it."""
        while end > start and text[end - 1] in ".,;:!?)'":
            end -= 1
        return end


class PlaceholderKind(VerbatimKind):
    """Placeholders in braces, in brackets, and those of printf; tags are taken out before."""

    name = "placeholder"
    pattern = re.compile(PLACEHOLDER)

    def show(self, given: str, stand_in: StandIn, used: Collection[str]) -> str:
        """A number for the placeholder of one, such as %d or {count}; else a name."""
        if COUNT.fullmatch(given):
            return self.stand_ins.number(used)
        return super().show(given, stand_in, used)

    def write(self, place: Place) -> str:
        """Writes the placeholder, with the ending of a genitive, as in {0}s Buch."""
        source_word = place.source_words[place.source_word]
        has_clitic = re.search(re.escape(place.given) + r"['’]s\b", source_word)
        is_genitive = place.stand_in.endswith(("s", "'", "’")) and has_clitic
        return super().write(place) + ("s" if is_genitive else "")


class VersionKind(VerbatimKind):
    """Versions: with a v before them, or of at least three numbers.

    Where points separate thousands, 1.234.567 is a number, but 192.168.100.200 an IP address.
    """

    name = "version"
    pattern = re.compile(VERSION)

    def end_of(self, text: str, start: int, end: int) -> int:
        """See `VerbatimKind.end_of`."""
        end -= text[end - 1] == "."
        given = text[start:end]
        has_points = language_facts(self.languages[0]).group_mark == "."
        is_number = has_points and re.fullmatch(r"\d{1,3}(\.\d{3})+", given)
        return start if is_number and not IP_ADDRESS.fullmatch(given) else end

    def show(self, given: str, stand_in: StandIn, used: Collection[str]) -> str:
        """A number, as in Python 3."""
        return self.stand_ins.number(used)


AMOUNT = re.compile(
    rf"[\d-]+|\d+(?:{UNITS}|{ENDINGS})|\d+(?i:st|nd|rd|th|er)?-{LETTER}{{2,}}.*"
    r"|(?i:mid|pre|post)-.*"
)


class IdentifierKind(VerbatimKind):
    """Words of letters and digits, and names in programs.

    An amount such as 21st, 1990s, 20-minute or 18jährig is none: those are translated.
    """

    name = "identifier"
    pattern = re.compile(IDENTIFIER)

    def end_of(self, text: str, start: int, end: int) -> int:
        """See `VerbatimKind.end_of`; an amount is no identifier."""
        return start if AMOUNT.fullmatch(text, start, end) else end
