"""Units of translation memories: TMX 1.4b, https://www.gala-global.org/tmx-14b.

XML is read as a stream. It may neither define entities nor name other files.
"""

from collections import deque
from collections.abc import Iterator
from typing import Any
from xml.parsers import expat

from translator.base.errors import InputError
from translator.base.texts import quoted
from translator.corpora.pair_files.opening import Stream
from translator.corpora.pair_files.rows import Row, as_line

CODES = frozenset(("bpt", "ept", "ph", "it", "ut", "sub"))  # elements whose content is no text
BLOCK = 1 << 15  # bytes that are read at a time


def read_tmx(stream: Stream) -> Iterator[Row]:
    """Reads the units of a translation memory: the text of each language by its code."""
    parser = expat.ParserCreate("utf-8" if stream.is_recoded else None)
    units = _Units(parser)
    parser.buffer_text = True
    parser.StartElementHandler = units.start
    parser.EndElementHandler = units.end
    parser.CharacterDataHandler = units.text

    def refuse(content: str, advice: str) -> None:
        raise InputError(
            f"{stream.name}, line {parser.CurrentLineNumber}: expected XML that defines no"
            f" entities, found {content}; {advice}"
        )

    parser.EntityDeclHandler = lambda name, *rest: refuse(
        f"the definition of {quoted(name)}", "get a file whose DOCTYPE defines no entities"
    )
    parser.SkippedEntityHandler = lambda name, is_parameter: refuse(
        f"&{name};, which is not defined", "write its character instead"
    )
    try:
        block = b" "
        while block:
            block = stream.file.read(BLOCK)
            parser.Parse(block, not block)
            while units.complete:
                yield units.complete.popleft()
    except InputError:  # an InputError is a ValueError, too
        raise
    except (expat.ExpatError, LookupError, ValueError) as error:
        line = getattr(error, "lineno", parser.CurrentLineNumber)
        problem = str(error).partition(":")[0]
        raise InputError(
            f"{stream.name}, line {line}: expected well-formed XML, found {problem}; correct it, or"
            " get the file again"
        ) from None


class _Units:
    """Collects units while a file is parsed.

    Attributes:
        complete: complete units that wait to be taken.
    """

    def __init__(self, parser: Any) -> None:
        self.complete: deque[Row] = deque()
        self._parser = parser
        self._language = ""
        self._line = 0
        self._unit: dict[str, str] = {}
        self._parts: list[str] | None = None
        self._codes = 0  # how many elements of `CODES` are open

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """Called when an element begins."""
        if self._parts is not None:
            self._codes += name in CODES
        elif name == "tu":
            self._unit, self._line = {}, self._parser.CurrentLineNumber
        elif name == "tuv":
            self._language = attributes.get("xml:lang") or attributes.get("lang") or "unknown"
        elif name == "seg":
            self._parts, self._codes = [], 0

    def end(self, name: str) -> None:
        """Called when an element ends."""
        if self._parts is None:
            if name == "tu":
                self.complete.append((self._line, self._unit))
        elif name in CODES:
            self._codes -= 1
        elif name == "seg":
            text, self._parts = as_line("".join(self._parts)), None
            if text:
                self._unit.setdefault(self._language, text)

    def text(self, text: str) -> None:
        """Called with the text of an element."""
        if self._parts is not None and not self._codes:
            self._parts.append(text)
