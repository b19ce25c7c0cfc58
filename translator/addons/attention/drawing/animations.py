"""Writes an animated GIF, picture by picture; drawn with matplotlib, no TensorFlow."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from matplotlib.artist import Artist
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from PIL import Image

from translator.base.files import whole_file

COLOURS = 64  # of each frame


class Animation:
    """The frames of a figure of which some parts change.

    What stays is laid out and drawn once (https://matplotlib.org/stable/users/explain/animations),
    which takes ten times as long as a frame.

    Args:
        figure: what is drawn.
        moving: what changes, from the back to the front.
    """

    def __init__(self, figure: Figure, moving: Sequence[Artist]) -> None:
        self._canvas, self._moving = FigureCanvasAgg(figure), moving
        self._canvas.draw()  # with all parts, for the layout
        figure.set_layout_engine("none")
        for artist in moving:
            artist.set_animated(True)
        self._canvas.draw()
        self._still = self._canvas.copy_from_bbox(figure.bbox)
        self._images: list[Image.Image] = []

    def add_frame(self) -> None:
        """Adds the figure as it is now."""
        self._canvas.restore_region(self._still)
        for artist in self._moving:
            self._canvas.figure.draw_artist(artist)
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
