"""Measures and wraps text in inches, as matplotlib will draw it."""

import bisect
import functools
import warnings
from collections.abc import Iterable

from matplotlib.backends.backend_agg import FigureCanvasAgg, RendererAgg
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties

PIXELS_PER_INCH = 150  # per inch, at which text is measured
TITLE_POINTS = 10


@functools.cache
def _renderer() -> RendererAgg:
    renderer: RendererAgg = FigureCanvasAgg(Figure(dpi=PIXELS_PER_INCH)).get_renderer()
    return renderer


def text_size(text: str, points: float) -> tuple[float, float]:
    """Width and height in inches of a line of text in the current font families."""
    with warnings.catch_warnings():
        # The commands report missing characters in one line.
        warnings.filterwarnings("ignore", "Glyph .* missing from font")
        width, height, _ = _renderer().get_text_width_height_descent(
            text, FontProperties(size=points), False
        )
    return width / PIXELS_PER_INCH, height / PIXELS_PER_INCH


def labels_size(labels: Iterable[str], points: float) -> tuple[float, float]:
    """Inches of the widest label and of the highest one."""
    sizes = [text_size(label, points) for label in {*labels, "lp"}]
    return max(width for width, _ in sizes), max(height for _, height in sizes)


def fitting_points(labels: Iterable[str], room: float, most: float) -> float:
    """Font size of labels whose lines are ``room`` inches apart: ``most``, or less to fit."""
    return most * min(1.0, room / (1.05 * labels_size(labels, most)[1]))


def title_lines(title: Iterable[str], width: float) -> list[str]:
    """Wraps the paragraphs of a title into few lines of similar length.

    Args:
        title: paragraphs; one that is too long for a line is broken at its line ends first.
        width: in inches.
    """
    lines = []
    for paragraph in title:
        whole = " ".join(paragraph.split())
        fits = text_size(whole, TITLE_POINTS)[0] <= width
        for part in [whole] if fits else paragraph.split("\n"):
            lines += _wrap_evenly(part, TITLE_POINTS, width)
    return lines


def _wrap_evenly(text: str, points: float, width: float) -> list[str]:
    lines = wrap(text, points, width)
    while len(lines) > 1:
        width *= 0.95
        narrower = wrap(text, points, width)
        if len(narrower) != len(lines):
            break
        lines = narrower
    return lines


def wrap(text: str, points: float, width: float) -> list[str]:
    """Breaks text into lines of at most ``width`` inches, between words where possible."""
    lines = [""]
    for word in text.split():
        while word:
            longer = f"{lines[-1]} {word}".strip()
            if text_size(longer, points)[0] <= width:
                lines[-1], word = longer, ""
            elif text_size(word, points)[0] <= width:
                lines.append("")
            else:
                fits = _characters_that_fit(lines[-1], word, points, width)
                lines[-1] = f"{lines[-1]} {word[:fits]}".strip() if fits else lines[-1]
                word = word[fits:]
                lines.append("")
    return lines


def _characters_that_fit(line: str, word: str, points: float, width: float) -> int:
    """How many characters of a word longer than a line fit on it; at least 1 on an empty line."""
    fits = bisect.bisect_right(
        range(1, len(word) + 1),
        width,
        key=lambda count: text_size(f"{line} {word[:count]}".strip(), points)[0],
    )
    return max(fits, 0 if line else 1)
