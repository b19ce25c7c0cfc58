"""Training that goes on from the weights of another run, with a fresh optimiser and schedule."""

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from translator.base.errors import InputError
from translator.base.texts import quoted
from translator.config.schema import Config, ModelConfig, TokenizerConfig
from translator.config.yaml_file import replace_values
from translator.runs.choosing import find_run
from translator.runs.directory import RunDirectory
from translator.runs.exports import check_installed, load_weights
from translator.tokenizers.subword import Tokenizers

TAKEN_OVER = {
    "tokenizer": tuple(TokenizerConfig.model_fields),
    "data": ("max_length",),
    "model": tuple(ModelConfig.model_fields),
}
# Of ``model``, what decides no weight's shape or meaning.
FREE_KEYS = {
    "dropout_rate",
    "attention_dropout_rate",
    "activation_dropout_rate",
    "initializer",
    "initializer_gain",
}


class InitialRun(NamedTuple):
    """What a training takes from the run that it goes on from.

    Attributes:
        run: the directory.
        tokenizers: its tokenizers.
    """

    run: RunDirectory
    tokenizers: Tokenizers

    @classmethod
    def of_config(cls, config: Config) -> "tuple[Config, InitialRun | None]":
        """The run that ``training.init`` names; None if it names none.

        Returns:
            The configuration with the run's values of all keys about tokenizers and the model
            that it does not have itself; and the run.

        Raises:
            InputError: it is not a run, or a model of the program that is damaged, or its model,
                tokenizers or languages are not those of the configuration, or it lacks a part
                that ``training.freeze`` names.
        """
        if config.training.init is None:
            return config, None
        run = find_run(Path(config.training.init).expanduser())
        check_installed(run)
        try:
            of_run = run.read_config()
        except InputError as error:
            raise InputError(f"training.init: {error}") from None
        _check_equal(config, of_run, str(run.path))
        config = replace_values(
            config, values_of_run(config, of_run), f"training.init: with the values of {run.path}"
        )
        initial = cls(run, run.read_tokenizers(of_run))
        if config.training.freeze:
            frozen_names(initial.load_weights(), config.training.freeze)
        return config, initial

    def load_weights(self) -> dict[str, np.ndarray]:
        """Its best weights by name."""
        return load_weights(self.run)


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


def frozen_names(names: Collection[str], parts: Sequence[str]) -> set[str]:
    """The names of the weights that ``training.freeze`` keeps as they are.

    Args:
        names: of all weights.
        parts: names such as ``encoder`` or ``decoder/layer_1``: the beginnings of the names.

    Raises:
        InputError: there is no such part, or nothing is left to train.
    """
    frozen: set[str] = set()
    for part in parts:
        chosen = {name for name in names if name.startswith(f"{part.rstrip('/')}/")}
        if not chosen:
            known = dict.fromkeys(name.partition("/")[0] for name in names)
            raise InputError(
                f"training.freeze: expected parts of the model such as {', '.join(known)} or"
                f" encoder/layer_1, found {quoted(part)}"
            )
        frozen |= chosen
    if len(frozen) == len(names):
        raise InputError(
            "training.freeze: expected a part that is trained, found that all are named; leave one"
            " out"
        )
    return frozen


def _check_equal(config: Config, of_run: Config, origin: str) -> None:
    """Refuses what a configuration says, and the run has otherwise."""
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
