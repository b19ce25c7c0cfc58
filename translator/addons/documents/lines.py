"""Files of lines: texts stand at places of them, and all else stays byte for byte."""

import io
import itertools
import textwrap
from collections.abc import Sequence
from typing import NamedTuple

from translator.addons.documents.document import SPACES, Written, decoded, encoded


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

    Args:
        content: of the file.
        name: of the file, for errors.

    Attributes:
        rows: the lines without their ends.

    Raises:
        InputError: it is not UTF-8.
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
