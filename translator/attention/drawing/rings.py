"""The positional encoding as points that turn on rings, an animation.

Each pair of dimensions of Vaswani et al. (2017), "Attention Is All You Need",
section 3.5, https://arxiv.org/abs/1706.03762, is the sine and the cosine of
one angle: a point on a circle that moves on by the same angle each position.
"""

from pathlib import Path

import numpy as np
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from PIL import Image

from translator.attention.colours import head_colour
from translator.attention.drawing.canvas import Margins, Style, make_panels, style_of
from translator.attention.drawing.model_pictures import encoding, wavelengths
from translator.base.errors import InputError
from translator.base.files import check_output_path, whole_file

FILE_ENDINGS = (".gif",)
PIXELS = 90  # an inch
RING = 1.7  # inches of a ring's panel, which shows -LIMIT to LIMIT
LIMIT = 1.15
COLUMNS = 3
TRAIL = 12  # earlier positions that are seen, each fainter than the next
MOST = 500  # frames
MILLISECONDS = 200  # a frame
COLOURS = 240  # of the file


def draw_rings(
    path: Path, length: int = 50, d_model: int = 256, pairs: int = 6, dark: bool = False
) -> None:
    """Writes the positional encoding as an animated GIF, a frame a position.

    A ring is a pair of dimensions, the cosine to the right and the sine upwards.

    Args:
        path: the file.
        length: number of positions.
        d_model: D.
        pairs: rings, from the fastest pair to one that hardly moves in so many positions.
        dark: whether it is drawn light on a dark background.

    Raises:
        InputError: the ending or the folder is wrong, there are no positions or too many, D
            is not even, or has fewer pairs.
    """
    check_output_path(path, FILE_ENDINGS)
    if length > MOST:
        raise InputError(f"length: expected at most {MOST} positions to animate, found {length}")
    table = encoding(length, d_model)
    chosen = choose_pairs(length, d_model, pairs)
    style = style_of(dark)
    with rc_context(style.settings()):
        figure, panels = _draw_still(chosen, d_model, style)
        palette = _palette(style, pairs)
        first, *others = (
            _indexed(_frame(figure, panels, table, chosen, position, style), palette)
            for position in range(length)
        )
    with whole_file(path) as file:
        options = {"duration": MILLISECONDS, "loop": 0}
        first.save(file, "GIF", save_all=True, append_images=others, **options)


def choose_pairs(length: int, d_model: int, pairs: int) -> np.ndarray:
    """(pairs,) numbers of pairs, evenly spaced up to a wavelength of eight times the length.

    Raises:
        InputError: D has fewer pairs.
    """
    if not 1 <= pairs <= d_model // 2:
        raise InputError(f"pairs: expected 1 to {d_model // 2}, found {pairs}")
    last = int(np.searchsorted(wavelengths(d_model), 8 * length))
    last = min(max(last, pairs - 1), d_model // 2 - 1)
    return np.linspace(0, last, pairs).round().astype(int)


def _palette(style: Style, pairs: int) -> np.ndarray:
    """(colours, 3) bytes, shades of the text and of each ring on the background."""
    inks = [style.text, *(style.hue(head_colour(ring)) for ring in range(pairs))]
    shades = np.linspace(1, 0, max(2, COLOURS // len(inks)))[:, None, None]
    mixed = shades * [to_rgb(ink) for ink in inks] + (1 - shades) * to_rgb(style.background)
    return (255 * mixed).round().astype("uint8").reshape(-1, 3)[:COLOURS]


def _indexed(pixels: np.ndarray, palette: np.ndarray) -> Image.Image:
    """An image of the nearest colours of a palette; Pillow's own search only comes near them."""
    codes = pixels[..., :3].astype(int) @ [1 << 16, 1 << 8, 1]  # (rows, columns)
    known, places = np.unique(codes, return_inverse=True)
    colours = np.stack([known >> 16, known >> 8 & 255, known & 255], axis=1)
    nearest = ((colours[:, None] - palette.astype(int)) ** 2).sum(-1).argmin(1)
    image = Image.fromarray(nearest[places].reshape(codes.shape).astype("uint8"))
    image.putpalette(palette.tobytes())
    return image


def _draw_still(chosen: np.ndarray, d_model: int, style: Style) -> tuple[Figure, list[Axes]]:
    """The rings without their points."""
    columns = min(COLUMNS, len(chosen))
    rows = -(-len(chosen) // columns)
    around = Margins(0.15, 0.1, 0.15, 0.45)
    title = ["positional encoding: pairs of dimensions turn, cosine to the right, sine upwards"]
    edge = Margins(below=0.35)
    sizes = [RING] * columns, [RING] * rows
    figure, panels = make_panels(*sizes, around, edge, title, len(chosen))
    figure.set_dpi(PIXELS)
    turn = np.linspace(0, 2 * np.pi, 200)
    for axes, pair in zip(panels, chosen):
        axes.plot(np.cos(turn), np.sin(turn), color=style.rule, linewidth=1.5, zorder=1)
        axes.set(xlim=(-LIMIT, LIMIT), ylim=(-LIMIT, LIMIT), xticks=[], yticks=[])
        axes.set_frame_on(False)
        wavelength = wavelengths(d_model)[pair]
        axes.set_xlabel(
            f"dimensions {2 * pair}, {2 * pair + 1}\nwavelength {wavelength:,.1f}", fontsize=8
        )
    return figure, panels


def _frame(
    figure: Figure,
    panels: list[Axes],
    table: np.ndarray,
    chosen: np.ndarray,
    position: int,
    style: Style,
) -> np.ndarray:
    """(rows, columns, 4) bytes of one position's picture, with a trail of those before it."""
    drawn = []
    first = max(0, position - TRAIL)
    fading = np.linspace(1, 0.1, TRAIL + 1)[: position - first + 1][::-1]
    sizes = np.append(np.full(position - first, 14.0), 60.0)
    for number, (axes, pair) in enumerate(zip(panels, chosen)):
        sines, cosines = table[first : position + 1, 2 * pair : 2 * pair + 2].T
        colours = [(*style.hue(head_colour(number)), alpha) for alpha in fading]
        drawn.append(axes.scatter(cosines, sines, s=sizes, c=colours, linewidths=0, zorder=2))
    words = f"position {position}, of 0 to {len(table) - 1}"
    drawn.append(figure.text(0.5, 0.03, words, ha="center", fontsize=10))
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    for artist in drawn:
        artist.remove()
    return np.array(canvas.buffer_rgba())
