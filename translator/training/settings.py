"""Decides every setting of a training: what a run has already, and what is left to the program.

This is the only place where a configuration is changed, in three steps: what depends on this
machine, or comes from a run that is resumed; what decides how the corpus is encoded; and all the
rest, once the batches are known. No backend is needed for the first one, so that what does not fit
is refused before Keras starts.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from translator.base.backends import JAX, TENSORFLOW, choose_backend
from translator.base.errors import InputError
from translator.base.files import path_below_home
from translator.config.automatic import AUTO
from translator.config.comparison import check_initial, flatten, values_of_run
from translator.config.encoding import MASKED_SHARE
from translator.config.schema import Config, TrainingConfig
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
    relative_cost,
    sizes_for,
)
from translator.training.clock import Room
from translator.training.processes import agree
from translator.training.recipes import Size

Report = Callable[[str], None]
MACHINE_CHOICES = ("backend", "precision", "jit_compile", "data_parallel")  # may be ``auto``
CHANGEABLE_ON_RESUME = {  # all other settings of a run stay as they were when it began
    "training.epochs",
    "training.minutes",
    "training.save_minutes",
    "training.tensorboard",
    "training.devices",
    "validation.patience",
    "validation.samples",
}
USER, MACHINE, RUN = "the user", "this machine", "the run that is resumed"  # origins of settings


class Settings:
    """The settings of a training while they are decided, each of them once.

    Attributes:
        config: with what is decided so far.
        origins: why each setting is what it is, by the full names of the keys; those that are left
            out have their usual values.
        room: what there is time for, where a time was given and measured.
    """

    def __init__(self, config: Config, report: Report = lambda line: None) -> None:
        said = {key for key, _ in flatten(config.model_dump(exclude_unset=True))}
        self.config = config
        self.origins = dict.fromkeys(said - config.automatic, USER)
        self.room: Room | None = None
        self._report = report

    def decide(self, values: Mapping[str, Any], origin: str) -> None:
        """Sets values by the full names of their keys."""
        if values:
            self.config = replace_values(self.config, values, origin)
            self.origins |= dict.fromkeys(values, origin)

    def choose(self, choices: Sequence[Choice]) -> None:
        """Takes what was chosen for the keys that are left to the program, and says so."""
        before = self.config
        values: dict[str, Any] = {}
        for choice in choices:
            chosen = {key: choice.values[key] for key in choice.values if key in before.automatic}
            values |= chosen
            self.origins |= dict.fromkeys(chosen, choice.reason)
            if chosen:
                listed = ", ".join(f"{name} {value}" for name, value in chosen.items())
                self._report(f"chosen: {listed}: {choice.reason}")
        self.config = replace_values(before, values, "what was chosen")


def begin_settings(
    config: Config,
    report: Report = lambda line: None,
    of_run: Config | None = None,
    origin: str = "",
) -> Settings:
    """The settings after the first step: nothing is left that the machine decides.

    Args:
        of_run: the configuration of the run that is resumed; None for a new run. Of ``config``
            only the settings in `CHANGEABLE_ON_RESUME` may differ from it.
        origin: the path of that run.
    """
    if of_run is None:
        settings = Settings(config, report)
        settings.decide(_choose_for_machine(config.training), MACHINE)
        return settings
    resumed = settings_to_resume(config, of_run, origin)
    _check_machine(resumed.training.backend, resumed.training)
    settings = Settings(resumed, report)
    settings.origins = dict.fromkeys(settings.origins, RUN)
    return settings


def choose_initial_run(settings: Settings, report: Callable[[str], None]) -> RunDirectory | None:
    """The run whose weights a training starts from; None for none.

    Args:
        settings: name it in ``training.init``, or leave it to the program and are decided here.
        report: is given a line on what the program has chosen.
    """
    config = settings.config
    if config.training.init != AUTO:
        return find_initial_run(config)
    languages = " to ".join(config.corpus.languages)
    shipped = shipped_between(config.corpus.languages)
    if shipped is None:
        reason = f"no model from {languages} comes with the program"
    else:
        named = {"training.init": shipped.path.name}
        try:
            run = find_initial_run(replace_values(config, named, "training.init"))
        except InputError as error:
            reason = str(error).removeprefix("training.init: ")
        else:
            settings.decide(named, f"it translates from {languages}")
            report(f"chosen: training.init {shipped.path.name}: it translates from {languages}")
            return run
    settings.decide({"training.init": None}, reason)
    report(f"chosen: training.init none: {reason}")
    return None


def find_initial_run(config: Config) -> RunDirectory | None:
    """The run that ``training.init`` names; None for none. Raises as `choose_initial_run`."""
    if config.training.init is None:
        return None
    run = find_run(path_below_home(config.training.init, "training.init"))
    check_installed(run)
    try:
        of_run = run.read_config()
        run.owner.check(run.weights)
    except InputError as error:
        raise InputError(f"training.init: {error}") from None
    check_initial(config, of_run, str(run.path))
    if config.training.freeze:
        frozen_names(load_weights(run), config.training.freeze)
    return run


def settings_to_resume(config: Config, of_run: Config, origin: str) -> Config:
    """The configuration of a run that is resumed, with the changes that a user may make to it.

    What the user leaves out, or to the program, stays as it was; the devices are this machine's.
    """
    if of_run.training.backend == AUTO:  # it began before there was a choice
        of_run = replace_values(of_run, {"training.backend": TENSORFLOW}, origin)
    asked, ours = (dict(flatten(each.model_dump())) for each in (config, of_run))
    keys = (*MACHINE_CHOICES, "init")
    left = {f"training.{key}" for key in keys if getattr(config.training, key) == AUTO}
    if config.training.schedule.total_steps is None:
        left.add("training.schedule.total_steps")
    said = {name for name, _ in flatten(config.model_dump(exclude_unset=True))}
    said = (said - left - config.automatic) | {"training.devices"}
    changes = {key: asked[key] for key in asked if key in said and asked[key] != ours.get(key)}
    if "training.epochs" in changes:  # the time was given for the former ones
        changes.setdefault("training.minutes", None)
    refused = [
        f"{key} ({ours.get(key)}, found {value})"
        for key, value in changes.items()
        if key not in CHANGEABLE_ON_RESUME
    ]
    if refused:
        raise InputError(
            f"{origin}: the run began with other settings: {', '.join(refused)};"
            " resume with those, or train again with --run DIR"
        )
    return replace_values(of_run, changes, origin)


def decide_encoding(settings: Settings, initial: RunDirectory | None) -> None:
    """Decides how the corpus is encoded, and may read it for that.

    Args:
        initial: from `choose_initial_run`; what the configuration lacks is taken from it.
    """
    if initial is not None:
        values = values_of_run(settings.config, initial.read_config())
        settings.decide(values, f"training.init: with the values of {initial.path}")
    config = settings.config
    if config.tokenizer.masks is None:
        has_masks = initial is None and config.tokenizer.name != "marian"
        settings.decide({"tokenizer.masks": MASKED_SHARE if has_masks else 0.0}, "tokenizer.masks")
    if any(name.startswith(("corpus.", "tokenizer.", "data.")) for name in config.automatic):
        settings.choose(choose_encoding(config, measure_corpus(config.corpus)))


def decide_training(
    settings: Settings, epochs: Epochs, began: float, of_run: Config | None = None
) -> None:
    """Decides the model, how and how long it is trained, and the end of the schedule.

    Args:
        began: when the program began, as ``time.perf_counter`` tells it.
        of_run: the configuration of the run that is resumed; None for a new run.
    """
    config, updates = settings.config, epochs.batches(0).count
    is_limited = config.training.minutes is not None and "training.epochs" in config.automatic
    if of_run is None and config.training.minutes is not None and not is_limited:
        settings.decide({"training.minutes": None}, "the epochs that the user gave")
    if config.automatic:
        pairs = epochs.pairs
        size = sizes_for(config, pairs)[0]
        if is_limited:
            size = _choose_size(settings, epochs, began)
        settings.choose([choose_model(config, pairs, size)])
        settings.choose(choose_length(settings.config, pairs, updates, settings.room))
        settings.choose([choose_rate(settings.config)])
    _end_schedule(settings, updates)
    if of_run is not None and config.training.epochs > of_run.training.epochs:
        _check_rate(config, updates)


def _choose_size(settings: Settings, epochs: Epochs, began: float) -> Size:
    """The best size that the given time is enough for, or the smallest one.

    Sizes are tried in a tenth of the time; beyond that, their speed is estimated.
    """
    config, pairs, report = settings.config, epochs.pairs, settings._report
    most = 60 * (config.training.minutes or 0.0) * clock.SHARE
    tried: list[tuple[Size, Room]] = []
    spent = 0.0
    for size in sizes_for(config, pairs):
        if spent < most:
            report(f"timing some updates of a model of width {size.d_model}")
            chosen = choose_model(config, pairs, size).values
            values = {key: value for key, value in chosen.items() if key in config.automatic}
            of_size = replace_values(config, values, "what is tried")
            start = time.perf_counter()
            settings.room = clock.measure_room(of_size, epochs, began, most - spent)
            spent += agree(time.perf_counter() - start)
            tried.append((size, settings.room))
        else:
            pieces = epochs.data.tokenizers.target.size
            latest, of_latest = tried[-1]
            settings.room = of_latest.of_smaller(relative_cost(size, latest, pieces))
        if settings.room.is_enough(pairs):
            break
    return size


def _end_schedule(settings: Settings, updates: int) -> None:
    """Ends a linear or cosine schedule with the training, if it has no end.

    With mixed corpora, epochs differ a little in their number of updates; the first one counts.
    """
    training, schedule = settings.config.training, settings.config.training.schedule
    if not schedule.has_end or schedule.total_steps is not None:
        return
    steps = count_updates(training.epochs, updates, settings.room)
    if steps <= schedule.warmup_steps:
        raise InputError(
            f"training.schedule.warmup_steps: expected fewer than the {steps:,} updates of the"
            f" whole training, found {schedule.warmup_steps:,}; lower it, or train for more"
            " epochs"
        )
    settings.decide({"training.schedule.total_steps": steps}, "the length of the training")


def _check_rate(config: Config, updates: int) -> None:
    """Refuses more epochs, of so many updates, than the schedule of a resumed run has."""
    epochs = config.training.epochs
    if config.training.schedule.is_zero_after(epochs * updates - 1):
        most = (config.training.schedule.total_steps or 0) // updates
        raise InputError(
            f"training.epochs: expected at most {most}, after which the learning rate is 0,"
            f" found {epochs}; train again with --run DIR"
        )


def _choose_for_machine(training: TrainingConfig) -> dict[str, Any]:
    """What suits this machine.

    With TensorFlow on a CPU: no XLA, one shard of each batch for each core, and bfloat16 where
    the CPU is faster in it, float32 otherwise. On a GPU: XLA, and bfloat16 where the GPU has it,
    float16 otherwise. With JAX: always XLA, and float32 on a CPU.
    """
    backend = choose_backend(training.backend)
    gpu = hardware.gpu_capability()
    _check_machine(backend, training)
    precision, jit_compile = training.precision, training.jit_compile
    if jit_compile == "auto":
        jit_compile = backend == JAX or gpu is not None
    on_cpu = gpu is None and not jit_compile
    if precision == "auto" and gpu is None:
        precision = "bfloat16" if on_cpu and hardware.has_fast_bfloat16() else "float32"
    elif precision == "auto" and gpu is not None:
        precision = "bfloat16" if gpu >= hardware.BFLOAT16_SINCE else "float16"
    shards = training.data_parallel
    if shards == "auto":
        shards = hardware.share_out_cores() if on_cpu else 1
    elif shards > 1 and jit_compile:
        raise InputError(
            f"training.data_parallel: {shards} shards are computed in parallel only without XLA,"
            " found jit_compile on; set training.data_parallel: 1 or training.jit_compile: false"
        )
    chosen = {
        "backend": backend,
        "precision": precision,
        "jit_compile": jit_compile,
        "data_parallel": shards,
    }
    return {f"training.{key}": chosen[key] for key in chosen if getattr(training, key) == "auto"}


def _check_machine(backend: str, training: TrainingConfig) -> None:
    """Refuses what this machine, or the backend, does not have."""
    if training.precision == "float16" and hardware.gpu_capability() is None:
        raise InputError(
            "training.precision: float16 needs a GPU, found none; train with float32, bfloat16 or"
            " auto, or on a machine with a GPU"
        )
    if backend == TENSORFLOW and training.devices not in ("auto", 1):
        raise InputError(
            f"training.devices: {training.devices} devices need JAX, found backend: tensorflow; set"
            " training.backend: jax, or training.devices: 1"
        )
    if backend == JAX and training.jit_compile is False:
        raise InputError(
            "training.jit_compile: expected true or auto, because JAX always compiles, found false;"
            " set training.jit_compile: auto or training.backend: tensorflow"
        )
    if backend == JAX and training.data_parallel not in ("auto", 1):
        raise InputError(
            f"training.data_parallel: {training.data_parallel} shards are for TensorFlow on a CPU,"
            " found backend: jax; set training.data_parallel: auto, or training.devices to the"
            " number of devices"
        )
