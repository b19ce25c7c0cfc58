"""Figures laid out in inches: styles, measured text, and panels that no title squeezes."""

import bisect
import colorsys
import functools
import math
import warnings
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg, RendererAgg
from matplotlib.colors import LinearSegmentedColormap, to_rgb
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties

from translator.attention.views import Selection

MAX_WIDTH = 40.0  # inches, 6000 pixels at the 150 an inch that pictures are written with
MIN_WIDTH = 6.0
PIXELS = 150  # an inch, at which text is measured
TITLE_POINTS, TITLE_LINE = 10, 0.19  # inches
MAX_COLUMNS = 4
GAP = 0.07  # inches on each side of a sheet's panels
NAME = 0.25  # inches of the names of a sheet's rows and columns
Colour = str | tuple[float, float, float]


class Style(NamedTuple):
    """Light or dark.

    Attributes:
        background: what is 0 has this colour.
        text: of all labels that are not in a head's colour.
        rule: the lines between cells.
        dark: whether the background is.
    """

    background: str
    text: str
    rule: str
    dark: bool

    def settings(self, families: Sequence[str] = ()) -> dict[str, Any]:
        """What `matplotlib.rc_context` takes, with the font families of the labels."""
        fonts = {"font.family": list(families)} if families else {}
        backgrounds = dict.fromkeys(("figure.facecolor", "axes.facecolor"), self.background)
        texts = ("text.color", "axes.labelcolor", "axes.edgecolor", "xtick.color", "ytick.color")
        return {**fonts, **backgrounds, **dict.fromkeys(texts, self.text)}

    def hue(self, colour: Colour) -> tuple[float, float, float]:
        """A colour that stands out from the background."""
        if not self.dark:
            return to_rgb(colour)
        hue, lightness, saturation = colorsys.rgb_to_hls(*to_rgb(colour))
        return colorsys.hls_to_rgb(hue, max(lightness, 0.66), min(1.0, 1.3 * saturation))

    def ramp(self, colour: Colour) -> LinearSegmentedColormap:
        """From the background, 0, to the full colour, 1."""
        return LinearSegmentedColormap.from_list("weights", [self.background, self.hue(colour)])


LIGHT = Style("#ffffff", "#000000", "#ebebeb", False)
DARK = Style("#121417", "#eceff1", "#2a2e33", True)


class Margins(NamedTuple):
    """Inches on four sides."""

    left: float = 0.0
    above: float = 0.0
    right: float = 0.0
    below: float = 0.0


def style_of(dark: bool) -> Style:
    """The one of both."""
    return DARK if dark else LIGHT


@functools.cache
def _renderer() -> RendererAgg:
    return FigureCanvasAgg(Figure(dpi=PIXELS)).get_renderer()


