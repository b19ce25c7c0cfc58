"""Heat maps of attention, drawn with matplotlib from records; no TensorFlow.

After the figures of Vaswani et al. (2017), "Attention Is All You Need",
https://arxiv.org/abs/1706.03762
"""

import numpy as np
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from translator.attention.drawing.canvas import (
    GAP,
    MAX_WIDTH,
    NAME,
    Margins,
    Style,
    fitting_points,
    labels_size,
    make_grid,
    make_panels,
    name_margins,
    style_of,
)
from translator.attention.drawing.fonts import choose_families
from translator.attention.drawing.lines import draw_lines
from translator.attention.records import AttentionRecord
from translator.attention.views import Panel, Selection, View, select
from translator.attention.words import words_with_ends

__all__ = ["View", "missing_characters", "plot_attention"]

POINTS = 7.0  # of labels
CELL = 0.24  # inches a token
LARGEST_PANEL = 2.4  # inches, of a sheet's
GRID_FROM = 0.09  # inches a cell, below which no lines are drawn between them
WRITTEN_FROM = 0.37  # inches a cell that has room for its weight in figures


def plot_attention(record: AttentionRecord, view: View, font: str | None = None) -> Figure:
    """Draws attention: one map, a layer's, a head's through the layers, or all of them.

    Rows are queries, columns the keys they look at, or with lines the left and
    the right sentence. Each head has a colour of its own; the background is 0,
    full colour 1.

    Args:
        record: of one hypothesis.
        view: what of it.
        font: of the labels, a family's name or a font's file; where it or None
            lacks a character, an installed font that has it is found.

    Returns:
        The figure; `translator.base.figures.save_figure` writes it.

    Raises:
        InputError: there is no such layer, head, kind or font, or no token is left to show.
    """
    selection = select(record, view)
    families, _ = choose_families(_texts(record), font)
    style = style_of(view.dark)
    with rc_context(style.settings(families)):
        if view.lines:
            return draw_lines(selection, style)
        if selection.columns is not None:
            return _draw_sheet(selection, style)
        if len(selection.panels) == 1:
            return _draw_one(selection, style)
        return _draw_several(selection, style)


def missing_characters(record: AttentionRecord, font: str | None = None) -> set[str]:
    """Characters of a record's labels that no installed font has.

    Raises:
        InputError: there is no such font.
    """
    return choose_families(_texts(record), font)[1]


def _texts(record: AttentionRecord) -> tuple[str, ...]:
    sides = (record.source_tokens, record.target_tokens)
    words = (
        word for side in sides for word in words_with_ends(side).texts
    )  # bytes become characters
    return (record.source, record.hypothesis, "→…", *sides[0], *sides[1], *words)


def _cell(selection: Selection, best: float, total: float, points: float) -> float:
    """Inches a token: ``best`` for few of them, less for many, so that text still fits.

    So many tokens that their map would be wider than a picture may be have smaller cells.
    """
    count = max(len(selection.queries), len(selection.keys))
    text = labels_size(selection.queries + selection.keys, points)[1]
    return min(max(1.1 * text, min(best, total / count)), (MAX_WIDTH - 5) / count)


def _sides(selection: Selection, points: float) -> Margins:
    """Inches of the labels beside and above a map."""
    beside, above = (labels_size(labels, points)[0] + 0.08 for labels in selection[:2])
    return Margins(left=beside, above=above)


def _draw_one(selection: Selection, style: Style) -> Figure:
    """One large map, its colour bar, and the weights in figures where cells have room."""
    cell = _cell(selection, 0.55, 8.0, POINTS + 1)
    points = fitting_points(selection.queries + selection.keys, cell, min(10.0, 18 * cell + 5))
    size = cell * len(selection.keys), cell * len(selection.queries)
    bar = Margins(right=0.75, below=0.2, left=0.1)
    sides = _sides(selection, points)
    figure, [axes] = make_panels(*([s] for s in size), sides, bar, selection.title)
    [panel] = selection.panels
    _draw_map(axes, panel, style, cell)
    _label(axes, selection, points)
    box = axes.get_position()
    width, height = figure.get_size_inches()
    place = (box.x1 + 0.15 / width, box.y0, 0.14 / width, box.height)
    scale = figure.colorbar(axes.images[0], cax=figure.add_axes(place))
    scale.outline.set_visible(False)
    scale.ax.tick_params(labelsize=8, length=2)
    if cell >= WRITTEN_FROM:
        _write_weights(axes, panel, style)
    return figure


