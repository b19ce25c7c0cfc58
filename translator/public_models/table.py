"""The public models that can be fetched by name: a small table of OPUS-MT's.

Tiedemann and Thottingal (2020), "OPUS-MT", https://aclanthology.org/2020.eamt-1.61
"""

import json
import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import NamedTuple

from translator.base.download import NotThereError, RemoteFile, fetch
from translator.base.errors import InputError
from translator.base.extras import is_installed
from translator.public_models.importing import import_model
from translator.public_models.tensor_files import READERS
from translator.runs.choosing import fetched_model
from translator.runs.directory import RunDirectory

HOST = "https://huggingface.co/Helsinki-NLP"
DOWNLOADS = "downloads"  # the folder of the cache for files that were not imported yet
LICENCE = "CC BY 4.0, OPUS-MT by the University of Helsinki"
PAIRS = (
    *("en-de", "de-en", "en-fr", "fr-en", "en-es", "es-en", "en-it", "it-en", "en-nl", "nl-en"),
    *("en-sv", "sv-en", "en-fi", "fi-en", "en-ru", "ru-en", "en-zh", "zh-en", "de-fr", "fr-de"),
)
SETTINGS = ("config.json", "tokenizer_config.json", "vocab.json")
MODELS = ("source.spm", "target.spm")
# What must be installed to read each file of weights; nothing for safetensors.
NEEDED = {"model.safetensors": None, "tf_model.h5": "h5py", "pytorch_model.bin": "torch"}


class KnownModel(NamedTuple):
    """One entry of the table.

    Attributes:
        name: for ``--fetch`` and ``--run``.
        source: the code of the source language.
        target: the code of the target language.
    """

    name: str
    source: str
    target: str

    @property
    def address(self) -> str:
        """Its page."""
        return f"{HOST}/{self.name}"

    @property
    def run(self) -> Path:
        """Its run, once it is fetched."""
        return fetched_model(self.name)

    def describe(self) -> dict[str, str]:
        """What ``translator models`` prints about it, by name."""
        is_here = RunDirectory(self.run).record.is_file()
        return {
            "pair": f"{self.source} to {self.target}",
            "licence": LICENCE,
            "address": self.address,
            "fetched": f"yes, {self.run}" if is_here else "no",
        }

    def file(self, name: str, check: Callable[[Path], None] | None = None) -> RemoteFile:
        """One of its files; their hashes are not known here."""
        place = f"{DOWNLOADS}/{self.name}/{name}"
        return RemoteFile(place, f"{self.address}/resolve/main/{name}", check=check)


def known_models() -> dict[str, KnownModel]:
    """Every known public model by its name."""
    pairs = (pair.split("-") for pair in PAIRS)
    models = (KnownModel(f"opus-mt-{source}-{target}", source, target) for source, target in pairs)
    return {model.name: model for model in models}


def fetch_model(name: str, report: Callable[[str], None] = lambda line: None) -> RunDirectory:
    """Downloads a public model, checks it and imports it, unless it is there already.

    Args:
        name: of `known_models`.
        report: is given each line for the user.

    Returns:
        The run.

    Raises:
        InputError: there is no such model, or it cannot be downloaded or imported.
    """
    model = known_models().get(name)
    if model is None:
        raise InputError(
            f"{name}: expected a model that translator models lists, found none of that name;"
            " translator import reads other models from a folder"
        )
    run = RunDirectory(model.run)
    if run.record.is_file():
        return run
    from translator.tokenizers.bpemb_download import check_model

    for file in SETTINGS:
        fetch(model.file(file, _check_json))
    for file in MODELS:
        fetch(model.file(file, check_model))
    folder = fetch_weights(model).parent
    imported = import_model(folder, model.run, model.source, model.target, report)
    shutil.rmtree(folder)  # the run has all of it
    return imported


def fetch_weights(model: KnownModel) -> Path:
    """Downloads a file of weights that can be read here, the safest form first.

    Raises:
        InputError: none can be downloaded.
    """
    missing: InputError | None = None
    for name, package in NEEDED.items():
        if package is None or is_installed(package):
            try:
                return fetch(model.file(name, partial(_check_weights, name=name)))
            except NotThereError as error:
                missing = error
    needed = " or ".join(package for package in NEEDED.values() if package)
    raise InputError(f"{missing}; for the other forms of weights, install {needed}")


def _check_json(path: Path) -> None:
    try:
        values = json.loads(path.read_bytes())
    except (ValueError, RecursionError):
        values = None
    if not isinstance(values, dict):
        raise InputError("expected JSON, found other text")


def _check_weights(path: Path, name: str) -> None:
    if not READERS[name](path):
        raise InputError("expected weights, found none")
