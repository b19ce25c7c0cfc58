"""What several commands share: options, opening a run, speaking to the user."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

import translator

if TYPE_CHECKING:
    from translator.decoding.translate import Translator

run_option = click.option(
    "--run",
    "run_dir",
    type=click.Path(path_type=Path),
    help="Run directory; the newest if left out.",
)
beam_option = click.option(
    "--beam-size", type=int, help="Hypotheses kept at each step; 1 is greedy."
)
penalty_option = click.option(
    "--length-penalty",
    type=float,
    help="Rank by log probability / length^P; 1 is the mean a token.",
)
max_length_option = click.option("--max-length", type=int, help="Most tokens of a translation.")


def load(run_dir: Path | None) -> "Translator":
    """Opens a run; the newest one, named on standard error, where none is given."""
    from translator.run import newest_run

    if run_dir is None:
        run_dir = newest_run()
        report(f"run: {run_dir}")
    return translator.load(run_dir)


def report(message: str) -> None:
    """Prints a line on standard error."""
    click.echo(message, err=True)
