"""Punctuation around words, and at the beginning and the end of a sentence."""

import functools
import unicodedata
from collections.abc import Collection, Sequence

from translator.base.languages import language_facts
from translator.base.late import late_pattern
from translator.text.shown import LETTERS

MARKS = ".,!?;:\"'“”„‘’()"  # punctuation that may stand around a word
OTHER_ENDS = ")%€$£°*"  # of texts without a final mark
ADDED_MARKS = ".?!"
FINAL_MARK = late_pattern(r"\s*[.!?…。！？]+$")
QUOTED_END = late_pattern(r"([.!?]+)([\"“”»«')\]]*)$")  # final marks, and what closes after them
NO_SENTENCE = 3  # words at most, of a text that may begin with a noun
WORD = r"(?:[A-ZÄÖÜ]?[a-zäöüß]++|[A-ZÄÖÜ])(?:['-][a-zäöüß]++)?"
PLAIN = late_pattern(rf"(?:(?:{WORD},?+ )*+{WORD}[.!?]?)?")


def is_plain(text: str) -> bool:
    """Whether a text is words, commas and a final mark, so that nothing else is found in it."""
    return PLAIN.fullmatch(text) is not None


def split_marks(word: str) -> tuple[str, str, str]:
    """Splits a word into the marks before it, the word itself and the marks after it."""
    core = word.strip(MARKS)
    if not core:
        return word, "", ""
    before, _, after = word.partition(core)
    return before, core, after


@functools.lru_cache(1 << 16)
def plain_word(word: str) -> str:
    """A word in lower case without the marks around it."""
    return word.lower().replace("’", "'").strip(MARKS)


def without_final_mark(text: str) -> str:
    """A sentence without the full stop, question mark or exclamation mark at its end."""
    return FINAL_MARK.sub("", text)


def _lacks_mark(word: str) -> bool:
    last = word[-1:] or " "
    return unicodedata.category(last) in ("Ll", "Lu", "Nd") or last in LETTERS.values()


def fit_final_mark(source: str, words: Sequence[str], has_ended: bool = True) -> list[str]:
    """Gives a translation the final mark of its source: none, a question's, or three points.

    A point and an exclamation mark stay as they are, as languages use them differently. So does
    the point of a German ordinal, such as "3.", where the source has no digit there. A missing mark
    is added after digits and letters that have capitals: other scripts have other marks.

    Args:
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
    own, other = QUOTED_END.search(source.rstrip()), QUOTED_END.search(last)
    if own and other and _kind_of_end(own[1]) != _kind_of_end(other[1]):
        return [*others, last[: other.start()] + own[1] + other[2]]
    if not (end.isalnum() or end in OTHER_ENDS):
        return list(words)
    shorter = without_final_mark(last)
    is_ordinal = shorter[-1:].isdigit() and last.endswith(".") and not end.isdigit()
    if is_ordinal or not (shorter or others):
        return list(words)
    return [*others, shorter]


def _kind_of_end(marks: str) -> str:
    return "?" if "?" in marks else "..." if marks.endswith("..") else "."


def with_first_letter_of(given: str, text: str) -> str:
    """A text with the capital that another spelling of it begins with."""
    first = next(filter(str.isalpha, given), "")
    place = next((i for i, character in enumerate(text) if character.isalpha()), None)
    if place is None or text[place] != first.lower():
        return text
    return text[:place] + first + text[place + 1 :]


def fit_first_letter(
    source: str,
    words: Sequence[str],
    language: str,
    is_label: bool = False,
    common: Collection[str] = (),
) -> list[str]:
    """Begins a translation with a capital where its source is a sentence that does.

    A short text without a final mark is none if its language writes nouns with capitals. A word
    that has a capital later, as iPhone has, or that stands in the source as well stays, but for
    common words.

    Args:
        is_label: whether a colon follows, as in "Note: ...", so that it begins as a sentence does.
        common: words of the target language that the source's may have as well, such as "in".
    """
    first = next(iter(words), "")
    is_sentence = is_label or bool(QUOTED_END.search(source)) or len(source.split()) > NO_SENTENCE
    is_sentence |= not language_facts(language).capitalizes_nouns
    core = split_marks(first)[1]
    is_copied = core not in common and core in (split_marks(word)[1] for word in source.split())
    if is_sentence and source.lstrip(MARKS)[:1].isupper() and core.islower() and not is_copied:
        return [first.replace(core, core[0].upper() + core[1:], 1), *words[1:]]
    return list(words)
