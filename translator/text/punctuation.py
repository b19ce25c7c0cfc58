"""Punctuation around words, and at the beginning and the end of a sentence."""

import re
import unicodedata
from collections.abc import Sequence

MARKS = ".,!?;:\"'“”„‘’()"  # punctuation that may stand around a word
OTHER_ENDS = ")%€$£°*"  # of texts without a final mark
ADDED_MARKS = ".?!"
QUOTED = re.compile(r"[\"“”„«»‚‘]|^'")
FINAL_MARK = re.compile(r"\s*[.!?…。！？]+$")


def split_marks(word: str) -> tuple[str, str, str]:
    """Splits a word into the marks before it, the word itself and the marks after it."""
    core = word.strip(MARKS)
    if not core:
        return word, "", ""
    before, _, after = word.partition(core)
    return before, core, after


def plain_word(word: str) -> str:
    """A word in lower case without the marks around it."""
    return word.lower().replace("’", "'").strip(MARKS)


def without_final_mark(text: str) -> str:
    """A sentence without the full stop, question mark or exclamation mark at its end."""
    return FINAL_MARK.sub("", text)


def without_first_comma(source: str, words: Sequence[str]) -> list[str]:
    """Removes a comma at the beginning of a translation, as in ", too", where its source has none.

    Args:
        source: what the model was shown.
        words: of the translation.

    Returns:
        The words; the first one is empty if it was a comma alone.
    """
    if not words or not source.lstrip()[:1].isalnum():
        return list(words)
    first = words[0].lstrip(",")
    return [first, *words[1:]] if first or words[1:] else list(words)


def with_balanced_quotes(source: str, words: Sequence[str], marks: tuple[str, str]) -> list[str]:
    """Closes a quotation that a translation leaves open, or removes its mark.

    Args:
        source: what the model was shown.
        words: of the translation.
        marks: what opens and closes a quotation in the target language.
    """
    opening, closing = (sum(word.count(mark) for word in words) for mark in marks)
    is_open = opening % 2 == 1 if marks[0] == marks[1] else opening > closing
    if not is_open and (marks[0] == marks[1] or opening == closing):
        return list(words)
    if is_open and QUOTED.search(source):
        return [*words[:-1], words[-1] + marks[1]]
    surplus = marks[0] if is_open else marks[1]
    place = max(i for i, word in enumerate(words) if surplus in word)
    before, _, after = words[place].rpartition(surplus)
    return [*words[:place], before + after, *words[place + 1 :]]


def _lacks_mark(word: str) -> bool:
    return unicodedata.category(word[-1:] or " ") in ("Ll", "Lu", "Nd")


def fit_final_mark(source: str, words: Sequence[str], has_ended: bool = True) -> list[str]:
    """Removes the final mark of a translation where its source has none, or adds a missing one.

    The point of a German ordinal, such as "3.", stays where the source has no digit there. A mark
    is added after digits and letters that have capitals: other scripts have other marks.

    Args:
        source: what the model was shown.
        words: of the translation.
        has_ended: whether they are all of it, and not what a limit of its length has left.

    Returns:
        The words; the last one is empty if it was a mark alone.
    """
    end = source.rstrip()[-1:]
    if not words or not end:
        return list(words)
    *others, last = words
    if has_ended and end in ADDED_MARKS and _lacks_mark(last):
        return [*others, last + end]
    if not (end.isalnum() or end in OTHER_ENDS):
        return list(words)
    shorter = without_final_mark(last)
    is_ordinal = shorter[-1:].isdigit() and last.endswith(".") and not end.isdigit()
    if is_ordinal or not (shorter or others):
        return list(words)
    return [*others, shorter]
