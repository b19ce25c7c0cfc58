"""Decides every setting of a training: settings of a resumed run, and automatic settings.

A configuration changes here in three steps: settings of this machine, settings of the encoding, and
all others when the batches are known. A resumed run keeps its settings, except a few that a user
may change.
"""

import time
from collections.abc import Callable, Sequence
from typing import Any

from translator.base.backends import choose_backend
from translator.base.errors import InputError
from translator.base.files import path_below_home
from translator.base.processes import agree
from translator.config.automatic import AUTO
from translator.config.comparison import check_initial, flatten, values_of_run
from translator.config.encoding import MASKED_SHARE
from translator.config.schema import Config
from translator.config.yaml_file import replace_values
from translator.corpora.sizes import measure_corpus
from translator.data.epochs import Epochs
from translator.runs.choosing import find_run, shipped_between
from translator.runs.directory import RunDirectory
from translator.runs.export_layout import load_weights
from translator.runs.exports import check_installed
from translator.runs.weights import frozen_names
from translator.training import clock, hardware
from translator.training.choices import (
    Choice,
    choose_encoding,
    choose_length,
    choose_model,
    choose_rate,
    count_updates,
    sizes_for,
)
from translator.training.clock import TimeBudget
from translator.training.recipes import Size

Report = Callable[[str], None]
CHANGEABLE_ON_RESUME = {  # all other settings of a run never change
    "training.epochs",
    "training.minutes",
    "training.save_minutes",
    "training.tensorboard",
    "training.devices",
    "validation.patience",
    "validation.samples",
}


def settings_to_resume(config: Config, run: RunDirectory) -> Config:
    """The configuration of a resumed run, with the changes that a user may make to it.

    Keys that the user leaves out, or makes automatic, keep their values; the devices are this
    machine's. A schedule from Python stays, even if the configuration has another schedule.
    """
    run_config = run.read_config_to_resume()
    wanted, current = (dict(flatten(settings.model_dump())) for settings in (config, run_config))
    typed = {key for key, _ in flatten(config.model_dump(exclude_unset=True))} - config.automatic
    typed |= {"training.devices"}
    has_own_schedule = run_config.training.schedule.name == "custom"
    changes = {
        key: value
        for key, value in wanted.items()
        if key in typed
        and value != current.get(key)
        and (value != AUTO or key == "training.devices")
        and (value is not None or key != "training.schedule.total_steps")
        and not (key.startswith("training.schedule.") and has_own_schedule)
    }
    if "training.epochs" in changes:  # the set time was for the earlier epochs
        changes.setdefault("training.minutes", None)
    refused = [
        f"{key} ({current.get(key)}, found {value})"
        for key, value in changes.items()
        if key not in CHANGEABLE_ON_RESUME
    ]
    if refused:
        raise InputError(
            f"{run.path}: the run began with other settings: {', '.join(refused)};"
            " resume with its settings, or train again with --run DIR"
        )
    return replace_values(run_config, changes, str(run.path))


def begin_settings(config: Config) -> Config:
    """The configuration of a new run with settings for this machine; Keras must have started.

    TensorFlow: each batch has one shard for each core; bfloat16 if the CPU is faster with it.
    JAX: bfloat16 on a GPU that supports it, float16 on other GPUs, float32 on a CPU.
    """
    training = config.training
    values: dict[str, Any] = {"training.data_parallel": hardware.shard_count(training)}
    if training.backend == AUTO:
        values["training.backend"] = choose_backend()
    if training.precision == AUTO:
        values["training.precision"] = hardware.usual_precision()
    if training.minutes is not None and "training.epochs" not in config.automatic:  # set epochs
        values["training.minutes"] = None
    return replace_values(config, values, "this machine")


def choose_initial_run(config: Config, report: Report) -> tuple[Config, RunDirectory | None]:
    """Chooses the run from whose weights a training starts; None for random weights.

    Raises:
        InputError: the named run does not fit the configuration.
    """
    if config.training.init != AUTO:
        return config, find_initial_run(config)
    languages = " to ".join(config.corpus.languages)
    name, run = None, None
    reason = f"no model from {languages} comes with the program"
    if shipped := shipped_between(config.corpus.languages):
        try:
            named = replace_values(config, {"training.init": shipped.path.name}, "training.init")
            run = find_initial_run(named)
            name, reason = shipped.path.name, f"it translates from {languages}"
        except InputError as error:
            reason = str(error).removeprefix("training.init: ")
    report(f"chosen: training.init {name or 'none'}: {reason}")
    return replace_values(config, {"training.init": name}, "training.init"), run


