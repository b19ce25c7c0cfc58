"""The mark at the end of a sentence."""

import re

FINAL_MARK = re.compile(r"\s*[.!?…。！？]+$")


def without_final_mark(text: str) -> str:
    """A sentence without the full stop, question mark or exclamation mark at its end."""
    return FINAL_MARK.sub("", text)


def fit_final_mark(source: str, translation: str) -> str:
    """Removes the final mark of a translation where its source ends with a letter or a digit.

    The point of a German ordinal, such as "3.", stays.

    Args:
        source: as it was given.
        translation: of the source.
    """
    if not source[-1:].isalnum():
        return translation
    shorter = without_final_mark(translation)
    is_ordinal = shorter[-1:].isdigit() and translation.endswith(".")
    return translation if is_ordinal or not shorter else shorter
