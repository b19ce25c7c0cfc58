"""What is kept of a text while a model translates it: words, and the spans it is not shown."""

from collections.abc import Iterable
from typing import NamedTuple

from translator.tokenizers.masks import MASKS

# Kinds of spans that doubts are told of
NAME, COPIED, UNSPELT, TERM = "name", "copied", "unspelt", "term"


class Span(NamedTuple):
    """A part of a text.

    Attributes:
        start: where it begins, in characters.
    """

    start: int
    end: int
    text: str


class ShownSpan(NamedTuple):
    """A span for which the model is shown something else.

    Attributes:
        kind: what it is, such as `NAME`.
        given: what stands in the sentence.
        shown: what the model is shown.
    """

    kind: str
    given: str
    shown: str


class ShownWord(NamedTuple):
    """A word as the model is shown it.

    Attributes:
        text: what the model is shown.
        given: what stands in the sentence; several words if they are shown as one.
        spans: the spans in it that are shown as something else.
    """

    text: str
    given: str
    spans: tuple[ShownSpan, ...] = ()

    def outside_of_spans(self, but: str | None = None) -> str:
        """What was given, with a space for each span that is not of the kind ``but``."""
        rest, end = "", 0
        for span in self.spans:
            start = self.given.index(span.given, end)
            rest += self.given[end:start] + (span.given if span.kind == but else " ")
            end = start + len(span.given)
        return rest + self.given[end:]


class ShownText(NamedTuple):
    """A text as the model is shown it.

    Attributes:
        text: what the model is shown.
        words: its words, with what was given for each.
    """

    text: str
    words: tuple[ShownWord, ...]

    @classmethod
    def as_given(cls, text: str) -> "ShownText":
        """A text that the model is shown as it is."""
        return cls(text, tuple(ShownWord(word, word) for word in text.split()))


class MaskedSpan(NamedTuple):
    """What a mask stands for in a text.

    Attributes:
        mask: the character of the mask; see `translator.tokenizers.masks`.
        given: what stood in the text.
        written: the same in the target language.
        kind: `NAME`, `UNSPELT` for a word that no piece spells, `TERM` of a glossary, or `COPIED`
            for all else.
        forms: of a term, what may be written; none of all else.
        has_article: of a term, whether it and its forms begin with an article.
    """

    mask: str
    given: str
    written: str
    kind: str = COPIED
    forms: tuple[str, ...] = ()
    has_article: bool = False


def texts_of_masks(spans: Iterable[MaskedSpan]) -> dict[int, str]:
    """What `str.translate` writes for masks: nothing for one that the source does not have."""
    nothing = dict.fromkeys(map(ord, MASKS), "")
    return nothing | {ord(span.mask): span.written for span in spans}
