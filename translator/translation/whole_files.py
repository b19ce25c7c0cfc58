"""Whole files are translated by an add-on, which knows their formats."""

from typing import Any, Protocol

from translator.base.addons import Hook


class FileTranslator(Protocol):
    """Translates files; see `translator.addons.documents.files.translate_files`."""

    def __call__(self, *arguments: Any) -> None:
        """Translates files."""


FORMATS = (
    "text", "markdown", "html", "subtitles", "gettext", "json", "yaml", "table", "xliff", "tmx",
    "android", "word", "opendocument",
)  # fmt: skip
FILE_TRANSLATORS: Hook[FileTranslator] = Hook()
"""Add-ons that translate files of many formats; the first one does."""
