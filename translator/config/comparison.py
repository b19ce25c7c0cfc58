"""Compares two configurations, and takes values from the configuration of an initial run."""

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
# These keys of ``model`` do not change the shape or the meaning of a weight.
FREE_KEYS = {"dropout_rate", "attention_dropout_rate", "activation_dropout_rate"}


def flatten(settings: dict[str, Any], within: str = "") -> Iterator[tuple[str, Any]]:
    """Yields each setting of a configuration with its full key, such as ``training.seed``."""
    for key, value in settings.items():
        if isinstance(value, dict):
            yield from flatten(value, f"{within}{key}.")
        else:
            yield f"{within}{key}", value


def values_of_run(config: Config, run_config: Config) -> dict[str, object]:
    """A run's settings of tokenizers and model, for keys that a configuration lacks.

    Dropout is left out if the program chooses it, because it depends on the corpus.
    """
    chosen_later = config.automatic & {f"model.{key}" for key in FREE_KEYS}
    return {
        name: getattr(getattr(run_config, section), key)
        for section, keys in TAKEN_OVER.items()
        for key in keys
        if key not in getattr(config, section).model_fields_set
        and (name := f"{section}.{key}") not in chosen_later
    }


def check_initial(config: Config, run_config: Config, origin: str) -> None:
    """Refuses a configuration that contradicts the run that its training starts from."""
    run_settings = fixed_settings(run_config)
    taken_over = values_of_run(config, run_config)
    for key, value in fixed_settings(config).items():
        if key not in taken_over and value != run_settings[key]:
            raise InputError(
                f"training.init: expected {key}: {quoted(run_settings[key])} as in {origin}, found"
                f" {quoted(value)}; set {key} to the run's value, or train without training.init"
            )


def fixed_settings(config: Config) -> dict[str, object]:
    """The settings that decide the meaning of a model's weights, by their keys."""
    languages = dict(zip(("source_language", "target_language"), config.corpus.languages))
    model = {key: getattr(config.model, key) for key in ModelConfig.model_fields}
    return {
        **{f"corpus.{key}": value for key, value in languages.items()},
        **{f"tokenizer.{key}": value for key, value in config.tokenizer},
        "data.max_length": config.data.max_length,
        **{f"model.{key}": value for key, value in model.items() if key not in FREE_KEYS},
    }
