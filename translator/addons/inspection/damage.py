"""Damage in the text of pairs: lost and misread characters, entities, sides without words."""

import re

from translator.addons.inspection.findings import Reason
from translator.text.characters import REPLACED
from translator.text.copied_spans import find_copied

CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufffe\uffff]")
ENTITY = re.compile(r"&(?:#\d{2,6}|#[xX][\da-fA-F]{2,6}|[a-zA-Z][a-zA-Z\d]{1,9});")
MOST_SHOWN = 40  # characters


def find_damage(pair: tuple[str, str]) -> tuple[Reason, str] | None:
    """Why the text of a pair is damaged, and what shows it; None if it is not.

    Misread text is found by ftfy (Speer, 2019), https://doi.org/10.5281/zenodo.2591652

    Args:
        pair: neither side of which is empty.
    """
    both = "\n".join(pair)
    if REPLACED in both:
        return Reason.DAMAGED, ""
    if not both.isascii() and (meant := _misread(pair)):
        return Reason.MISREAD, meant
    if found := CONTROLS.search(both):
        return Reason.CONTROLS, f"U+{ord(found[0]):04X}"
    if entity := ENTITY.search(both):
        return Reason.ENTITIES, entity[0]
    wordless = [not _has_words(text) for text in pair]
    return (Reason.WORDLESS, "") if any(wordless) and not all(wordless) else None


def _misread(pair: tuple[str, str]) -> str:
    """What text meant before its bytes were misread; empty if they were not."""
    from ftfy import fix_encoding
    from ftfy.badness import is_bad

    meant = (fix_encoding(text) for text in pair if is_bad(text) and fix_encoding(text) != text)
    return next(meant, "")[:MOST_SHOWN]


def _has_words(text: str) -> bool:
    """Whether a text says something besides numbers, addresses and the like."""
    for start, end in reversed(list(find_copied(text, ""))):
        text = text[:start] + text[end:]
    return any(map(str.isalpha, text))
