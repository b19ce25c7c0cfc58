"""Spans that a translation has exactly once and as they were given, such as web addresses."""

import abc
import re
from collections.abc import Collection, Iterator

from translator.text.spans.kind import Place, Span, SpanKind, StandIn
from translator.text.spans.stand_ins import StandIns

SAME_STAND_IN = 1.0  # added to the attention if the stand-in is exactly what was shown
# Before a span that is not the end of a word; in Markdown, _ and __ may stand there
OUTSIDE_WORD = r"(?<![^\W_])(?<![^\W_]_)(?<!\w__)"
COMPOUND = re.compile(r"[^-]*(-.*)")


class VerbatimKind(SpanKind):
    """A kind of span that is copied as it is, and exactly once.

    Args:
        stand_ins: what the run's model can be shown.

    Attributes:
        pattern: what a span looks like. It needs linear time in any text.
    """

    exactly_once = True
    is_tried_again = True
    joins_neighbours = True
    pattern: re.Pattern[str]

    def __init__(self, stand_ins: StandIns) -> None:
        self.stand_ins = stand_ins

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


class NumericKind(VerbatimKind, abc.ABC):
    """Spans of digits: the model is shown a number, and they are written as in the target language.

    Args:
        stand_ins: what the run's model can be shown.
        languages: codes of source and target.
    """

    joins_neighbours = False

    def __init__(self, stand_ins: StandIns, languages: tuple[str, str]) -> None:
        super().__init__(stand_ins)
        self.languages = languages

    def show(self, given: str, stand_in: StandIn, used: Collection[str]) -> str:
        """A number, or a time of the day for a time."""
        return self.stand_ins.number(used, is_time=":" in given)

    def write(self, place: Place) -> str:
        """Writes the span as the target language does."""
        return self.localize(place.given)

    @abc.abstractmethod
    def localize(self, given: str) -> str:
        """A span as the target language writes it."""
