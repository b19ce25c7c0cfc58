"""``translator train``."""

import json
import sys
from pathlib import Path

import click

from translator.cli.options import PATH, report


@click.command()
@click.argument("config", type=PATH)
@click.option(
    "--run",
    "run_dir",
    type=PATH,
    help="Folder of the run; a folder in checkpoints/ with the name of CONFIG if left out.",
)
@click.option(
    "--set",
    "overrides",
    multiple=True,
    metavar="KEY=VALUE",
    help="Override a key of CONFIG, such as training.epochs=5; repeatable.",
)
@click.option(
    "--init",
    metavar="RUN",
    help="Start from the weights and tokenizers of RUN; the same as --set training.init=RUN.",
)
@click.option(
    "--resume", is_flag=True, help="Continue a run that was stopped, or train it for more epochs."
)
def train(
    config: Path,
    run_dir: Path | None,
    overrides: tuple[str, ...],
    init: str | None,
    resume: bool,
) -> None:
    """Train a model as the YAML file CONFIG says.

    CONFIG may also be the name of a configuration that comes with the program, such as demo.

    To train on several machines, start the same command on each, by SLURM, Kubernetes or Open MPI,
    or with JAX_COORDINATOR_ADDRESS, JAX_NUM_PROCESSES and JAX_PROCESS_ID in the environment.
    """
    from translator.config.yaml_file import read_config
    from translator.training.processes import writes
    from translator.training.start import train as train_run

    if init is not None:
        overrides = (*overrides, f"training.init={json.dumps(init)}")
    settings = read_config(config, overrides)
    run_dir = run_dir or Path("checkpoints") / config.stem
    result = train_run(settings, run_dir, resume, report, deterministic=True)
    if not result.finished:
        progress = result.progress
        where = f"update {progress.batch} of epoch {progress.epoch + 1}"
        if writes():
            report(f"stopped after {where}; to continue: --resume")
        sys.exit(130)
    if writes():
        report(f"done: {run_dir}, validation perplexity {result.best_perplexity:.2f} a token")
