"""``translator calibrate``."""

from pathlib import Path

import click

from translator.base.progress import progress
from translator.cli.options import PATH
from translator.cli.terminal import report


@click.command()
@click.argument("run_dir", metavar="RUN", type=PATH)
def calibrate(run_dir: Path) -> None:
    """Fit how likely RUN's translations are right, on its validation split.

    A training does this when it ends; runs of earlier versions need it once. It reads the corpus
    and writes confidence.json into RUN and its export.
    """
    from translator.addons.confidence.fitting import calibrate_run
    from translator.runs.choosing import find_run

    with progress("calibrating"):
        calibrate_run(find_run(run_dir), report)
