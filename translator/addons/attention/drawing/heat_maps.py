"""Heat maps of attention: rows are queries, columns are keys."""

import math

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from translator.addons.attention.drawing.figure_layout import (
    MAX_WIDTH,
    NAME_SPACE,
    PANEL_GAP,
    Margins,
    make_grid,
    make_panels,
    name_rows_and_columns,
)
from translator.addons.attention.drawing.styles import Style
from translator.addons.attention.drawing.text_layout import fitting_points, labels_size
from translator.addons.attention.picture_content import HeadMap, PictureContent

LABEL_POINTS = 7.0  # font size
CELL_SIZE = 0.24  # inches per token
MAX_PANEL = 2.4  # inches, in a sheet
MIN_GRID_CELL = 0.09  # inches; between smaller cells no lines are drawn
MIN_WRITTEN_CELL = 0.37  # inches; smaller cells do not show their weight as a number
PAGE_WIDTH = 10.0  # inches; shown in the width of a page, the labels of wider sheets are too small
WRAPPED_CELL = 0.17  # inches per token, in a sheet whose layers take several rows
NAME_WIDTH = 1.0  # inches, of the longest name of a map there


def draw_heat_maps(content: PictureContent, style: Style) -> Figure:
    """Draws one large map, a map for each head or layer, or a sheet of all.

    Args:
        content: what to show.
        style: light or dark.

    Returns:
        The figure.
    """
    if content.columns:
        return _draw_sheet(content, style)
    if len(content.maps) == 1:
        return _draw_one(content, style)
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


def _draw_one(content: PictureContent, style: Style) -> Figure:
    """One large map with its colour bar, and the weights written into large cells."""
    cell = _cell_size(content, 0.55, 8.0, LABEL_POINTS + 1)
    points = fitting_points(content.queries + content.keys, cell, min(10.0, 18 * cell + 5))
    widths, heights = [cell * len(content.keys)], [cell * len(content.queries)]
    bar = Margins(right=0.75, below=0.2, left=0.1)
    margins = _label_margins(content, points)
    figure, [axes] = make_panels(widths, heights, margins, bar, content.title)
    [head_map] = content.maps
    _draw_map(axes, head_map, style, cell)
    _label_axes(axes, content, points)
    box = axes.get_position()
    width, height = figure.get_size_inches()
    place = (box.x1 + 0.15 / width, box.y0, 0.14 / width, box.height)
    scale = figure.colorbar(axes.images[0], cax=figure.add_axes(place))
    scale.outline.set_visible(False)
    scale.ax.tick_params(labelsize=8, length=2)
    if cell >= MIN_WRITTEN_CELL:
        _write_weights(axes, head_map, style)
    return figure


def _write_weights(axes: Axes, head_map: HeadMap, style: Style) -> None:
    colours = style.colour_map(head_map.colour)
    for (row, column), weight in np.ndenumerate(head_map.scores):
        if weight >= 0.005:
            is_light = np.dot(colours(float(weight))[:3], (0.3, 0.59, 0.11)) > 0.55
            axes.text(
                column, row, f"{weight:.2f}", fontsize=7, color="black" if is_light else "white",
                ha="center", va="center",
            )  # fmt: skip


def _draw_several(content: PictureContent, style: Style) -> Figure:
    """A map for each head, or for each layer, each with its labels."""
    cell = _cell_size(content, CELL_SIZE, 6.0, LABEL_POINTS)
    points = fitting_points(content.queries + content.keys, cell, LABEL_POINTS)
    margins = _label_margins(content, points)._replace(right=0.1, below=0.35)
    size = max(1.0, cell * len(content.keys)), max(0.4, cell * len(content.queries))
    figure, panels = make_grid(len(content.maps), size, margins, content.title)
    for axes, head_map in zip(panels, content.maps):
        _draw_map(axes, head_map, style, cell)
        _label_axes(axes, content, points)
        axes.set_xlabel(head_map.name, fontsize=9, color=style.hue(head_map.colour))
    return figure


