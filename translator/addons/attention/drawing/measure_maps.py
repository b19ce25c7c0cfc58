"""Heat maps of the measures of heads, layers by heads, drawn with matplotlib; no TensorFlow."""

import math
from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure, SubFigure

from translator.addons.attention.alignment_errors import AlignmentErrors
from translator.addons.attention.drawing.figure_layout import NotebookFigure
from translator.addons.attention.measures import MEASURES, SHARES, HeadMeasures
from translator.addons.attention.picture_content import clean_text
from translator.translation.records import KINDS

CELL_WIDTH, CELL_HEIGHT = 0.33, 0.27  # inches
MAX_WIDTH = 16  # inches at most, if a single map is not wider
KIND_ORDER = ("cross", "encoder", "decoder")
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


class MeasureMap(NamedTuple):
    """The heat map of one measure.

    Attributes:
        title: above it.
        values: (L, N).
        colours: name of matplotlib's colour map.
        lowest: value of the first colour.
        highest: value of the last colour.
    """

    title: str
    values: np.ndarray
    colours: str
    lowest: float
    highest: float


def plot_measures(
    measures: HeadMeasures, errors: AlignmentErrors | None = None, title: str = ""
) -> Figure:
    """Draws every measure of every kind of attention: a map for each, a cell for each head.

    White is 0. Full colour is the same value for all entropies, for all shares and for all
    error rates, so that maps can be compared; for error rates it is the lowest one.

    Args:
        measures: from `measure_heads`.
        errors: of the same model, drawn among the maps of cross-attention.
        title: above all maps.

    Returns:
        The figure, which notebooks show and `translator.base.figures.save_figure` writes.
    """
    kinds = {kind: _measure_maps(kind, measures) for kind in KIND_ORDER}
    if errors is not None:
        best = errors.best_head()[1]
        kinds["cross"] += [
            MeasureMap(f"alignment error rate, {reading}", rates, "Greens_r", best, 1.0)
            for reading, rates in errors.heads.items()
        ]
    layers, heads = kinds["cross"][0].values.shape
    width, height = heads * CELL_WIDTH + 0.55, layers * CELL_HEIGHT + 0.75
    columns = min(max(map(len, kinds.values())), max(1, int(MAX_WIDTH / width)))
    rows = {kind: math.ceil(len(maps) / columns) for kind, maps in kinds.items()}
    heights = [count * height + 0.35 for count in rows.values()]
    figure = NotebookFigure(figsize=(columns * width, sum(heights) + 0.7), layout="constrained")
    legend = "white is 0; offsets: red looks back, blue ahead"
    legend += "; error rates: the darker the better" if errors is not None else ""
    heading = f"{clean_text(title)}\n{legend}".strip()
    figure.suptitle(heading, fontsize=10, parse_math=False)
    parts = figure.subfigures(3, 1, squeeze=False, height_ratios=heights)
    for part, (kind, maps) in zip(np.ravel(parts), kinds.items()):
        part.suptitle(KINDS[kind], fontsize=10, fontweight="bold")
        _draw_kind(part, maps, rows[kind], columns)
    return figure


def _measure_maps(kind: str, measures: HeadMeasures) -> list[MeasureMap]:
    maps = []
    for name in MEASURES:
        values = getattr(measures.kinds[kind], name)
        if values is None or (kind == "decoder" and name in ("next", "end")):  # it sees neither
            continue
        alike = [name] if name in ("entropy", "offset") else SHARES
        every = (getattr(of_kind, other) for of_kind in measures.kinds.values() for other in alike)
        most = max(float(np.abs(array).max()) for array in every if array is not None) or 1.0
        lowest, colours = (-most, "RdBu") if name == "offset" else (0.0, "Blues")
        maps.append(MeasureMap(TITLES[name], values, colours, lowest, most))
    return maps


def _draw_kind(part: SubFigure, maps: list[MeasureMap], rows: int, columns: int) -> None:
    panels = part.subplots(rows, columns, squeeze=False).ravel()
    for axes, measure_map in zip(panels, maps):
        _draw_map(axes, measure_map)
    for axes in panels[len(maps) :]:
        axes.set_axis_off()


def _draw_map(axes: Axes, measure_map: MeasureMap) -> None:
    values = measure_map.values
    layers, heads = values.shape
    highest = max(measure_map.highest, measure_map.lowest + 1e-9)
    image = axes.imshow(
        values, cmap=measure_map.colours, vmin=measure_map.lowest, vmax=highest, aspect="auto"
    )
    for layer, head in np.ndindex(layers, heads):
        value = values[layer, head]
        red, green, blue, _ = image.to_rgba(value)
        is_dark = 0.3 * red + 0.59 * green + 0.11 * blue < 0.5
        axes.text(
            head, layer, f"{value:z.2f}", ha="center", va="center", fontsize=7,
            color="white" if is_dark else "black",
        )  # fmt: skip
    axes.set_title(measure_map.title, fontsize=8)
    axes.set_xticks(range(heads), [str(head) for head in range(1, heads + 1)], fontsize=7)
    axes.set_yticks(range(layers), [str(layer) for layer in range(1, layers + 1)], fontsize=7)
    axes.set_xlabel("head", fontsize=7, labelpad=1)
    axes.set_ylabel("layer", fontsize=7, labelpad=1)
    axes.tick_params(length=0, pad=2)
