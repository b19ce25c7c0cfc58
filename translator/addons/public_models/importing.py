"""Imports public models as runs: from a folder, or from a small table of models of OPUS-MT.

The licences were copied from the models' pages when the table was written. The table marks licences
that were not looked up. Only a model's page is binding.

Tiedemann and Thottingal (2020), "OPUS-MT", https://aclanthology.org/2020.eamt-1.61
"""

import contextlib
import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import NamedTuple

from translator.addons.public_models.hugging_face import read_hugging_face, read_settings
from translator.addons.public_models.public_model import READERS, PublicModel
from translator.base.download import NotThereError, RemoteFile, fetch
from translator.base.errors import InputError
from translator.base.files import path_of, whole_folder
from translator.base.languages import language_facts
from translator.base.texts import listed
from translator.config.schema import Config
from translator.config.yaml_file import config_to_yaml, validate_config
from translator.export.ctranslate2 import export_run
from translator.runs.choosing import fetched_model
from translator.runs.directory import RunDirectory
from translator.runs.record import RunRecord
from translator.runs.weights import save_arrays
from translator.tokenizers.marian_tokenizer import target_tokens
from translator.tokenizers.subword import Tokenizers

BATCH_TOKENS = 4096  # of a training that continues the model, unless it sets its own
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


def import_model(
    folder: Path,
    out: Path,
    source_language: str | None = None,
    target_language: str | None = None,
    report: Callable[[str], None] = lambda line: None,
) -> RunDirectory:
    """Reads a public model and writes it as a run, with its export for CTranslate2.

    Args:
        folder: written by ``MarianMTModel.save_pretrained`` of transformers.
        out: the run, a new or empty folder.
        source_language: its code, if the model's files do not name it.

    Returns:
        The run, complete. If anything fails, nothing was written.
    """
    folder = path_of(folder, "model")
    run = RunDirectory(out)
    run.check_free("name another folder with --out")
    model = read_hugging_face(folder)
    languages = _choose_languages(model, folder, source_language, target_language)
    tokenizers = model.files.open(languages)
    if model.model.tied_embeddings == "all" and not model.files.are_shared:
        first, second = (path.name for path in model.files.vocabularies)
        raise InputError(
            f"{folder}: expected the same vocabulary for both sides, because the model has one"
            f" table of vectors, found different vocabularies in {first} and {second}"
        )
    weights = model.weights(tokenizers, folder)
    config = _make_config(model, tokenizers, languages, folder)
    parameters = sum(array.size for array in weights.values())
    sizes = config.model
    report(
        f"model: {sizes.num_layers} layers, {sizes.num_heads} heads, d_model {sizes.d_model},"
        f" {tokenizers.target.size:,} pieces, {parameters:,} parameters,"
        f" {languages[0]} to {languages[1]}"
    )
    if tokens := target_tokens(tokenizers.source):
        report(f"model: begin each line with the target language's token: {listed(tokens)}")
    with whole_folder(run.path, replace=False) as partial:
        written = RunDirectory(partial)
        written.config.write_text(config_to_yaml(config), encoding="utf-8")
        tokenizers.save(partial)
        record = RunRecord.of_training(config, tokenizers, None, None)
        record._replace(finished=True).write(partial)
        save_arrays(written.weights, weights)
        export_run(written)
    return run


def _choose_languages(
    model: PublicModel, folder: Path, source: str | None, target: str | None
) -> tuple[str, str]:
    """The languages from the options; if these are missing, from the model's files."""
    languages = [option or stored for option, stored in zip((source, target), model.languages)]
    for option, language in zip(("--source-language", "--target-language"), languages):
        if not language or not isinstance(language, str):
            raise InputError(
                f"{folder}: expected its languages in tokenizer_config.json, found none; add"
                f" {option}, such as en"
            )
    codes = language_facts(str(languages[0])).code, language_facts(str(languages[1])).code
    if codes[0] == codes[1]:
        raise InputError(
            f"{folder}: expected two languages, found {codes[0]} twice; name them with"
            " --source-language and --target-language"
        )
    return codes


def _make_config(
    model: PublicModel, tokenizers: Tokenizers, languages: tuple[str, str], folder: Path
) -> Config:
    values = {
        "corpus": {
            "name": "none",
            "source_language": languages[0],
            "target_language": languages[1],
        },
        "tokenizer": {
            "name": "marian",
            "shared": model.files.are_shared,
            "vocab_size": tokenizers.target.size,
            "source_start": False,
        },
        "data": {"max_length": model.max_length, "batch_tokens": BATCH_TOKENS},
        "model": model.model.model_dump(),
        "decoding": {"beam_size": model.beam_size, "length_penalty": 1.0},
    }
    return validate_config(values, str(folder))


class KnownModel(NamedTuple):
    """One entry of the table.

    Attributes:
        name: the name for ``--fetch`` and ``--run``.
        source: the code of the source language.
        target: the code of the target language.
        licence: its name as on the model's page, or a hint where to look.
    """

    name: str
    source: str
    target: str
    licence: str

    @property
    def address(self) -> str:
        """The address of the model's page."""
        return f"{HOST}/{self.name}"

    @property
    def run(self) -> Path:
        """The path of the model's run; the run exists after the model is fetched."""
        return fetched_model(self.name)

    def describe(self) -> dict[str, str]:
        """The values that ``translator models`` prints about the model, by name."""
        run = RunDirectory(self.run)
        is_here = run.record.is_file()
        tags = target_tokens(run.read_tokenizers(run.read_config()).source) if is_here else ()
        tokens = {"tokens": f"begin each line with one of {listed(tags)}"} if tags else {}
        return {
            "pair": f"{self.source} to {self.target}",
            "licence": f"{self.licence}; by the University of Helsinki",
            "address": self.address,
            "fetched": f"yes, {self.run}" if is_here else "no",
            **tokens,
        }

    def file(self, name: str, check: Callable[[Path], None] | None = None) -> RemoteFile:
        """One of the model's files; its hash is not known."""
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
    """Downloads a public model, checks it and imports it, unless it was fetched before.

    If a download is interrupted, the next one reuses the complete files. If the model cannot be
    imported, they are removed.
    """
    model = known_models().get(name)
    if model is None:
        raise InputError(
            f"{name}: expected a model that translator models lists, found no such name; read"
            " other models from a folder with translator import"
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
            f"{error}; the downloaded files are removed, so that --fetch can download them again"
        ) from None
    shutil.rmtree(folder)  # the run has everything
    return imported


def fetch_files(model: KnownModel) -> Path:
    """Downloads the files of a model into one folder."""
    from translator.tokenizers.bpemb_download import check_model

    for file in SETTINGS:
        fetch(model.file(file, _check_settings))
    with contextlib.suppress(NotThereError):
        fetch(model.file(OPTIONAL, _check_settings))
    for file in MODELS:
        fetch(model.file(file, check_model))
    return fetch_weights(model).parent


def fetch_weights(model: KnownModel) -> Path:
    """Downloads a file of weights in a readable form; the safest form is tried first."""
    missing: InputError | None = None
    for name in READERS:
        try:
            return fetch(model.file(name, partial(_check_weights, name=name)))
        except NotThereError as error:
            missing = error
    raise InputError(str(missing))


def _check_settings(path: Path) -> None:
    read_settings(path)


def _check_weights(path: Path, name: str) -> None:
    if not READERS[name](path):
        raise InputError("expected weights, found none")
