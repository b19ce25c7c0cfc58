"""Resolves a configuration: replaces every value that a user left to the program.

This is the only place where a configuration is changed. `resolve` replaces every ``auto`` by
what suits this machine, or by the value of a run that is resumed. `resolve_schedule` then sets
the last update of a schedule that ends with the training, which depends on the number of
batches.
"""

import functools
from collections.abc import Iterator
from typing import Any

from translator.base.backends import TENSORFLOW
from translator.base.errors import InputError
from translator.config.schema import Config, TrainingConfig
from translator.config.yaml_file import replace_values
from translator.training.epochs import Epochs
from translator.training.hardware import (
    MACHINE_CHOICES,
    check_backend_has,
    check_precision,
    choose_for_machine,
)
from translator.training.initial_run import values_of_run

CHANGEABLE_ON_RESUME = {  # all other settings of a run stay as they were when it began
    "training": ("epochs", "save_minutes", "tensorboard", "devices"),
    "validation": ("patience", "samples"),
}
# Earlier versions had other defaults for these: where they are left out, a run keeps its own.
VALIDATION_OF_RUN = ("translate_every", "max_sentences")


def resolve(config: Config, of_run: Config | None = None, origin: str = "") -> Config:
    """Replaces every ``auto`` of a configuration.

    Args:
        config: what the user asks for.
        of_run: the configuration of the run that is resumed; None for a new run. Of ``config``
            only the settings in `CHANGEABLE_ON_RESUME` may differ from it.
        origin: names the run in errors.

    Returns:
        A configuration that is complete except for ``training.schedule.total_steps`` of a new
        run; see `resolve_schedule`.

    Raises:
        InputError: this machine cannot train with it, or the run began with other settings.
    """
    if of_run is None:
        return _with_training(config, choose_for_machine(config.training))
    if of_run.training.backend == "auto":  # it began before there was a choice
        of_run = _with_training(of_run, {"backend": TENSORFLOW})
    taken: dict[str, Any] = values_of_run(config, of_run) if config.training.init else {}
    taken |= {name: functools.reduce(getattr, name.split("."), of_run) for name in config.automatic}
    resumed = _resume(replace_values(config, taken, origin) if taken else config, of_run, origin)
    check_precision(resumed.training.precision)
    check_backend_has(resumed.training.backend, resumed.training)
    return resumed


def resolve_schedule(config: Config, epochs: Epochs, of_run: Config | None = None) -> Config:
    """Sets the end of a linear or cosine schedule to the end of the training, if none is set.

    With BPE-dropout or mixed corpora, epochs differ a little in their number of updates; the first
    one counts.

    Args:
        config: from `resolve`.
        epochs: the batches.
        of_run: the configuration of the run that is resumed; None for a new run.

    Raises:
        InputError: the warm-up is longer than the training, or a resumed run is to train for
            more epochs at a learning rate of 0.
    """
    training, schedule = config.training, config.training.schedule
    if schedule.has_end and schedule.total_steps is None:
        steps = training.epochs * epochs.batches(0).count
        if steps <= schedule.warmup_steps:
            raise InputError(
                f"training.schedule.warmup_steps: expected fewer than the {steps:,} updates of the"
                f" whole training, found {schedule.warmup_steps:,}; lower it, or train for more"
                " epochs"
            )
        schedule = schedule.model_copy(update={"total_steps": steps})
        config = _with_training(config, {"schedule": schedule})
    if of_run is not None and training.epochs > of_run.training.epochs:
        updates = epochs.batches(0).count
        if rate_is_zero_after(config, training.epochs * updates - 1):
            most = (schedule.total_steps or 0) // updates
            raise InputError(
                f"training.epochs: expected at most {most}, after which the learning rate is 0,"
                f" found {training.epochs}; train again with --run DIR"
            )
    return config


def rate_is_zero_after(config: Config, updates: int) -> bool:
    """Whether the learning rate is 0 after a number of updates and stays 0."""
    schedule = config.training.schedule
    if schedule.total_steps is None or schedule.final_rate:
        return False
    return schedule.total_steps <= updates


def _resume(config: Config, of_run: Config, origin: str) -> Config:
    """The run's configuration, with the changes that a user may make to it."""
    changes: dict[str, Any] = {}
    for section, keys in CHANGEABLE_ON_RESUME.items():
        values = {key: getattr(getattr(config, section), key) for key in keys}
        changes[section] = getattr(of_run, section).model_copy(update=values)
    resumed = of_run.model_copy(update=changes)
    asked = _with_training(config, _choices_of_run(config.training, of_run.training))
    left_out = set(VALIDATION_OF_RUN) - config.validation.model_fields_set
    of_validation = {key: getattr(of_run.validation, key) for key in left_out}
    validation = config.validation.model_copy(update=of_validation)
    asked = asked.model_copy(update={"validation": validation})
    different = list(_differences(resumed.model_dump(), asked.model_dump()))
    if different:
        raise InputError(
            f"{origin}: the run began with other settings: {', '.join(different)};"
            " resume with those, or train again with --run DIR"
        )
    return resumed


def _choices_of_run(training: TrainingConfig, of_run: TrainingConfig) -> dict[str, Any]:
    """The run's values of settings that the configuration leaves to the program."""
    choices: dict[str, Any] = {
        key: getattr(of_run, key) for key in MACHINE_CHOICES if getattr(training, key) == "auto"
    }
    schedule = training.schedule
    if schedule.has_end and schedule.total_steps is None:
        update = {"total_steps": of_run.schedule.total_steps}
        choices["schedule"] = schedule.model_copy(update=update)
    return choices


def _with_training(config: Config, changes: dict[str, Any]) -> Config:
    training = TrainingConfig(**{**dict(config.training), **changes})
    return config.model_copy(update={"training": training})


def flatten(settings: dict[str, Any], within: str = "") -> Iterator[tuple[str, Any]]:
    """Each setting of a configuration with its full key, such as ``training.seed``."""
    for key, value in settings.items():
        if isinstance(value, dict):
            yield from flatten(value, f"{within}{key}.")
        else:
            yield f"{within}{key}", value


def _differences(ours: dict[str, Any], theirs: dict[str, Any], within: str = "") -> Iterator[str]:
    for key in ours | theirs:
        its, other = ours.get(key), theirs.get(key)
        if isinstance(its, dict) and isinstance(other, dict):
            yield from _differences(its, other, f"{within}{key}.")
        elif its != other:
            yield f"{within}{key} ({its}, found {other})"
