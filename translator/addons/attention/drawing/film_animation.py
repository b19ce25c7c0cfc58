"""A film of one head as an animated GIF; drawn with matplotlib, no TensorFlow."""

from pathlib import Path

import numpy as np
from matplotlib import rc_context
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import LinearSegmentedColormap, to_rgb
from PIL import Image

from translator.addons.attention.drawing.figure_layout import NotebookFigure
from translator.addons.attention.drawing.styles import style_of
from translator.addons.attention.film import Film
from translator.addons.attention.head_colours import head_colour
from translator.addons.attention.picture_content import clean_labels, clean_text
from translator.base.files import check_output_path, whole_file
from translator.translation.records import KINDS

CELL = 0.3  # inches
FRAME_MILLISECONDS, LAST_MILLISECONDS = 150, 2_000


def draw_film(
    path: Path,
    film: Film,
    kind: str = "cross",
    layer: int = 1,
    head: int = 1,
    sentence: int = 1,
    dark: bool = False,
) -> None:
    """Writes one head through the training, one frame after the other.

    Args:
        path: the file, .gif.
        film: from `translator.addons.attention.film.load_film`.
        kind: encoder, decoder or cross.
        layer: from 1.
        head: from 1.
        sentence: from 1.
        dark: whether to draw light on a dark background.

    Raises:
        InputError: the file's ending or folder is wrong.
    """
    check_output_path(path, (".gif",))
    filmed = film.sentences[sentence - 1]
    maps = filmed.record.maps(kind)
    scores = filmed.scores[kind][:, layer - 1, head - 1]
    style = style_of(dark)
    colours = [to_rgb(style.background), style.hue(head_colour(head - 1))]
    size = (CELL * len(maps.keys) + 1.6, CELL * len(maps.queries) + 1.7)
    images = []
    with rc_context(style.settings()):
        figure = NotebookFigure(figsize=size, layout="constrained")
        axes = figure.subplots()
        shown = axes.imshow(
            np.sqrt(scores[0]), cmap=LinearSegmentedColormap.from_list("head", colours), vmin=0,
            vmax=1, aspect="auto",
        )  # fmt: skip
        axes.set_xticks(range(len(maps.keys)), clean_labels(maps.keys), rotation=90, fontsize=8)
        axes.set_yticks(range(len(maps.queries)), clean_labels(maps.queries), fontsize=8)
        axes.xaxis.tick_top()
        axes.tick_params(length=0)
        canvas = FigureCanvasAgg(figure)
        for update, loss, frame in zip(film.updates, filmed.losses, scores):
            shown.set_data(np.sqrt(frame))
            title = f"{KINDS[kind]}, layer {layer}, head {head}\nupdate {update:,}, loss {loss:.2f}"
            axes.set_xlabel(clean_text(title.partition("\n")[0]), fontsize=9)
            figure.suptitle(title.partition("\n")[2], fontsize=10, parse_math=False)
            canvas.draw()
            pixels = np.array(canvas.buffer_rgba())[..., :3]
            images.append(Image.fromarray(pixels).quantize(64, dither=Image.Dither.NONE))
    durations = [FRAME_MILLISECONDS] * (len(images) - 1) + [LAST_MILLISECONDS]
    with whole_file(path) as file:
        images[0].save(
            file, "GIF", save_all=True, append_images=images[1:], duration=durations, loop=0
        )
