"""Pictures of what the model's attention may see and of where its tokens stand.

Masks and positional encoding of Vaswani et al. (2017), "Attention Is All You
Need", sections 3.2.3 and 3.5, https://arxiv.org/abs/1706.03762
"""

from collections.abc import Sequence

import numpy as np
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap, ListedColormap
from matplotlib.figure import Figure
from matplotlib.patches import Patch
from matplotlib.ticker import MaxNLocator

from translator.attention.colours import HUES
from translator.attention.drawing.canvas import (
    MAX_WIDTH,
    Margins,
    Style,
    fitting_points,
    labels_size,
    make_panels,
    style_of,
)
from translator.attention.drawing.fonts import choose_families
from translator.base.errors import InputError
from translator.model.constants import sinusoidal_positions

CELL = 0.24  # inches a token
TITLES = ("padding mask of the source", "look-ahead mask", "both for the target")
LEGEND = ("may look", "hidden")
WAVELENGTHS = (10, 100, 1_000, 10_000)  # positions


def plot_masks(
    padding: np.ndarray,
    look_ahead: np.ndarray,
    combined: np.ndarray,
    source_tokens: Sequence[str],
    target_tokens: Sequence[str],
    dark: bool = False,
    font: str | None = None,
) -> Figure:
    """Draws a sentence pair's masks: rows are queries, columns the keys they may look at.

    Args:
        padding: of `masks.padding_mask`, (1, 1, 1, S) booleans, True where attention may look.
        look_ahead: of `masks.look_ahead_mask`, (1, 1, T, T).
        combined: of `masks.target_mask`, (1, 1, T, T).
        source_tokens: S labels, padding included.
        target_tokens: T labels of the decoder's input, padding included.
        dark: whether it is drawn light on a dark background.
        font: a family's name or a font's file for the labels.

    Returns:
        The figure; `translator.base.figures.save_figure` writes it.

    Raises:
        InputError: there are not as many tokens as a mask is wide, or several sentences, or there
            is no such font.
    """
    source, target = tuple(source_tokens), tuple(target_tokens)
    sides = (source, target, target)
    masks = [
        _square(mask, len(labels), name)
        for mask, labels, name in zip((padding, look_ahead, combined), sides, TITLES)
    ]
    style = style_of(dark)
    with rc_context(style.settings(choose_families((*source, *target), font)[0])):
        size = min(CELL, (MAX_WIDTH - 6) / sum(map(len, sides)))
        points = fitting_points(source + target, size, 7.0)
        label = labels_size(source + target, points)[0] + 0.08
        figure, panels = make_panels(
            [max(size * len(labels), 1.8) for labels in sides],
            [size * max(map(len, sides))],
            Margins(left=label, above=label, right=0.15, below=0.35),
            Margins(0.1, 0.0, 0.1, 0.35),
            ["masks: each row shows where its token may look"],
        )
        for axes, mask, labels, name in zip(panels, masks, sides, TITLES):
            _draw_mask(axes, mask, labels, name, style, points)
        colours = _mask_colours(style)
        figure.legend(
            handles=[Patch(fc=c, ec=style.text, lw=0.5, label=n) for c, n in zip(colours, LEGEND)],
            loc="lower center", ncols=2, fontsize=8, frameon=False, labelcolor=style.text,
        )  # fmt: skip
    return figure


def _square(mask: np.ndarray, tokens: int, name: str) -> np.ndarray:
    """(tokens, tokens) booleans of a mask that may have one row for all queries."""
    mask = np.asarray(mask)
    rows = mask.size // tokens if tokens else 0
    if mask.shape[-1:] != (tokens,) or rows not in (1, tokens):
        raise InputError(
            f"{name}: expected a mask of one sentence over {tokens} tokens, found {mask.shape}"
        )
    return np.broadcast_to(mask.reshape(rows, tokens).astype(bool), (tokens, tokens))


