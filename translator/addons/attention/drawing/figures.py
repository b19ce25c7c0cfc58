"""What the pictures share: figures that notebooks show, titles that fit, text on colours."""

import io
import math
import textwrap
import unicodedata
from collections.abc import Iterable, Sequence

import numpy as np
from matplotlib.figure import Figure


class NotebookFigure(Figure):
    """A figure that notebooks show, whether or not pyplot was imported."""

    def _repr_png_(self) -> bytes:
        with io.BytesIO() as file:
            self.savefig(file, format="png", dpi=100)
            return file.getvalue()


def text_width(text: str, points: float) -> float:
    """About how many inches a line of text is wide."""
    return sum(map(_letter_width, text)) * points / 72


def _letter_width(character: str) -> float:
    """As a share of the font size."""
    if unicodedata.east_asian_width(character) in "FW":
        return 1.0
    return 0.75 if character.isupper() else 0.58


def title_lines(title: Iterable[str], width: float, points: float) -> list[str]:
    """Wraps the paragraphs of a title.

    Args:
        title: paragraphs; one that is too long for a line is broken at its line ends first.
    """
    lines = []
    for paragraph in title:
        whole = " ".join(paragraph.split())
        fits = text_width(whole, points) <= width
        for part in [whole] if fits else paragraph.split("\n"):
            lines += _wrap(part, width, points)
    return lines


def _wrap(text: str, width: float, points: float) -> list[str]:
    """Lines of similar length, as few as fit."""
    inches = max(text_width(text, points), 1e-9)
    count, most = math.ceil(inches / width), math.ceil(len(text) * width / inches)
    letters = math.ceil(len(text) / count) or 1
    while len(textwrap.wrap(text, letters)) > count and letters < most:
        letters += 1
    return textwrap.wrap(text, letters, break_on_hyphens=False)


def text_on(colour: Sequence[float] | np.ndarray) -> str:
    """Black or white, whichever can be read on a colour of red, green and blue from 0 to 1."""
    return "black" if np.dot(colour[:3], (0.3, 0.59, 0.11)) > 0.5 else "white"
