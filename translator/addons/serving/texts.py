"""Texts of requests: what of them is translated, and what comes back."""

from collections.abc import Sequence

from translator.addons.documents.document import Written
from translator.addons.documents.translation import fitting
from translator.addons.documents.web_page import read_web_page


class HtmlText:
    """HTML with places for the translations of its texts.

    Args:
        page: HTML, or a part of it.
        language: the code of its language.

    Raises:
        InputError: it cannot be read.

    Attributes:
        texts: what is to be translated, in one line each, with inline tags.
    """

    def __init__(self, page: str, language: str) -> None:
        self._language = language
        self._document = read_web_page(page.encode(), "q")
        self.texts = [text.source for text in self._document.texts]

    def with_translations(self, translations: Sequence[str]) -> str:
        """The page with a translation of each text; one that would break it stays as it is."""
        fitted = (
            fitting(text, translation, self._language)
            for text, translation in zip(self._document.texts, translations)
        )
        return self._document.write(
            [Written(source if each is None else each) for source, each in zip(self.texts, fitted)]
        ).decode()


class PlainText:
    """A text without markup, of which each line is translated; see `HtmlText`.

    Args:
        text: one or more lines.
    """

    def __init__(self, text: str) -> None:
        self.texts = text.split("\n")

    def with_translations(self, translations: Sequence[str]) -> str:
        """The text with a translation of each line."""
        return "\n".join(translations)
