"""Opening brackets and quotation marks apart from the words behind them.

A model's pieces know whether a space is before a word: "almost" is one piece after a space, and
several after "(", as few texts have that. So text is shown to a model as "( almost)".
"""

import re

OPENING_MARKS = '([„“"'
APART = b"opening marks are apart"  # in the file of a model that was trained on such text
_AT_BEGINNING = rf"(?<![^\s{re.escape(OPENING_MARKS)}])([{re.escape(OPENING_MARKS)}])"
_TOGETHER = re.compile(rf"{_AT_BEGINNING}(?=\S)")
_APART = re.compile(rf"{_AT_BEGINNING} (?=\S)")


def set_apart(text: str) -> str:
    """A text with a space behind each mark that opens something."""
    return _TOGETHER.sub(r"\1 ", text)


def put_together(text: str) -> str:
    """A text without the spaces that `set_apart` writes."""
    return _APART.sub(r"\1", text)
