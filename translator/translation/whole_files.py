"""The formats of whole files. An add-on translates them."""

import itertools
import re
from collections.abc import Callable, Iterable

from translator.base.addons import Hook
from translator.base.late import late_pattern

FORMATS = {  # the endings of file names
    "text": (".txt", ".text"),
    "markdown": (".md", ".markdown"),
    "html": (".html", ".htm", ".xhtml"),
    "subtitles": (".srt", ".vtt"),
    "gettext": (".po", ".pot"),
    "json": (".json", ".jsonl", ".arb"),
    "yaml": (".yaml", ".yml"),
    "table": (".csv", ".tsv"),
    "word": (".docx",),
    "opendocument": (".odt",),
}
FILE_TRANSLATORS: Hook[Callable[..., None]] = Hook("file translators")
"""Add-ons that translate files, like `addons.documents.files.translate_files`. The first wins."""


SIGNS = {  # patterns for the first lines of a file, by format
    "subtitles": late_pattern(r"WEBVTT\b|[\d:]+[.,]\d{3} --> [\d:]+[.,]\d{3}"),
    "gettext": late_pattern(r'(msgid|msgstr) "'),
    "html": late_pattern(r"\s*<(!doctype html|html|body)\b", re.IGNORECASE),
    "json": late_pattern(r'\s*(\{\s*("[^"]*"\s*:.*)?|\[\s*)$'),
}
FIRST_LINES = 20  # lines of a file that are searched


def format_of_lines(lines: Iterable[str]) -> str | None:
    """The probable format of a file, judged by its first lines; None for text."""
    first_lines = list(itertools.islice(lines, FIRST_LINES))
    return next((name for name, sign in SIGNS.items() if any(map(sign.match, first_lines))), None)


def is_name_of_file(text: str) -> bool:
    """Whether a text is probably the name of a file of a known format."""
    endings = tuple(ending for endings in FORMATS.values() for ending in endings)
    return text.lower().endswith(endings) and not any(map(str.isspace, text))
