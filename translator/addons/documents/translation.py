"""Translates a document: its texts alone, and none so that the file would be another one."""

import re
from collections import Counter
from collections.abc import Sequence

from translator.addons.documents.document import UNPRINTABLE, Document, Text, Written
from translator.text.copied_spans import PLACEHOLDER
from translator.translation.options import TranslationOptions
from translator.translation.results import Doubt, Translation
from translator.translation.translator import Translator

# Elements and links without a text
EMPTY = re.compile(r"<([\w.:-]++)[^<>]*+>\s*+</\1\s*>|\[\s*\][(\[]", re.IGNORECASE)
KEPT_AS_IT_IS = Doubt("markup", "left as it is, as its translation would break the file")


def translate_document(
    translator: Translator, document: Document, options: TranslationOptions
) -> tuple[bytes, list[tuple[str, Translation]]]:
    """Translates the texts of a file.

    Args:
        translator: a loaded run.
        document: the file.
        options: how to translate.

    Returns:
        As `write_translated`.
    """
    translations = translator.translate([text.source for text in document.texts], options)
    return write_translated(document, translations)


def write_translated(
    document: Document, translations: Sequence[Translation]
) -> tuple[bytes, list[tuple[str, Translation]]]:
    """Writes a file with translations of its texts.

    Args:
        document: the file.
        translations: of its texts.

    Returns:
        Its content then, and the place and the translation of each text.
    """
    found = [fitting(text, each.text) for text, each in zip(document.texts, translations)]
    written = [
        Written(text.source if new is None else new, new is not None, bool(each.doubts))
        for text, each, new in zip(document.texts, translations, found)
    ]
    for i in document.clashing(written):
        written[i] = Written(document.texts[i].source, is_translated=False)
    told = [
        (
            text.place,
            each if new.is_translated else each._replace(doubts=(*each.doubts, KEPT_AS_IT_IS)),
        )
        for text, each, new in zip(document.texts, translations, written)
    ]
    return document.write(written), told


def fitting(text: Text, translation: str) -> str | None:
    """A translation as the file has it; None if it has not just what must be kept.

    Args:
        text: of a document.
        translation: of the text.
    """
    translation = UNPRINTABLE.sub(" ", translation).strip()
    empty, was_empty = (len(EMPTY.findall(each)) for each in (translation, text.source))
    if not translation or empty > was_empty or _arguments(text.source) != _arguments(translation):
        return None
    return text.fit(text.source, translation)


def _arguments(text: str) -> tuple[Counter[str], list[str]]:
    """The placeholders of a text, and the order of those that a program fills in their order."""
    found = [match[0] for match in re.finditer(PLACEHOLDER, text) if set(match[0]) & set("{%")]
    in_order = [each for each in found if each[0] == "%" and not set(each) & set("${(")]
    return Counter(found), [each for each in in_order if each[-1] != "%"]
