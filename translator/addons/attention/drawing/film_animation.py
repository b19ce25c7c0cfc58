"""A film of one head as an animated GIF."""

from pathlib import Path

import numpy as np
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure

from translator.addons.attention.drawing.animations import Animation
from translator.addons.attention.film import Film
from translator.addons.attention.head_colours import head_colour
from translator.addons.attention.picture_content import clean_labels
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
    title = figure.suptitle(" ", fontsize=10)
    animation = Animation(figure, [shown, *axes.spines.values(), title])
    for update, loss, frame in zip(film.updates, filmed.losses, scores):
        shown.set_data(frame)
        title.set_text(f"update {update:,}, loss {loss:.2f}")
        animation.add_frame()
    animation.save(path, [FRAME_MILLISECONDS] * (len(scores) - 1) + [LAST_MILLISECONDS])
