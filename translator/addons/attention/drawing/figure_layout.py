"""Figures laid out in inches: as large as their panels, labels and title need."""

import io
import math
import warnings
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from translator.addons.attention.drawing.styles import Style
from translator.addons.attention.drawing.text_layout import TITLE_POINTS, title_lines
from translator.addons.attention.picture_content import PictureContent

MAX_WIDTH = 40.0  # inches, 6000 pixels at the 150 per inch that pictures are written with
MIN_WIDTH = 6.0
TITLE_LINE_HEIGHT = 0.19  # inches
MAX_COLUMNS = 4
PANEL_GAP = 0.07  # inches on each side of every panel of a sheet
NAME_SPACE = 0.25  # inches for the names of a sheet's rows and columns


class NotebookFigure(Figure):
    """A figure that notebooks show, whether or not pyplot was imported."""

    def _repr_png_(self) -> bytes:
        with io.BytesIO() as file, warnings.catch_warnings():
            warnings.filterwarnings("ignore", "Glyph .* missing from font")
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
    count: int | None = None,
) -> tuple[Figure, list[Axes]]:
    """Makes a figure of panels that neither labels nor title make smaller.

    Args:
        widths: inches of the panels in each column.
        heights: inches of the panels in each row.
        around: inches that the labels of each panel take.
        outside: inches around all panels together.
        title: paragraphs, wrapped to the figure's width; one that is too long for a line is
            broken at its line ends first.
        count: number of panels to make; None for one in every row and column.

    Returns:
        The figure and its panels, row by row.
    """
    column_widths = np.array(widths) + around.left + around.right
    row_heights = np.array(heights) + around.above + around.below
    content = outside.left + float(column_widths.sum()) + outside.right
    width = max(content, MIN_WIDTH)
    lines = title_lines(title, width - 0.4)
    above = 0.25 + TITLE_LINE_HEIGHT * len(lines) if lines else 0.1
    height = above + outside.above + float(row_heights.sum()) + outside.below
    figure = NotebookFigure(figsize=(width, height))
    if lines:
        figure.suptitle(
            "\n".join(lines), y=1 - 0.1 / height, va="top", fontsize=TITLE_POINTS, parse_math=False
        )
    lefts = (width - content) / 2 + outside.left + around.left + np.cumsum([0, *column_widths])
    tops = above + outside.above + around.above + np.cumsum([0, *row_heights])
    places = [(row, column) for row in range(len(heights)) for column in range(len(widths))]
    panels = []
    for row, column in places[:count]:
        panel_width, panel_height = widths[column], heights[row]
        bottom = height - tops[row] - panel_height
        panels.append(
            figure.add_axes(
                (lefts[column] / width, bottom / height, panel_width / width, panel_height / height)
            )
        )
    return figure, panels


def make_grid(
    count: int, size: tuple[float, float], around: Margins, title: Sequence[str]
) -> tuple[Figure, list[Axes]]:
    """Makes panels of one size in rows that are as even as possible.

    Args:
        count: number of panels.
        size: inches of a panel's width and height.
        around: as in `make_panels`.
        title: as in `make_panels`.

    Returns:
        The figure and its panels, row by row.
    """
    most = int((MAX_WIDTH - 0.2) / (around.left + size[0] + around.right))
    rows = math.ceil(count / max(1, min(MAX_COLUMNS, most)))
    columns = math.ceil(count / rows)
    edge = Margins(0.1, 0.0, 0.1, 0.1)
    return make_panels([size[0]] * columns, [size[1]] * rows, around, edge, title, count)


def name_rows_and_columns(
    panels: Sequence[Axes], content: PictureContent, style: Style, labels: Margins
) -> None:
    """Writes the layer next to each row of a sheet, and the head above each column.

    Args:
        panels: of the sheet, row by row.
        content: what they show.
        style: of the names.
        labels: inches of the token labels, which are between the panels and the names.
    """
    left, above = -72 * labels.left - 5, 72 * labels.above + 5  # points
    for i, (axes, head_map) in enumerate(zip(panels, content.maps)):
        if i % content.columns == 0:
            axes.annotate(
                f"layer {head_map.layer}", (0, 0.5), (left, 0), xycoords="axes fraction",
                textcoords="offset points", fontsize=9, rotation=90, ha="right", va="center",
            )  # fmt: skip
        if i < content.columns:
            axes.annotate(
                head_map.name, (0.5, 1), (0, above), xycoords="axes fraction",
                textcoords="offset points", fontsize=9, color=style.hue(head_map.colour),
                ha="center", va="bottom",
            )  # fmt: skip
