"""The positional encoding as points that turn on rings, an animation.

Each pair of dimensions of Vaswani et al. (2017), "Attention Is All You Need",
section 3.5, https://arxiv.org/abs/1706.03762, is the sine and the cosine of
one angle: a point on a circle that turns by the same angle at each position.
"""

from pathlib import Path

import numpy as np
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from PIL import Image

from translator.addons.attention.drawing.figure_layout import Margins, make_panels
from translator.addons.attention.drawing.position_maps import wavelengths
from translator.addons.attention.drawing.styles import Style, style_of
from translator.addons.attention.head_colours import head_colour
from translator.base.files import check_output_path, whole_file
from translator.model.constants import sinusoidal_positions

ANIMATION_ENDINGS = (".gif",)
PIXELS_PER_INCH = 90  # per inch
RING_SIZE = 1.7  # inches of a ring's panel, which shows -AXIS_LIMIT to AXIS_LIMIT
AXIS_LIMIT = 1.15
MOST_RINGS, MAX_COLUMNS = 6, 3
TRAIL_LENGTH = 12  # earlier positions that are visible, each fainter than the next
FRAME_MILLISECONDS = 200  # per frame
SHADES_PER_COLOUR = 20  # of each colour in the file


def draw_rings(path: Path, length: int = 50, d_model: int = 256, dark: bool = False) -> None:
    """Writes the positional encoding as an animated GIF, one frame per position.

    A ring is a pair of dimensions, with the cosine to the right and the sine upwards: of at most
    `MOST_RINGS`, from the fastest pair to one that hardly moves over ``length`` positions.

    Args:
        path: the file.
        length: number of positions.
        d_model: D, an even number.
        dark: whether to draw light on a dark background.

    Raises:
        InputError: the file's ending or folder is wrong.
    """
    check_output_path(path, ANIMATION_ENDINGS)
    table = sinusoidal_positions(length, d_model)
    chosen = choose_pairs(length, d_model)
    style = style_of(dark)
    palette = Image.new("P", (1, 1))
    palette.putpalette(_palette_bytes(style, len(chosen)))
    with rc_context(style.settings()):
        figure, panels = _draw_still(chosen, d_model, style)
        first, *others = (
            Image.fromarray(_draw_frame(figure, panels, table, chosen, position, style)).quantize(
                palette=palette, dither=Image.Dither.NONE
            )
            for position in range(length)
        )
    with whole_file(path) as file:
        first.save(
            file, "GIF", save_all=True, append_images=others, duration=FRAME_MILLISECONDS, loop=0
        )


def choose_pairs(length: int, d_model: int) -> np.ndarray:
    """Chooses pairs of dimensions evenly, up to a wavelength of eight times the length.

    Args:
        length: number of positions.
        d_model: D.

    Returns:
        The numbers of at most `MOST_RINGS` pairs, from 0.
    """
    pairs = min(MOST_RINGS, d_model // 2)
    last = int(np.searchsorted(wavelengths(d_model), 8 * length))
    last = min(max(last, pairs - 1), d_model // 2 - 1)
    return np.linspace(0, last, pairs).round().astype(int)


def _palette_bytes(style: Style, pairs: int) -> bytes:
    """Red, green and blue of `SHADES_PER_COLOUR` shades from the background to each colour."""
    rings = [style.hue(head_colour(ring)) for ring in range(pairs)]
    colours = np.array([to_rgb(style.text), *rings])
    strength = np.linspace(1, 0, SHADES_PER_COLOUR)[:, None, None]
    mixed = strength * colours + (1 - strength) * np.array(to_rgb(style.background))
    return bytes((255 * mixed).round().astype("uint8").tobytes())


def _draw_still(chosen: np.ndarray, d_model: int, style: Style) -> tuple[Figure, list[Axes]]:
    """The rings without their points."""
    columns = min(MAX_COLUMNS, len(chosen))
    rows = -(-len(chosen) // columns)
    around = Margins(0.15, 0.1, 0.15, 0.45)
    title = ["positional encoding: pairs of dimensions turn, cosine to the right, sine upwards"]
    edge = Margins(below=0.35)
    figure, panels = make_panels(
        [RING_SIZE] * columns, [RING_SIZE] * rows, around, edge, title, len(chosen)
    )
    figure.set_dpi(PIXELS_PER_INCH)
    turn = np.linspace(0, 2 * np.pi, 200)
    for axes, pair in zip(panels, chosen):
        axes.plot(np.cos(turn), np.sin(turn), color=style.rule, linewidth=1.5, zorder=1)
        axes.set(
            xlim=(-AXIS_LIMIT, AXIS_LIMIT), ylim=(-AXIS_LIMIT, AXIS_LIMIT), xticks=[], yticks=[]
        )
        axes.set_frame_on(False)
        wavelength = wavelengths(d_model)[pair]
        axes.set_xlabel(
            f"dimensions {2 * pair}, {2 * pair + 1}\nwavelength {wavelength:,.1f}", fontsize=8
        )
    return figure, panels


def _draw_frame(
    figure: Figure,
    panels: list[Axes],
    table: np.ndarray,
    chosen: np.ndarray,
    position: int,
    style: Style,
) -> np.ndarray:
    """The picture of one position, with a trail of those before it.

    Returns:
        (rows, columns, 3) bytes, red, green and blue.
    """
    drawn = []
    first = max(0, position - TRAIL_LENGTH)
    fading = np.linspace(1, 0.1, TRAIL_LENGTH + 1)[: position - first + 1][::-1]
    sizes = np.append(np.full(position - first, 14.0), 60.0)
    for number, (axes, pair) in enumerate(zip(panels, chosen)):
        sines, cosines = table[first : position + 1, 2 * pair : 2 * pair + 2].T
        colours = [(*style.hue(head_colour(number)), alpha) for alpha in fading]
        drawn.append(axes.scatter(cosines, sines, s=sizes, c=colours, linewidths=0, zorder=2))
    text = f"position {position}, of 0 to {len(table) - 1}"
    label = figure.text(0.5, 0.03, text, ha="center", fontsize=10)
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    for artist in (*drawn, label):
        artist.remove()
    return np.array(canvas.buffer_rgba())[..., :3]
