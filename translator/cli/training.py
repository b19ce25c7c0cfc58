"""``translator train`` and ``translator export``."""

import json
import sys
from pathlib import Path

import click

from translator.base.progress import progress
from translator.cli.options import PATH
from translator.cli.terminal import report


@click.command()
@click.argument("config", type=PATH)
@click.option(
    "--run",
    "run_dir",
    type=PATH,
    help="Folder of the run; if left out, a folder in checkpoints/ with the name of CONFIG.",
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

    To train on several machines, start the same command on each with SLURM, Kubernetes or Open MPI,
    or set JAX_COORDINATOR_ADDRESS, JAX_NUM_PROCESSES and JAX_PROCESS_ID in the environment.
    """
    from translator.base.processes import writes
    from translator.config.yaml_file import read_config
    from translator.training.start import train as train_run

    if init is not None:
        overrides = (*overrides, f"training.init={json.dumps(init)}")
    settings = read_config(config, overrides)
    run_dir = run_dir or Path("checkpoints") / config.stem
    result = train_run(settings, run_dir, resume, report, deterministic=True)
    if not result.finished:
        progress = result.progress
        where = f"update {progress.batch} of epoch {progress.epoch + 1}"
        where = where if progress.batch else f"epoch {progress.epoch}"
        if writes():
            report(f"stopped after {where}; to continue: --resume")
        sys.exit(130)
    if writes():
        report(f"done: {run_dir}, validation perplexity {result.best_perplexity:.2f} a token")


@click.command()
@click.argument("run_dir", metavar="RUN", type=PATH)
@click.option(
    "--quantization",
    default="float32",
    show_default=True,
    help="Type of the weights: float32, int8, int16, float16 or bfloat16.",
)
@click.option(
    "--out",
    type=PATH,
    help="Folder to write: new, empty, or an export to replace. If left out, ctranslate2/ in RUN:"
    " translations use the export there.",
)
def export(run_dir: Path, quantization: str, out: Path | None) -> None:
    """Write an export: the best weights of RUN for CTranslate2.

    An export translates and shows heads without any other file of RUN. With --quantization int8 it
    takes about a quarter of the space. With --out it also has up to 500 test pairs, if the licence
    of the corpus allows it, for evaluate and heads on machines without the corpus.
    """
    from ctranslate2 import get_supported_compute_types

    from translator.export.ctranslate2 import export_run
    from translator.runs.choosing import find_run

    with progress("exporting"):
        folder = export_run(find_run(run_dir), out, quantization)
    size = (folder / "model.bin").stat().st_size
    report(f"export: {folder}, {quantization}, {size / 1e6:.1f} MB")
    if quantization not in get_supported_compute_types("cpu"):
        report(f"this machine has no {quantization}: CTranslate2 converts weights when loading")
