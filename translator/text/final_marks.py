"""The mark at the end of a sentence."""

import re
from collections.abc import Sequence

OTHER_ENDS = ")%€$£°*"  # of texts without a final mark
FINAL_MARK = re.compile(r"\s*[.!?…。！？]+$")


def without_final_mark(text: str) -> str:
    """A sentence without the full stop, question mark or exclamation mark at its end."""
    return FINAL_MARK.sub("", text)


def fit_final_mark(source: str, words: Sequence[str]) -> list[str]:
    """Removes the final mark of a translation where its source has none.

    The point of a German ordinal, such as "3.", stays where the source has no digit there.

    Args:
        source: what the model was shown.
        words: of the translation.

    Returns:
        The words; the last one is empty if it was a mark alone.
    """
    end = source.rstrip()[-1:]
    if not words or not end or not (end.isalnum() or end in OTHER_ENDS):
        return list(words)
    *others, last = words
    shorter = without_final_mark(last)
    is_ordinal = shorter[-1:].isdigit() and last.endswith(".") and not end.isdigit()
    if is_ordinal or not (shorter or others):
        return list(words)
    return [*others, shorter]
