"""A file as its texts, and as what writes them back; in a file of lines they stand at places."""

import codecs
import io
import itertools
import re
import textwrap
from collections.abc import Callable, Sequence
from typing import NamedTuple

from translator.base.errors import InputError
from translator.corpora.pair_files.opening import UTF_16, is_in_another_encoding

SPACES = re.compile(r"[^\S\xa0\u202f]+")  # that may be another white space, such as a line end
# Line ends, and what no file of text may have: no text has any, and no translation of one
UNPRINTABLE = re.compile(r"([\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]+)")
AMOUNT = re.compile(  # that languages write in other ways, such as 6,200 and £5
    r"\d,\d|(?<![\d.])\d{1,3}\.\d{3}(?![\d.])|\d ?[%‰€$£¥]|[€$£¥] ?\d"
)
BRACES = frozenset("{}")


class Text(NamedTuple):
    """A text of a document.

    Attributes:
        source: in one line. Parts that are not translated have names such as ``{{0}}`` in it.
        place: where it stands, for the user, such as ``line 12``.
        fit: makes of the source and a translation what the file has; None if that would break it.
    """

    source: str
    place: str
    fit: Callable[[str, str], str | None] = lambda source, translation: translation


class Written(NamedTuple):
    """What is written for a text.

    Attributes:
        is_translated: whether it is the translation.
        is_doubtful: whether the translation is doubtful.
    """

    text: str
    is_translated: bool = True
    is_doubtful: bool = False


class Document(NamedTuple):
    """A file that was read.

    Attributes:
        texts: what is translated, in order.
        write: makes the content of the file with something for each text; to be called once.
        left: how many values with words are no texts.
    """

    texts: Sequence[Text]
    write: Callable[[Sequence[Written]], bytes]
    left: int = 0


def decoded(content: bytes, name: str) -> str:
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
        f"{name}: expected UTF-8, found what looks like {encoding}; convert it, as with"
        f" iconv -f {encoding} -t UTF-8"
    )


def encoded(text: str, content: bytes) -> bytes:
    """A text in UTF-8, with a byte order mark if the file had one."""
    mark = codecs.BOM_UTF8 if content.startswith(codecs.BOM_UTF8) else b""
    return mark + text.encode()


def has_words(text: str) -> bool:
    """Whether there is anything to translate."""
    return any(map(str.isalpha, text))


def has_words_or_amounts(text: str) -> bool:
    """Whether readers need a text in their language; 2.0 may be a version, and 1.2 a chapter."""
    return has_words(text) or not BRACES & set(text) and AMOUNT.search(text) is not None


class Place(NamedTuple):
    """Where a text stands.

    Attributes:
        line: the number of its first line, from 0.
        spans: of each of its lines, the start and the end of the text in it, in characters.
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
        self._lines = list(io.StringIO(decoded(content, name), newline=""))
        self.rows = [line.rstrip("\r\n") for line in self._lines]

    def text_at(self, place: Place) -> str:
        """The text at a place, in one line."""
        spans = enumerate(place.spans, place.line)
        text = " ".join(self.rows[i][start:end] for i, (start, end) in spans)
        return SPACES.sub(" ", text).strip()

    def wrapped(self, place: Place, text: str) -> str:
        """A text in lines that are as wide as those of a place, if these are several."""
        if len(place.spans) == 1:
            return text
        (first, _), (rest, _), *_ = place.spans
        lines = textwrap.wrap(
            text,
            max(end for _, end in place.spans),
            initial_indent=" " * first,
            subsequent_indent=" " * rest,
            break_long_words=False,
            break_on_hyphens=False,
        )
        return "\n".join(line.lstrip(" ") for line in lines)

    def write(self, places: Sequence[Place], written: Sequence[Written]) -> bytes:
        """The content of the file with other texts.

        Args:
            places: of texts, in order.
            written: for each; its lines begin as those of the place do.
        """
        begins = list(itertools.accumulate(map(len, self._lines), initial=0))
        page = "".join(self._lines)
        pieces: list[str] = []
        end = 0
        for place, each in zip(places, written):
            if not each.is_translated:
                continue
            line = place.line
            first, *others = each.text.split("\n")
            pieces += (page[end : begins[line] + place.spans[0][0]], first)
            for i, other in enumerate(others, 1):
                like = min(i, len(place.spans) - 1)
                before = self.rows[line + like][: place.spans[like][0]]
                pieces += (self._lines[line][len(self.rows[line]) :], before, other)
            end = begins[line + len(place.spans) - 1] + place.spans[-1][1]
        return encoded("".join([*pieces, page[end:]]), self._content)
