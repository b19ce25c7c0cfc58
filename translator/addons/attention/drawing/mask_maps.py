"""Maps of the masks: which tokens attention may see.

Vaswani et al. (2017), "Attention Is All You Need", section 3.2.3,
https://arxiv.org/abs/1706.03762
"""

from collections.abc import Sequence

import numpy as np
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap, to_rgb
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from translator.addons.attention.drawing.figure_layout import MAX_WIDTH, Margins, make_panels
from translator.addons.attention.drawing.fonts import choose_families
from translator.addons.attention.drawing.styles import Style, style_of
from translator.addons.attention.drawing.text_layout import fitting_points, labels_size
from translator.addons.attention.head_colours import HEAD_COLOURS
from translator.addons.attention.picture_content import clean_labels
from translator.base.errors import InputError

CELL_SIZE, SMALL_CELL_SIZE = 0.24, 0.16  # inches per token, of maps in one row or in two
MAX_ROW_TOKENS = 50  # of all four maps, side by side in one row
NARROWEST = 2.1  # inches, for the name below a map
TITLES = (
    "encoder: padding mask of the source",
    "look-ahead mask",
    "decoder: both for the target",
    "cross: padding mask of the source",
)
LEGEND = ("may look", "hidden")
RgbColour = tuple[float, float, float]


def plot_masks(
    padding: np.ndarray,
    look_ahead: np.ndarray,
    combined: np.ndarray,
    source_tokens: Sequence[str],
    target_tokens: Sequence[str],
    dark: bool = False,
    font: str | None = None,
) -> Figure:
    """Draws the masks of a sentence pair: rows are queries, columns the keys they may attend to.

    The four maps of a long pair are in two rows.

    Args:
        padding: (1, 1, 1, S) booleans of `masks.padding_mask`, True for tokens that may be
            attended to.
        look_ahead: (1, 1, T, T) of `masks.look_ahead_mask`.
        combined: (1, 1, T, T) of `masks.target_mask`.
        source_tokens: S labels, padding included.
        target_tokens: T labels of the decoder's input, padding included.
        dark: whether to draw light on a dark background.
        font: family name or file of the font for labels.

    Returns:
        The figure, which notebooks show and `translator.base.figures.save_figure` writes.

    Raises:
        InputError: a mask does not fit the number of tokens or is of several sentences, or
            there is no such font.
    """
    source, target = clean_labels(source_tokens), clean_labels(target_tokens)
    rows, columns = (source, target, target, target), (source, target, target, source)
    masks = [
        _whole_mask(mask, len(queries), len(keys), name)
        for mask, queries, keys, name in zip(
            (padding, look_ahead, combined, padding), rows, columns, TITLES
        )
    ]
    style = style_of(dark)
    with rc_context(style.settings(choose_families((*source, *target), font)[0])):
        in_a_row = sum(map(len, columns)) <= MAX_ROW_TOKENS
        order = (0, 1, 2, 3) if in_a_row else (0, 1, 3, 2)  # the same keys below each other
        across = 4 if in_a_row else 2
        keys = [len(columns[i]) for i in order[:across]]
        size = min(CELL_SIZE if in_a_row else SMALL_CELL_SIZE, (MAX_WIDTH - 7) / sum(keys))
        points = fitting_points(source + target, size, 7.0)
        label = labels_size(source + target, points)[0] + 0.08
        figure, panels = make_panels(
            [max(size * count, NARROWEST) for count in keys],
            [size * max(map(len, rows))] * (4 // across),
            Margins(left=label, above=label, right=0.15, below=0.35),
            Margins(0.1, 0.0, 0.1, 0.35),
            ["masks: each row shows where its token may look"],
        )
        for axes, i in zip(panels, order):
            _draw_mask(axes, masks[i], rows[i], columns[i], TITLES[i], style, points)
        colours = _mask_colours(style)
        figure.legend(
            handles=[Patch(fc=c, ec=style.text, lw=0.5, label=n) for c, n in zip(colours, LEGEND)],
            loc="lower center", ncols=2, fontsize=8, frameon=False, labelcolor=style.text,
        )  # fmt: skip
    return figure


def _whole_mask(mask: np.ndarray, queries: int, keys: int, name: str) -> np.ndarray:
    """(queries, keys) booleans of a mask that may have one row for all queries."""
    mask = np.asarray(mask)
    rows = mask.size // keys if keys else 0
    if mask.shape[-1:] != (keys,) or rows not in (1, queries):
        raise InputError(
            f"{name}: expected a mask of one sentence over {keys} tokens, found {mask.shape}"
        )
    return np.broadcast_to(mask.reshape(rows, keys).astype(bool), (queries, keys))


def _mask_colours(style: Style) -> tuple[RgbColour, RgbColour]:
    """The colours of tokens that may be attended to, and of those that may not."""
    return style.hue(HEAD_COLOURS[0]), to_rgb(style.rule)


def _draw_mask(
    axes: Axes,
    mask: np.ndarray,
    queries: tuple[str, ...],
    keys: tuple[str, ...],
    name: str,
    style: Style,
    points: float,
) -> None:
    seen, hidden = _mask_colours(style)
    axes.imshow(mask, cmap=ListedColormap([hidden, seen]), vmin=0, vmax=1, aspect="auto")
    axes.set_xticks(range(len(keys)), keys, rotation=90, fontsize=points, parse_math=False)
    axes.set_yticks(range(len(queries)), queries, fontsize=points, parse_math=False)
    axes.xaxis.tick_top()
    axes.tick_params(length=0, pad=2)
    right, below = len(keys) - 0.5, len(queries) - 0.5
    between_keys, between_queries = np.arange(0.5, right), np.arange(0.5, below)
    axes.vlines(between_keys, -0.5, below, color=style.background, linewidth=0.6)
    axes.hlines(between_queries, -0.5, right, color=style.background, linewidth=0.6)
    axes.set_xlabel(name, fontsize=9)
