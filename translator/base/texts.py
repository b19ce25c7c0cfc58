"""Takes one text or many from the user."""

import io
from collections.abc import Iterable

from translator.base.errors import InputError


def list_of_texts(texts: str | Iterable[str], name: str = "text") -> list[str]:
    """Makes a list of one string, or of an iterable of strings such as an open file.

    Args:
        texts: a single string counts as a list of one. The line ends of a file are removed.
        name: names the argument in errors.

    Raises:
        InputError: it is not a string and not an iterable of strings.
    """
    if isinstance(texts, str):
        return [texts]
    if isinstance(texts, (bytes, bytearray, memoryview)) or not isinstance(texts, Iterable):
        raise InputError(
            f"{name}: expected a string or an iterable of strings, found {type(texts).__name__}"
        )
    found = list(texts)
    for number, text in enumerate(found, start=1):
        if not isinstance(text, str):
            raise InputError(
                f"{name}: expected strings, found {type(text).__name__} as item {number}"
            )
    if isinstance(texts, io.TextIOBase):
        return [text.removesuffix("\n") for text in found]
    return found
