"""``translator train``, ``average`` and ``curves``."""

import json
import sys
from pathlib import Path

import click

from translator.base.errors import InputError
from translator.cli.options import PATH, PICTURE_HELP, files_of_run, report


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
    from translator.config.yaml_file import read_config
    from translator.training.processes import find_group
    from translator.training.start import train as train_run

    if init is not None:
        overrides = (*overrides, f"training.init={json.dumps(init)}")
    settings = read_config(config, overrides)
    run_dir = run_dir or Path("checkpoints") / config.stem
    group = find_group(coordinator, processes, process)
    if group is not None:
        from translator.training.parent_process import begin_as_child, is_child, run_child

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


@click.command(short_help="Make a new run from the mean of several weights.")
@click.argument("run_dir", metavar="RUN", type=PATH)
@click.option(
    "--last",
    type=click.IntRange(min=2),
    help="Average the weights of this many latest validations.",
)
@click.option(
    "--best", type=click.IntRange(min=2), help="Average the weights of this many best validations."
)
@click.option(
    "--with",
    "other",
    type=PATH,
    metavar="RUN",
    help="Average the weights of RUN and of this run, or model, that it went on from.",
)
@click.option(
    "--share",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    help="Weight of the run of --with in the mean; 0.5 if left out.",
)
@click.option("--out", type=PATH, help="Folder of the new run; RUN-averaged if left out.")
def average(
    run_dir: Path,
    last: int | None,
    best: int | None,
    other: Path | None,
    share: float | None,
    out: Path | None,
) -> None:
    """Make a new run from the mean of several weights that RUN has kept, or of those of two runs.

    The mean with the run that RUN went on from knows more of what that one knew, and less of what
    RUN has learnt.
    """
    from translator.base.keras_startup import start_keras
    from translator.runs.choosing import find_run

    if sum(choice is not None for choice in (last, best, other)) != 1:
        raise InputError("expected one of --last, --best and --with, such as --last 10")
    if share is not None and other is None:
        raise InputError("--share: expected --with RUN, found none; name the other run")
    if not out:
        named = run_dir if run_dir.name not in ("", "..") else run_dir.resolve()
        out = named.with_name(f"{named.name}-averaged")
    run = find_run(run_dir)
    run.find_weights()
    start_keras()
    from translator.training.averaging import average_run, average_with

    if other is not None:
        average_with(run, find_run(other), 0.5 if share is None else share, out, report)
    else:
        average_run(run, "best" if last is None else "last", last or best or 0, out, report)
    report(f"average: {out}")


@click.command(short_help="Draw loss, scores and speed of runs, to compare them.")
@click.argument("runs", metavar="RUN...", nargs=-1, required=True, type=PATH)
@click.option("--out", type=PATH, required=True, help=PICTURE_HELP)
def curves(runs: tuple[Path, ...], out: Path) -> None:
    """Draw loss, perplexity, accuracy, BLEU, learning rate and speed of each RUN.

    The best validation is marked. Several runs are drawn over updates and over time.
    """
    from translator.base.figures import FILE_ENDINGS, save_figure
    from translator.base.files import check_output_path
    from translator.base.keras_startup import start_keras
    from translator.runs.directory import RunDirectory

    directories = {str(path): RunDirectory(path) for path in runs}
    inputs = [file for run in directories.values() for file in files_of_run(run)]
    check_output_path(out, FILE_ENDINGS, inputs)
    start_keras()
    from translator.training.curves import plot_curves, read_curves

    figures = {name: read_curves(run) for name, run in directories.items()}
    if empty := [run for run, its in figures.items() if not its.lines]:
        raise InputError(
            f"{empty[0]}: expected figures to draw, found none; its training has not"
            " reached a validation yet"
        )
    save_figure(plot_curves(figures), out)
    report(f"curves: {out}")
