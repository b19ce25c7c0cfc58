"""What is no part of the sentences of a line: what opens it, tags, marks of format, cells."""

import functools
import re
from collections.abc import Callable, Iterable, Iterator

from translator.base.languages import language_facts, language_table
from translator.text.abbreviations import with_written_abbreviations
from translator.text.characters import with_plain_characters
from translator.text.quantities.codes import section_number
from translator.text.quantities.dates import calendar_of
from translator.text.read_lines import ReadSentence
from translator.text.sentences import Hidden, LinePart, words_that_begin
from translator.text.spans.inline import InlineText, find_marks, take_out_marks
from translator.text.spans.intervals import Intervals
from translator.text.spans.tags import find_tags, without_tags
from translator.tokenizers.subword import Tokenizer

SPACES = r"[^\S\n\x0b-\r\x1c-\x1f\x85\u2028\u2029]"  # white space that does not end a line
BULLET = r"[-+*–—―•‣⁃·∙◦▪▫●○■□▶►▸☐☑✓✔]|--"
NUMBERED = r"\d{1,3}\.?\)|\(\d{1,3}\)|[A-Za-z]\)|\((?!I\))[A-Za-z]\)"  # "(I) think" has the pronoun
NOTE = r"\[(?:\^[\w-]+|\d{1,3})\]:"
HEADING = rf"#{{1,6}}(?:{SPACES}+\d{{1,2}}(?:\.\d{{1,2}})+\.?(?!\S))?"  # ## 1.2 Title
OPENING = re.compile(rf"(?:{BULLET}|>+|{HEADING}|\[[ xX]\]|{NOTE}|{NUMBERED}){SPACES}+(?=\S)")
# With the word after it
LIST_NUMBER = re.compile(rf"\d{{1,3}}\.{SPACES}+(?=[*_\"„“»«'(\[]*(\w+)|\S)")
THREE_WORDS = re.compile(r"[^\w\s]*+[A-ZÄÖÜ]\S*+(?:\s++\S++){2}")
AFTER_END = " *_\"“”»'’)]"  # what may stand behind the final mark
INDENTATION = re.compile(f"{SPACES}*")
BETWEEN_CLAUSES = (";", ":", "–", "—")
TAGS = "<!"  # what tags and pictures begin with
CELL, ROW = re.compile(r"\t|(?<!\S)\|(?!\S)"), re.compile(r"[\t|]")


def opening_mark(line: str, language: str) -> str:
    """The marks that open a line, such as ``- ``, ``> > `` or ``2) ``, with the spaces around them.

    The number of a section, as in "2.1 Budget", opens a line too.

    A number with a point, such as ``1.``, is one only in languages whose ordinal numbers are
    written otherwise, before a word that follows no ordinal number, or before a whole sentence that
    does not begin with a month: "3. Mai" is a date.

    Returns:
        The beginning of the line; empty if no mark opens it, or no word or number follows.
    """
    indentation = INDENTATION.match(line)
    start = end = indentation.end() if indentation else 0
    while found := OPENING.match(line, end) or _list_number(line, end, language):
        end = found.end()
    if section := section_number(line, language, end):
        end = section.start("word")
    return line[:end] if end > start and any(map(str.isalnum, line[end:])) else ""


def _list_number(line: str, start: int, language: str) -> re.Match[str] | None:
    facts = language_facts(language)
    found = LIST_NUMBER.match(line, start)
    if found is None or facts.ordinal_form == "21st" or found[1] in words_that_begin(language):
        return found
    calendar = calendar_of(facts.code)
    has_words = THREE_WORDS.match(line, found.end()) is not None
    if calendar is None or not (has_words and line.rstrip(AFTER_END).endswith((".", "!", "?"))):
        return None
    months = (*calendar.months, *calendar.short)
    return None if any(re.fullmatch(month, found[1] or "") for month in months) else found


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
        return with_relative_clauses(text, language)

    def find_whole(self, text: str) -> list[tuple[int, int]]:
        """The parts of a text that are not cut or rewritten, in order."""
        tags = list(find_tags(text))
        spans = self.find_spans(without_tags(text, tags=tags))
        return sorted([*((tag.span.start, tag.span.end) for tag in tags), *spans])

    def hidden(self, line: str) -> Iterator[Hidden]:
        """The marks that do not decide where sentences end, and those that end one.

        These are marks between clauses that the tokenizer cannot spell, and those between cells.
        """
        for mark in find_marks(line, self.find_spans, self._spells):
            start, end, sign = mark.span[:3]
            if sign in BETWEEN_CLAUSES and end < len(line.rstrip()):
                yield Hidden(end, end, "", cuts=True)
            elif mark.opens or mark.closes or sign[0] in TAGS:
                yield Hidden(start, end, " " * mark.separates, mark.opens, mark.is_block)
        is_row = line.startswith("|") and line.rstrip().endswith("|")
        if cells := list((ROW if is_row else CELL).finditer(line)):
            taken = Intervals(self.find_whole(line))
            for start, end in (cell.span() for cell in cells):
                if taken.are_free(start, end):
                    yield Hidden(start, end, " " * line[start].isspace(), cuts=True)

    def take_out(self, text: str) -> InlineText:
        """A text without its marks."""
        return take_out_marks(text, self.find_spans, self._spells)

    def _has_pieces_for(self, symbol: str) -> bool:
        """Whether the tokenizer spells all of some characters."""
        return all(map(self.tokenizer.spells, self.tokenizer.encode(list(symbol), False)))


def with_relative_clauses(text: str, language: str) -> str:
    """A text with commas for the brackets around clauses that no model understands alone.

    How they begin and end is in the table ``clauses`` of the language: (who lives in Berlin).
    """
    clause = language_table(language, "clauses").get("relative")
    if clause is None or "(" not in text:
        return text
    return re.sub(rf"(?<=\w) \(({clause})\)(?= \w|[.,!?])", _between_commas, text)


def _between_commas(found: re.Match[str]) -> str:
    goes_on = found.string.startswith(" ", found.end())
    return f", {found[1]}" + "," * goes_on


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
