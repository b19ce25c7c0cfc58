"""The formats of files, by their endings, and what reads each."""

import importlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from translator.addons.documents.document import Document
from translator.base.errors import InputError
from translator.base.texts import listed
from translator.translation.whole_files import FORMATS


class Reading(NamedTuple):
    """What a file is read for.

    Attributes:
        languages: the codes of source and target.
        columns: of a table, their numbers from 1 or names.
    """

    languages: tuple[str, str]
    columns: Sequence[str] = ()


def _reader(module: str, function: str, *more: str) -> Callable[[bytes, str, Reading], Document]:
    """A function of a module of this package, which is imported when it is first needed.

    Args:
        module: that has the function.
        function: reads a file.
        more: attributes of the reading that it is given, too.
    """

    def read(content: bytes, name: str, reading: Reading) -> Document:
        found = getattr(importlib.import_module(f"{__package__}.{module}"), function)
        document: Document = found(content, name, *(getattr(reading, each) for each in more))
        return document

    return read


READERS = {
    "text": _reader("plain_text", "read_plain_text"),
    "markdown": _reader("markdown", "read_markdown"),
    "html": _reader("web_page", "read_web_page"),
    "subtitles": _reader("subtitles", "read_subtitles", "languages"),
    "gettext": _reader("catalogue", "read_catalogue", "languages"),
    "json": _reader("values", "read_json"),
    "yaml": _reader("values", "read_yaml"),
    "table": _reader("table", "read_table", "columns"),
    "word": _reader("word", "read_word"),
    "opendocument": _reader("open_document", "read_open_document"),
}
ADVICE = (
    f"--format says what it is ({listed([*FORMATS])}), and --file translates the lines of any text"
)
BINARY = ("word", "opendocument")  # what no terminal can show


def format_of(path: Path, name: str | None, advice: str = ADVICE) -> str:
    """The format of a file.

    Args:
        path: of the file.
        name: of the format; None to go by the ending.
        advice: what to do if no format has this ending.

    Raises:
        InputError: no format has this ending.
    """
    if name is not None:
        return name
    for each, endings in FORMATS.items():
        if path.suffix.lower() in endings:
            return each
    raise InputError(
        f"{path}: expected a file of a known ending, found {path.suffix or 'none'}; {advice}"
    )
