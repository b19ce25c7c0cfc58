"""The figures of a training's validations, in ``metrics.jsonl`` and ``times.jsonl``."""

import json
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

from translator.base.errors import InputError
from translator.base.files import read_file, whole_file
from translator.base.texts import quoted

Figures = dict[str, Any]


def read_lines(path: Path, required: Collection[str] = ()) -> list[Figures]:
    """Figures from a file with one JSON object on each line."""
    try:
        text = read_file(path).decode("utf-8")
    except FileNotFoundError:
        raise InputError(
            f"{path}: expected the figures of a training, found none; was the run trained here?"
        ) from None
    except UnicodeDecodeError:
        raise InputError(f"{path}: expected text in UTF-8, found other bytes") from None
    lines = []
    for number, line in enumerate(text.splitlines(), 1):
        figures = _parse_figures(line)
        if figures is None or not figures.keys() >= set(required):
            raise InputError(
                f"{path}, line {number}: expected numbers as a JSON object, found {quoted(line)};"
                " restore the file, or train again"
            )
        lines.append(figures)
    return lines


def _parse_figures(line: str) -> Figures | None:
    """Reads the figures of a line; None if the line is no JSON object of numbers."""
    try:
        figures = json.loads(line)
        for value in figures.values():
            float(value)
    except (ValueError, RecursionError, AttributeError, TypeError, OverflowError):
        return None
    is_number = all(isinstance(value, int | float) for value in figures.values())
    return dict(figures) if is_number else None


def write_lines(path: Path, lines: Sequence[Figures]) -> None:
    """Writes figures into a file for `read_lines`. If this fails, the old file stays."""
    with whole_file(path) as file:
        file.writelines(f"{json.dumps(line)}\n".encode() for line in lines)