def _write_weights(axes: Axes, panel: Panel, style: Style) -> None:
    colours = style.ramp(panel.colour)
    for (row, column), weight in np.ndenumerate(panel.scores):
        if weight >= 0.005:
            light = np.dot(colours(float(weight))[:3], (0.3, 0.59, 0.11)) > 0.55
            ink = "black" if light else "white"
            axes.text(column, row, f"{weight:.2f}", fontsize=7, color=ink, ha="center", va="center")


def _draw_several(selection: Selection, style: Style) -> Figure:
    """A panel a head, or a layer, each with its labels."""
    cell = _cell(selection, CELL, 6.0, POINTS)
    points = fitting_points(selection.queries + selection.keys, cell, POINTS)
    sides = _sides(selection, points)._replace(right=0.1, below=0.35)
    width, height = (
        max(least, cell * len(labels))
        for least, labels in zip((1.0, 0.4), (selection.keys, selection.queries))
    )
    figure, grid = make_grid(len(selection.panels), (width, height), sides, selection.title)
    for axes, panel in zip(grid, selection.panels):
        _draw_map(axes, panel, style, cell)
        _label(axes, selection, points)
        axes.set_xlabel(panel.name, fontsize=9, color=style.hue(panel.colour))
    return figure


def _draw_sheet(selection: Selection, style: Style) -> Figure:
    """Layers by heads, tokens named at the outer panels alone, and only where there are few."""
    count = max(len(selection.queries), len(selection.keys))
    largest = (MAX_WIDTH - 3) / selection.columns - 2 * GAP
    cell = min(max(LARGEST_PANEL / count, 0.02), CELL, largest / len(selection.keys))
    if selection.labelled:
        cell = min(max(cell, 0.11), largest / len(selection.keys))
    points = fitting_points(selection.queries + selection.keys, cell, POINTS)
    sides = _sides(selection, points) if selection.labelled else Margins()
    rows = len(selection.panels) // selection.columns
    figure, grid = make_panels(
        [cell * len(selection.keys)] * selection.columns,
        [cell * len(selection.queries)] * rows,
        Margins(GAP, GAP, GAP, GAP),
        Margins(sides.left + NAME, sides.above + NAME, 0.1, 0.1),
        selection.title,
    )
    for i, (axes, panel) in enumerate(zip(grid, selection.panels)):
        _draw_map(axes, panel, style, cell)
        if selection.labelled:
            above, beside = i < selection.columns, i % selection.columns == 0
            _label(axes, selection, points, above, beside)
    name_margins(grid, selection, style, sides)
    return figure


def _draw_map(axes: Axes, panel: Panel, style: Style, cell: float) -> None:
    rows, columns = panel.scores.shape
    axes.imshow(
        panel.scores, cmap=style.ramp(panel.colour), vmin=0, vmax=1, interpolation="nearest",
        aspect="auto",
    )  # fmt: skip
    axes.set(xticks=[], yticks=[])
    if cell >= GRID_FROM:
        rules = {"color": style.rule, "linewidth": 0.4}
        axes.vlines(np.arange(1, columns) - 0.5, -0.5, rows - 0.5, **rules)
        axes.hlines(np.arange(1, rows) - 0.5, -0.5, columns - 0.5, **rules)
    for spine in axes.spines.values():
        spine.set_edgecolor(style.hue(panel.colour))


def _label(
    axes: Axes, selection: Selection, points: float, above: bool = True, beside: bool = True
) -> None:
    text = {"fontsize": points, "parse_math": False}
    if above:
        axes.set_xticks(range(len(selection.keys)), selection.keys, rotation=90, **text)
    if beside:
        axes.set_yticks(range(len(selection.queries)), selection.queries, **text)
    axes.xaxis.tick_top()
    axes.tick_params(length=0, pad=2)
