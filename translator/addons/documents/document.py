"""A file in memory: its texts, and a function that writes them back. Also files of lines."""

import codecs
import io
import itertools
import re
import textwrap
from collections.abc import Callable, Sequence
from typing import NamedTuple

from translator.base.errors import InputError
from translator.corpora.pair_files.opening import UTF_16, is_in_another_encoding

SPACES = re.compile(r"[^\S\xa0\u202f]+")  # also a line end, but not a no-break space
# Line ends, and characters that no text file may have: neither a text nor a translation has them
UNPRINTABLE = re.compile(r"([\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]+)")
AMOUNT = re.compile(  # languages write these differently, such as 6,200 and £5
    r"\d,\d|(?<![\d.])\d{1,3}\.\d{3}(?![\d.])|\d ?[%‰€$£¥]|[€$£¥] ?\d"
)
BRACES = frozenset("{}")


class Text(NamedTuple):
    """A text of a document.

    Attributes:
        source: one line, with placeholders such as ``{{0}}`` for parts that stay as they are.
        place: its place, as shown to the user, such as ``line 12``.
        fit: turns source and translation into text for the file; None if this would break the file.
    """

    source: str
    place: str
    fit: Callable[[str, str], str | None] = lambda source, translation: translation


class WrittenText(NamedTuple):
    """The new text that is written to the file.

    Attributes:
        is_translated: False if ``text`` is the source, because its translation did not fit.
    """

    text: str
    is_translated: bool = True
    is_doubtful: bool = False


class Document(NamedTuple):
    """A file that was read.

    Attributes:
        texts: the texts to translate, in order.
        write: returns the content of the new file; may be called once.
        skipped: the number of values that have words but do not look like texts.
    """

    texts: Sequence[Text]
    write: Callable[[Sequence[WrittenText]], bytes]
    skipped: int = 0


def decode(content: bytes, name: str) -> str:
    """The text of a file in UTF-8, without a byte order mark."""
    is_wide = content.startswith(UTF_16) or 4 * content.count(0) > len(content)
    try:
        if not is_wide:
            return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        if not is_in_another_encoding(content):
            problem = "expected UTF-8, found damaged bytes; correct them"
            raise InputError(f"{name}, line {line}: {problem}") from None
    encoding = "UTF-16" if is_wide else "WINDOWS-1252"
    raise InputError(
        f"{name}: expected UTF-8, found text that looks like {encoding}; convert it: iconv -f"
        f" {encoding} -t UTF-8"
    )


def encode(text: str, content: bytes) -> bytes:
    """A text in UTF-8, with a byte order mark if the file had one."""
    mark = codecs.BOM_UTF8 if content.startswith(codecs.BOM_UTF8) else b""
    return mark + text.encode()


def has_words(text: str) -> bool:
    """Whether there is anything to translate."""
    return any(map(str.isalpha, text))


def has_words_or_amounts(text: str) -> bool:
    """Whether a text needs translation. A version or chapter, such as 2.0 or 1.2, does not."""
    return has_words(text) or not BRACES & set(text) and AMOUNT.search(text) is not None


class Place(NamedTuple):
    """The place of a text in a file.

    Attributes:
        line: the number of its first line, from 0.
        spans: for each of its lines, the start and the end of the text, in characters.
    """

    line: int
    spans: Sequence[tuple[int, int]]


class Lines:
    """A file of lines, which may end in LF, CRLF or CR.

    Attributes:
        rows: the lines without their ends.
    """

    def __init__(self, content: bytes, name: str) -> None:
        self._content = content
        self._lines = list(io.StringIO(decode(content, name), newline=""))
        self.rows = [line.rstrip("\r\n") for line in self._lines]

    def text_at(self, place: Place) -> str:
        """The text at a place, in one line."""
        spans = enumerate(place.spans, place.line)
        text = " ".join(self.rows[i][start:end] for i, (start, end) in spans)
        return SPACES.sub(" ", text).strip()

    def wrap(self, place: Place, text: str) -> str:
        """Wraps a text to the width of the lines at a place; a place of one line gets one line."""
        if len(place.spans) == 1:
            return text
        (first_indent, _), (next_indent, _), *_ = place.spans
        lines = textwrap.wrap(
            text,
            max(end for _, end in place.spans),
            initial_indent=" " * first_indent,
            subsequent_indent=" " * next_indent,
            break_long_words=False,
            break_on_hyphens=False,
        )
        return "\n".join(line.lstrip(" ") for line in lines)

    def write(self, places: Sequence[Place], written_texts: Sequence[WrittenText]) -> bytes:
        """The content of the file with new texts.

        Args:
            places: the places of the texts, in order.
            written_texts: one for each place; its lines are indented like the lines there.
        """
        line_starts = list(itertools.accumulate(map(len, self._lines), initial=0))
        file_text = "".join(self._lines)
        pieces: list[str] = []
        end = 0
        for place, written in zip(places, written_texts):
            if not written.is_translated:
                continue
            line = place.line
            first_line, *later_lines = written.text.split("\n")
            pieces += (file_text[end : line_starts[line] + place.spans[0][0]], first_line)
            for i, later_line in enumerate(later_lines, 1):
                span_number = min(i, len(place.spans) - 1)
                indent = self.rows[line + span_number][: place.spans[span_number][0]]
                pieces += (self._lines[line][len(self.rows[line]) :], indent, later_line)
            end = line_starts[line + len(place.spans) - 1] + place.spans[-1][1]
        return encode("".join([*pieces, file_text[end:]]), self._content)
