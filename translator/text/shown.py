"""What a model is shown of a text, and the spans for which it is shown something else."""

import bisect
import dataclasses
import enum
import functools
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from translator.tokenizers.masks import MASK, MASKS

# Kinds of spans that masks stand for
NAME, COPIED, UNSPELT, TERM, QUANTITY = "name", "copied", "unspelt", "term", "quantity"
# Kinds of spans that the model is not shown: a tag, an emoji or a mark of format; an aside; what
# ends a sentence in any case
MARK, ASIDE, END = "mark", "aside", "end"

# Letters without capitals stand for masks in a translation until all else is done, as a mask is no
# letter
LETTERS = {mask: chr(0x20000 + number) for number, mask in enumerate(MASKS)}
AS_LETTERS: dict[int, str] = str.maketrans(LETTERS)


class Span(NamedTuple):
    """A part of a text that is treated as one.

    Attributes:
        start: where it begins, in characters.
        text: what stands there.
        kind: `NAME`, `QUANTITY`, `UNSPELT` for a word that no piece spells, `TERM` of a glossary,
            `COPIED`, `MARK`, `ASIDE` for brackets that are translated as a sentence of their own,
            or `END`.
        key: equal for spans of both languages that say the same; of a mark, the name of its
            element in lower case, empty if it has none.
        is_number: whether a mask of a number stands for it.
        is_shown: whether the model is shown it as it is when it translates.
        translation: what stands for it in the other language, the usual one of its forms.
        forms: of a term, what may be written.
        has_article: of a term, whether it and its forms begin with an article.
        mask: the character that stands for it; see `translator.tokenizers.masks`.
        opens: whether it is a mark that opens an element.
        closes: whether it is one that closes an element; a mark that does neither stands alone.
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
        """Adds parts that do not overlap with those that are there."""
        self._taken = sorted([*self._taken, *((part[0], part[1]) for part in parts)])

    def are_free(self, start: int, end: int) -> bool:
        """Whether nothing from ``start`` to ``end`` is taken."""
        place = bisect.bisect_left(self._taken, (end, end))
        return place == 0 or self._taken[place - 1][1] <= start

    def contain(self, start: int, end: int) -> bool:
        """Whether one of them has all from ``start`` to ``end``."""
        place = bisect.bisect_left(self._taken, (start + 1, start))
        return place > 0 and self._taken[place - 1][1] >= end


class ShownWord(NamedTuple):
    """A word as the model is shown it.

    Attributes:
        text: what the model is shown.
        original: what stands in the sentence; several words if they are shown as one.
        spans: the spans in it that are shown as something else.
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
    """A text as the model is shown it, and what it is not shown of it.

    Attributes:
        text: with a mask for each span.
        spans: what the masks stand for, in order.
        unmasked: how many spans more there are than masks; these stand in the text as they are.
        begins: whether it is the beginning of a sentence, not a later part of one.
        marks: tags, emoji and marks of format; see `translator.text.marks.MarkedText`.
        casing: how it was capitalised; it stands here as in ordinary sentences.
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
        """What `str.translate` writes for masks: nothing for one that the text does not have."""
        nothing = dict.fromkeys(map(ord, MASKS), "")
        return nothing | {ord(span.mask): span.translation for span in self.spans}


def replace_spans(text: str, replacements: Iterable[tuple[Span, str]]) -> str:
    """A text with other texts in the places of spans.

    Args:
        replacements: spans in any order, each with what stands for it.
    """
    for span, new in sorted(replacements, reverse=True):
        text = text[: span.start] + new + text[span.end :]
    return text
