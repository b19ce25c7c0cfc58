"""``translator calibrate``."""

from pathlib import Path

import click

from translator.base.progress import progress
from translator.cli.options import PATH
from translator.cli.terminal import report


@click.command()
@click.argument("run_dir", metavar="RUN", type=PATH)
def calibrate(run_dir: Path) -> None:
    """Fit the confidence of RUN's translations on its validation split.

    The confidence says how likely a translation is right. A training fits it at its end; runs of
    earlier versions need this command once. It reads the corpus and writes confidence.json into
    RUN and its export.
    """
    from translator.addons.confidence.fitting import calibrate_run
    from translator.runs.choosing import find_run

    with progress("calibrating"):
        calibrate_run(find_run(run_dir), report)