def _draw_sheet(content: PictureContent, style: Style) -> Figure:
    """Layers by heads; only the outer maps have token labels, and only where tokens are few."""
    columns = content.columns
    if content.is_labelled and columns > _wrapped_columns(content):
        return _draw_wrapped_sheet(content, style)
    count = max(len(content.queries), len(content.keys))
    largest = (MAX_WIDTH - 3) / columns - 2 * PANEL_GAP
    cell = min(max(MAX_PANEL / count, 0.02), CELL_SIZE, largest / len(content.keys))
    if content.is_labelled:
        cell = min(max(cell, 0.11), largest / len(content.keys))
    points = fitting_points(content.queries + content.keys, cell, LABEL_POINTS)
    margins = _label_margins(content, points) if content.is_labelled else Margins()
    figure, panels = make_panels(
        [cell * len(content.keys)] * columns,
        [cell * len(content.queries)] * (len(content.maps) // columns),
        Margins(PANEL_GAP, PANEL_GAP, PANEL_GAP, PANEL_GAP),
        Margins(margins.left + NAME_SPACE, margins.above + NAME_SPACE, 0.1, 0.1),
        content.title,
    )
    for i, (axes, head_map) in enumerate(zip(panels, content.maps)):
        _draw_map(axes, head_map, style, cell)
        if content.is_labelled:
            _label_axes(axes, content, points, above=i < columns, beside=i % columns == 0)
    name_rows_and_columns(panels, content, style, margins)
    return figure


def _wrapped_columns(content: PictureContent) -> int:
    """How many maps of a sheet fit side by side on a page, the same number in each row."""
    margins = _label_margins(content, LABEL_POINTS)
    width = _wrapped_cell(content) * len(content.keys) + 0.1
    most = max(1, int((PAGE_WIDTH - margins.left - 0.2) / width))
    return math.ceil(content.columns / math.ceil(content.columns / most))


def _wrapped_cell(content: PictureContent) -> float:
    """Inches per token there: maps of few tokens are as wide as their names."""
    return max(WRAPPED_CELL, NAME_WIDTH / len(content.keys))


def _draw_wrapped_sheet(content: PictureContent, style: Style) -> Figure:
    """Layers by heads, each layer in several rows, so that labels can be read on a page."""
    columns, cell = _wrapped_columns(content), _wrapped_cell(content)
    by_layer = [
        content.maps[first : first + content.columns]
        for first in range(0, len(content.maps), content.columns)
    ]
    rows = [
        layer[first : first + columns]
        for layer in by_layer
        for first in range(0, len(layer), columns)
    ]
    margins = _label_margins(content, LABEL_POINTS)
    figure, panels = make_panels(
        [cell * len(content.keys)] * columns,
        [cell * len(content.queries)] * len(rows),
        Margins(above=margins.above, right=0.1, below=0.35),
        Margins(left=margins.left + 0.1, right=0.1, below=0.1),
        content.title,
    )
    for number, axes in enumerate(panels):
        row, column = divmod(number, columns)
        if column >= len(rows[row]):
            axes.remove()
            continue
        head_map = rows[row][column]
        _draw_map(axes, head_map, style, cell)
        _label_axes(axes, content, LABEL_POINTS, beside=column == 0)
        name = f"layer {head_map.layer}, {head_map.name}"
        axes.set_xlabel(name, fontsize=9, color=style.hue(head_map.colour))
    return figure


def _draw_map(axes: Axes, head_map: HeadMap, style: Style, cell: float) -> None:
    rows, columns = head_map.scores.shape
    axes.imshow(
        head_map.scores, cmap=style.colour_map(head_map.colour), vmin=0, vmax=1,
        interpolation="nearest", aspect="auto",
    )  # fmt: skip
    axes.set(xticks=[], yticks=[])
    if cell >= MIN_GRID_CELL:
        between_columns, between_rows = np.arange(1, columns) - 0.5, np.arange(1, rows) - 0.5
        axes.vlines(between_columns, -0.5, rows - 0.5, color=style.rule, linewidth=0.4)
        axes.hlines(between_rows, -0.5, columns - 0.5, color=style.rule, linewidth=0.4)
    for spine in axes.spines.values():
        spine.set_edgecolor(style.hue(head_map.colour))


def _label_axes(
    axes: Axes, content: PictureContent, points: float, above: bool = True, beside: bool = True
) -> None:
    if above:
        axes.set_xticks(
            range(len(content.keys)), content.keys, rotation=90, fontsize=points, parse_math=False
        )
    if beside:
        axes.set_yticks(
            range(len(content.queries)), content.queries, fontsize=points, parse_math=False
        )
    axes.xaxis.tick_top()
    axes.tick_params(length=0, pad=2)
