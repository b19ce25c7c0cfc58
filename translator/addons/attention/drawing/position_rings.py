"""The positional encoding as points that turn on rings, an animation.

Each pair of dimensions of Vaswani et al. (2017), "Attention Is All You Need", section 3.5,
https://arxiv.org/abs/1706.03762, is the sine and the cosine of one angle: a point on a circle that
turns by the same angle at each position.
"""

from pathlib import Path

import numpy as np
from matplotlib.colors import to_rgba
from matplotlib.figure import Figure
from matplotlib.patches import Circle

from translator.addons.attention.drawing.animations import Animation
from translator.addons.attention.head_colours import HEAD_COLOURS
from translator.model.constants import sinusoidal_positions

LENGTH, WIDTH = 50, 256  # positions and dimensions, as `plot_positions` shows them
PAIRS = (0, 12, 23, 35, 46, 58)  # of dimensions, evenly to one that hardly turns in 50 positions
TRAIL = 12  # earlier positions that are visible, each fainter than the next
FRAME_MILLISECONDS = 200


def draw_rings(path: Path) -> None:
    """Writes the positional encoding as an animated GIF, one frame a position.

    A ring is a pair of dimensions, with the cosine to the right and the sine upwards.

    Args:
        path: the file, .gif.
    """
    table = sinusoidal_positions(LENGTH, WIDTH)
    figure = Figure(figsize=(5.6, 4.6), dpi=90, layout="constrained")
    fading = [to_rgba(HEAD_COLOURS[0], shade) for shade in np.linspace(0.1, 1, TRAIL + 1)]
    sizes = [*[14] * TRAIL, 60]
    points = []
    for axes, pair in zip(figure.subplots(2, 3).flat, PAIRS):
        axes.add_patch(Circle((0, 0), 1, fill=False, color="lightgrey", linewidth=1.5))
        axes.set(xlim=(-1.15, 1.15), ylim=(-1.15, 1.15), xticks=[], yticks=[], aspect="equal")
        axes.set_frame_on(False)
        wavelength = 2 * np.pi * 10000 ** (2 * pair / WIDTH)
        axes.set_xlabel(
            f"dimensions {2 * pair}, {2 * pair + 1}\nwavelength {wavelength:,.1f}", fontsize=8
        )
        points.append(axes.scatter(*np.zeros((2, TRAIL + 1)), sizes, fading, linewidths=0))
    figure.supxlabel("cosine to the right, sine upwards", fontsize=9)
    title = figure.suptitle("position 0", fontsize=10)
    animation = Animation(figure, [*points, title])
    for position in range(LENGTH):
        seen = np.clip(np.arange(position - TRAIL, position + 1), 0, None)
        for point, pair in zip(points, PAIRS):
            point.set_offsets(table[seen, 2 * pair : 2 * pair + 2][:, ::-1])
        title.set_text(f"position {position}")
        animation.add_frame()
    animation.save(path, FRAME_MILLISECONDS)
