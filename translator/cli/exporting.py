"""``translator export``."""

from pathlib import Path

import click

from translator.base.progress import progress
from translator.cli.options import PATH, report


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
    help="Folder to write: new, empty, or an export to replace. If left out, ctranslate2/ in RUN,"
    " which translate uses.",
)
def export(run_dir: Path, quantization: str, out: Path | None) -> None:
    """Write an export: the best weights of RUN for CTranslate2.

    An export is a run by itself: it translates and has heads without any other file of RUN. With
    --quantization int8 it takes about a quarter of the space. With --out, up to 500 test pairs of a
    corpus that may be passed on come along, for evaluate and heads on machines without it.
    """
    from ctranslate2 import get_supported_compute_types

    from translator.export.formats import export_run
    from translator.runs.choosing import find_run

    with progress("exporting"):
        folder = export_run(find_run(run_dir), out, quantization)
    size = (folder / "model.bin").stat().st_size
    report(f"export: {folder}, {quantization}, {size / 1e6:.1f} MB")
    if quantization not in get_supported_compute_types("cpu"):
        report(f"this machine cannot compute in {quantization}: CTranslate2 converts it on loading")
