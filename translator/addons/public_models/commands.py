"""``translator models`` and ``import``: the public models of OPUS-MT."""

from pathlib import Path

import click

from translator.cli.options import PATH
from translator.cli.terminal import report


@click.command()
@click.option("--fetch", "wanted", metavar="NAME", help="Download and import the model NAME now.")
def models(wanted: str | None) -> None:
    """List the public models that can be fetched.

    Shown are pair, licence, address, and whether a model was fetched. A model that was fetched is a
    run: its name works wherever a command takes --run.
    """
    from translator.addons.public_models.importing import fetch_model, known_models

    if wanted is not None:
        run = fetch_model(wanted, report)
        report(f"model: {run.path}; use it with --run {wanted}")
        return
    for name, model in known_models().items():
        click.echo(name)
        for what, value in model.describe().items():
            click.echo(f"  {what:<8} {value}")


@click.command("import")
@click.argument("folder", type=PATH)
@click.option("--out", type=PATH, required=True, help="Folder of the run, new or empty.")
@click.option(
    "--source-language", help="Code of the source language, if the model's files do not say it."
)
@click.option(
    "--target-language", help="Code of the target language, if the model's files do not say it."
)
def import_public_model(
    folder: Path, out: Path, source_language: str | None, target_language: str | None
) -> None:
    """Make a run of the public model in FOLDER: a Marian Transformer as OPUS-MT publishes it.

    FOLDER has the files of Hugging Face: config.json, vocab.json, source.spm, target.spm and
    model.safetensors or tf_model.h5. The run translates, shows its heads and can be trained further
    like any other.
    """
    from translator.addons.public_models.importing import import_model

    run = import_model(folder, out, source_language, target_language, report)
    report(f"run: {run.path}")
