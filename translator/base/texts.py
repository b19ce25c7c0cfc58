"""Checks texts from the user, and quotes values in lines for the user."""

import io
import reprlib
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from translator.base.errors import InputError

MAX_QUOTED = 80  # characters of a value that an error quotes
MAX_LISTED = 10  # names that an error lists

_repr = reprlib.Repr()
_repr.maxstring = _repr.maxother = _repr.maxlong = MAX_QUOTED
_repr.maxlevel = 2


def list_of_texts(texts: str | Iterable[str], name: str = "text") -> list[str]:
    """Makes a list of one string, or of an iterable of strings such as an open file.

    Args:
        texts: a single string counts as a list of one string. Line ends of a file are removed.
    """
    if isinstance(texts, str):
        return [texts]
    if isinstance(texts, (bytes, bytearray, memoryview)) or not isinstance(texts, Iterable):
        raise InputError(
            f"{name}: expected a string or an iterable of strings, found {type(texts).__name__}"
        )
    items = list(texts)
    for number, text in enumerate(items, start=1):
        if not isinstance(text, str):
            raise InputError(
                f"{name}: expected strings, found {type(text).__name__} as item {number}"
            )
    if isinstance(texts, io.TextIOBase):
        return [text.removesuffix("\n") for text in items]
    return items


def quoted(value: Any) -> str:
    """Writes a value as Python does; a long or deep value is cut."""
    try:
        return _repr.repr(value)
    except ValueError:  # Python refuses to print a number of thousands of digits
        return "a number that is too long"


def listed(names: Sequence[str]) -> str:
    """Joins the first names of a list, for errors; ``none`` if there are no names."""
    more = [f"and {len(names) - MAX_LISTED} more"] if len(names) > MAX_LISTED else []
    return ", ".join([*names[:MAX_LISTED], *more]) or "none"


def shorten(text: str) -> str:
    """Shortens a text to at most `MAX_QUOTED` characters."""
    return text if len(text) <= MAX_QUOTED else text[: MAX_QUOTED - 1] + "…"


def find_lone_surrogate(text: str) -> str | None:
    """The first character of a text that is not valid Unicode; None if all are valid."""
    return next((character for character in text if "\ud800" <= character <= "\udfff"), None)


def printable(text: str) -> str:
    r"""Escapes line ends and control characters of a text, and foreign bytes (as ``\xff``)."""
    return "".join(
        character if character.isprintable() else _escape(character) for character in text
    )


def _escape(character: str) -> str:
    if "\udc80" <= character <= "\udcff":  # a byte of a file name, by Python's surrogateescape
        return f"\\x{ord(character) - 0xDC00:02x}"
    return character.encode("unicode_escape").decode()


Counts = Counter[str]


def describe_counts(counts: Counts) -> str:
    """Writes counts as text and leaves out zeros: ``12 empty, 3 duplicates``."""
    return ", ".join(f"{count:,} {rule}" for rule, count in counts.items() if count) or "none"
