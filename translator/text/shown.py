"""The view that a model has of a text, and the spans that are replaced in it."""

import bisect
import dataclasses
import enum
import functools
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from translator.tokenizers.masks import MASK, MASKS

# Kinds of spans that masks replace
NAME, COPIED, UNSPELT, TERM, QUANTITY = "name", "copied", "unspelt", "term", "quantity"
# Kinds of spans that the model is not shown: a tag, an emoji or a mark of format; an aside; a part
# that always ends a sentence
MARK, ASIDE, END = "mark", "aside", "end"

# In a translation, letters without capitals replace masks until the end, because masks are no
# letters
LETTERS = {mask: chr(0x20000 + number) for number, mask in enumerate(MASKS)}
AS_LETTERS: dict[int, str] = str.maketrans(LETTERS)


class Span(NamedTuple):
    """A part of a text that is treated as a whole.

    Attributes:
        start: where it begins, in characters.
        kind: `NAME`, `QUANTITY`, `UNSPELT` for a word that no piece spells, `TERM` of a glossary,
            `COPIED`, `MARK`, `ASIDE` for brackets that are translated as a sentence of their own,
            or `END`.
        key: equal for spans of both languages with the same meaning. For a mark, the name of its
            element in lower case; empty if it has none.
        is_number: whether a mask of a number stands for it.
        is_shown: whether the model sees it unchanged when it translates.
        translation: its text in the other language, in its usual form.
        forms: for a term, all possible translations.
        has_article: for a term, whether it and its forms begin with an article.
        mask: the character that stands for the span; see `translator.tokenizers.masks`.
        opens: whether it is a mark that opens an element.
        closes: whether it is a mark that closes an element. A mark that does neither is alone.
    """

    start: int
    end: int
    text: str
    kind: str = COPIED
    key: str = ""
    is_number: bool = False
    is_shown: bool = False
    translation: str = ""
    forms: tuple[str, ...] = ()
    has_article: bool = False
    mask: str = ""
    opens: bool = False
    closes: bool = False


class Casing(enum.Enum):
    """How a text is capitalised."""

    SENTENCE = "as in ordinary sentences"
    CAPITALS = "in capitals"
    TITLE = "each word with a capital"
    LOWER = "without capitals"


class Intervals:
    """Parts of a text that are taken, by start and end; they do not overlap.

    Args:
        parts: spans, or starts and ends.
    """

    def __init__(self, parts: Iterable[Span | tuple[int, int]] = ()) -> None:
        self._taken = sorted((part[0], part[1]) for part in parts)

    def __iter__(self) -> Iterator[tuple[int, int]]:
        return iter(self._taken)

    def add(self, parts: Iterable[Span | tuple[int, int]]) -> None:
        """Adds parts that do not overlap with earlier parts."""
        self._taken = sorted([*self._taken, *((part[0], part[1]) for part in parts)])

    def are_free(self, start: int, end: int) -> bool:
        """Whether nothing from ``start`` to ``end`` is taken."""
        place = bisect.bisect_left(self._taken, (end, end))
        return place == 0 or self._taken[place - 1][1] <= start

    def contain(self, start: int, end: int) -> bool:
        """Whether one part covers everything from ``start`` to ``end``."""
        place = bisect.bisect_left(self._taken, (start + 1, start))
        return place > 0 and self._taken[place - 1][1] >= end


class ShownWord(NamedTuple):
    """A word in the form that the model is shown.

    Attributes:
        text: the form for the model.
        original: its text in the sentence; several words if they are shown as one.
        spans: the spans in it that are replaced by masks.
    """

    text: str
    original: str
    spans: tuple[Span, ...] = ()

    def outside_of_spans(self, but: str | None = None) -> str:
        """The original, with a space for each span that is not of the kind ``but``."""
        text, end = "", 0
        for span in self.spans:
            start = self.original.index(span.text, end)
            text += self.original[end:start] + (span.text if span.kind == but else " ")
            end = start + len(span.text)
        return text + self.original[end:]


@dataclasses.dataclass(frozen=True)
class ShownText:
    """A text in the form that the model is shown, and its hidden parts.

    Attributes:
        text: the text, with a mask for each span.
        spans: the spans that the masks replace, in order.
        unmasked: how many spans got no mask because there were too few; they stay in the text.
        begins: whether it is the beginning of a sentence, not a later part.
        marks: tags, emoji and marks of format; see `translator.text.marks.MarkedText`.
        casing: how the original was capitalised. The text here has ordinary capitals.
    """

    text: str
    spans: tuple[Span, ...] = ()
    unmasked: int = 0
    begins: bool = True
    marks: tuple[Span, ...] = ()
    casing: Casing = Casing.SENTENCE

    @functools.cached_property
    def words(self) -> tuple[ShownWord, ...]:
        """Its words, each with its original."""
        by_mask = {span.mask: span for span in self.spans}
        originals = str.maketrans({span.mask: span.text for span in self.spans})
        return tuple(
            ShownWord(
                word,
                word.translate(originals),
                tuple(by_mask[mask] for mask in MASK.findall(word) if mask in by_mask),
            )
            for word in self.text.split()
        )

    def texts_of_masks(self) -> dict[int, str]:
        """A table of masks for `str.translate`. Masks that the text does not have are removed."""
        nothing = dict.fromkeys(map(ord, MASKS), "")
        return nothing | {ord(span.mask): span.translation for span in self.spans}


def replace_spans(text: str, replacements: Iterable[tuple[Span, str]]) -> str:
    """A text in which other texts replace spans.

    Args:
        replacements: spans in any order, each with its new text.
    """
    for span, new in sorted(replacements, reverse=True):
        text = text[: span.start] + new + text[span.end :]
    return text
