"""``translator models`` and ``import``: the public models of OPUS-MT."""

from pathlib import Path

import click

from translator.cli.options import PATH
from translator.cli.terminal import report


@click.command()
@click.option("--fetch", metavar="NAME", help="Download and import the model NAME.")
def models(fetch: str | None) -> None:
    """List the public models that can be fetched.

    The list shows languages, licence and address, and whether a model was fetched. A fetched model
    is a run: every option --run takes its name.
    """
    from translator.addons.public_models.importing import fetch_model, known_models

    if fetch is not None:
        run = fetch_model(fetch, report)
        report(f"model: {run.path}; use it with --run {fetch}")
        return
    for name, model in known_models().items():
        click.echo(name)
        for label, value in model.describe().items():
            click.echo(f"  {label:<8} {value}")


@click.command("import")
@click.argument("folder", type=PATH)
@click.option("--out", type=PATH, required=True, help="Folder of the run, new or empty.")
@click.option(
    "--source-language", help="Code of the source language, if the model's files do not name it."
)
@click.option(
    "--target-language", help="Code of the target language, if the model's files do not name it."
)
def import_public_model(
    folder: Path, out: Path, source_language: str | None, target_language: str | None
) -> None:
    """Make a run from the public model in FOLDER, a Marian Transformer of OPUS-MT.

    FOLDER has the files of Hugging Face: config.json, vocab.json, source.spm, target.spm and
    model.safetensors or tf_model.h5. The new run translates, shows its heads and can be trained
    further.
    """
    from translator.addons.public_models.importing import import_model

    run = import_model(folder, out, source_language, target_language, report)
    report(f"run: {run.path}")
