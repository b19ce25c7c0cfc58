"""Two sentences with lines between them, as opaque as the weights.

After Vig (2019), "A Multiscale Visualization of Attention in the Transformer
Model", https://arxiv.org/abs/1906.05714
"""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure

from translator.attention.drawing.canvas import (
    GAP,
    MAX_WIDTH,
    NAME,
    Margins,
    Style,
    labels_size,
    make_grid,
    make_panels,
    name_margins,
)
from translator.attention.views import Panel, Selection

VISIBLE = 1 / 256  # weights below leave no trace in eight bits
PAD = 0.08  # inches between a label and its lines


def draw_lines(selection: Selection, style: Style) -> Figure:
    """Draws a selection with lines, queries on the left and keys on the right.

    Args:
        selection: what to show.
        style: light or dark.
    """
    if selection.columns is not None:
        return _draw_sheet(selection, style)
    one = len(selection.panels) == 1
    points = 9.0 if one else 7.0
    labels = selection.queries + selection.keys
    pitch = max(0.24 if one else 0.18, 1.15 * labels_size(labels, points)[1])
    around = _sides(selection, points)._replace(above=0.1, below=0.1 if one else 0.35)
    size = (3.0 if one else 1.5, _height(selection, pitch))
    figure, grid = make_grid(len(selection.panels), size, around, selection.title)
    for axes, panel in zip(grid, selection.panels):
        _draw_panel(axes, panel, style)
        _label(axes, selection.queries, points, left=True)
        _label(axes, selection.keys, points, left=False)
        if not one:
            axes.set_xlabel(panel.name, fontsize=9, color=style.hue(panel.colour))
    return figure


def _draw_sheet(selection: Selection, style: Style) -> Figure:
    points = 7.0
    labels = selection.queries + selection.keys
    pitch = max(0.13, 1.1 * labels_size(labels, points)[1])
    sides = _sides(selection, points)
    if not selection.labelled:
        pitch, sides = 0.06, Margins()
    width = min(1.1, (MAX_WIDTH - 6) / selection.columns - 2 * GAP)
    figure, grid = make_panels(
        [width] * selection.columns,
        [_height(selection, pitch)] * (len(selection.panels) // selection.columns),
        Margins(GAP, GAP, GAP, GAP),
        Margins(sides.left + NAME, NAME, sides.right + 0.1, 0.1),
        selection.title,
    )
    for i, (axes, panel) in enumerate(zip(grid, selection.panels)):
        _draw_panel(axes, panel, style)
        if selection.labelled and i % selection.columns == 0:
            _label(axes, selection.queries, points, left=True)
        if selection.labelled and (i + 1) % selection.columns == 0:
            _label(axes, selection.keys, points, left=False)
    name_margins(grid, selection, style, sides)
    return figure


def _sides(selection: Selection, points: float) -> Margins:
    left, right = (labels_size(labels, points)[0] + PAD + 0.05 for labels in selection[:2])
    return Margins(left=left, right=right)


def _height(selection: Selection, pitch: float) -> float:
    return pitch * max(len(selection.queries), len(selection.keys), 4)


def _places(count: int) -> np.ndarray:
    """(count,) heights of tokens, the first on top, spread over the panel from 1 to 0."""
    return 1 - (np.arange(count) + 0.5) / count


def _draw_panel(axes: Axes, panel: Panel, style: Style) -> None:
    lefts, rights = map(_places, panel.scores.shape)
    rows, columns = np.nonzero(panel.scores >= VISIBLE)
    ends = [[(0, lefts[row]), (1, rights[column])] for row, column in zip(rows, columns)]
    weights = panel.scores[rows, columns].clip(0, 1)  # float32 rows may exceed 1 by a hair
    colours = [(*style.hue(panel.colour), float(weight)) for weight in weights]
    axes.add_collection(
        LineCollection(ends, colors=colours, linewidths=1.4 if len(lefts) <= 30 else 0.9)
    )
    axes.set(xlim=(0, 1), ylim=(0, 1), xticks=[], yticks=[])
    for name, spine in axes.spines.items():
        spine.set_visible(name in ("left", "right"))
        spine.set_edgecolor(style.rule)


def _label(axes: Axes, labels: tuple[str, ...], points: float, left: bool) -> None:
    x, offset, side = (0, -72 * PAD, "right") if left else (1, 72 * PAD, "left")
    for label, y in zip(labels, _places(len(labels))):
        axes.annotate(
            label, (x, y), (offset, 0), textcoords="offset points", ha=side, va="center",
            fontsize=points, parse_math=False,
        )  # fmt: skip
