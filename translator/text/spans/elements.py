"""The elements that the inline marks of a sentence form, as a tree over its words."""

import bisect
import dataclasses
import itertools
from collections.abc import Sequence

from translator.text.punctuation import split_marks
from translator.text.spans.inline import InlineMark
from translator.text.spans.tags import pair_tags


@dataclasses.dataclass(eq=False)
class Element:
    """An element, a mark that stands for itself, or one end of an element of several sentences.

    Attributes:
        opening: the mark that begins it; None if that is in a sentence before this one.
        closing: the mark that ends it; None if that is in a later sentence, or if there is none.
        stands: whether the only mark, ``opening``, stands for itself.
        children: the elements in it, in order.
    """

    opening: InlineMark | None
    closing: InlineMark | None = None
    stands: bool = False
    children: "list[Element]" = dataclasses.field(default_factory=list)

    @property
    def is_whole(self) -> bool:
        """Whether it begins and ends in this sentence."""
        return self.opening is not None and self.closing is not None


def build_tree(marks: Sequence[InlineMark]) -> Element:
    """Pairs marks and nests their elements.

    A mark that is opened within an element and not closed there stands for itself, and so
    does one that closes nothing within an element. Elsewhere it belongs to an element that
    begins or ends in another sentence.

    Args:
        marks: of a sentence, in order.

    Returns:
        The whole sentence as an element without marks of its own.
    """
    partner = pair_tags([(mark.name, mark.opens, mark.closes) for mark in marks])
    root = Element(None)
    stack = [root]
    for i, mark in enumerate(marks):
        if mark.opens and partner.get(i, i) is not None:
            element = Element(mark)
            stack[-1].children.append(element)
            stack.append(element)
        elif i in partner and mark.closes:
            stack.pop().closing = mark
        elif mark.closes and len(stack) == 1:
            root.children = [Element(None, mark, children=root.children)]
        else:
            stack[-1].children.append(Element(mark, stands=True))
    return root


class SourceWords:
    """The words of a sentence without its marks, by the places of their characters."""

    def __init__(self, words: Sequence[str]) -> None:
        plain = ["".join(word.split()) for word in words]
        self.count = len(words)
        self.ends = list(itertools.accumulate(map(len, plain)))
        self.starts = [0, *self.ends[:-1]]
        self.length = self.ends[-1] if self.ends else 0
        self.marks: list[tuple[int, int]] = []
        for word in plain:
            before, _, after = split_marks(word)
            self.marks.append((0, 0) if before == word else (len(before), len(after)))

    def begins(self, offset: int) -> int:
        """The word that has the character after a place; the number of words at the end."""
        return bisect.bisect_right(self.ends, offset)

    def ends_before(self, offset: int) -> int:
        """The word that has the character before a place; -1 at the beginning."""
        return bisect.bisect_left(self.starts, offset) - 1

    def opens_before_marks(self, offset: int) -> bool:
        """Whether punctuation at the beginning of a word follows a place."""
        word = self.begins(offset)
        return word < len(self.ends) and offset == self.starts[word] and self.marks[word][0] > 0

    def closes_after_marks(self, offset: int) -> bool:
        """Whether punctuation at the end of a word stands before a place."""
        word = self.ends_before(offset)
        return (
            word >= 0 and self.marks[word][1] > 0 and offset > self.ends[word] - self.marks[word][1]
        )
