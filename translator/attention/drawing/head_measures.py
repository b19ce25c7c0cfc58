"""Heat maps of what the heads do, layers by heads, drawn with matplotlib; no TensorFlow."""

import math
from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure, SubFigure

from translator.attention.alignment_errors import AlignmentErrors
from translator.attention.measures import MEASURES, SHARES, HeadMeasures
from translator.attention.records import KINDS

CELL_WIDTH, CELL_HEIGHT = 0.33, 0.27  # inches
WIDTH = 16  # inches at most, where the heads leave a choice
ORDER = ("cross", "encoder", "decoder")
TITLES = {
    "entropy": "entropy, bits",
    "offset": "offset, pieces",
    "previous": "share on the previous place",
    "same": "share on the same place",
    "next": "share on the next place",
    "start": "share on start",
    "end": "share on end",
    "punctuation": "share on punctuation",
}


class Panel(NamedTuple):
    """One heat map.

    Attributes:
        title: above it.
        values: (L, N).
        colours: the name of matplotlib's colour map.
        lowest: the value of the map's first colour.
        highest: of its last.
    """

    title: str
    values: np.ndarray
    colours: str
    lowest: float
    highest: float


def plot_measures(
    measures: HeadMeasures, errors: AlignmentErrors | None = None, title: str = ""
) -> Figure:
    """Draws every measure of every kind of attention, a panel each, a cell a head.

    White is 0. Full colour is the same for all entropies, for all shares and for all error
    rates, so that panels compare; of error rates it is the best.

    Args:
        measures: from `measure_heads`.
        errors: of the same model, drawn beside cross-attention.
        title: above everything.

    Returns:
        The figure; `translator.base.figures.save_figure` writes it.
    """
    kinds = {kind: _panels(kind, measures) for kind in ORDER}
    if errors is not None:
        best = errors.best_head()[1]
        kinds["cross"] += [
            Panel(f"alignment error rate, {reading}", rates, "Greens_r", best, 1.0)
            for reading, rates in errors.heads.items()
        ]
    layers, heads = kinds["cross"][0].values.shape
    width, height = heads * CELL_WIDTH + 0.55, layers * CELL_HEIGHT + 0.75
    columns = min(max(map(len, kinds.values())), max(1, int(WIDTH / width)))
    rows = {kind: math.ceil(len(panels) / columns) for kind, panels in kinds.items()}
    heights = [count * height + 0.35 for count in rows.values()]
    figure = Figure(figsize=(columns * width, sum(heights) + 0.7), layout="constrained")
    legend = "white is 0; offsets: red looks back, blue ahead"
    legend += "; error rates: the darker the better" if errors is not None else ""
    figure.suptitle(f"{title}\n{legend}".strip(), fontsize=10, parse_math=False)
    for part, (kind, panels) in zip(figure.subfigures(3, 1, height_ratios=heights), kinds.items()):
        part.suptitle(KINDS[kind], fontsize=10, fontweight="bold")
        _draw_kind(part, panels, rows[kind], columns)
    return figure


def _panels(kind: str, measures: HeadMeasures) -> list[Panel]:
    panels = []
    for name in MEASURES:
        values = getattr(measures.kinds[kind], name)
        if values is None or (kind == "decoder" and name in ("next", "end")):  # it sees neither
            continue
        alike = [name] if name in ("entropy", "offset") else SHARES
        every = (getattr(its, other) for its in measures.kinds.values() for other in alike)
        most = max(float(np.abs(array).max()) for array in every if array is not None) or 1.0
        lowest, colours = (-most, "RdBu") if name == "offset" else (0.0, "Blues")
        panels.append(Panel(TITLES[name], values, colours, lowest, most))
    return panels


def _draw_kind(part: SubFigure, panels: list[Panel], rows: int, columns: int) -> None:
    every = part.subplots(rows, columns, squeeze=False).ravel()
    for axes, panel in zip(every, panels):
        _draw_panel(axes, panel)
    for axes in every[len(panels) :]:
        axes.set_axis_off()


def _draw_panel(axes: Axes, panel: Panel) -> None:
    layers, heads = panel.values.shape
    highest = max(panel.highest, panel.lowest + 1e-9)
    image = axes.imshow(
        panel.values, cmap=panel.colours, vmin=panel.lowest, vmax=highest, aspect="auto"
    )
    for layer, head in np.ndindex(layers, heads):
        value = panel.values[layer, head]
        red, green, blue, _ = image.to_rgba(value)
        is_dark = 0.3 * red + 0.59 * green + 0.11 * blue < 0.5
        axes.text(
            head, layer, f"{value:z.2f}", ha="center", va="center", fontsize=7,
            color="white" if is_dark else "black",
        )  # fmt: skip
    axes.set_title(panel.title, fontsize=8)
    axes.set_xticks(range(heads), range(1, heads + 1), fontsize=7)
    axes.set_yticks(range(layers), range(1, layers + 1), fontsize=7)
    axes.set_xlabel("head", fontsize=7, labelpad=1)
    axes.set_ylabel("layer", fontsize=7, labelpad=1)
    axes.tick_params(length=0, pad=2)
