"""Heat maps of attention: rows are queries, columns are keys."""

import itertools
import math
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine

from translator.addons.attention.drawing.figures import (
    NotebookFigure,
    text_on,
    text_width,
    title_lines,
)
from translator.addons.attention.drawing.styles import Style
from translator.addons.attention.picture_content import HeadMap, PictureContent

TITLE_POINTS, LABEL_POINTS = 10.0, 7.0  # font sizes
LINE = 1.25 / 72  # inches of a line for each point of its font size
MIN_GRID_CELL = 0.09  # inches; between smaller cells no lines are drawn
MIN_WRITTEN_CELL = 0.37  # inches; smaller cells do not show their weight as a number
MAX_COLUMNS = 4
MIN_WIDTH = 6.0  # inches
PAGE_WIDTH = 10.0  # inches; shown in the width of a page, the labels of wider sheets are too small
MAX_WIDTH = 40.0  # inches, 6000 pixels at the 150 per inch that pictures are written with
CELL, SHEET_CELL, ONLY_CELL = 0.24, 0.17, 0.55  # inches per token: of a layer, a sheet, one map
MAP, ONLY_MAP = 6.0, 8.0  # inches that maps of many tokens have, as long as labels fit
UNLABELLED_MAP = 2.2  # inches
NAME_WIDTH, NAME_HEIGHT = 1.0, 0.2  # inches, of the longest name of a map
BAR_WIDTH = 0.6  # inches, of the bar of colours
TITLE_LINE = 0.17  # inches
PAD = 0.06  # inches around each map


def draw_heat_maps(content: PictureContent, style: Style) -> Figure:
    """Draws one large map, a map for each head or layer, or a sheet of all.

    Args:
        content: what to show.
        style: light or dark.

    Returns:
        The figure.
    """
    cell = _cell_size(content)
    is_only = len(content.maps) == 1
    points = min(18 * cell + 5 if is_only else LABEL_POINTS, TITLE_POINTS, cell / LINE)
    figure, panels = _make_panels(content, cell, points)
    for axes, head_map in zip(panels, content.maps):
        _draw_map(axes, head_map, style, cell)
        if content.is_labelled:
            _label_cells(axes, content, points)
        axes.set_xlabel(head_map.name, fontsize=9, color=style.hue(head_map.colour))
    if is_only:
        _add_colour_bar(panels[0])
        if cell >= MIN_WRITTEN_CELL:
            _write_weights(panels[0], content.maps[0], style)
    return figure


def _make_panels(content: PictureContent, cell: float, points: float) -> tuple[Figure, list[Axes]]:
    """A figure with its title, about as large as its maps and their labels need, and their panels.

    The layout then measures labels, and gives the maps what is left.
    """
    beside = above = 0.0  # inches of labels
    if content.is_labelled:
        beside, above = (
            max(text_width(label, points) for label in labels) + 0.05
            for labels in (content.queries, content.keys)
        )
    shared, own = (beside, 0.0) if content.is_sheet else (0.0, beside)  # labels of rows
    width = cell * len(content.keys) + own + 2 * PAD
    height = cell * len(content.queries) + above + NAME_HEIGHT + 2 * PAD
    most = int(((PAGE_WIDTH if content.is_sheet else MAX_WIDTH) - shared) / width)
    rows = _rows_of_maps(content, max(1, most if content.is_sheet else min(most, MAX_COLUMNS)))
    columns = len(rows[0])
    total = max(MIN_WIDTH, shared + columns * width + BAR_WIDTH * (len(content.maps) == 1))
    title = title_lines(content.title, total - 0.4, TITLE_POINTS)
    figure = NotebookFigure(
        figsize=(total, len(title) * TITLE_LINE + 2 * PAD + len(rows) * height),
        layout=ConstrainedLayoutEngine(w_pad=PAD, h_pad=PAD, wspace=0, hspace=0),
    )
    figure.suptitle("\n".join(title), fontsize=TITLE_POINTS, parse_math=False)
    panels = []
    for of_row, maps in zip(figure.subplots(len(rows), columns, squeeze=False), rows):
        panels += of_row[: len(maps)].tolist()
        for axes in of_row[len(maps) :]:
            axes.remove()
    return figure, panels


def _cell_size(content: PictureContent) -> float:
    """Inches per token: the best size, or less for many tokens as long as their labels fit.

    With so many tokens that the map would be too wide for a picture, cells are even smaller.
    """
    most = max(len(content.queries), len(content.keys))
    if not content.is_labelled:
        return UNLABELLED_MAP / most
    if len(content.maps) == 1:
        cell = max(min(ONLY_CELL, ONLY_MAP / most), LABEL_POINTS * LINE)
    else:
        cell = SHEET_CELL if content.is_sheet else min(CELL, MAP / most)
        cell = max(cell, LABEL_POINTS * LINE, NAME_WIDTH / len(content.keys))
    return min(cell, (MAX_WIDTH - 5) / most)


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
        interpolation="nearest",
    )  # fmt: skip
    axes.set(xticks=[], yticks=[])
    axes.tick_params(length=0, pad=2)
    if cell >= MIN_GRID_CELL:
        right, below = head_map.scores.shape[1] - 0.5, head_map.scores.shape[0] - 0.5
        axes.vlines(np.arange(0.5, right), -0.5, below, color=style.rule, linewidth=0.4)
        axes.hlines(np.arange(0.5, below), -0.5, right, color=style.rule, linewidth=0.4)
    for spine in axes.spines.values():
        spine.set_edgecolor(style.hue(head_map.colour))


def _label_cells(axes: Axes, content: PictureContent, points: float) -> None:
    """Names the columns of a map, and its rows unless the map on its left names them."""
    settings: dict[str, Any] = {"fontsize": points, "parse_math": False}
    axes.set_xticks(range(len(content.keys)), content.keys, rotation=90, **settings)
    axes.xaxis.tick_top()
    place = axes.get_subplotspec()
    if not content.is_sheet or (place is not None and place.is_first_col()):
        axes.set_yticks(range(len(content.queries)), content.queries, **settings)


def _add_colour_bar(axes: Axes) -> None:
    """Draws the colours of a map on its right."""
    bar = axes.figure.colorbar(axes.images[0], cax=axes.inset_axes((1.02, 0, 0.03, 1)))
    bar.outline.set_visible(False)
    bar.ax.tick_params(labelsize=8, length=2)


def _write_weights(axes: Axes, head_map: HeadMap, style: Style) -> None:
    colours = style.colour_map(head_map.colour)
    for (row, column), weight in np.ndenumerate(head_map.scores):
        if weight >= 0.005:
            axes.text(
                column, row, f"{weight:.2f}", fontsize=7, color=text_on(colours(float(weight))),
                ha="center", va="center",
            )  # fmt: skip
