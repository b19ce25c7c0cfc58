"""A heat map of the sinusoidal positional encoding.

Vaswani et al. (2017), "Attention Is All You Need", section 3.5,
https://arxiv.org/abs/1706.03762
"""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from translator.addons.attention.drawing.figure_layout import (
    Margins,
    add_colour_bar,
    make_panels,
)
from translator.addons.attention.head_colours import HEAD_COLOURS
from translator.model.constants import sinusoidal_positions

WAVELENGTHS = (10, 100, 1_000, 10_000)  # positions, marked above the map


def plot_positions(length: int = 50, d_model: int = 256) -> Figure:
    """Draws the sinusoidal positional encoding, which the model adds to its token vectors.

    Each even dimension is the sine and the next one the cosine of the same angle, with
    wavelengths from 2π to 10000 · 2π positions.

    Args:
        length: number of positions, the rows.
        d_model: D, the columns; an even number.

    Returns:
        The figure, which notebooks show and `translator.base.figures.save_figure` writes.
    """
    title = (
        f"sinusoidal positional encoding, {length} positions by {d_model} dimensions;\n"
        "even dimensions: sine, odd: cosine of the same angle"
    )
    heights = [max(3.0, min(10.0, 0.08 * length))]
    around, outside = Margins(0.65, 0.4, 0.1, 0.55), Margins(right=0.8)
    figure, [axes] = make_panels([8.0], heights, around, outside, [title])
    blue, red, *_ = HEAD_COLOURS
    axes.imshow(
        sinusoidal_positions(length, d_model),
        cmap=LinearSegmentedColormap.from_list("angles", [red, "white", blue]),
        vmin=-1,
        vmax=1,
        aspect="auto",
    )
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_locator(MaxNLocator("auto", steps=[1, 2, 2.5, 5, 10], integer=True))
    axes.set_ylabel("position")
    axes.set_xlabel("dimension")
    _mark_wavelengths(axes, d_model)
    add_colour_bar(figure, axes)
    return figure


def _mark_wavelengths(axes: Axes, d_model: int) -> None:
    """Marks the pairs of dimensions that complete one turn in so many positions."""
    marks = [(d_model * np.log(w / (2 * np.pi)) / np.log(10000), w) for w in WAVELENGTHS]
    above = axes.secondary_xaxis("top")
    above.set_xticks([place for place, _ in marks], [f"{w:,}" for _, w in marks])
    above.set_xlabel("wavelength in positions")
