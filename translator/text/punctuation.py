"""Punctuation around words, and at the beginning and the end of a sentence."""

import functools
import unicodedata
from collections.abc import Sequence

from translator.base.late import late_pattern
from translator.text.shown import LETTERS

MARKS = ".,!?;:\"'“”„‘’()"  # punctuation that may be around a word
OTHER_ENDS = ")%€$£°*"  # other ends of texts
FINAL_MARK = late_pattern(r"\s*[.!?…。！？]+$")
END = late_pattern(  # final marks, and closing marks after them
    r"((?: (?=\.\.))?[.!?]+)([\"“”»«')\]]*)$"
)
WORD = r"(?:[A-ZÄÖÜ]?[a-zäöüß]++|[A-ZÄÖÜ])(?:['-][a-zäöüß]++)?"
PLAIN = late_pattern(rf"(?:(?:{WORD},?+ )*+{WORD}[.!?]?)?")


def is_plain(text: str) -> bool:
    """Whether a text has only words, commas and a final mark. Then no other search is needed."""
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
    """Gives a translation the final marks of its source, or none.

    Missing marks are added after digits and letters with capitals. Other scripts have other marks.

    Args:
        has_ended: whether the words are the whole translation, not cut at a length limit.

    Returns:
        The words. Last words that were only marks become empty. If the source has three points only
        at its end, two points that a model wrote before a verb also become empty.
    """
    source = source.rstrip()
    if source.endswith("...") and source.count("...") == 1:
        words = ["" if word == ".." else word for word in words]
    if not words or not source:
        return list(words)
    count = next((n for n in range(len(words), 1, -1) if split_marks(words[n - 1])[1]), 1)
    last = " ".join(words[count - 1 :])
    marks_of_source, marks_of_text = END.search(source), END.search(last)
    if marks_of_source and marks_of_text:
        last = last[: marks_of_text.start()] + marks_of_source[1] + marks_of_text[2]
    elif marks_of_source:
        last += marks_of_source[1] * (has_ended and not marks_of_source[2] and _lacks_mark(last))
    elif source[-1].isalnum() or source[-1] in OTHER_ENDS:
        shorter = without_final_mark(last).rstrip(",")
        last = shorter or last
    ends = last.split(" ") if count < len(words) else [last.replace(" ", "")]
    return [*words[: count - 1], *ends, *[""] * (len(words) - count + 1 - len(ends))]


def with_first_letter_of(original: str, text: str) -> str:
    """Gives the first letter of a text the capital that another spelling of it has."""
    first = next(filter(str.isalpha, original), "")
    place = next((i for i, character in enumerate(text) if character.isalpha()), None)
    if place is None or text[place] != first.lower():
        return text
    return text[:place] + first + text[place + 1 :]


def fit_first_letter(source: str, words: Sequence[str]) -> list[str]:
    """Begins a translation with a capital where its source does.

    The first word stays if it has a capital later, as in iPhone.
    """
    first = next(iter(words), "")
    core = split_marks(first)[1]
    if source.lstrip(MARKS)[:1].isupper() and core.islower():
        return [first.replace(core, core[0].upper() + core[1:], 1), *words[1:]]
    return list(words)
