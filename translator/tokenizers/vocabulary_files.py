"""Vocabulary files: the ids of pieces as JSON."""

import json
from pathlib import Path

from translator.base.errors import InputError
from translator.base.files import read_file
from translator.base.texts import find_lone_surrogate, quoted

MAX_ID = 10_000_000  # above every vocabulary that has been published


def read_vocabulary(path: Path) -> dict[str, int]:
    """Reads a vocabulary file.

    Raises:
        InputError: there is no such file, or it is not a vocabulary.
    """
    try:
        content = read_file(path)
    except FileNotFoundError:
        raise InputError(f"{path}: expected a vocabulary file, found no such file") from None
    try:
        values = json.loads(content)
    except (ValueError, RecursionError):
        values = None
    if not isinstance(values, dict):
        raise InputError(
            f"{path}: expected a vocabulary, an id for each piece, found something else"
        )
    for piece, number in values.items():
        if find_lone_surrogate(piece):
            raise InputError(
                f"{path}: expected pieces of Unicode text, found {quoted(piece)}, half of a"
                " character"
            )
        if type(number) is not int or not 0 <= number < MAX_ID:
            raise InputError(f"{path}: expected an id for {quoted(piece)}, found {quoted(number)}")
    if len(set(values.values())) < len(values):
        raise InputError(f"{path}: expected an id of its own for each piece, found one twice")
    return values


def format_vocabulary(ids: dict[str, int]) -> bytes:
    """The content of a vocabulary file in JSON, one piece a line."""
    return f"{json.dumps(ids, ensure_ascii=False, indent=0)}\n".encode()
