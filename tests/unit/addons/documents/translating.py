"""Translates documents without a model: words are changed, or markup is lost."""

import re
from types import SimpleNamespace

from translator.addons.documents.document import Document
from translator.addons.documents.translation import translate_document
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


def translated(document: Document, change=louder, doubts: tuple[Doubt, ...] = ()) -> bytes:
    """The content of a document whose texts are changed by a function."""

    def translate(texts, options):
        return [
            Translation(text, (Hypothesis(change(text), (1,), 0.0, 0.0),), doubts) for text in texts
        ]

    tokenizers = SimpleNamespace(source=SimpleNamespace(language="en"))
    made = SimpleNamespace(translate=translate, tokenizers=tokenizers)
    return translate_document(made, document, TranslationOptions())[0]
