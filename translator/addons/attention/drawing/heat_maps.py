"""Heat maps of attention: rows are queries, columns are keys."""

import itertools
import math

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from translator.addons.attention.drawing.figure_layout import (
    MAX_WIDTH,
    Margins,
    add_colour_bar,
    draw_grid_lines,
    fitting_points,
    label_cells,
    labels_size,
    make_panels,
    text_on,
)
from translator.addons.attention.drawing.styles import Style
from translator.addons.attention.picture_content import HeadMap, PictureContent

LABEL_POINTS = 7.0  # font size
CELL_SIZE = 0.24  # inches per token
MIN_GRID_CELL = 0.09  # inches; between smaller cells no lines are drawn
MIN_WRITTEN_CELL = 0.37  # inches; smaller cells do not show their weight as a number
MAX_COLUMNS = 4
PAGE_WIDTH = 10.0  # inches; shown in the width of a page, the labels of wider sheets are too small
SHEET_CELL = 0.17  # inches per token of a sheet
SHEET_MAP = 2.2  # inches, of a map of too many tokens to name them
NAME_WIDTH = 1.0  # inches, of the longest name of a map there


def draw_heat_maps(content: PictureContent, style: Style) -> Figure:
    """Draws one large map, a map for each head or layer, or a sheet of all.

    Args:
        content: what to show.
        style: light or dark.

    Returns:
        The figure.
    """
    if len(content.maps) == 1:
        return _draw_one(content, content.maps[0], style)
    return _draw_several(content, style)


def _cell_size(content: PictureContent, best: float, total: float, points: float) -> float:
    """Inches per token: ``best``, or less for many tokens as long as their labels fit.

    With so many tokens that the map would be too wide for a picture, cells are even smaller.
    """
    count = max(len(content.queries), len(content.keys))
    text = labels_size(content.queries + content.keys, points)[1]
    return min(max(1.1 * text, min(best, total / count)), (MAX_WIDTH - 5) / count)


def _label_margins(content: PictureContent, points: float) -> Margins:
    """Inches of the labels beside and above a map."""
    beside, above = (
        labels_size(labels, points)[0] + 0.08 for labels in (content.queries, content.keys)
    )
    return Margins(left=beside, above=above)


def _draw_one(content: PictureContent, head_map: HeadMap, style: Style) -> Figure:
    """One large map with its colour bar, and the weights written into large cells."""
    cell = _cell_size(content, 0.55, 8.0, LABEL_POINTS + 1)
    points = fitting_points(content.queries + content.keys, cell, min(10.0, 18 * cell + 5))
    figure, [axes] = make_panels(
        [cell * len(content.keys)],
        [cell * len(content.queries)],
        _label_margins(content, points),
        Margins(right=0.75, below=0.2, left=0.1),
        content.title,
    )
    _draw_map(axes, head_map, style, cell)
    label_cells(axes, content.queries, content.keys, points)
    add_colour_bar(figure, axes).tick_params(labelsize=8, length=2)
    if cell >= MIN_WRITTEN_CELL:
        colours = style.colour_map(head_map.colour)
        for (row, column), weight in np.ndenumerate(head_map.scores):
            if weight >= 0.005:
                axes.text(
                    column, row, f"{weight:.2f}", fontsize=7, color=text_on(colours(float(weight))),
                    ha="center", va="center",
                )  # fmt: skip
    return figure


def _draw_several(content: PictureContent, style: Style) -> Figure:
    """A map for each head or layer, or a sheet: each layer begins a row, and may take several."""
    labels, most = content.queries + content.keys, max(len(content.queries), len(content.keys))
    if not content.is_labelled:
        cell, points, margins = SHEET_MAP / most, LABEL_POINTS, Margins()
    elif content.is_sheet:
        cell, points = max(SHEET_CELL, NAME_WIDTH / len(content.keys)), LABEL_POINTS
        margins = _label_margins(content, points)
    else:
        cell = _cell_size(content, CELL_SIZE, 6.0, LABEL_POINTS)
        points = fitting_points(labels, cell, LABEL_POINTS)
        margins = _label_margins(content, points)
    width, height = cell * len(content.keys), cell * len(content.queries)
    if content.is_sheet:  # rows are named on the left of all maps
        outside, around = Margins(left=margins.left + 0.1, right=0.1, below=0.1), Margins()
        columns = int((PAGE_WIDTH - margins.left - 0.2) / (width + 0.1))
    else:
        outside, around = Margins(left=0.1, right=0.1, below=0.1), Margins(left=margins.left)
        width, height = max(1.0, width), max(0.4, height)
        columns = min(MAX_COLUMNS, int((MAX_WIDTH - 0.2) / (margins.left + width + 0.1)))
    groups = _rows_of_maps(content, max(1, columns))
    columns = len(groups[0])
    figure, panels = make_panels(
        [width] * columns,
        [height] * len(groups),
        around._replace(above=margins.above, right=0.1, below=0.35),
        outside,
        content.title,
    )
    for number, axes in enumerate(panels):
        row, column = divmod(number, columns)
        if column >= len(groups[row]):
            axes.remove()
            continue
        head_map = groups[row][column]
        _draw_map(axes, head_map, style, cell)
        if content.is_labelled:
            beside = column == 0 or not content.is_sheet
            label_cells(axes, content.queries, content.keys, points, beside)
        axes.set_xlabel(head_map.name, fontsize=9, color=style.hue(head_map.colour))
    return figure


def _rows_of_maps(content: PictureContent, most: int) -> list[list[HeadMap]]:
    """The maps of each row, at most so many; as evenly as possible, each layer of a sheet apart."""
    rows: list[list[HeadMap]] = []
    for _, group in itertools.groupby(content.maps, lambda each: content.is_sheet and each.layer):
        maps = list(group)
        size = math.ceil(len(maps) / math.ceil(len(maps) / most))
        rows += [maps[first : first + size] for first in range(0, len(maps), size)]
    return rows


def _draw_map(axes: Axes, head_map: HeadMap, style: Style, cell: float) -> None:
    axes.imshow(
        head_map.scores, cmap=style.colour_map(head_map.colour), vmin=0, vmax=1,
        interpolation="nearest", aspect="auto",
    )  # fmt: skip
    axes.set(xticks=[], yticks=[])
    if cell >= MIN_GRID_CELL:
        rows, columns = head_map.scores.shape
        draw_grid_lines(axes, rows, columns, style.rule, 0.4)
    for spine in axes.spines.values():
        spine.set_edgecolor(style.hue(head_map.colour))
