"""What each head is worth and what it does, as a picture; drawn with matplotlib, no TensorFlow."""

import textwrap
from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from translator.addons.attention.drawing.figure_layout import NotebookFigure
from translator.addons.attention.drawing.measure_maps import KIND_ORDER
from translator.addons.attention.picture_content import clean_text
from translator.translation.records import KINDS

CELL_WIDTH, CELL_HEIGHT = 1.05, 0.52  # inches
LETTERS = 14  # of a line of a verdict


def plot_worth(
    worth: Mapping[str, np.ndarray],
    verdicts: Mapping[str, Sequence[Sequence[str]]],
    title: str = "",
) -> Figure:
    """Draws a cell for each head, with its verdict and how much the loss rises without it.

    White is a head that nothing is lost without, full colour the one that is worth most. Colours
    follow the square root, so that small differences show.

    Args:
        worth: by kind, (L, N): the rise of the loss, in nats for each token.
        verdicts: by kind, for each layer and head; see `translator.addons.attention.verdicts`.
        title: above all.

    Returns:
        The figure.
    """
    layers = len(worth["cross"])
    heads = max(array.shape[1] for array in worth.values())
    size = (heads * CELL_WIDTH + 0.6, 3 * (layers * CELL_HEIGHT + 0.55) + 0.5)
    figure = NotebookFigure(figsize=size, layout="constrained")
    legend = "a number: how much the loss rises without the head, in nats a token"
    figure.suptitle(f"{clean_text(title)}\n{legend}".strip(), fontsize=10, parse_math=False)
    most = max(float(array.max()) for array in worth.values())
    panels = figure.subplots(3, 1, squeeze=False).ravel()
    for axes, kind in zip(panels, KIND_ORDER):
        _draw(axes, KINDS[kind], worth[kind], verdicts[kind], max(most, 1e-9))
    return figure


def _draw(
    axes: Axes, name: str, worth: np.ndarray, verdicts: Sequence[Sequence[str]], most: float
) -> None:
    layers, heads = worth.shape
    shades = np.sqrt(np.clip(worth, 0, None) / most)
    image = axes.imshow(shades, cmap="Greens", vmin=0, vmax=1, aspect="auto")
    for layer, head in np.ndindex(layers, heads):
        red, green, blue, _ = image.to_rgba(shades[layer, head])
        is_dark = 0.3 * red + 0.59 * green + 0.11 * blue < 0.5
        words = textwrap.fill(verdicts[layer][head], LETTERS)
        axes.text(
            head, layer, f"{words}\n{worth[layer, head]:+z.3f}", ha="center", va="center",
            fontsize=7, linespacing=1.1, color="white" if is_dark else "black",
        )  # fmt: skip
    axes.set_title(name, fontsize=10, fontweight="bold")
    axes.set_xticks(range(heads), [f"head {head}" for head in range(1, heads + 1)], fontsize=8)
    axes.set_yticks(range(layers), [f"layer {layer}" for layer in range(1, layers + 1)], fontsize=8)
    axes.tick_params(length=0, pad=2)
