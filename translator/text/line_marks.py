"""What is no part of the sentences of a line: what opens it, tags, marks of format, cells."""

import functools
from collections.abc import Callable, Iterable, Iterator

from translator.text.abbreviations import with_written_abbreviations
from translator.text.characters import with_plain_characters
from translator.text.opening_marks import opening_mark
from translator.text.read_lines import ReadSentence
from translator.text.sentences import Hidden, LinePart
from translator.text.spans.formats import (
    LAST_BLANK,
    beginnings_of_boxes,
    ends_of_cells,
    with_ampersands_in_words,
)
from translator.text.spans.inline import InlineText, find_marks, take_out_marks
from translator.text.spans.intervals import Intervals
from translator.text.spans.tags import find_tags, without_tags
from translator.tokenizers.subword import Tokenizer

BETWEEN_CLAUSES = (";", ":", "–", "—")
TAGS = "<!"  # what tags and pictures begin with


class LineMarks:
    """Finds the marks of lines for a reader.

    Args:
        find_spans: finds start and end of what is copied, such as web addresses; it has no marks.
    """

    def __init__(
        self,
        tokenizer: Tokenizer,
        find_spans: Callable[[str], Iterable[tuple[int, int]]],
        knows: Callable[[str], bool] = lambda word: True,
    ) -> None:
        self.tokenizer = tokenizer
        self.find_spans = find_spans
        self.knows = knows
        self._spells = functools.cache(self._has_pieces_for)

    def read(self, line: str) -> tuple[str, str]:
        """What opens a line, and the rest in plain characters and tabs; one without words stays."""
        if not any(map(str.isalnum, line)):
            return "", line
        mark = opening_mark(line, self.tokenizer.language)
        return mark, "\t".join(map(self._read_cell, line[len(mark) :].split("\t")))

    def _read_cell(self, text: str) -> str:
        """A text between tabs in plain characters."""
        language = self.tokenizer.language
        text = with_plain_characters(text, language, self.find_whole)
        text = with_written_abbreviations(text, language, self.find_whole, self.knows)
        if "&" in text and not self._spells("&"):
            text = with_ampersands_in_words(text, language, self.find_whole)
        return text

    def find_whole(self, text: str) -> list[tuple[int, int]]:
        """The parts of a text that are not cut or rewritten, in order."""
        tags = [(tag.span.start, tag.span.end) for tag in find_tags(text)]
        return sorted([*tags, *self.find_spans(without_tags(text))])

    def hidden(self, line: str) -> Iterator[Hidden]:
        """The marks that do not decide where sentences end, and those that end one.

        These are marks between clauses that the tokenizer cannot spell, cells of tables, and boxes.
        """
        for mark in find_marks(line, self._find_unmarked, self._spells):
            start, end, sign = mark.span
            if sign in BETWEEN_CLAUSES and end < len(line.rstrip()):
                yield Hidden(end, end, "", cuts=True)
            elif mark.opens or mark.closes or sign[0] in TAGS:
                yield Hidden(start, end, " " * mark.separates, mark.opens, mark.is_block)
        ends, boxes = ends_of_cells(line), beginnings_of_boxes(line)
        if ends or boxes:
            whole = self.find_whole(line)
            taken = Intervals(whole)
            for start in boxes:
                if taken.are_free(start, start):
                    yield Hidden(start, start, "", begins=True, cuts=True)
            for start, end in ends:
                if (start, end) in whole:  # an entity, which is a part of its own
                    yield Hidden(start, start, "", begins=True, cuts=True)
                    yield Hidden(start, end, "", cuts=True)
                elif taken.are_free(start, end):
                    yield Hidden(start, end, " " * line[start].isspace(), cuts=True)

    def take_out(self, text: str) -> InlineText:
        """A text without its marks."""
        return take_out_marks(text, self._find_unmarked, self._spells)

    def _find_unmarked(self, text: str) -> list[tuple[int, int]]:
        """Start and end of what has no marks of format; the blank that a text ends with is one."""
        blank = LAST_BLANK.search(text)
        end = blank.start() if blank else len(text)
        return [span for span in self.find_spans(text) if span[0] < end]

    def _has_pieces_for(self, symbol: str) -> bool:
        """Whether the tokenizer spells all of some characters."""
        return all(map(self.tokenizer.spells, self.tokenizer.encode(list(symbol), False)))


def with_asides(
    sentences: Iterable[ReadSentence],
    read: Callable[[LinePart], ReadSentence],
    fits: Callable[[ReadSentence], bool],
) -> Iterator[ReadSentence]:
    """Sentences, each before its asides.

    Args:
        fits: tells whether the model can take a sentence; an aside that does not fit is passed on.
    """
    for sentence in sentences:
        yield sentence
        for text in (mark.text for mark in sentence.marks if mark.is_aside):
            aside = read(LinePart(text, "", begins=False, is_aside=True))
            yield aside if fits(aside) else aside._replace(is_spelt=False)
