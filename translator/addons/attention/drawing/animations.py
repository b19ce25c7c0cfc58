"""Writes an animated GIF, picture by picture; drawn with matplotlib, no TensorFlow."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from PIL import Image

from translator.base.files import whole_file

COLOURS = 64  # of each frame


class Animation:
    """The frames of a figure that is changed between them.

    Args:
        figure: what is drawn.
    """

    def __init__(self, figure: Figure) -> None:
        self._canvas = FigureCanvasAgg(figure)
        self._images: list[Image.Image] = []

    def add_frame(self) -> None:
        """Adds the figure as it is now."""
        self._canvas.draw()
        pixels = np.array(self._canvas.buffer_rgba())[..., :3]
        self._images.append(Image.fromarray(pixels).quantize(COLOURS, dither=Image.Dither.NONE))

    def save(self, path: Path, durations: int | Sequence[int]) -> None:
        """Writes the frames, which then begin again.

        Args:
            path: the file, .gif.
            durations: milliseconds, of every frame or of each.
        """
        first, *others = self._images
        with whole_file(path) as file:
            first.save(file, "GIF", save_all=True, append_images=others, duration=durations, loop=0)