def _mask_colours(style: Style) -> tuple[tuple[float, ...] | str, str]:
    """Of what may be looked at, and of what is hidden."""
    return style.hue(HUES[0]), style.rule


def _draw_mask(
    axes: Axes, mask: np.ndarray, labels: tuple[str, ...], name: str, style: Style, points: float
) -> None:
    seen, hidden = _mask_colours(style)
    axes.imshow(mask, cmap=ListedColormap([hidden, seen]), vmin=0, vmax=1, aspect="auto")
    text = {"fontsize": points, "parse_math": False}
    axes.set_xticks(range(len(labels)), labels, rotation=90, **text)
    axes.set_yticks(range(len(labels)), labels, **text)
    axes.xaxis.tick_top()
    axes.tick_params(length=0, pad=2)
    between = np.arange(1, len(labels)) - 0.5
    axes.vlines(between, -0.5, len(labels) - 0.5, color=style.background, linewidth=0.6)
    axes.hlines(between, -0.5, len(labels) - 0.5, color=style.background, linewidth=0.6)
    axes.set_xlabel(name, fontsize=9)


def plot_positions(length: int = 50, d_model: int = 256, dark: bool = False) -> Figure:
    """Draws the sinusoidal positional encoding, which the model adds to its token vectors.

    Even dimensions are sines and odd ones cosines of the same angle, one pair
    beside the other, with wavelengths from 2π to 10000 · 2π positions.

    Args:
        length: number of positions, the rows.
        d_model: D, the columns.
        dark: whether it is drawn light on a dark background.

    Returns:
        The figure; `translator.base.figures.save_figure` writes it.

    Raises:
        InputError: there are no positions, or D is not even.
    """
    table = encoding(length, d_model)
    style = style_of(dark)
    with rc_context(style.settings()):
        title = [
            f"sinusoidal positional encoding, {length} positions by {d_model} dimensions;\n"
            "even dimensions: sine, odd: cosine of the same angle"
        ]
        size = [8.0], [max(3.0, min(10.0, 0.08 * length))]
        figure, [axes] = make_panels(
            *size, Margins(0.65, 0.4, 0.1, 0.55), Margins(right=0.8), title
        )
        colours = LinearSegmentedColormap.from_list(
            "angles", [style.hue(HUES[1]), style.background, style.hue(HUES[0])]
        )
        image = axes.imshow(table, cmap=colours, vmin=-1, vmax=1, aspect="auto")
        for axis in (axes.xaxis, axes.yaxis):
            axis.set_major_locator(MaxNLocator("auto", steps=[1, 2, 2.5, 5, 10], integer=True))
        axes.set_ylabel("position")
        axes.set_xlabel("dimension")
        _mark_wavelengths(axes, d_model)
        box, width = axes.get_position(), figure.get_figwidth()
        place = figure.add_axes((box.x1 + 0.15 / width, box.y0, 0.14 / width, box.height))
        figure.colorbar(image, cax=place).outline.set_visible(False)
    return figure


def encoding(length: int, d_model: int) -> np.ndarray:
    """`sinusoidal_positions`, (length, D) float32.

    Raises:
        InputError: there are no positions, or D is not even.
    """
    if length < 1:
        raise InputError(f"length: expected at least 1 position, found {length}")
    if d_model < 2 or d_model % 2:
        raise InputError(f"d_model: expected an even number of dimensions, found {d_model}")
    return sinusoidal_positions(length, d_model)


def wavelengths(d_model: int) -> np.ndarray:
    """(D / 2,) positions after which each pair of dimensions has turned round once."""
    return 2 * np.pi * 10000.0 ** (np.arange(0, d_model, 2) / d_model)


def _mark_wavelengths(axes: Axes, d_model: int) -> None:
    marks = [(d_model * np.log(w / (2 * np.pi)) / np.log(10000), w) for w in WAVELENGTHS]
    above = axes.secondary_xaxis("top")
    above.set_xticks([place for place, _ in marks], [f"{w:,}" for _, w in marks])
    above.set_xlabel("wavelength in positions")
