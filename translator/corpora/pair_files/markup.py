"""Units of translation memories and catalogues: TMX, XLIFF and gettext's .po.

TMX 1.4b, https://www.gala-global.org/tmx-14b; XLIFF 1.2 and 2.1, https://docs.oasis-open.org/xliff.
XML is read as a stream. It may neither define entities nor name other files.
"""

import re
from collections import deque
from collections.abc import Iterator, Sequence
from typing import Any
from xml.parsers import expat

from translator.base.errors import InputError
from translator.base.texts import FileText, quoted, shorten
from translator.corpora.pair_files.opening import BLOCK, Stream
from translator.corpora.pair_files.rows import Row, as_line

CODES = frozenset(("bpt", "ept", "ph", "it", "ut", "sub"))  # what is in them is no text
UNITS = frozenset(("tu", "trans-unit", "segment"))
QUOTED = re.compile(r'[^"]*"(?:[^"\\]|\\.)*"\s*')  # a row of a catalogue with a text
LONGEST_MESSAGE = 5000  # lines with its comments: polib's time grows with their square
UNTRANSLATED = frozenset(("new", "needs-translation", "initial"))  # states of a target
HEADER = "x-gettext-domain-header"  # of a unit that is none
LONGEST = 1 << 20  # characters of a segment
DEEPEST = 200  # elements within each other
LARGEST = 1 << 27  # bytes of a catalogue, which is read whole
CHARSET = re.compile(rb"charset=([\w-]+)", re.IGNORECASE)
MAY_BE = ("charset", "us-ascii", "ascii")  # written where it is UTF-8


def read_units(stream: Stream) -> Iterator[Row]:
    """The units of a TMX or XLIFF file: the text of each language by its code.

    Raises:
        InputError: it is no XML, damaged, or defines entities.
    """
    parser = expat.ParserCreate("utf-8" if stream.is_recoded else None)
    units = _Units(parser)
    parser.buffer_text = True
    parser.StartElementHandler = units.start
    parser.EndElementHandler = units.end
    parser.CharacterDataHandler = units.text

    def refuse(found: str, advice: str) -> None:
        raise InputError(
            f"{stream.name}, line {parser.CurrentLineNumber}: expected XML without entities of its"
            f" own, found {found}; {advice}"
        )

    parser.EntityDeclHandler = lambda name, *rest: refuse(
        f"the definition of {quoted(name)}", "get the file without a DOCTYPE that has some"
    )
    parser.SkippedEntityHandler = lambda name, is_parameter: refuse(
        f"&{name};, which nothing defines", "write the character that it means"
    )
    try:
        block, given = b" ", 0
        while block:
            block = stream.file.read(BLOCK)
            given += len(block)
            parser.Parse(block, not block)
            while units.found:
                yield units.found.popleft()
            where = f"{stream.name}, line {parser.CurrentLineNumber}: expected"
            if max(units.length, given - parser.CurrentByteIndex) > LONGEST:
                raise InputError(
                    f"{where} texts and tags of at most {LONGEST:,} characters, found a longer one;"
                    " split it"
                )
            if len(units.path) > DEEPEST:
                raise InputError(
                    f"{where} at most {DEEPEST} elements within each other, found"
                    f" {len(units.path):,}; get the file from elsewhere"
                )
    except InputError:  # it is a ValueError, too
        raise
    except (expat.ExpatError, LookupError, ValueError) as error:
        line = getattr(error, "lineno", parser.CurrentLineNumber)
        problem = str(error).partition(":")[0]
        raise InputError(
            f"{stream.name}, line {line}: expected well-formed XML, found {problem}; correct it, or"
            " get the file again"
        ) from None


