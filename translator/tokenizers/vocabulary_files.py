"""Vocabulary files: the ids of pieces as JSON, or as the YAML that Marian writes."""

import json
import re
from pathlib import Path

from translator.base.errors import InputError
from translator.base.reading import read_file
from translator.base.texts import find_lone_surrogate, quoted

HEX = "[0-9A-Fa-f]"
ESCAPED = re.compile(rf"\\(?:x({HEX}{{2}})|u({HEX}{{4}})|U({HEX}{{8}})|(.))")
LETTERS = {"n": "\n", "t": "\t", "r": "\r", "0": "\0", "a": "\a", "b": "\b", "e": "\x1b", "f": "\f"}
MAX_ID = 10_000_000  # above every vocabulary that has been published


def read_vocabulary(path: Path) -> dict[str, int]:
    """Reads a vocabulary file.

    Args:
        path: of JSON if its name ends in ``.json``, otherwise of Marian's YAML.

    Returns:
        The id of each piece.

    Raises:
        InputError: there is no such file, or it is not a vocabulary.
    """
    try:
        content = read_file(path)
    except FileNotFoundError:
        raise InputError(f"{path}: expected a vocabulary file, found no such file") from None
    try:
        text = content.decode("utf-8")
        values = json.loads(text) if path.suffix == ".json" else _parse_yaml(text)
    except (ValueError, OverflowError, RecursionError):
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


def _parse_yaml(text: str) -> dict[str, int]:
    """Reads the YAML that Marian writes: a line for each piece, or two, ``? piece`` and ``: id``.

    PyYAML would read pieces such as ``no`` as other values, and break lines at characters such as
    U+2028, which are pieces too.

    Raises:
        ValueError: a line is not of that form.
    """
    ids: dict[str, int] = {}
    waiting = ""
    for line in text.split("\n"):
        if line.startswith("? "):
            waiting = line[2:]
        elif line.strip():
            piece, _, number = line.rpartition(":")
            ids[_unquoted(piece or waiting)] = int(number)
    return ids


def _unquoted(piece: str) -> str:
    """A piece without the quotes of YAML and what is escaped inside them."""
    if len(piece) > 1 and piece[0] == piece[-1] == "'":
        return piece[1:-1].replace("''", "'")
    if len(piece) > 1 and piece[0] == piece[-1] == '"':
        return ESCAPED.sub(_unescape, piece[1:-1])
    return piece


def _unescape(found: re.Match[str]) -> str:
    code = found[1] or found[2] or found[3]
    return chr(int(code, 16)) if code else LETTERS.get(found[4], found[4])
