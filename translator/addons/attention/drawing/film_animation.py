"""A film of one head as an animated GIF; drawn with matplotlib, no TensorFlow."""

from pathlib import Path

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure
from PIL import Image

from translator.addons.attention.film import Film
from translator.addons.attention.head_colours import head_colour
from translator.addons.attention.picture_content import clean_labels
from translator.base.files import whole_file
from translator.translation.records import KINDS

CELL = 0.3  # inches
FRAME_MILLISECONDS, LAST_MILLISECONDS = 150, 2_000


def draw_film(path: Path, film: Film, layer: int = 1, head: int = 1) -> None:
    """Writes a head of cross-attention through the training, one frame after the other.

    Args:
        path: the file, .gif.
        film: from `translator.addons.attention.film.load_film`; its first sentence is shown.
        layer: from 1.
        head: from 1.
    """
    filmed = film.sentences[0]
    queries, keys, _ = filmed.record.maps("cross")
    scores = np.sqrt(filmed.scores["cross"][:, layer - 1, head - 1])  # (frames, queries, keys)
    colours = LinearSegmentedColormap.from_list("head", ["white", head_colour(head - 1)])
    size = (CELL * len(keys) + 1.6, CELL * len(queries) + 1.7)
    figure = Figure(figsize=size, layout="constrained")
    axes = figure.subplots()
    shown = axes.imshow(scores[0], cmap=colours, vmin=0, vmax=1, aspect="auto")
    axes.set_xticks(range(len(keys)), clean_labels(keys), rotation=90, fontsize=8)
    axes.set_yticks(range(len(queries)), clean_labels(queries), fontsize=8)
    axes.xaxis.tick_top()
    axes.tick_params(length=0)
    axes.set_xlabel(f"{KINDS['cross']}, layer {layer}, head {head}", fontsize=9)
    canvas = FigureCanvasAgg(figure)
    images = []
    for update, loss, frame in zip(film.updates, filmed.losses, scores):
        shown.set_data(frame)
        figure.suptitle(f"update {update:,}, loss {loss:.2f}", fontsize=10)
        canvas.draw()
        pixels = np.array(canvas.buffer_rgba())[..., :3]
        images.append(Image.fromarray(pixels).quantize(64, dither=Image.Dither.NONE))
    durations = [FRAME_MILLISECONDS] * (len(images) - 1) + [LAST_MILLISECONDS]
    with whole_file(path) as file:
        images[0].save(
            file, "GIF", save_all=True, append_images=images[1:], duration=durations, loop=0
        )
