"""The public models that can be fetched by name: a small table of OPUS-MT's.

The licences are those that the models' own pages named when the table was written; where none was
looked up, the table says so. What a page says counts.

Tiedemann and Thottingal (2020), "OPUS-MT", https://aclanthology.org/2020.eamt-1.61
"""

import contextlib
import json
import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import NamedTuple

from translator.addons.public_models.importing import import_model
from translator.addons.public_models.tensor_files import READERS
from translator.base.download import NotThereError, RemoteFile, fetch
from translator.base.errors import InputError
from translator.base.extras import is_installed
from translator.base.reading import read_file
from translator.base.texts import listed
from translator.runs.choosing import fetched_model
from translator.runs.directory import RunDirectory
from translator.tokenizers.marian_tokenizer import target_tokens

HOST = "https://huggingface.co/Helsinki-NLP"
DOWNLOADS = "downloads"  # the folder of the cache for files that were not imported yet
PAIRS = (
    *("en-de", "de-en", "en-fr", "fr-en", "en-es", "es-en", "en-it", "it-en", "en-nl", "nl-en"),
    *("en-sv", "sv-en", "en-fi", "fi-en", "en-ru", "ru-en", "en-zh", "zh-en", "de-fr", "fr-de"),
)
CC_BY, APACHE = "CC BY 4.0", "Apache 2.0"
LICENCES = {"en-de": CC_BY, "zh-en": CC_BY, "en-fr": APACHE, "fr-en": APACHE, "en-zh": APACHE}
SETTINGS = ("config.json", "tokenizer_config.json", "vocab.json")
OPTIONAL = "generation_config.json"
MODELS = ("source.spm", "target.spm")
# What must be installed to read each file of weights; nothing for safetensors.
NEEDED = {"model.safetensors": None, "tf_model.h5": "h5py"}


class KnownModel(NamedTuple):
    """One entry of the table.

    Attributes:
        name: for ``--fetch`` and ``--run``.
        source: the code of the source language.
        target: the code of the target language.
        licence: of its page, or where to look.
    """

    name: str
    source: str
    target: str
    licence: str

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
        run = RunDirectory(self.run)
        is_here = run.record.is_file()
        known = target_tokens(run.read_tokenizers(run.read_config()).source) if is_here else ()
        tokens = {"tokens": f"a line begins with one of {listed(known)}"} if known else {}
        return {
            "pair": f"{self.source} to {self.target}",
            "licence": f"{self.licence}; by the University of Helsinki",
            "address": self.address,
            "fetched": f"yes, {self.run}" if is_here else "no",
            **tokens,
        }

    def file(self, name: str, check: Callable[[Path], None] | None = None) -> RemoteFile:
        """One of its files; their hashes are not known here."""
        place = f"{DOWNLOADS}/{self.name}/{name}"
        return RemoteFile(place, f"{self.address}/resolve/main/{name}", check=check)


def known_models() -> dict[str, KnownModel]:
    """Every known public model by its name."""
    models = {}
    for pair in PAIRS:
        source, target = pair.split("-")
        name, licence = f"opus-mt-{pair}", LICENCES.get(pair, "see its page")
        models[name] = KnownModel(name, source, target, licence)
    return models


def fetch_model(name: str, report: Callable[[str], None] = lambda line: None) -> RunDirectory:
    """Downloads a public model, checks it and imports it, unless it is there already.

    Files that arrived before a download broke off are kept for the next one. If the model cannot be
    imported, they are removed.

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
    run.check_free(f"remove it, so that {name} can be written there")
    try:
        folder = fetch_files(model)
    except InputError as error:
        raise InputError(
            f"{error}; or download its files in another way, and make a run of their folder with"
            " translator import"
        ) from None
    try:
        imported = import_model(folder, model.run, model.source, model.target, report)
    except InputError as error:
        shutil.rmtree(folder)
        raise InputError(
            f"{error}; what was downloaded is removed, so that the next --fetch begins anew"
        ) from None
    shutil.rmtree(folder)  # the run has all of it
    return imported


def fetch_files(model: KnownModel) -> Path:
    """Downloads the files of a model into one folder.

    Raises:
        InputError: one cannot be downloaded.
    """
    from translator.tokenizers.bpemb_download import check_model

    for file in SETTINGS:
        fetch(model.file(file, _check_json))
    with contextlib.suppress(NotThereError):
        fetch(model.file(OPTIONAL, _check_json))
    for file in MODELS:
        fetch(model.file(file, check_model))
    return fetch_weights(model).parent


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
    needed = [package for package in NEEDED.values() if package and not is_installed(package)]
    more = f"; for other forms of weights, install {' or '.join(needed)}" if needed else ""
    raise InputError(f"{missing}{more}")


def _check_json(path: Path) -> None:
    try:
        values = json.loads(read_file(path))
    except (ValueError, RecursionError):
        values = None
    if not isinstance(values, dict):
        raise InputError("expected JSON, found other text")


def _check_weights(path: Path, name: str) -> None:
    if not READERS[name](path):
        raise InputError("expected weights, found none")
