"""The formats of files, by their endings, and what reads each."""

import importlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from translator.addons.documents.document import Document
from translator.base.errors import InputError
from translator.base.texts import listed


class Reading(NamedTuple):
    """What a file is read for.

    Attributes:
        languages: the codes of source and target.
        columns: of a table, their numbers from 1 or names.
    """

    languages: tuple[str, str]
    columns: Sequence[str] = ()


class Format(NamedTuple):
    """A format of files.

    Attributes:
        endings: of their names.
        read: makes a document of the content and the name of a file.
        is_binary: whether a terminal cannot show it.
    """

    endings: tuple[str, ...]
    read: Callable[[bytes, str, Reading], Document]
    is_binary: bool = False


def _reader(module: str, function: str) -> Callable[[bytes, str, Reading], Document]:
    """A function of a module of this package, which is imported when it is first needed."""

    def read(content: bytes, name: str, reading: Reading) -> Document:
        found = getattr(importlib.import_module(f"{__package__}.{module}"), function)
        further: dict[str, Any] = {
            "read_table": reading.columns,
            "read_tmx": reading.languages,
        }
        more = [further[function]] if function in further else []
        document: Document = found(content, name, *more)
        return document

    return read


FORMATS = {
    "text": Format((".txt", ".text"), _reader("plain_text", "read_plain_text")),
    "markdown": Format((".md", ".markdown"), _reader("markdown", "read_markdown")),
    "html": Format((".html", ".htm", ".xhtml"), _reader("web_page", "read_web_page")),
    "subtitles": Format((".srt", ".vtt"), _reader("subtitles", "read_subtitles")),
    "gettext": Format((".po", ".pot"), _reader("catalogue", "read_catalogue")),
    "json": Format((".json", ".jsonl", ".arb"), _reader("values", "read_json")),
    "yaml": Format((".yaml", ".yml"), _reader("values", "read_yaml")),
    "table": Format((".csv", ".tsv"), _reader("table", "read_table")),
    "xliff": Format((".xlf", ".xliff"), _reader("exchange", "read_xliff")),
    "tmx": Format((".tmx",), _reader("exchange", "read_tmx")),
    "android": Format((".xml",), _reader("exchange", "read_android")),
    "word": Format((".docx",), _reader("office", "read_word"), is_binary=True),
    "opendocument": Format((".odt",), _reader("office", "read_open_document"), is_binary=True),
}


def format_of(path: Path, name: str | None) -> Format:
    """The format of a file.

    Args:
        path: of the file.
        name: of the format; None to go by the ending.

    Raises:
        InputError: no format has this ending.
    """
    if name is not None:
        return FORMATS[name]
    for each in FORMATS.values():
        if path.suffix.lower() in each.endings:
            return each
    raise InputError(
        f"{path}: expected a file of a known ending, found {path.suffix or 'none'}; --format says"
        f" what it is ({listed([*FORMATS])}), and --file translates the lines of any text"
    )
