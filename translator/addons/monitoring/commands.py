"""``translator curves``."""

from pathlib import Path

import click

from translator.base.errors import InputError
from translator.cli.options import PATH, PICTURE_HELP, files_of_run
from translator.cli.terminal import report


@click.command()
@click.argument("runs", metavar="RUN...", nargs=-1, required=True, type=PATH)
@click.option("--out", type=PATH, required=True, help=PICTURE_HELP)
def curves(runs: tuple[Path, ...], out: Path) -> None:
    """Draw loss, perplexity, accuracy, BLEU, learning rate and speed of each RUN.

    The best validation is marked. Several runs are drawn over updates and over time.
    """
    from translator.addons.page.offline_page import FILE_ENDINGS, save_figure
    from translator.base.files import check_output_path
    from translator.base.keras_startup import start_keras
    from translator.runs.directory import RunDirectory
    from translator.runs.figures import read_lines

    directories = {str(path): RunDirectory(path) for path in runs}
    inputs = [file for run in directories.values() for file in files_of_run(run)]
    check_output_path(out, FILE_ENDINGS, inputs)
    for run in directories.values():
        read_lines(run.metrics)
    start_keras()
    from translator.addons.monitoring.curves import plot_curves, read_curves

    drawn = {name: read_curves(run) for name, run in directories.items()}
    if empty := [name for name in drawn if not drawn[name].lines]:
        raise InputError(
            f"{empty[0]}: expected figures to draw, found none; wait until its training has"
            " validated once"
        )
    save_figure(plot_curves(drawn), out)
    report(f"curves: {out}")
