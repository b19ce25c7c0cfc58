"""The plan of a training: all that is decided before its model and its run are made."""

import itertools
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from translator.base.backends import has_gpu
from translator.base.errors import adding
from translator.base.version import __version__
from translator.config.comparison import flatten
from translator.config.schema import Config
from translator.corpora import fingerprint
from translator.data.epochs import Epochs
from translator.data.preparation import TrainingData, prepare
from translator.runs.choosing import find_run
from translator.runs.directory import RunDirectory
from translator.training import processes
from translator.training.backends import training_layout
from translator.training.clock import Room
from translator.training.hardware import (
    check_device_count,
    gpu_capability,
    set_threads_per_shard,
    shard_count,
)
from translator.training.hooks import RECORDERS, WARNERS, WATCHERS, Recorder, Watcher
from translator.training.messages import report_above_bar
from translator.training.optimizer import with_custom_schedule
from translator.training.settings import (
    begin_settings,
    choose_initial_run,
    decide_encoding,
    decide_training,
)
from translator.training.validation import Validation
from translator.translation.channel import check_channel

Report = Callable[[str], None]
IDLE_GPU = "training on the CPU, as nothing is installed that can use the GPU: {} adds it"


class Plan(NamedTuple):
    """A training before it begins. Nothing is made yet, and nothing is left to decide.

    Attributes:
        config: with all settings.
        origins: why they are what they are, by the full names of the keys; those that nobody
            decided have their usual values.
        epochs: the batches of each epoch.
        updates: of the whole training, by its first epoch.
        watchers: are called after each update, in the process that writes.
        recorders: are given the figures and times of each validation, likewise.
        initial: the run that the weights start from; None for new or saved ones.
        resumes: whether the run is there already.
        has_state: whether it has a state to go on from.
        prepared: seconds since the program began.
        room: what there is time for, where a new run was given a time.
        schedule: of the learning rate, serialized, where it is not the configured one.
    """

    config: Config
    origins: Mapping[str, str]
    data: TrainingData
    epochs: Epochs
    updates: int
    validation: Validation
    watchers: Sequence[Watcher]
    recorders: Sequence[Recorder]
    initial: RunDirectory | None
    resumes: bool
    has_state: bool
    prepared: float
    room: Room | None
    schedule: Mapping[str, Any] | None


def make_plan(
    config: Config, run: RunDirectory, resume: bool, began: float, report: Report, schedule: Any
) -> Plan:
    """Decides everything about a training: settings, tokenizers, pairs, batches.

    Where a time is given, a model is trained for some seconds on the way, and thrown away. All
    processes that train together make the same plan.

    Args:
        began: when the program began, as ``time.perf_counter`` tells it.
        schedule: of the learning rate; None for the configured one.
    """
    config, form = with_custom_schedule(config, schedule, run if resume else None)
    of_run = run.read_config_to_resume() if resume else None
    settings = begin_settings(config, report, of_run, str(run.path))
    _check_settings(settings.config)
    recorders = RECORDERS.ask(settings.config, run) if processes.writes() else []
    initial, has_state = None, resume and run.has_begun
    if not has_state:
        initial = choose_initial_run(settings, report)
        decide_encoding(settings, initial)
    if (shards := shard_count(settings.config.training)) > 1:
        set_threads_per_shard(shards)
    with processes.in_turn():  # the others find in the cache what the first has encoded
        data = _prepare_data(settings.config, run if resume else None, initial, report)
    _check_data(data)
    if settings.config.decoding.channel is not None:  # it is opened when the training is over
        channel = find_run(settings.config.decoding.channel)
        check_channel(channel.read_tokenizers(channel.read_config()), data.tokenizers, channel.path)
    epochs = Epochs(settings.config, data, training_layout(settings.config.training))
    decide_training(settings, epochs, began, of_run)
    config, training = settings.config, settings.config.training
    check_device_count(epochs.batches(0))
    updates = training.epochs * epochs.batches(0).count
    if training.minutes is not None:  # they may be enough for a part of an epoch
        updates = min(updates, training.schedule.total_steps or updates)
    watchers = WATCHERS.ask(config, data.tokenizers, run, updates) if processes.writes() else []
    if has_gpu() and gpu_capability() is None:
        report(IDLE_GPU.format(adding("jax-cuda")))
    if not has_state:
        for line in itertools.chain(*WARNERS.ask(config, data, updates, settings.room)):
            report(line)
    [prepared] = processes.agree([time.perf_counter() - began])
    return Plan(
        config,
        settings.origins,
        data,
        epochs,
        updates,
        Validation(config, data, report_above_bar(report)),
        watchers,
        recorders,
        initial,
        resume,
        has_state,
        prepared,
        settings.room,
        form,
    )


def _prepare_data(
    config: Config, resumed: RunDirectory | None, initial: RunDirectory | None, report: Report
) -> TrainingData:
    """Tokenizers and encoded corpus; a run that is resumed brings its own tokenizers."""
    if resumed is None:
        return prepare(config, report, initial.read_tokenizers(config) if initial else None)
    tokenizers = resumed.read_tokenizers(config)
    corpus = fingerprint(config.corpus)
    resumed.check_corpus(corpus)
    data = prepare(config, report, tokenizers, corpus)
    resumed.check_training_pairs(data.train_key)
    return data


def _check_settings(config: Config) -> None:
    """Checks that all processes have the same configuration."""
    facts = {key: str(value) for key, value in flatten(config.model_dump())}
    facts["the program's version"] = __version__
    processes.check_equal("settings", facts, "start all with the same configuration")


def _check_data(data: TrainingData) -> None:
    sides = zip(("source", "target"), data.tokenizers)
    facts = {f"{side} tokenizer, hash": tokenizer.fingerprint for side, tokenizer in sides}
    facts = {"corpus, hash": data.fingerprint, **facts, "encoded pairs, hash": data.train_key}
    processes.check_equal("data", facts, "give all machines the same files")