def find_initial_run(config: Config) -> RunDirectory | None:
    """The run in ``training.init``; None if there is none. Raises like `choose_initial_run`."""
    if config.training.init is None:
        return None
    run = find_run(path_below_home(config.training.init, "training.init"))
    check_installed(run)
    try:
        run_config = run.read_config()
        run.owner.check(run.weights)
    except InputError as error:
        raise InputError(f"training.init: {error}") from None
    check_initial(config, run_config, str(run.path))
    if config.training.freeze:
        frozen_names(load_weights(run), config.training.freeze)
    return run


def decide_encoding(config: Config, initial: RunDirectory | None, report: Report) -> Config:
    """Decides how the corpus is encoded; may read the corpus for that.

    Args:
        initial: the result of `choose_initial_run`; missing keys get the values of this run.
    """
    if initial is not None:
        values = values_of_run(config, initial.read_config())
        config = replace_values(config, values, f"training.init: with the values of {initial.path}")
    if config.tokenizer.masks is None:
        has_masks = initial is None and config.tokenizer.name != "marian"
        values = {"tokenizer.masks": MASKED_SHARE if has_masks else 0.0}
        config = replace_values(config, values, "tokenizer.masks")
    if any(name.startswith(("corpus.", "tokenizer.", "data.")) for name in config.automatic):
        config = _choose(config, choose_encoding(config, measure_corpus(config.corpus)), report)
    return config


def decide_training(
    config: Config, epochs: Epochs, began: float, report: Report
) -> tuple[Config, TimeBudget | None]:
    """Decides the model, how and how long it is trained, and the end of the schedule.

    Args:
        began: the value of ``time.perf_counter`` when the program began.

    Returns:
        The complete configuration; and the time budget, if a time is set and is used.
    """
    updates = epochs.batches(0).count
    budget: TimeBudget | None = None
    if config.automatic:
        pairs = epochs.pairs
        size = sizes_for(config, pairs)[0]
        if config.training.minutes is not None:
            size, budget = _try_sizes(config, epochs, began, report)
        config = _choose(config, [choose_model(config, pairs, size)], report)
        config = _choose(config, choose_length(config, pairs, updates, budget), report)
        config = _choose(config, [choose_rate(config)], report)
    return _end_schedule(config, count_updates(config.training.epochs, updates, budget)), budget


def _choose(config: Config, choices: Sequence[Choice], report: Report) -> Config:
    """Sets automatic keys to the chosen values, and reports them."""
    values: dict[str, Any] = {}
    for choice in choices:
        changes = {key: choice.values[key] for key in choice.values if key in config.automatic}
        values |= changes
        if changes:
            listed = ", ".join(f"{name} {value}" for name, value in changes.items())
            report(f"chosen: {listed}: {choice.reason}")
    return replace_values(config, values, "what was chosen")


def _try_sizes(
    config: Config, epochs: Epochs, began: float, report: Report
) -> tuple[Size, TimeBudget]:
    """Finds the best size that fits the time, or the smallest size.

    After trials have taken a tenth of the time, only the smallest size is tried.
    """
    most, spent = 60 * (config.training.minutes or 0.0) * clock.SHARE, 0.0
    *larger, smallest = sizes_for(config, epochs.pairs)
    for size in (*larger, smallest):
        if spent > most and size is not smallest:
            continue
        choice = choose_model(config, epochs.pairs, size).values
        values = {key: value for key, value in choice.items() if key in config.automatic}
        start = time.perf_counter()
        trial = replace_values(config, values, "what is tried")
        report(f"timing some updates of a model of width {trial.model.d_model}")
        budget = clock.measure_budget(trial, epochs, began, max(0.0, most - spent))
        spent += agree(time.perf_counter() - start)
        if budget.is_enough(epochs.pairs):
            break
    return size, budget


def _end_schedule(config: Config, updates: int) -> Config:
    """Ends a linear or cosine schedule with the last update of the training, if it has no end.

    With further corpora, the number of updates differs a little between epochs; the first counts.
    """
    schedule = config.training.schedule
    if not schedule.has_end or schedule.total_steps is not None:
        return config
    if updates <= schedule.warmup_steps:
        raise InputError(
            f"training.schedule.warmup_steps: expected fewer than the {updates:,} updates of the"
            f" whole training, found {schedule.warmup_steps:,}; lower it, or train for more"
            " epochs"
        )
    return replace_values(config, {"training.schedule.total_steps": updates}, "training.schedule")


def check_rate(config: Config, updates: int) -> None:
    """Refuses more epochs than the schedule of a resumed run allows; an epoch has ``updates``."""
    epochs = config.training.epochs
    if config.training.schedule.is_zero_after(epochs * updates - 1):
        most = (config.training.schedule.total_steps or 0) // updates
        raise InputError(
            f"training.epochs: expected at most {most}, because the learning rate is 0 after these,"
            f" found {epochs}; train again with --run DIR"
        )
