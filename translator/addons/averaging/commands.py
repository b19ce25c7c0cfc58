"""``translator average``."""

from pathlib import Path

import click

from translator.base.errors import InputError
from translator.cli.options import PATH
from translator.cli.terminal import report


@click.command()
@click.argument("run_dir", metavar="RUN", type=PATH)
@click.option(
    "--last",
    type=click.IntRange(min=2),
    help="Number of last validations whose weights are averaged.",
)
@click.option(
    "--with",
    "earlier",
    type=PATH,
    metavar="RUN",
    help="Average with the weights of this run or model, which RUN continued.",
)
@click.option(
    "--share",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    help="Share of the --with run in the mean; 0.5 if left out.",
)
@click.option("--out", type=PATH, help="Folder of the new run; RUN-averaged if left out.")
def average(
    run_dir: Path,
    last: int | None,
    earlier: Path | None,
    share: float | None,
    out: Path | None,
) -> None:
    """Make a new run from the mean of weights: of several validations of RUN, or of two runs.

    If RUN continued an earlier run, the mean of both keeps more of what the earlier run learnt, and
    less of what RUN learnt.
    """
    from translator.base.keras_startup import start_keras
    from translator.runs.choosing import find_run

    if (last is None) == (earlier is None):
        raise InputError("expected one of --last and --with, such as --last 10")
    if share is not None and earlier is None:
        raise InputError("--share: expected --with RUN, found none; name the run to average with")
    if not out:
        folder = run_dir if run_dir.name not in ("", "..") else run_dir.resolve()
        out = folder.with_name(f"{folder.name}-averaged")
    run = find_run(run_dir)
    run.find_weights()
    start_keras()
    from translator.addons.averaging.new_run import average_last, average_with

    if earlier is not None:
        average_with(run, find_run(earlier), 0.5 if share is None else share, out, report)
    if last is not None:
        average_last(run, last, out, report)
    report(f"average: {out}")
