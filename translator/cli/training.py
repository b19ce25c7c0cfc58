"""``translator train`` and ``translator schedule``."""

import sys
from pathlib import Path

import click

from translator.cli.options import report

set_option = click.option(
    "--set",
    "overrides",
    multiple=True,
    metavar="KEY=VALUE",
    help="Override a key of the config, such as training.epochs=5; repeatable.",
)


@click.command()
@click.argument("config", type=click.Path(path_type=Path))
@click.option(
    "--run",
    "run_dir",
    type=click.Path(path_type=Path),
    help="Where the run goes; checkpoints/ and the config's name if left out.",
)
@set_option
@click.option("--resume", is_flag=True, help="Go on with the run that is there.")
def train(config: Path, run_dir: Path | None, overrides: tuple[str, ...], resume: bool) -> None:
    """Train a model as the YAML file CONFIG says."""
    from translator.config import read_config
    from translator.startup import start_keras

    settings = read_config(config, overrides)
    run_dir = run_dir or Path("checkpoints") / config.stem
    start_keras()
    from translator.training.trainer import train as train_run

    result = train_run(settings, run_dir, resume, report=report)
    if not result.finished:
        progress = result.progress
        report(
            f"stopped after update {progress.batch} of epoch {progress.epoch + 1}; --resume goes on"
        )
        sys.exit(130)
    report(f"done: {run_dir}, validation perplexity {result.best_perplexity:.2f} a token")


@click.command()
@click.argument("config", type=click.Path(path_type=Path))
@set_option
@click.option(
    "--out", type=click.Path(path_type=Path), required=True, help="Picture: .png, .svg or .pdf."
)
@click.option(
    "--updates",
    type=click.IntRange(min=1),
    help="How many; to the schedule's end, or ten times its warm-up, if left out.",
)
def schedule(config: Path, overrides: tuple[str, ...], out: Path, updates: int | None) -> None:
    """Draw the learning rate that the YAML file CONFIG asks for."""
    from translator.config import read_config
    from translator.pictures import FILE_ENDINGS, save_figure
    from translator.startup import start_keras
    from translator.writing import check_output_path

    settings = read_config(config, overrides)
    check_output_path(out, FILE_ENDINGS)
    start_keras()
    from translator.training.plots import plot_schedule, usual_updates

    save_figure(plot_schedule(settings, updates or usual_updates(settings)), out)
    report(f"learning rate: {out}")
