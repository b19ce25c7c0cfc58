"""``translator translate`` and ``translator attention``."""

import sys
from pathlib import Path
from typing import Any

import click

from translator.cli.options import (
    beam_option,
    load,
    max_length_option,
    penalty_option,
    report,
    run_option,
)
from translator.errors import InputError


@click.command()
@click.argument("sentences", nargs=-1)
@run_option
@beam_option
@penalty_option
@click.option(
    "--n-best", type=int, default=1, help="Hypotheses to print: line, score and text each."
)
@max_length_option
def translate(
    sentences: tuple[str, ...], run_dir: Path | None, n_best: int, **options: Any
) -> None:
    """Translate SENTENCES, or the lines of standard input."""
    from translator.corpora.files import decode_lines
    from translator.decoding.translate import translate_lines

    lines = sentences or decode_lines(sys.stdin.buffer, "standard input")
    loaded = load(run_dir)
    for number, translation in enumerate(
        translate_lines(loaded, lines, n_best=n_best, **options), start=1
    ):
        if n_best == 1:
            click.echo(translation.text)
        for hypothesis in translation.hypotheses if n_best > 1 else ():
            click.echo(f"{number}\t{hypothesis.score:.4f}\t{hypothesis.text}")


@click.command()
@click.argument("sentence")
@run_option
@click.option("--kind", default="cross", show_default=True, help="encoder, decoder or cross.")
@click.option("--layer", type=int, default=1, show_default=True, help="Which layer, from 1.")
@click.option("--out", type=click.Path(path_type=Path), help="Picture: .png, .svg or .pdf.")
@click.option("--save", type=click.Path(path_type=Path), help="All scores as a NumPy .npz file.")
@click.option("--font", help="Font of the labels: a family's name, or a .ttf or .otf file.")
@beam_option
@penalty_option
@max_length_option
def attention(
    sentence: str,
    run_dir: Path | None,
    kind: str,
    layer: int,
    out: Path | None,
    save: Path | None,
    font: str | None,
    **options: Any,
) -> None:
    """Translate SENTENCE and draw, or save, what every head looked at."""
    from translator.attention import fonts, plots, records
    from translator.writing import check_output_path

    if out is None and save is None:
        raise InputError("expected --out PICTURE or --save FILE.npz, found neither")
    if font is not None:
        fonts.named_family(font)
    if out is not None:
        check_output_path(out, plots.FILE_ENDINGS)
    if save is not None:
        check_output_path(save, records.FILE_ENDINGS)
    loaded = load(run_dir)
    [translation] = loaded.translate([sentence], **options)
    if not translation.hypotheses:
        raise InputError("expected a sentence, found nothing in it")
    record = loaded.attention(sentence, translation.hypotheses[0])
    if out is not None:
        plots.save_figure(plots.plot_heads(record, kind, layer, font), out)
        if missing := plots.missing_characters(record, font):
            report(fonts.advice(missing))
        report(f"heat maps: {out}")
    if save is not None:
        records.save_record(save, record)
        report(f"scores: {save}")
    click.echo(translation.text)
