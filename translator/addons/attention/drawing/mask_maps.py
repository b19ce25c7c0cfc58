"""Maps of the masks: which tokens attention may see.

Vaswani et al. (2017), "Attention Is All You Need", section 3.2.3,
https://arxiv.org/abs/1706.03762
"""

from collections.abc import Sequence

import numpy as np
from matplotlib import rc_context
from matplotlib.colors import ListedColormap
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from translator.addons.attention.drawing.figure_layout import (
    MAX_WIDTH,
    Margins,
    draw_grid_lines,
    fitting_points,
    label_cells,
    labels_size,
    make_panels,
)
from translator.addons.attention.drawing.fonts import choose_families
from translator.addons.attention.drawing.styles import LIGHT
from translator.addons.attention.head_colours import HEAD_COLOURS
from translator.addons.attention.picture_content import clean_labels

CELL_SIZE, SMALL_CELL_SIZE = 0.24, 0.16  # inches per token, of maps in one row or in two
MAX_ROW_TOKENS = 50  # of all four maps, side by side in one row
NARROWEST = 2.1  # inches, for the name below a map
SEEN, HIDDEN = HEAD_COLOURS[0], LIGHT.rule


def plot_masks(
    padding: np.ndarray,
    look_ahead: np.ndarray,
    combined: np.ndarray,
    source_tokens: Sequence[str],
    target_tokens: Sequence[str],
    font: str | None = None,
) -> Figure:
    """Draws the masks of a sentence pair: rows are queries, columns the keys they may attend to.

    The four maps of a long pair are in two rows.

    Args:
        padding: (S,) booleans, True for tokens that may be attended to; this and the others as
            `translator.model.masks.masks_of` gives them.
        look_ahead: (T, T), True for tokens that are not ahead.
        combined: (T, T), both for the target.
        source_tokens: S labels, padding included.
        target_tokens: T labels of the decoder's input, padding included.
        font: family name or file of the font for labels.

    Returns:
        The figure, which notebooks show and `translator.base.figures.save_figure` writes.

    Raises:
        InputError: there is no such font.
    """
    source, target = clean_labels(source_tokens), clean_labels(target_tokens)
    maps = [  # queries, keys, mask and name
        (source, source, padding, "encoder: padding mask of the source"),
        (target, target, look_ahead, "look-ahead mask"),
        (target, target, combined, "decoder: both for the target"),
        (target, source, padding, "cross: padding mask of the source"),
    ]
    tokens = source + target
    is_one_row = 2 * len(tokens) <= MAX_ROW_TOKENS
    if not is_one_row:
        maps[2:] = maps[:1:-1]  # so that the same keys are below each other
    with rc_context({"font.family": choose_families(tokens, font)[0]}):
        columns = [len(keys) for _, keys, _, _ in (maps if is_one_row else maps[:2])]
        cell = CELL_SIZE if is_one_row else SMALL_CELL_SIZE
        cell = min(cell, (MAX_WIDTH - 7) / sum(columns))
        points = fitting_points(tokens, cell, 7.0)
        label = labels_size(tokens, points)[0] + 0.08
        figure, panels = make_panels(
            [max(cell * count, NARROWEST) for count in columns],
            [cell * max(len(source), len(target))] * (len(maps) // len(columns)),
            Margins(left=label, above=label, right=0.15, below=0.35),
            Margins(0.1, 0.0, 0.1, 0.35),
            ["masks: each row shows where its token may look"],
        )
        for axes, (queries, keys, mask, name) in zip(panels, maps):
            shown = np.broadcast_to(mask, (len(queries), len(keys)))
            axes.imshow(shown, cmap=ListedColormap([HIDDEN, SEEN]), vmin=0, vmax=1, aspect="auto")
            label_cells(axes, queries, keys, points)
            draw_grid_lines(axes, len(queries), len(keys), "white", 0.6)
            axes.set_xlabel(name, fontsize=9)
        figure.legend(
            handles=[
                Patch(fc=colour, ec="black", lw=0.5, label=name)
                for colour, name in ((SEEN, "may look"), (HIDDEN, "hidden"))
            ],
            loc="lower center", ncols=2, fontsize=8, frameon=False,
        )  # fmt: skip
    return figure
