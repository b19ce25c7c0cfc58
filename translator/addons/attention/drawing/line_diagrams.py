"""Two sentences with lines between them, as opaque as the weights.

After Vig (2019), "A Multiscale Visualization of Attention in the Transformer
Model", https://arxiv.org/abs/1906.05714
"""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
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
from translator.addons.attention.drawing.text_layout import labels_size
from translator.addons.attention.picture_content import HeadMap, PictureContent

MIN_VISIBLE_WEIGHT = 1 / 256  # smaller weights cannot be seen in eight bits
LABEL_GAP = 0.08  # inches between a label and its lines


def draw_line_diagrams(content: PictureContent, style: Style) -> Figure:
    """Draws lines between queries on the left and keys on the right.

    Args:
        content: what to show.
        style: light or dark.

    Returns:
        The figure.
    """
    if content.columns:
        return _draw_sheet(content, style)
    one = len(content.maps) == 1
    points = 9.0 if one else 7.0
    labels = content.queries + content.keys
    pitch = max(0.24 if one else 0.18, 1.15 * labels_size(labels, points)[1])
    around = _label_margins(content, points)._replace(above=0.1, below=0.1 if one else 0.35)
    size = (3.0 if one else 1.5, _height(content, pitch))
    figure, panels = make_grid(len(content.maps), size, around, content.title)
    for axes, head_map in zip(panels, content.maps):
        _draw_lines(axes, head_map, style)
        _label_tokens(axes, content.queries, points, left=True)
        _label_tokens(axes, content.keys, points, left=False)
        if not one:
            axes.set_xlabel(head_map.name, fontsize=9, color=style.hue(head_map.colour))
    return figure


def _draw_sheet(content: PictureContent, style: Style) -> Figure:
    """Layers by heads; only the outer diagrams have token labels, where tokens are few."""
    columns = content.columns
    points = 7.0
    labels = content.queries + content.keys
    pitch = max(0.13, 1.1 * labels_size(labels, points)[1])
    margins = _label_margins(content, points)
    if not content.is_labelled:
        pitch, margins = 0.06, Margins()
    width = min(1.1, (MAX_WIDTH - 6) / columns - 2 * PANEL_GAP)
    figure, panels = make_panels(
        [width] * columns,
        [_height(content, pitch)] * (len(content.maps) // columns),
        Margins(PANEL_GAP, PANEL_GAP, PANEL_GAP, PANEL_GAP),
        Margins(margins.left + NAME_SPACE, NAME_SPACE, margins.right + 0.1, 0.1),
        content.title,
    )
    for i, (axes, head_map) in enumerate(zip(panels, content.maps)):
        _draw_lines(axes, head_map, style)
        if content.is_labelled and i % columns == 0:
            _label_tokens(axes, content.queries, points, left=True)
        if content.is_labelled and (i + 1) % columns == 0:
            _label_tokens(axes, content.keys, points, left=False)
    name_rows_and_columns(panels, content, style, margins)
    return figure


def _label_margins(content: PictureContent, points: float) -> Margins:
    """Inches of the labels on the left and on the right."""
    left, right = (
        labels_size(labels, points)[0] + LABEL_GAP + 0.05
        for labels in (content.queries, content.keys)
    )
    return Margins(left=left, right=right)


def _height(content: PictureContent, pitch: float) -> float:
    return pitch * max(len(content.queries), len(content.keys), 4)


def _token_heights(count: int) -> np.ndarray:
    """(count,) heights of tokens, the first on top, spread from 1 to 0."""
    return 1 - (np.arange(count) + 0.5) / count


def _draw_lines(axes: Axes, head_map: HeadMap, style: Style) -> None:
    lefts, rights = map(_token_heights, head_map.scores.shape)
    rows, columns = np.nonzero(head_map.scores >= MIN_VISIBLE_WEIGHT)
    ends = [[(0, lefts[row]), (1, rights[column])] for row, column in zip(rows, columns)]
    weights = head_map.scores[rows, columns].clip(0, 1)  # float32 weights may exceed 1 slightly
    colours = [(*style.hue(head_map.colour), float(weight)) for weight in weights]
    axes.add_collection(
        LineCollection(ends, colors=colours, linewidths=1.4 if len(lefts) <= 30 else 0.9)
    )
    axes.set(xlim=(0, 1), ylim=(0, 1), xticks=[], yticks=[])
    for name, spine in axes.spines.items():
        spine.set_visible(name in ("left", "right"))
        spine.set_edgecolor(style.rule)


def _label_tokens(axes: Axes, labels: tuple[str, ...], points: float, left: bool) -> None:
    x, offset, side = (0, -72 * LABEL_GAP, "right") if left else (1, 72 * LABEL_GAP, "left")
    for label, y in zip(labels, _token_heights(len(labels))):
        axes.annotate(
            label, (x, y), (offset, 0), textcoords="offset points", ha=side, va="center",
            fontsize=points, parse_math=False,
        )  # fmt: skip