def text_size(text: str, points: float) -> tuple[float, float]:
    """Inches that a line of text is wide and high in the current font families."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing from font")  # a reader is told by name
        width, height, _ = _renderer().get_text_width_height_descent(
            text, FontProperties(size=points), False
        )
    return width / PIXELS, height / PIXELS


def labels_size(labels: Iterable[str], points: float) -> tuple[float, float]:
    """Inches of the widest and of the highest label."""
    sizes = [text_size(label, points) for label in {*labels, "lp"}]
    return max(width for width, _ in sizes), max(height for _, height in sizes)


def fitting_points(labels: Iterable[str], room: float, most: float) -> float:
    """The size of labels that stand so many inches apart, ``most`` or what fits."""
    return most * min(1.0, room / (1.05 * labels_size(labels, most)[1]))


def title_lines(title: Iterable[str], width: float) -> list[str]:
    """The lines of a title so many inches wide, as few as need be and about as long."""
    lines = []
    for paragraph in title:
        whole = " ".join(paragraph.split())
        fits = text_size(whole, TITLE_POINTS)[0] <= width
        for part in [whole] if fits else paragraph.split("\n"):
            lines += _wrap_evenly(part, TITLE_POINTS, width)
    return lines


def _wrap_evenly(text: str, points: float, width: float) -> list[str]:
    lines = wrap(text, points, width)
    while len(lines) > 1 and len(evener := wrap(text, points, width := 0.95 * width)) == len(lines):
        lines = evener
    return lines


def wrap(text: str, points: float, width: float) -> list[str]:
    """Breaks text into lines of so many inches, between words where there are spaces."""
    lines = [""]
    for word in text.split():
        while word:
            longer = f"{lines[-1]} {word}".strip()
            if text_size(longer, points)[0] <= width:
                lines[-1], word = longer, ""
            elif text_size(word, points)[0] <= width:
                lines.append("")
            else:
                fits = _characters_that_fit(lines[-1], word, points, width)
                lines[-1] = f"{lines[-1]} {word[:fits]}".strip() if fits else lines[-1]
                word = word[fits:]
                lines.append("")
    return lines


def _characters_that_fit(line: str, word: str, points: float, width: float) -> int:
    """How much of a word longer than a line goes on it; at least one on an empty line."""
    fits = bisect.bisect_right(
        range(1, len(word) + 1),
        width,
        key=lambda count: text_size(f"{line} {word[:count]}".strip(), points)[0],
    )
    return max(fits, 0 if line else 1)


def make_panels(
    widths: Sequence[float],
    heights: Sequence[float],
    around: Margins,
    outside: Margins,
    title: Sequence[str],
    count: int | None = None,
) -> tuple[Figure, list[Axes]]:
    """Makes a figure that is as large as its panels and its title ask for.

    Args:
        widths: inches of the panels of each column.
        heights: inches of the panels of each row.
        around: inches that each panel's labels take.
        outside: inches around all panels together.
        title: paragraphs, wrapped to the figure's width; one that is too long for a line is
            broken at its line ends first.
        count: panels to make; None for as many as there is room for.

    Returns:
        The figure and its panels, row by row.
    """
    column_widths = np.array(widths) + around.left + around.right
    row_heights = np.array(heights) + around.above + around.below
    content = outside.left + column_widths.sum() + outside.right
    width = max(content, MIN_WIDTH)
    lines = title_lines(title, width - 0.4)
    above = 0.25 + TITLE_LINE * len(lines) if lines else 0.1
    height = above + outside.above + row_heights.sum() + outside.below
    figure = Figure(figsize=(width, height))
    if lines:
        figure.suptitle(
            "\n".join(lines), y=1 - 0.1 / height, va="top", fontsize=TITLE_POINTS, parse_math=False
        )
    lefts = (width - content) / 2 + outside.left + around.left + np.cumsum([0, *column_widths])
    tops = above + outside.above + around.above + np.cumsum([0, *row_heights])
    places = [(row, column) for row in range(len(heights)) for column in range(len(widths))]
    panels = []
    for row, column in places[:count]:
        panel_width, panel_height = widths[column], heights[row]
        bottom = height - tops[row] - panel_height
        panels.append(
            figure.add_axes(
                (lefts[column] / width, bottom / height, panel_width / width, panel_height / height)
            )
        )
    return figure, panels


def make_grid(
    count: int, size: tuple[float, float], around: Margins, title: Sequence[str]
) -> tuple[Figure, list[Axes]]:
    """Makes panels of one size in rows as even as can be; arguments as of `make_panels`."""
    most = int((MAX_WIDTH - 0.2) / (around.left + size[0] + around.right))
    rows = math.ceil(count / max(1, min(MAX_COLUMNS, most)))
    columns = math.ceil(count / rows)
    edge = Margins(0.1, 0.0, 0.1, 0.1)
    return make_panels([size[0]] * columns, [size[1]] * rows, around, edge, title, count)


def name_margins(grid: Sequence[Axes], selection: Selection, style: Style, labels: Margins) -> None:
    """Writes a sheet's layers beside its rows and its heads above its columns.

    Args:
        grid: the panels, row by row.
        selection: what they show.
        style: of the names.
        labels: inches of the tokens' labels, beyond which the names stand.
    """
    kept = {"xycoords": "axes fraction", "textcoords": "offset points", "fontsize": 9}
    beside, above = -72 * labels.left - 5, 72 * labels.above + 5
    for i, (axes, panel) in enumerate(zip(grid, selection.panels)):
        if i % selection.columns == 0:
            place = {"rotation": 90, "ha": "right", "va": "center"}
            axes.annotate(f"layer {panel.layer}", (0, 0.5), (beside, 0), **kept, **place)
        if i < selection.columns:
            place = {"color": style.hue(panel.colour), "ha": "center", "va": "bottom"}
            axes.annotate(panel.name, (0.5, 1), (0, above), **kept, **place)