class _Units:
    """What is found while a file is parsed; proposals of others within its units are left out.

    Attributes:
        found: complete units that are still to be taken.
        length: characters of the segment that is read.
        path: the elements that are open.
    """

    def __init__(self, parser: Any) -> None:
        self.found: deque[Row] = deque()
        self.length = 0
        self._parser = parser
        self.path = [""]
        self._languages = {"seg": "", "source": "source", "target": "target"}
        self._line = 0
        self._unit: dict[str, str] = {}
        self._is_new = False
        self._parts: list[str] | None = None
        self._codes = 0  # how many elements of `CODES` are open

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """An element begins."""
        name = name.rpartition(":")[2]
        get = attributes.get
        if self._parts is not None:
            self._codes += name in CODES
        elif name in UNITS:
            self._unit, self._line = {}, self._parser.CurrentLineNumber
            self._is_new = get("state") in UNTRANSLATED or get("restype") == HEADER
        elif name == "tuv":
            self._languages["seg"] = get("xml:lang") or get("lang") or "unknown"
        elif name in ("xliff", "file"):
            for side, found in (
                ("source", get("source-language") or get("srcLang")),
                ("target", get("target-language") or get("trgLang")),
            ):
                self._languages[side] = found or self._languages[side]
        elif name in self._languages and (name == "seg" or self.path[-1] in UNITS):
            self._is_new |= name == "target" and get("state") in UNTRANSLATED
            self._parts, self.length, self._codes = [], 0, 0
        self.path.append(name)

    def end(self, name: str) -> None:
        """An element ends."""
        name = self.path.pop()
        if self._parts is None:
            if name in UNITS:
                self.found.append((self._line, self._unit))
        elif name in CODES:
            self._codes -= 1
        elif name in self._languages:
            text, self._parts, self.length = as_line("".join(self._parts)), None, 0
            if text and not (name == "target" and self._is_new):
                self._unit.setdefault(self._languages[name], text)

    def text(self, text: str) -> None:
        """Text of an element."""
        if self._parts is not None and not self._codes:
            self._parts.append(text)
            self.length += len(text)


def read_po(stream: Stream) -> Iterator[Row]:
    """The messages of a catalogue by their languages; the source is English if nothing is said.

    Those without a translation and doubtful (fuzzy) ones have none.

    Raises:
        InputError: it is no catalogue, too large, damaged, or not in the encoding that it says.
    """
    import polib

    content = stream.file.read(LARGEST + 1)
    if len(content) > LARGEST:
        raise InputError(
            f"{stream.name}: expected a catalogue of at most {LARGEST >> 20} MiB, found a larger"
            " one; split it with msggrep"
        )
    declared = CHARSET.search(content[:BLOCK])
    charset = declared[1].decode().lower() if declared else "utf-8"
    try:
        page = content.decode("utf-8" if charset in MAY_BE else charset).removeprefix("\ufeff")
        check_messages(page.split("\n"), stream.name)
        # with a line end it is never taken for the name of a file
        catalogue = polib.pofile(FileText(f"{page}\n"), encoding="utf-8")
    except InputError:  # it is a ValueError, too
        raise
    except (OSError, ValueError, IndexError, LookupError) as error:  # polib's own among them
        raise InputError(
            f"{stream.name}: expected a catalogue of gettext, found {' '.join(str(error).split())};"
            " msgfmt -c says more"
        ) from None
    languages = [
        catalogue.metadata.get(name) or other
        for name, other in (("X-Source-Language", "en"), ("Language", "target"))
    ]
    for entry in catalogue:
        if entry.obsolete:
            continue
        is_known = "fuzzy" not in entry.flags
        sides = [(entry.msgid, entry.msgstr)]
        if entry.msgid_plural:
            forms = [text for _, text in sorted(entry.msgstr_plural.items())]
            sides = [(entry.msgid, forms[0]), (entry.msgid_plural, forms[-1])][: len(forms)]
        for source, target in sides:
            texts = map(as_line, (source, target) if target and is_known else (source,))
            yield entry.linenum, dict(zip(languages, texts))


def check_messages(rows: Sequence[str], name: str) -> None:
    """Checks that all texts have their quotation marks, and that no message has too many lines.

    Args:
        rows: of a catalogue.
        name: of it, for errors.

    Raises:
        InputError: one has not, or has.
    """
    count = 0
    for number, row in enumerate(rows, start=1):
        text = row.lstrip("#~ \t")
        count = 0 if text.startswith("msgid") else count + (row[:2] != "#:")
        if count > LONGEST_MESSAGE:
            raise InputError(
                f"{name}, line {number}: expected at most {LONGEST_MESSAGE} lines of a message,"
                " found more; divide it"
            )
        if row.lstrip().startswith(('"', "msg")) and not QUOTED.fullmatch(text):
            raise InputError(
                f"{name}, line {number}: expected a text in quotation marks, found"
                f" {shorten(row.strip())}; correct it"
            )
