"""Draws measures and worth of each head, layers by heads, with matplotlib; no TensorFlow."""

import math
import textwrap
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from translator.addons.attention.alignments import AlignmentErrors
from translator.addons.attention.heat_maps import NotebookFigure, text_on
from translator.addons.attention.measures import MEASURES, SHARES, HeadMeasures
from translator.addons.attention.picture_content import clean_text
from translator.translation.records import KINDS

CELL_WIDTH, CELL_HEIGHT = 0.33, 0.27  # inches
WORTH_WIDTH, WORTH_HEIGHT = 1.05, 0.52  # inches of a cell with a verdict
MAX_WIDTH = 7  # inches, as a page has, unless a single map is wider
LETTERS = 14  # in a line of a verdict
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
        errors: of the same model, drawn among the maps of cross-attention.

    Returns:
        The figure, which notebooks show and `save_figure` of `offline_page` writes.
    """
    kinds = {kind: _measure_maps(kind, measures) for kind in KIND_ORDER}
    legend = "white is 0; offsets: red looks back, blue ahead"
    if errors is not None:
        best = errors.best_head().aer
        kinds["cross"] += [
            MeasureMap(f"alignment error rate, {reading}", rates, "Greens_r", best, 1.0)
            for reading, rates in errors.heads.items()
        ]
        legend += "; error rates: the darker the better"
    width = kinds["cross"][0].values.shape[1] * CELL_WIDTH + 0.55
    columns = min(max(map(len, kinds.values())), max(1, int(MAX_WIDTH / width)))
    rows = {kind: math.ceil(len(maps) / columns) for kind, maps in kinds.items()}
    heights = [
        rows[kind] * (len(maps[0].values) * CELL_HEIGHT + 0.75) + 0.35
        for kind, maps in kinds.items()
    ]
    figure = _figure(columns * width, sum(heights) + 0.7, title, legend)
    parts = figure.subfigures(3, 1, squeeze=False, height_ratios=heights)
    for part, (kind, maps) in zip(np.ravel(parts), kinds.items()):
        part.suptitle(KINDS[kind], fontsize=10, fontweight="bold")
        panels = part.subplots(rows[kind], columns, squeeze=False).ravel()
        for axes, measure_map in zip(panels, maps):
            texts = [[f"{value:z.2f}" for value in row] for row in measure_map.values]
            _draw_cells(axes, measure_map, texts)
            axes.set_title(measure_map.title, fontsize=8)
            axes.set_xlabel("head", fontsize=7, labelpad=1)
            axes.set_ylabel("layer", fontsize=7, labelpad=1)
        for axes in panels[len(maps) :]:
            axes.set_axis_off()
    return figure


def plot_worth(
    worth: Mapping[str, np.ndarray],
    verdicts: Mapping[str, Sequence[Sequence[str]]],
    title: str = "",
) -> Figure:
    """Draws a cell for each head, with its verdict and how much the loss rises without it.

    A white head has no worth; the head of most worth has full colour. Colours follow the square
    root, so that small differences show.

    Args:
        worth: by kind, (L, N): the rise of the loss, in nats for each token.
    """
    heads = max(array.shape[1] for array in worth.values())
    heights = [len(array) * WORTH_HEIGHT + 0.55 for array in (worth[kind] for kind in KIND_ORDER)]
    figure = _figure(
        heads * WORTH_WIDTH + 0.6,
        sum(heights) + 0.5,
        title,
        "a number: how much the loss rises without the head, in nats a token",
    )
    most = max(1e-9, *(float(array.max()) for array in worth.values()))
    for axes, kind in zip(figure.subplots(3, 1, height_ratios=heights), KIND_ORDER):
        texts = [
            [f"{textwrap.fill(words, LETTERS)}\n{value:+z.3f}" for words, value in zip(*rows)]
            for rows in zip(verdicts[kind], worth[kind])
        ]
        shades = np.sqrt(np.clip(worth[kind], 0, None) / most)
        _draw_cells(axes, MeasureMap("", shades, "Greens", 0, 1), texts, ("layer ", "head "))
        axes.set_title(KINDS[kind], fontsize=10, fontweight="bold")
        axes.tick_params(labelsize=8)
    return figure


def _figure(width: float, height: float, title: str, legend: str) -> Figure:
    figure = NotebookFigure(figsize=(width, height), layout="constrained")
    figure.suptitle(f"{clean_text(title)}\n{legend}".strip(), fontsize=10, parse_math=False)
    return figure


def _measure_maps(kind: str, measures: HeadMeasures) -> list[MeasureMap]:
    maps = []
    for name in MEASURES:
        values = getattr(measures.kinds[kind], name)
        if values is None or (kind == "decoder" and name in ("next", "end")):  # it sees neither
            continue
        fields = [name] if name in ("entropy", "offset") else SHARES
        arrays = (getattr(of_kind, key) for of_kind in measures.kinds.values() for key in fields)
        most = max(float(np.abs(array).max()) for array in arrays if array is not None) or 1.0
        lowest, colours = (-most, "RdBu") if name == "offset" else (0.0, "Blues")
        maps.append(MeasureMap(TITLES[name], values, colours, lowest, most))
    return maps


def _draw_cells(
    axes: Axes,
    measure_map: MeasureMap,
    texts: Sequence[Sequence[str]],
    names: tuple[str, str] = ("", ""),
) -> None:
    """Draws a cell for each head, with its text; names rows and columns."""
    values = measure_map.values
    layers, heads = values.shape
    highest = max(measure_map.highest, measure_map.lowest + 1e-9)
    image = axes.imshow(
        values, cmap=measure_map.colours, vmin=measure_map.lowest, vmax=highest, aspect="auto"
    )
    for layer, head in np.ndindex(layers, heads):
        axes.text(
            head, layer, texts[layer][head], ha="center", va="center", fontsize=7,
            color=text_on(image.to_rgba(values[layer, head])),
        )  # fmt: skip
    axes.set_xticks(range(heads), [f"{names[1]}{i}" for i in range(1, heads + 1)], fontsize=7)
    axes.set_yticks(range(layers), [f"{names[0]}{i}" for i in range(1, layers + 1)], fontsize=7)
    axes.tick_params(length=0, pad=2)
