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
@click.option(
    "--coordinator",
    metavar="HOST:PORT",
    envvar="JAX_COORDINATOR_ADDRESS",
    help="Train with other processes, which meet at this address of process 0.",
)
@click.option(
    "--processes",
    type=click.IntRange(min=1),
    envvar="JAX_NUM_PROCESSES",
    help="How many processes train together.",
)
@click.option(
    "--process",
    type=click.IntRange(min=0),
    envvar="JAX_PROCESS_ID",
    help="The number of this one, from 0; process 0 writes the run.",
)
@click.pass_context
def train(
    context: click.Context,
    config: Path,
    run_dir: Path | None,
    overrides: tuple[str, ...],
    init: str | None,
    resume: bool,
    coordinator: str | None,
    processes: int | None,
    process: int | None,
) -> None:
    """Train a model as the YAML file CONFIG says.

    CONFIG may also be the name of a configuration that comes with the program, such as demo.

    To train on several machines, start the same command on each, with the same coordinator and
    its own --process. SLURM and MPI say these by themselves.
    """
    from translator.cli.parent_process import begin_as_child, find_group, is_child, run_child
    from translator.config.yaml_file import read_config
    from translator.training.start import train as train_run

    if init is not None:
        overrides = (*overrides, f"training.init={json.dumps(init)}")
    settings = read_config(config, overrides)
    run_dir = run_dir or Path("checkpoints") / config.stem
    group = find_group(coordinator, processes, process)
    if group is not None:
        if is_child():
            begin_as_child()
        elif context.obj.is_program:
            sys.exit(run_child(group, context.obj.debug))
    result = train_run(settings, run_dir, resume, report, deterministic=True, group=group)
    is_first = group is None or group.number == 0
    if not result.finished:
        progress = result.progress
        where = f"update {progress.batch} of epoch {progress.epoch + 1}"
        if is_first:
            report(f"stopped after {where}; to continue: --resume")
        sys.exit(130)
    if is_first:
        report(f"done: {run_dir}, validation perplexity {result.best_perplexity:.2f} a token")
