"""Writes a public model as a run."""

import re
from collections.abc import Callable
from pathlib import Path

from translator.addons.public_models.hugging_face import read_hugging_face
from translator.addons.public_models.public_model import PublicModel
from translator.base.errors import InputError
from translator.base.files import path_of, whole_folder
from translator.base.languages import is_known_language, language_facts
from translator.base.texts import listed
from translator.config.schema import Config
from translator.config.yaml_file import config_to_yaml, validate_config
from translator.export.formats import export_run
from translator.runs.directory import RunDirectory
from translator.runs.record import RunRecord
from translator.runs.weights import save_arrays
from translator.tokenizers.marian_tokenizer import target_tokens
from translator.tokenizers.subword import Tokenizers

BATCH_TOKENS = 4096  # of a training that goes on from the model, if it does not say otherwise
DIRECTION = re.compile(r"(opus-mt-(?:tc-\w+-)?)?([a-z]{2,3})-([a-z]{2,3})")


def import_model(
    folder: Path,
    out: Path,
    source_language: str | None = None,
    target_language: str | None = None,
    report: Callable[[str], None] = lambda line: None,
) -> RunDirectory:
    """Reads a public model and writes it as a run, with its export for CTranslate2.

    Args:
        folder: as ``MarianMTModel.save_pretrained`` of transformers writes it.
        out: the run, a new or empty folder.
        source_language: its code, where the model's files do not say it.
        target_language: likewise.
        report: is given each line for the user.

    Returns:
        The run, complete. If anything fails, nothing was written.

    Raises:
        InputError: the folder has no model that ours can be, a file is missing or damaged, or
            the run cannot be written there.
    """
    folder = path_of(folder, "model")
    run = RunDirectory(out)
    run.check_free("name another folder with --out")
    model = read_hugging_face(folder)
    languages = _languages(model, folder, source_language, target_language)
    tokenizers = model.files.open(languages)
    if model.model.tied_embeddings == "all" and not model.files.are_shared:
        first, second = (path.name for path in model.files.vocabularies)
        raise InputError(
            f"{folder}: expected one vocabulary for both sides, since the model has one table of"
            f" vectors, found that {first} and {second} differ"
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
        report(f"model: each line begins with the target language's token: {listed(tokens)}")
    with whole_folder(run.path, replace=False) as partial:
        written = RunDirectory(partial)
        written.config.write_text(config_to_yaml(config), encoding="utf-8")
        tokenizers.save(partial)
        record = RunRecord.of_training(config, tokenizers, None, None)
        record._replace(finished=True).write(partial)
        save_arrays(written.weights, weights)
        export_run(written)
    return run


def _languages(
    model: PublicModel, folder: Path, source: str | None, target: str | None
) -> tuple[str, str]:
    """The languages that are asked for, or those of the model's files, or of its folder's name."""
    known = model.languages if all(model.languages) else _languages_in(folder.resolve().name)
    found = [asked or its for asked, its in zip((source, target), known)]
    for option, language in zip(("--source-language", "--target-language"), found):
        if not language or not isinstance(language, str):
            raise InputError(
                f"{folder}: expected its languages in tokenizer_config.json or in the folder's"
                f" name, such as opus-mt-en-de, found neither; add {option}, such as en"
            )
    codes = language_facts(str(found[0])).code, language_facts(str(found[1])).code
    if codes[0] == codes[1]:
        raise InputError(
            f"{folder}: expected two languages, found {codes[0]} twice; name them with"
            " --source-language and --target-language"
        )
    return codes


def _languages_in(name: str) -> tuple[str | None, str | None]:
    """The languages in the name of a folder, where it is surely that of a model."""
    found = DIRECTION.fullmatch(name)
    if found is None:
        return None, None
    source, target = found.group(2, 3)
    are_codes = len(source) == len(target) and all(map(is_known_language, (source, target)))
    return (source, target) if found[1] or are_codes else (None, None)


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
