"""Texts of requests: what of them is translated, and what comes back."""

from collections.abc import Sequence

from translator.addons.documents.document import Document
from translator.addons.documents.files import write_translated
from translator.addons.documents.web_page import read_web_page
from translator.translation.results import Translation


class HtmlText:
    """HTML with places for the translations of its texts.

    Args:
        page: HTML, or a part of it.

    Raises:
        InputError: it cannot be read.

    Attributes:
        texts: what is to be translated, in one line each, with inline tags.
    """

    def __init__(self, page: str) -> None:
        self._page = page.encode()
        self.texts = [text.source for text in self._read().texts]

    def _read(self) -> Document:
        return read_web_page(self._page, "q")

    def write(self, translations: Sequence[Translation]) -> tuple[str, list[Translation]]:
        """The page with a translation of each text, and what is told of each.

        One that would break the page stays as it is, with a doubt that says so.
        """
        page, told = write_translated(self._read(), translations)
        return page.decode(), [translation for _, translation in told]


class PlainText:
    """A text without markup, of which each line is translated; see `HtmlText`.

    Args:
        text: one or more lines.
    """

    def __init__(self, text: str) -> None:
        self.texts = text.split("\n")

    def write(self, translations: Sequence[Translation]) -> tuple[str, list[Translation]]:
        """The text with a translation of each line, and what is told of each."""
        return "\n".join(each.text for each in translations), list(translations)
