"""``translator export``."""

from pathlib import Path

import click

from translator.cli.options import report


@click.command()
@click.argument("run_dir", metavar="RUN", type=click.Path(path_type=Path))
@click.option(
    "--format",
    type=click.Choice(["ctranslate2"]),
    default="ctranslate2",
    show_default=True,
    help="What the export is for.",
)
@click.option(
    "--quantization",
    default="float32",
    show_default=True,
    help="Of the weights: float32, int8, int16, float16 or bfloat16.",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    help="Folder to write; the run's own export, which translate takes, if left out.",
)
def export(run_dir: Path, format: str, quantization: str, out: Path | None) -> None:
    """Write the best weights of RUN for another engine."""
    from ctranslate2 import get_supported_compute_types

    from translator.export.ctranslate2 import export_ctranslate2
    from translator.runs.directory import RunDirectory

    run = RunDirectory(run_dir)
    folder = out or run.export
    export_ctranslate2(run, folder, quantization)
    size = (folder / "model.bin").stat().st_size
    report(f"export: {folder}, {quantization}, {size / 1e6:.1f} MB")
    if quantization not in get_supported_compute_types("cpu"):
        report(
            f"this machine does not compute in {quantization}: CTranslate2 converts it on loading"
        )
