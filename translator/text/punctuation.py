"""Punctuation around words."""

MARKS = ".,!?;:\"'“”„‘’()"  # punctuation that may stand around a word


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
