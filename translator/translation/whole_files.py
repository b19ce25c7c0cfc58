"""Whole files are translated by an add-on, which knows their formats."""

from typing import Any, Protocol

from translator.base.addons import Hook


class FileTranslator(Protocol):
    """Translates files; see `translator.addons.documents.files.translate_files`."""

    def __call__(self, *arguments: Any) -> None:
        """Translates files."""


FORMATS = {  # the endings of their names
    "text": (".txt", ".text"),
    "markdown": (".md", ".markdown"),
    "html": (".html", ".htm", ".xhtml"),
    "subtitles": (".srt", ".vtt"),
    "gettext": (".po", ".pot"),
    "json": (".json", ".jsonl", ".arb"),
    "yaml": (".yaml", ".yml"),
    "table": (".csv", ".tsv"),
    "xliff": (".xlf", ".xliff"),
    "tmx": (".tmx",),
    "android": (".xml",),
    "word": (".docx",),
    "opendocument": (".odt",),
}
FILE_TRANSLATORS: Hook[FileTranslator] = Hook()
"""Add-ons that translate files of many formats; the first one does."""


def is_name_of_file(text: str) -> bool:
    """Whether a text is probably meant as the name of a file of a known format."""
    endings = tuple(ending for endings in FORMATS.values() for ending in endings)
    return text.lower().endswith(endings) and not any(map(str.isspace, text))
