"""Translates documents without a model: words are changed, or markup is lost."""

import re
from types import SimpleNamespace

from translator.addons.documents.document import Document
from translator.addons.documents.files import translate_document
from translator.translation.options import TranslationOptions
from translator.translation.results import Doubt, Hypothesis, Translation

KEPT = re.compile(r"(<[^>]*>|&\w+;|\{\{?[^}]*\}\}?|%\w|`[^`]*`|\]\([^)]*\)|!?\[|\*+|~~|\|)")


def louder(text: str) -> str:
    """A text in capitals, but for its markup."""
    parts = KEPT.split(text)
    return "".join(part if i % 2 else part.upper() for i, part in enumerate(parts))


def without_markup(text: str) -> str:
    """A text in capitals that has lost its markup."""
    return KEPT.sub("", text).upper()


def translator_with(change=louder, doubts: tuple[Doubt, ...] = ()) -> SimpleNamespace:
    """A translator from English into German whose translations a function makes."""

    def translate(texts, options):
        return [
            Translation(text, (Hypothesis(change(text), (1,), 0.0, 0.0),), doubts) for text in texts
        ]

    tokenizers = tuple(SimpleNamespace(language=each) for each in ("en", "de"))
    return SimpleNamespace(translate=translate, tokenizers=tokenizers)


def translated(document: Document, change=louder, doubts: tuple[Doubt, ...] = ()) -> bytes:
    """The content of a document whose texts are changed by a function."""
    translator = translator_with(change, doubts)
    return translate_document(translator, document, TranslationOptions())[0]
