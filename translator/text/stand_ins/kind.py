"""The interface of a kind of span."""

import abc
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from translator.text.memo import ShownWord, Span

NO_FIT = float("-inf")  # of a stand-in and a span that do not belong together


class StandIn(NamedTuple):
    """What the model is shown in place of a part of a text.

    Attributes:
        start: where the part begins, in characters.
        end: where it ends.
        shown: one word or a part of one, without spaces.
        role: what a name is of, where that decides how it is shown: ``place``, or ``person`` in a
            sentence that has a place too.
    """

    start: int
    end: int
    shown: str
    role: str = ""


class Place(NamedTuple):
    """A stand-in in a translation, with the span that belongs there.

    Attributes:
        stand_in: the text that stands in the translation.
        given: the span of the source that is written in its place.
        source_words: the words of the source as they were given.
        source_word: which of them has the span.
        target_words: the words of the translation.
        target_word: which of them has the stand-in.
    """

    stand_in: str
    given: str
    source_words: Sequence[str]
    source_word: int
    target_words: Sequence[str]
    target_word: int


class SpanKind(abc.ABC):
    """A kind of span that is taken from the source into the translation.

    Two methods must be written, `find` and `find_stand_ins`; the others have defaults for
    a span that is copied as it is.

    Attributes:
        name: tells its spans from those of other kinds.
        can_realign: whether `realign` is written. Without it, spans are not replaced in a text
            that the tokenizer divides into other words, because they could not be found again.
        exactly_once: whether a translation has each span exactly once, whatever the model makes
            of its stand-in.
        is_tried_again: whether the sentence is translated again with other stand-ins where its
            translation lacks the stand-in of such a span.
        joins_neighbours: whether letters and symbols next to a span are copied with it.
    """

    name = ""
    can_realign = False
    exactly_once = False
    is_tried_again = False
    joins_neighbours = False

    @abc.abstractmethod
    def find(self, text: str) -> Iterable[StandIn]:
        """Finds spans in a text, and the stand-ins that the model is shown for them.

        Args:
            text: as `prepare` returns it.

        Returns:
            The stand-ins, in order and without overlaps.
        """

    @abc.abstractmethod
    def find_stand_ins(self, word: str) -> Iterable[Span]:
        """Finds text in a word of a translation that may be a stand-in of this kind."""

    def show(self, given: str, stand_in: StandIn, used: Collection[str]) -> str:
        """What the model is shown for a span.

        Args:
            given: the span.
            stand_in: from `find`.
            used: words of the sentence in lower case, and what other spans of it are shown as.
        """
        return stand_in.shown

    def title_of(self, given: str) -> str:
        """What a span begins with that is translated, such as the title before a name."""
        return ""

    def is_stand_in(self, text: str, shown: str) -> bool:
        """Whether what `find_stand_ins` found stands for a span that was shown as ``shown``."""
        return True

    def prepare(self, text: str) -> str:
        """Makes a text easier to recognise spans in; the model is shown the result."""
        return text

    def find_given(self, word: ShownWord) -> Iterable[str]:
        """Finds the spans of a source word that may be put back."""
        return (span.given for span in word.spans if span.kind == self.name)

    def fit(self, stand_in: str, given: str) -> float:
        """How well a stand-in fits a span, in addition to the attention between them (0 to 1).

        `NO_FIT` says that it cannot stand for it.

        Args:
            stand_in: in the translation.
            given: the span; for a kind with ``is_tried_again``, what it was shown as.
        """
        return 0.0

    def write(self, place: Place) -> str:
        """Writes a span in the target language."""
        return place.given

    def must_stay(self, given: str, word: ShownWord) -> bool:
        """Whether a span is inserted where the model dropped it.

        Args:
            given: the span, from `find_given`.
            word: the word of the source that has it.
        """
        return False

    def hides_points(self, text: str, end: int) -> bool:
        """Whether the points of a span that ends at ``end`` end no sentence."""
        return False

    def for_prefix(self, prefix: str, sentences: Iterable[str]) -> "SpanKind":
        """The kind that recognises spans in a forced beginning of the translation.

        Args:
            prefix: text of the target language.
            sentences: the texts that are translated.
        """
        return self

    def realign(self, text: str, seen: Sequence[str]) -> list[str] | None:
        """Finds the given words of a text that the tokenizer divides into other words.

        Args:
            text: the sentence as it was given.
            seen: its words as the tokenizer has them.

        Returns:
            A given word for each of ``seen``; None if they cannot be matched.
        """
        return None
