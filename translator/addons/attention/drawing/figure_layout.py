"""Figures laid out in inches: as large as their panels, labels and title need."""

import functools
import io
import math
import textwrap
import warnings
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg, RendererAgg
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties

MAX_WIDTH = 40.0  # inches, 6000 pixels at the 150 per inch that pictures are written with
MIN_WIDTH = 6.0
TITLE_POINTS, TITLE_LINE_HEIGHT = 10, 0.19  # inches
PIXELS_PER_INCH = 150  # per inch, at which text is measured
NO_GLYPH = "Glyph .* missing from font"  # a warning; the commands report it in one line


class NotebookFigure(Figure):
    """A figure that notebooks show, whether or not pyplot was imported."""

    def _repr_png_(self) -> bytes:
        with io.BytesIO() as file, warnings.catch_warnings():
            warnings.filterwarnings("ignore", NO_GLYPH)
            self.savefig(file, format="png", dpi=100)
            return file.getvalue()


class Margins(NamedTuple):
    """Inches on four sides."""

    left: float = 0.0
    above: float = 0.0
    right: float = 0.0
    below: float = 0.0


def make_panels(
    widths: Sequence[float],
    heights: Sequence[float],
    around: Margins,
    outside: Margins,
    title: Sequence[str],
) -> tuple[Figure, list[Axes]]:
    """Makes a figure of panels that neither labels nor title make smaller.

    Args:
        widths: inches of the panels in each column.
        heights: inches of the panels in each row.
        around: inches that the labels of each panel take.
        outside: inches around all panels together.
        title: paragraphs, wrapped to the figure's width; one that is too long for a line is
            broken at its line ends first.

    Returns:
        The figure and its panels, row by row.
    """
    column_widths = np.array(widths) + around.left + around.right
    row_heights = np.array(heights) + around.above + around.below
    content = outside.left + float(column_widths.sum()) + outside.right
    width = max(content, MIN_WIDTH)
    lines = title_lines(title, width - 0.4)
    above = 0.25 + TITLE_LINE_HEIGHT * len(lines)
    height = above + outside.above + float(row_heights.sum()) + outside.below
    figure = NotebookFigure(figsize=(width, height))
    figure.suptitle(
        "\n".join(lines), y=1 - 0.1 / height, va="top", fontsize=TITLE_POINTS, parse_math=False
    )
    lefts = (width - content) / 2 + outside.left + around.left + np.cumsum([0, *column_widths])
    tops = above + outside.above + around.above + np.cumsum([0, *row_heights])
    panels = [
        figure.add_axes((left / width, (height - top - high) / height, wide / width, high / height))
        for top, high in zip(tops, heights)
        for left, wide in zip(lefts, widths)
    ]
    return figure, panels


def add_colour_bar(figure: Figure, axes: Axes) -> Axes:
    """Draws the colours of a panel's image on its right, and returns the panel of the bar."""
    box, width = axes.get_position(), figure.get_figwidth()
    place = (box.x1 + 0.15 / width, box.y0, 0.14 / width, box.height)
    bar = figure.colorbar(axes.images[0], cax=figure.add_axes(place))
    bar.outline.set_visible(False)
    return bar.ax


def label_cells(
    axes: Axes, queries: Sequence[str], keys: Sequence[str], points: float, beside: bool = True
) -> None:
    """Names the rows of a map on its left, where they are wanted, and its columns above it."""
    axes.set_xticks(range(len(keys)), keys, rotation=90, fontsize=points, parse_math=False)
    if beside:
        axes.set_yticks(range(len(queries)), queries, fontsize=points, parse_math=False)
    axes.xaxis.tick_top()
    axes.tick_params(length=0, pad=2)


def draw_grid_lines(axes: Axes, rows: int, columns: int, colour: str, width: float) -> None:
    """Draws lines between the cells of a map."""
    right, below = columns - 0.5, rows - 0.5
    axes.vlines(np.arange(0.5, right), -0.5, below, color=colour, linewidth=width)
    axes.hlines(np.arange(0.5, below), -0.5, right, color=colour, linewidth=width)


def text_on(colour: Sequence[float] | np.ndarray) -> str:
    """Black or white, whichever can be read on a colour of red, green and blue from 0 to 1."""
    return "black" if np.dot(colour[:3], (0.3, 0.59, 0.11)) > 0.5 else "white"


@functools.cache
def _renderer() -> RendererAgg:
    renderer: RendererAgg = FigureCanvasAgg(Figure(dpi=PIXELS_PER_INCH)).get_renderer()
    return renderer


def text_size(text: str, points: float) -> tuple[float, float]:
    """Width and height in inches of a line of text in the current font families."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", NO_GLYPH)
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
            lines += _wrap(part, width)
    return lines


def _wrap(text: str, width: float) -> list[str]:
    """Lines of at most ``width`` inches, broken between words where possible."""
    count = max(1, math.ceil(text_size(text, TITLE_POINTS)[0] / width))
    while count < len(text):
        lines = textwrap.wrap(text, math.ceil(len(text) / count), break_on_hyphens=False)
        if all(text_size(line, TITLE_POINTS)[0] <= width for line in lines):
            return lines
        count += 1
    return list(text) or [""]
