"""Compares two configurations: how they differ, and what a training takes from that of a run."""

from collections.abc import Iterator
from typing import Any

from translator.base.errors import InputError
from translator.base.texts import quoted
from translator.config.schema import Config, ModelConfig, TokenizerConfig

TAKEN_OVER = {
    "tokenizer": tuple(TokenizerConfig.model_fields),
    "data": ("max_length",),
    "model": tuple(ModelConfig.model_fields),
}
# Of ``model``, what decides no weight's shape or meaning.
FREE_KEYS = {"dropout_rate", "attention_dropout_rate", "activation_dropout_rate"}


def flatten(settings: dict[str, Any], within: str = "") -> Iterator[tuple[str, Any]]:
    """Each setting of a configuration with its full key, such as ``training.seed``."""
    for key, value in settings.items():
        if isinstance(value, dict):
            yield from flatten(value, f"{within}{key}.")
        else:
            yield f"{within}{key}", value


def values_of_run(config: Config, of_run: Config) -> dict[str, object]:
    """The run's values of the keys about tokenizers and the model that a configuration lacks.

    Without dropout, where it is left to the program: it depends on the corpus.
    """
    chosen_later = config.automatic & {f"model.{key}" for key in FREE_KEYS}
    return {
        name: getattr(getattr(of_run, section), key)
        for section, keys in TAKEN_OVER.items()
        for key in keys
        if key not in getattr(config, section).model_fields_set
        and (name := f"{section}.{key}") not in chosen_later
    }


def check_initial(config: Config, of_run: Config, origin: str) -> None:
    """Refuses what a configuration says, and the run that it goes on from has otherwise."""
    ours, theirs = fixed_settings(config), fixed_settings(of_run)
    taken_over = values_of_run(config, of_run)
    for key, value in ours.items():
        if key not in taken_over and value != theirs[key]:
            raise InputError(
                f"training.init: {origin} has {key}: {quoted(theirs[key])}, found"
                f" {quoted(value)}; set {key} as the run has it, or train without training.init"
            )


def fixed_settings(config: Config) -> dict[str, object]:
    """What decides the meaning of a model's weights, by the names of the keys."""
    languages = dict(zip(("source_language", "target_language"), config.corpus.languages))
    model = {key: getattr(config.model, key) for key in ModelConfig.model_fields}
    return {
        **{f"corpus.{key}": value for key, value in languages.items()},
        **{f"tokenizer.{key}": value for key, value in config.tokenizer},
        "data.max_length": config.data.max_length,
        **{f"model.{key}": value for key, value in model.items() if key not in FREE_KEYS},
    }
