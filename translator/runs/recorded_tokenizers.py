"""Compares a run's tokenizers with what its record says of them."""

from pathlib import Path
from typing import Any

from translator.base.errors import InputError
from translator.config.schema import Config, TokenizerConfig
from translator.runs.record import RunRecord, check_unchanged
from translator.tokenizers.opening import load_tokenizers
from translator.tokenizers.subword import FILE_NAMES, Tokenizers

# The settings that decide how text is converted before a model encodes it.
_VARIANTS: tuple[dict[str, Any], ...] = (
    {"name": "sentencepiece", "zero_digits": False},
    {"name": "sentencepiece", "zero_digits": True},
    {"name": "bpemb", "zero_digits": False},
)


def check_tokenizers(
    tokenizers: Tokenizers, config: Config, record: RunRecord, origin: Path
) -> None:
    """Checks that tokenizers are those that the run was trained with.

    Args:
        tokenizers: the run's, as its files and its configuration now say.
        config: the run's, as it is now.
        record: of the run.
        origin: the path of config.yaml; the models are in the same folder.

    Raises:
        InputError: a model file or a setting of the tokenizers has changed.
    """
    fingerprints = _fingerprints(tokenizers)
    if fingerprints != record.tokenizers:
        _check_preprocessing(config, record, origin)
        changed = [
            name
            for name, found, recorded in zip(FILE_NAMES, fingerprints, record.tokenizers)
            if found != recorded
        ]
        raise InputError(
            f"{origin.parent}: its {' and '.join(changed)} is not what it was trained with; put it"
            " back, or train again"
        )
    _check_vocab_size(tokenizers, config, record, origin)


def _fingerprints(tokenizers: Tokenizers) -> list[str]:
    return [tokenizer.fingerprint for tokenizer in tokenizers]


def _check_preprocessing(config: Config, record: RunRecord, origin: Path) -> None:
    """Checks the settings that decide what is done to text before it is encoded.

    Earlier versions did not record them, but a fingerprint depends on them.
    """
    settings = config.tokenizer
    current = {f"tokenizer.{key}": getattr(settings, key) for key in _VARIANTS[0]}
    for variant in _VARIANTS:
        other = config.model_copy(update={"tokenizer": settings.model_copy(update=variant)})
        try:
            found = _fingerprints(load_tokenizers(origin.parent, other))
        except InputError:  # BPEmb does not know the language
            continue
        if found == record.tokenizers:
            recorded = {f"tokenizer.{key}": value for key, value in variant.items()}
            check_unchanged(recorded, current, origin)


def _check_vocab_size(
    tokenizers: Tokenizers, config: Config, record: RunRecord, origin: Path
) -> None:
    """Checks tokenizer.vocab_size where a model was trained, for runs that did not record it.

    A trained model has as many pieces; the demo corpus's two bundled models differ in size and
    belong to the default.
    """
    settings, key = config.tokenizer, "tokenizer.vocab_size"
    if key in record.settings or settings.name != "sentencepiece" or settings.source_model:
        return
    size, target_size = tokenizers.source.size, tokenizers.target.size
    if config.corpus.name == "demo" and size != target_size:
        size = TokenizerConfig().vocab_size
    check_unchanged({key: size}, {key: settings.vocab_size}, origin)
