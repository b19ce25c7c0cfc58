"""Completes a configuration: replaces every value that a user left to the program.

This is the only place where a configuration is changed, in three steps. `resolve` replaces what
depends on this machine, or takes the values of a run that is resumed. `complete_for_encoding`
adds what decides how the corpus is encoded, and `complete_for_training` all the rest, once the
batches are known.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from translator.base.errors import InputError
from translator.config.comparison import values_of_run
from translator.config.encoding import MASKED_SHARE
from translator.config.schema import Config, TrainingConfig
from translator.config.yaml_file import replace_values
from translator.corpora import measure_corpus
from translator.data.epochs import Epochs
from translator.runs.directory import RunDirectory
from translator.training.choices import (
    Choice,
    Room,
    Speed,
    choose_encoding,
    choose_length,
    choose_model,
    choose_rate,
    relative_cost,
    sizes_for,
)
from translator.training.given_runs import settings_to_resume
from translator.training.hardware import check_machine, choose_for_machine
from translator.training.processes import agree
from translator.training.recipes import Size
from translator.training.trial import SHARE, measure_speed

Report = Callable[[str], None]


def resolve(config: Config, of_run: Config | None = None, origin: str = "") -> Config:
    """Replaces every ``auto`` of a configuration.

    Args:
        of_run: the configuration of the run that is resumed; None for a new run. Of ``config``
            only the settings in `given_runs.CHANGEABLE_ON_RESUME` may differ from it.

    Returns:
        A configuration without ``auto`` for what the machine decides.
    """
    if of_run is None:
        return _with_training(config, choose_for_machine(config.training))
    resumed = settings_to_resume(config, of_run, origin)
    check_machine(resumed.training.backend, resumed.training)
    return resumed


def complete_for_encoding(config: Config, initial: RunDirectory | None, report: Report) -> Config:
    """Adds what decides how the corpus is encoded, which it may read for that.

    Args:
        config: from `resolve`, of a run that has no state yet.
        initial: from `choose_initial_run`; what the configuration lacks is taken from it.
    """
    if initial is not None:
        origin = f"training.init: with the values of {initial.path}"
        config = replace_values(config, values_of_run(config, initial.read_config()), origin)
    if config.tokenizer.masks is None:
        has_masks = initial is None and config.tokenizer.name != "marian"
        share = MASKED_SHARE if has_masks else 0.0
        config = replace_values(config, {"tokenizer.masks": share}, "tokenizer.masks")
    if not any(name.startswith(("corpus.", "tokenizer.", "data.")) for name in config.automatic):
        return config
    return _apply(config, choose_encoding(config, measure_corpus(config.corpus)), report)


def complete_for_training(
    config: Config,
    epochs: Epochs,
    began: float,
    report: Report,
    of_run: Config | None = None,
) -> tuple[Config, Room | None]:
    """Adds the model, how and how long it is trained, and the end of the schedule.

    Args:
        began: when the program began, as ``time.perf_counter`` tells it.
        of_run: the configuration of the run that is resumed; None for a new run.

    Returns:
        The complete configuration, and what there is time for, where that was measured.
    """
    updates = epochs.batches(0).count
    is_limited = config.training.minutes is not None and "training.epochs" in config.automatic
    if of_run is None and not is_limited:  # beside given epochs, a time says nothing
        config = _with_training(config, {"minutes": None})
    room = None
    if config.automatic:
        pairs = epochs.pairs
        sizes = sizes_for(config, pairs)
        of_model = [choose_model(config, pairs, sizes[0])]
        if is_limited:
            size, room = _choose_size(config, sizes, pairs, epochs, began, report)
            of_model = [choose_model(config, pairs, size)]
        config = _apply(config, of_model, report)
        config = _apply(config, choose_length(config, pairs, updates, room), report)
        config = _apply(config, [choose_rate(config)], report)
    config = _end_schedule(config, updates)
    if of_run is not None and config.training.epochs > of_run.training.epochs:
        _check_rate(config, updates)
    return config, room


def _choose_size(
    config: Config,
    sizes: Sequence[Size],
    pairs: int,
    epochs: Epochs,
    began: float,
    report: Report,
) -> tuple[Size, Room]:
    """The best size that the given time is enough for, or the smallest one.

    Sizes are tried in a tenth of the time; beyond that, their speed is estimated.
    """
    most = 60 * (config.training.minutes or 0.0) * SHARE
    tried: list[tuple[Size, Room]] = []
    spent = 0.0
    for size in sizes:
        if spent < most:
            report(f"timing some updates of a model of width {size.d_model}")
            of_size = _apply(config, [choose_model(config, pairs, size)])
            start, room = time.perf_counter(), _measure_room(of_size, epochs, began, most - spent)
            spent += agree(time.perf_counter() - start)
            tried.append((size, room))
        else:
            pieces = epochs.data.tokenizers.target.size
            latest, of_latest = tried[-1]
            room = of_latest.of_smaller(relative_cost(size, latest, pieces))
        if room.is_enough(pairs):
            break
    return size, room


def _measure_room(config: Config, epochs: Epochs, began: float, seconds: float) -> Room:
    """What the time that is left is enough for, as the process that writes measures it."""
    speed = measure_speed(config, epochs, seconds)
    left = 60 * (config.training.minutes or 0.0) - (time.perf_counter() - began)
    seconds, *of_speed = agree([left, *speed])
    return Room(seconds, Speed(*of_speed))


def _apply(config: Config, choices: Sequence[Choice], report: Report = lambda line: None) -> Config:
    """The configuration with what was chosen for the keys that it leaves to the program."""
    values: dict[str, Any] = {}
    for choice in choices:
        chosen = {key: choice.values[key] for key in choice.values if key in config.automatic}
        values |= chosen
        if chosen:
            listed = ", ".join(f"{name} {value}" for name, value in chosen.items())
            report(f"chosen: {listed}: {choice.reason}")
    return replace_values(config, values, "what was chosen") if values else config


def _end_schedule(config: Config, updates: int) -> Config:
    """Ends a linear or cosine schedule with the training, if it has no end.

    With mixed corpora, epochs differ a little in their number of updates; the first one counts.
    """
    training, schedule = config.training, config.training.schedule
    if not schedule.has_end or schedule.total_steps is not None:
        return config
    steps = training.epochs * updates
    if steps <= schedule.warmup_steps:
        raise InputError(
            f"training.schedule.warmup_steps: expected fewer than the {steps:,} updates of the"
            f" whole training, found {schedule.warmup_steps:,}; lower it, or train for more"
            " epochs"
        )
    ended = schedule.model_copy(update={"total_steps": steps})
    return _with_training(config, {"schedule": ended})


def _check_rate(config: Config, updates: int) -> None:
    """Refuses more epochs, of so many updates, than the schedule of a resumed run has."""
    epochs = config.training.epochs
    if config.training.schedule.is_zero_after(epochs * updates - 1):
        most = (config.training.schedule.total_steps or 0) // updates
        raise InputError(
            f"training.epochs: expected at most {most}, after which the learning rate is 0,"
            f" found {epochs}; train again with --run DIR"
        )


def _with_training(config: Config, changes: Mapping[str, Any]) -> Config:
    training = TrainingConfig(**{**dict(config.training), **changes})
    return config.model_copy(update={"training": training})
