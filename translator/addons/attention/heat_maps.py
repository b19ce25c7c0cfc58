"""Draws the attention of a record with matplotlib; no TensorFlow.

The heat maps follow the figures of Vaswani et al. (2017), "Attention Is All You Need",
https://arxiv.org/abs/1706.03762
"""

import colorsys
import io
import itertools
import math
import textwrap
import unicodedata
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap, to_rgb
from matplotlib.figure import Figure
from matplotlib.font_manager import get_font_names
from matplotlib.layout_engine import ConstrainedLayoutEngine

from translator.addons.attention.picture_content import (
    HeadMap,
    PictureContent,
    PictureOptions,
    choose_content,
)
from translator.translation.records import AttentionRecord, check_type

if TYPE_CHECKING:
    from matplotlib.typing import RcKeyType


class NotebookFigure(Figure):
    """A figure that notebooks show, whether or not pyplot was imported."""

    def _repr_png_(self) -> bytes:
        with io.BytesIO() as file:
            self.savefig(file, format="png", dpi=100)
            return file.getvalue()


def text_width(text: str, points: float) -> float:
    """The approximate width of a line of text in inches."""
    return sum(map(_letter_width, text)) * points / 72


def _letter_width(character: str) -> float:
    """The width of a letter, as a share of the font size."""
    if unicodedata.east_asian_width(character) in "FW":
        return 1.0
    return 0.75 if character.isupper() else 0.52


