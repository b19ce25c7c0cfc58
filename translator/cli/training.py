"""``translator train``."""

import sys
from pathlib import Path

import click

from translator.cli.options import report


@click.command()
@click.argument("config", type=click.Path(path_type=Path))
@click.option(
    "--run",
    "run_dir",
    type=click.Path(path_type=Path),
    help="Where the run goes; checkpoints/ and the config's name if left out.",
)
@click.option(
    "--set",
    "overrides",
    multiple=True,
    metavar="KEY=VALUE",
    help="Override a key of the config, such as training.epochs=5; repeatable.",
)
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
        position = result.position
        report(
            f"stopped after batch {position.batch} of epoch {position.epoch + 1}; --resume goes on"
        )
        sys.exit(130)
    report(f"done: {run_dir}, validation perplexity {result.best_perplexity:.2f} a token")
