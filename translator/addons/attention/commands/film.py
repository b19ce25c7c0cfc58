"""``translator film``: how heads come about in a training."""

from pathlib import Path

import click

from translator.base.errors import InputError
from translator.base.languages import Direction
from translator.base.progress import progress
from translator.cli.options import PATH, direction_options, is_given, open_run, report


@click.command(short_help="Show how heads came about in a training.")
@click.argument("run_dir", metavar="[RUN]", required=False, type=PATH)
@direction_options
@click.option("--html", type=PATH, help="Page to write, with all heads and a slider.")
@click.option("--gif", type=PATH, help="Animation of one head of cross-attention to write.")
@click.option("--layer", type=int, default=1, show_default=True, help="Of --gif: from 1.")
@click.option("--head", type=int, default=1, show_default=True, help="Of --gif: from 1.")
def film(
    run_dir: Path | None,
    direction: Direction,
    html: Path | None,
    gif: Path | None,
    layer: int,
    head: int,
) -> None:
    """Show the heads of RUN at some updates of its training, for the sentences that its
    configuration names under film.
    """
    from translator.addons.attention.film import load_film
    from translator.addons.attention.gold_alignments import gold_pairs
    from translator.addons.attention.picture_content import PictureOptions, check_picture_options
    from translator.base.files import check_output_path, whole_file

    if html is None and gif is None:
        raise InputError("expected --html FILE.html or --gif FILE.gif, found neither")
    for name in filter(is_given, ("layer", "head") if gif is None else ()):
        raise InputError(f"--{name}: expected --gif with it, found none; the page has all heads")
    for path, ending in ((html, ".html"), (gif, ".gif")):
        if path is not None:
            check_output_path(path, (ending,))
    run = open_run(run_dir, direction)
    config = run.read_config()
    frames = load_film(run.film, gold_pairs(config.corpus))
    if html is not None:
        from translator.addons.attention.page.film import film_html

        with whole_file(html) as file:
            file.write(film_html(frames, run.path.resolve().name).encode())
        report(f"film: {html} ({html.stat().st_size / 1e6:.2f} MB), open it in a browser")
    if gif is not None:
        from translator.addons.attention.drawing.film_animation import draw_film

        sizes = config.model
        asked = PictureOptions(layer=layer, head=head)
        check_picture_options(asked, sizes.num_layers, sizes.heads_of("cross"))
        with progress("drawing"):
            draw_film(gif, frames, layer, head)
        report(f"film: {gif}")