def title_lines(title: Iterable[str], width: float, points: float) -> list[str]:
    """Wraps a title's paragraphs; a long paragraph is first broken at its own line ends."""
    lines = []
    for paragraph in title:
        whole = " ".join(paragraph.split())
        fits = text_width(whole, points) <= width
        for part in [whole] if fits else paragraph.split("\n"):
            most = max(1, int(len(part) * width / max(text_width(part, points), width)))
            count = max(1, math.ceil(len(part) / most))  # lines of about equal length
            lines += textwrap.wrap(part, min(most, len(part) // count + 8), break_on_hyphens=False)
    return lines


def text_on(colour: Sequence[float] | np.ndarray) -> str:
    """Black or white, whichever can be read on a colour of red, green and blue from 0 to 1."""
    return "black" if np.dot(colour[:3], (0.3, 0.59, 0.11)) > 0.5 else "white"


# A letter that matplotlib's own font lacks is taken from the first of these fonts that has it.
FALLBACKS = (
    *("Noto Sans CJK SC", "Noto Sans SC", "WenQuanYi Micro Hei", "WenQuanYi Zen Hei"),
    *("Microsoft YaHei", "Hiragino Sans GB", "Noto Sans CJK JP", "Yu Gothic", "Malgun Gothic"),
    *("Apple SD Gothic Neo", "Noto Sans Arabic", "Noto Sans Hebrew", "Noto Sans Devanagari"),
    *("Nirmala UI", "Noto Sans Thai", "Leelawadee UI", "Arial Unicode MS"),
)


class Style(NamedTuple):
    """The colours of a picture.

    Attributes:
        background: the colour of the background and of the weight 0.
        text: the colour of all labels that do not have a head's colour.
        rule: the colour of the lines between cells.
        is_dark: whether the background is dark.
    """

    background: str
    text: str
    rule: str
    is_dark: bool

    def settings(self) -> "dict[RcKeyType, Any]":
        """Settings for `matplotlib.rc_context`."""
        installed = set(get_font_names())
        return {
            "font.family": ["sans-serif", *(name for name in FALLBACKS if name in installed)],
            "figure.facecolor": self.background,
            "axes.facecolor": self.background,
            "text.color": self.text,
            "axes.labelcolor": self.text,
            "axes.edgecolor": self.text,
            "xtick.color": self.text,
            "ytick.color": self.text,
        }

    def hue(self, colour: str) -> tuple[float, float, float]:
        """A colour that is easy to see on the background."""
        if not self.is_dark:
            return to_rgb(colour)
        hue, lightness, saturation = colorsys.rgb_to_hls(*to_rgb(colour))
        return colorsys.hls_to_rgb(hue, max(lightness, 0.66), min(1.0, 1.3 * saturation))

    def colour_map(self, colour: str) -> LinearSegmentedColormap:
        """A colour map from the background at 0 to the full colour at 1."""
        ends = [to_rgb(self.background), self.hue(colour)]
        return LinearSegmentedColormap.from_list("weights", ends)


LIGHT = Style("#ffffff", "#000000", "#ebebeb", is_dark=False)
DARK = Style("#121417", "#eceff1", "#2a2e33", is_dark=True)


def plot_attention(
    record: AttentionRecord,
    kind: str = "cross",
    *,
    layer: int | None = None,
    head: int | str | None = None,
    words: bool = True,
    hide_ends: bool = False,
    dark: bool = False,
) -> Figure:
    """Draws attention: one map, the heads of a layer, a head in every layer, or all of them.

    Rows are queries and columns are the keys that they attend to. Each head has its own colour.
    The background is 0, full colour is 1.

    Args:
        record: of one hypothesis, from `Translator.attention` or `load_records`.
        kind: ``encoder``, ``decoder`` or ``cross``.
        layer: from 1 for the layer after the embeddings; None for all layers.
        head: from 1; None for all heads; ``average`` or ``maximum`` over the heads.
        words: whether to show words instead of the pieces that the model sees.
        hide_ends: whether to leave out start and end, and to scale the rest to sum to 1.
        dark: whether to draw light on a dark background.

    Returns:
        The figure, which notebooks show and `save_figure` of `offline_page` writes.

    Raises:
        InputError: it is not a record, there is no such kind, layer or head, or no token is left
            to show.
    """
    check_type(record)
    options = PictureOptions(kind, layer, head, words, hide_ends, dark)
    content = choose_content(record, options)
    style = DARK if dark else LIGHT
    with rc_context(style.settings()):
        return draw_heat_maps(content, style)


TITLE_POINTS, LABEL_POINTS = 10.0, 7.0  # font sizes
LINE = 1.25 / 72  # inches of a line for each point of its font size
MIN_GRID_CELL = 0.09  # inches; between smaller cells no lines are drawn
MIN_WRITTEN_CELL = 0.37  # inches; smaller cells do not show their weight as a number
MAX_COLUMNS = 4
MIN_WIDTH = 6.0  # inches
PAGE_WIDTH = 10.0  # inches; a page shrinks wider sheets until their labels are too small
MAX_WIDTH = 40.0  # inches, 6000 pixels at the 150 per inch that pictures are written with
CELL, SHEET_CELL, ONLY_CELL = 0.24, 0.17, 0.55  # inches per token: of a layer, a sheet, one map
MAP, ONLY_MAP = 6.0, 8.0  # inches that maps of many tokens have, as long as labels fit
UNLABELLED_MAP = 2.2  # inches
NAME_WIDTH, NAME_HEIGHT = 1.0, 0.2  # inches, of the longest name of a map
BAR_WIDTH = 0.6  # inches, of the bar of colours
TITLE_LINE = 0.17  # inches
PAD = 0.06  # inches around each map


def draw_heat_maps(content: PictureContent, style: Style) -> Figure:
    """Draws one large map, a map for each head or layer, or a sheet of all."""
    cell = _cell_size(content)
    is_only = len(content.maps) == 1
    points = min(18 * cell + 5 if is_only else LABEL_POINTS, TITLE_POINTS, cell / LINE)
    figure, panels = _make_panels(content, cell, points)
    for axes, head_map in zip(panels, content.maps):
        _draw_map(axes, head_map, style, cell)
        if content.is_labelled:
            _label_cells(axes, content, points)
        axes.set_xlabel(head_map.name, fontsize=9, color=style.hue(head_map.colour))
    if is_only:
        _add_colour_bar(panels[0])
        if cell >= MIN_WRITTEN_CELL:
            _write_weights(panels[0], content.maps[0], style)
    return figure


def _make_panels(content: PictureContent, cell: float, points: float) -> tuple[Figure, list[Axes]]:
    """Makes a figure with its title and a panel for each map, large enough for maps and labels.

    The layout then measures the labels and gives the remaining space to the maps.
    """
    beside = above = 0.0  # inches of labels
    if content.is_labelled:
        beside, above = (
            max(text_width(label, points) for label in labels) + 0.05
            for labels in (content.queries, content.keys)
        )
    shared_width, own_width = (beside, 0.0) if content.is_sheet else (0.0, beside)  # labels of rows
    width = cell * len(content.keys) + own_width + 2 * PAD
    height = cell * len(content.queries) + above + NAME_HEIGHT + 2 * PAD
    most = int(((PAGE_WIDTH if content.is_sheet else MAX_WIDTH) - shared_width) / width)
    rows = _rows_of_maps(content, max(1, most if content.is_sheet else min(most, MAX_COLUMNS)))
    columns = len(rows[0])
    total = max(MIN_WIDTH, shared_width + columns * width + BAR_WIDTH * (len(content.maps) == 1))
    title = title_lines(content.title, total - 0.4, TITLE_POINTS)
    figure = NotebookFigure(
        figsize=(total, len(title) * TITLE_LINE + 2 * PAD + len(rows) * height),
        layout=ConstrainedLayoutEngine(w_pad=PAD, h_pad=PAD, wspace=0, hspace=0),
    )
    figure.suptitle("\n".join(title), fontsize=TITLE_POINTS, parse_math=False)
    panels = []
    for of_row, maps in zip(figure.subplots(len(rows), columns, squeeze=False), rows):
        panels += of_row[: len(maps)].tolist()
        for axes in of_row[len(maps) :]:
            axes.remove()
    return figure, panels


def _cell_size(content: PictureContent) -> float:
    """Inches per token: the best size, or less for many tokens, as long as their labels fit.

    Cells are even smaller if the map would otherwise be too wide for a picture.
    """
    most = max(len(content.queries), len(content.keys))
    if not content.is_labelled:
        return UNLABELLED_MAP / most
    if len(content.maps) == 1:
        cell = max(min(ONLY_CELL, ONLY_MAP / most), LABEL_POINTS * LINE)
    else:
        cell = SHEET_CELL if content.is_sheet else min(CELL, MAP / most)
        cell = max(cell, LABEL_POINTS * LINE, NAME_WIDTH / len(content.keys))
    return min(cell, (MAX_WIDTH - 5) / most)


def _rows_of_maps(content: PictureContent, most: int) -> list[list[HeadMap]]:
    """Rows of at most `most` maps, as even as possible; each layer of a sheet begins a new row."""
    rows: list[list[HeadMap]] = []
    for _, group in itertools.groupby(content.maps, lambda head: content.is_sheet and head.layer):
        maps = list(group)
        size = math.ceil(len(maps) / math.ceil(len(maps) / most))
        rows += [maps[first : first + size] for first in range(0, len(maps), size)]
    return rows


def _draw_map(axes: Axes, head_map: HeadMap, style: Style, cell: float) -> None:
    axes.imshow(
        head_map.scores, cmap=style.colour_map(head_map.colour), vmin=0, vmax=1,
        interpolation="nearest",
    )  # fmt: skip
    axes.set(xticks=[], yticks=[])
    axes.tick_params(length=0, pad=2)
    if cell >= MIN_GRID_CELL:
        right, below = head_map.scores.shape[1] - 0.5, head_map.scores.shape[0] - 0.5
        axes.vlines(np.arange(0.5, right), -0.5, below, color=style.rule, linewidth=0.4)
        axes.hlines(np.arange(0.5, below), -0.5, right, color=style.rule, linewidth=0.4)
    for spine in axes.spines.values():
        spine.set_edgecolor(style.hue(head_map.colour))


def _label_cells(axes: Axes, content: PictureContent, points: float) -> None:
    """Names the columns of a map, and its rows unless the map on its left names them."""
    settings: dict[str, Any] = {"fontsize": points, "parse_math": False}
    axes.set_xticks(range(len(content.keys)), content.keys, rotation=90, **settings)
    axes.xaxis.tick_top()
    place = axes.get_subplotspec()
    if not content.is_sheet or (place is not None and place.is_first_col()):
        axes.set_yticks(range(len(content.queries)), content.queries, **settings)


def _add_colour_bar(axes: Axes) -> None:
    """Draws the colour scale to the right of a map."""
    bar = axes.figure.colorbar(axes.images[0], cax=axes.inset_axes((1.02, 0, 0.03, 1)))
    bar.outline.set_visible(False)
    bar.ax.tick_params(labelsize=8, length=2)


def _write_weights(axes: Axes, head_map: HeadMap, style: Style) -> None:
    colours = style.colour_map(head_map.colour)
    for (row, column), weight in np.ndenumerate(head_map.scores):
        if weight >= 0.005:
            axes.text(
                column, row, f"{weight:.2f}", fontsize=7, color=text_on(colours(float(weight))),
                ha="center", va="center",
            )  # fmt: skip
