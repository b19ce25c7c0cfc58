"""The plan of a training: everything is decided before its model and its run are made."""

import itertools
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from translator.base import processes
from translator.base.version import __version__
from translator.config.comparison import flatten
from translator.config.schema import Config
from translator.config.yaml_file import replace_values
from translator.corpora.registry import fingerprint
from translator.data.epochs import Epochs
from translator.data.preparation import TrainingData, prepare
from translator.runs.directory import RunDirectory
from translator.training.backends import training_layout
from translator.training.clock import TimeBudget
from translator.training.hardware import check_device_count
from translator.training.hooks import RECORDERS, WARNERS, WATCHERS, Recorder, Watcher
from translator.training.messages import report_above_bar
from translator.training.optimizer import CUSTOM, stored_schedule
from translator.training.settings import (
    begin_settings,
    check_rate,
    choose_initial_run,
    decide_encoding,
    decide_training,
)
from translator.training.validation import Validation

Report = Callable[[str], None]


class Plan(NamedTuple):
    """A training before it begins. All is decided, but no model and no run are made yet.

    Attributes:
        updates: the updates of the whole training, if all epochs are as long as the first.
        watchers: called after each update, in the process that writes.
        recorders: called with the figures and times of each validation, in the process that writes.
        initial: the run whose weights the training starts from; None for new or saved weights.
        resumes: whether the run exists already.
        has_state: whether the run has a state to continue from.
        began: the value of ``time.perf_counter`` when the program began.
        budget: the time budget, if a time is set for a new run.
        schedule: a serialized schedule of the learning rate that replaces the configured one.
    """

    config: Config
    data: TrainingData
    epochs: Epochs
    updates: int
    validation: Validation
    watchers: Sequence[Watcher]
    recorders: Sequence[Recorder]
    initial: RunDirectory | None
    resumes: bool
    has_state: bool
    began: float
    budget: TimeBudget | None
    schedule: Mapping[str, Any] | None


def make_plan(
    config: Config, run: RunDirectory, resume: bool, began: float, report: Report, schedule: Any
) -> Plan:
    """Decides everything about a training: settings, tokenizers, pairs, batches.

    If a time is set, this trains a model for some seconds and throws it away. All processes that
    train together make the same plan.

    Args:
        config: the result of `settings_to_resume`, if the run exists already.
        began: the value of ``time.perf_counter`` when the program began.
        schedule: a schedule of the learning rate; None for the configured one.
    """
    form = stored_schedule(schedule, run if resume else None)
    if not resume:
        config = begin_settings(replace_values(config, CUSTOM, "schedule") if form else config)
    _check_settings(config)
    recorders = RECORDERS.ask(config, run) if processes.writes() else []
    initial, has_state = None, resume and run.has_begun
    if not has_state:
        config, initial = choose_initial_run(config, report)
        config = decide_encoding(config, initial, report)
    with processes.in_turn():  # the others find the encoded corpus in the cache
        data = _prepare_data(config, run if resume else None, initial, report)
    _check_data(data)
    epochs = Epochs(config, data, training_layout(config.training))
    config, budget = decide_training(config, epochs, began, report)
    first, training = epochs.batches(0), config.training
    check_device_count(first)
    if resume and training.epochs > run.read_config().training.epochs:
        check_rate(config, first.count)
    updates = training.epochs * first.count
    if training.minutes is not None:  # the time may end within an epoch
        updates = min(updates, training.schedule.total_steps or updates)
    watchers = WATCHERS.ask(config, data.tokenizers, run, updates) if processes.writes() else []
    if not has_state:
        for line in itertools.chain(*WARNERS.ask(config, data, updates, budget)):
            report(line)
    return Plan(
        config,
        data,
        epochs,
        updates,
        Validation(config, data, report_above_bar(report)),
        watchers,
        recorders,
        initial,
        resume,
        has_state,
        began,
        budget,
        form,
    )


def _prepare_data(
    config: Config, resumed: RunDirectory | None, initial: RunDirectory | None, report: Report
) -> TrainingData:
    """Prepares tokenizers and the encoded corpus; a resumed run brings its own tokenizers."""
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
    processes.check_equal("settings", facts, "start all processes with the same configuration")


def _check_data(data: TrainingData) -> None:
    sides = zip(("source", "target"), data.tokenizers)
    facts = {f"{side} tokenizer, hash": tokenizer.fingerprint for side, tokenizer in sides}
    facts = {"corpus, hash": data.fingerprint, **facts, "encoded pairs, hash": data.train_key}
    processes.check_equal("data", facts, "give all machines the same files")
