"""What a model can learn from positions: their products, and the rotation that a step is.

Vaswani et al. (2017), "Attention Is All You Need", section 3.5,
https://arxiv.org/abs/1706.03762: "for any fixed offset k, PE(pos + k) can be represented as a
linear function of PE(pos)". With the sine and the cosine of an angle as a pair, it is a rotation.
"""

import numpy as np
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from translator.addons.attention.drawing.figure_layout import Margins, make_panels
from translator.addons.attention.drawing.position_maps import positional_encoding, wavelengths
from translator.addons.attention.drawing.position_rings import choose_pairs, columns_of
from translator.addons.attention.drawing.styles import Style, style_of
from translator.addons.attention.head_colours import head_colour
from translator.base.errors import InputError

RING_SIZE = 2.0  # inches
EDGE = 1.25  # of a panel, from the middle of its ring
ARROWS = 3  # of each ring, from different positions
RINGS = 6


def plot_position_products(length: int = 50, d_model: int = 256, dark: bool = False) -> Figure:
    """Draws the product of each position with each other one.

    It depends only on how far apart two positions are: the picture has stripes along its diagonal.

    Args:
        length: number of positions.
        d_model: D.
        dark: whether to draw light on a dark background.

    Returns:
        The figure.

    Raises:
        InputError: there are no positions or too many, or D is odd or too large.
    """
    table = positional_encoding(length, d_model).astype("float64")
    products = table @ table.T
    style = style_of(dark)
    with rc_context(style.settings()):
        title = [
            f"products of {length} positional encodings of {d_model} dimensions:\n"
            "each depends only on how far apart the two positions are"
        ]
        around, outside = Margins(0.65, 0.4, 0.1, 0.55), Margins(right=0.9)
        figure, [axes] = make_panels([5.5], [5.5], around, outside, title)
        image = axes.imshow(products, cmap="viridis")
        axes.set_xlabel("position")
        axes.set_ylabel("position")
        box, width = axes.get_position(), figure.get_figwidth()
        place = figure.add_axes((box.x1 + 0.15 / width, box.y0, 0.14 / width, box.height))
        figure.colorbar(image, cax=place).outline.set_visible(False)
    return figure


def rotation_of(step: int, d_model: int) -> np.ndarray:
    """The matrix (D, D) that turns the encoding of any position into that of ``step`` further.

    Args:
        step: k.
        d_model: D.

    Returns:
        A 2 x 2 rotation for each pair of dimensions along its diagonal; encodings are rows, so
        ``positions[p] @ matrix`` is ``positions[p + k]``.
    """
    angles = 2 * np.pi * step / wavelengths(d_model)
    matrix = np.zeros((d_model, d_model))
    even = np.arange(0, d_model, 2)
    matrix[even, even] = matrix[even + 1, even + 1] = np.cos(angles)
    matrix[even, even + 1] = -np.sin(angles)
    matrix[even + 1, even] = np.sin(angles)
    return matrix


def plot_rotation(
    step: int, length: int = 50, d_model: int = 256, pairs: int = RINGS, dark: bool = False
) -> Figure:
    """Draws a step of some positions as the rotation that it is in each pair of dimensions.

    Args:
        step: k.
        length: number of positions, of which some begin an arrow.
        d_model: D.
        pairs: number of rings.
        dark: whether to draw light on a dark background.

    Returns:
        The figure: arrows of one ring turn by the same angle, wherever they begin.

    Raises:
        InputError: there are fewer positions than the step and the arrows need, or D is odd.
    """
    if length <= ARROWS:
        raise InputError(f"--length: expected more than {ARROWS} with --step, found {length}")
    if not 1 <= step <= length - ARROWS:
        raise InputError(
            f"--step: expected 1 to {length - ARROWS}, so that {ARROWS} arrows fit into"
            f" {length} positions, found {step}"
        )
    table = positional_encoding(length, d_model)
    chosen = choose_pairs(length, d_model, pairs)
    starts = np.linspace(0, length - step - 1, ARROWS).round().astype(int)
    style = style_of(dark)
    columns = columns_of(len(chosen))
    rows = -(-len(chosen) // columns)
    turn = np.linspace(0, 2 * np.pi, 200)
    with rc_context(style.settings()):
        title = [f"a step of {step} position{'s' * (step > 1)} is the same rotation everywhere"]
        around, edge = Margins(0.15, 0.1, 0.15, 0.5), Margins(below=0.1)
        figure, panels = make_panels(
            [RING_SIZE] * columns, [RING_SIZE] * rows, around, edge, title, len(chosen)
        )
        for axes, pair in zip(panels, chosen):
            axes.plot(np.cos(turn), np.sin(turn), color=style.rule, linewidth=1.5, zorder=1)
            axes.set(xlim=(-EDGE, EDGE), ylim=(-EDGE, EDGE), xticks=[], yticks=[])
            axes.set_frame_on(False)
            angle = 2 * np.pi * step / wavelengths(d_model)[pair]
            for arrow, start in enumerate(starts):
                _draw_turn(axes, table[start, [2 * pair + 1, 2 * pair]], angle, arrow, start, style)
            degrees = np.degrees(angle)
            axes.set_xlabel(f"dimensions {2 * pair}, {2 * pair + 1}\n{degrees:,.1f}°", fontsize=8)
    return figure


def _draw_turn(
    axes: Axes, begin: np.ndarray, angle: float, number: int, position: int, style: Style
) -> None:
    """An arc with an arrow's head, from the place of a position, and the position's number."""
    radius = 1 - 0.15 * (number + 1)
    first = np.arctan2(begin[1], begin[0])
    angles = first + np.linspace(0, angle, 60)
    across, up = radius * np.cos(angles), radius * np.sin(angles)
    colour = style.hue(head_colour(number))
    axes.plot(*begin, "o", color=colour, markersize=5, zorder=2)
    axes.plot(across, up, color=colour, linewidth=1.6, zorder=2)
    axes.annotate(
        "", xy=(across[-1], up[-1]), xytext=(across[-2], up[-2]),
        arrowprops={"arrowstyle": "-|>", "color": colour, "mutation_scale": 12},
    )  # fmt: skip
    x, y = 1.13 * begin
    axes.text(x, y, str(position), fontsize=8, color=colour, ha="center", va="center")
