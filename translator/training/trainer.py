"""A training, from what is asked for to a finished run."""

import math
import shlex
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from translator.base.keras_startup import set_random_seed
from translator.config.schema import Config
from translator.runs.directory import RunDirectory
from translator.runs.exports import load_weights
from translator.training.backends import Backend, open_backend
from translator.training.finishing import finish, is_complete, keep_average_if_better
from translator.training.hooks import ADVISERS, COMMANDS_AFTERWARDS
from translator.training.loop import Training
from translator.training.losses import perplexity
from translator.training.optimizer import restore_schedule
from translator.training.plan import Plan, make_plan
from translator.training.state import Progress
from translator.training.writer import RunWriter

Report = Callable[[str], None]
COMMANDS = (  # after a training, for the run that it has made
    'translator translate --run {run} "A sentence."',
    "translator evaluate --run {run}",
    "translator train OTHER.yaml --init {run}",
)


class TrainingResult(NamedTuple):
    """How a training ended.

    Attributes:
        finished: False where it was interrupted; ``resume`` continues it.
        best_perplexity: on the validation split, of the weights that are kept.
    """

    finished: bool
    progress: Progress
    best_perplexity: float


def train_run(
    config: Config, run_dir: str | Path, resume: bool, report: Report, schedule: Any = None
) -> TrainingResult:
    """Trains a model into a run directory; see `translator.training.start.train`."""
    began = time.perf_counter()
    with RunWriter(RunDirectory(run_dir), report) as writer:
        writer.claim(resume)
        plan = make_plan(config, writer.run, resume, began, writer.report, schedule)
        backend = _open_backend(plan, writer.report)
        training = Training(plan, backend, writer.begin(plan, backend), writer)
        if is_complete(training):
            writer.report(_why_finished(training))
            return _result(training)
        is_done = training.is_finished
        if not is_done:
            _report_start(training)
            training.train()
        if is_done or (training.is_finished and _is_short(training)):
            writer.report(_why_finished(training))
        if training.is_finished and plan.config.training.average != "none":
            keep_average_if_better(training)
        finish(training)
        minutes, seconds = divmod(round(time.perf_counter() - began), 60)
        writer.report(f"trained for {minutes} min {seconds} s, corpus and tokenizers included")
        if training.is_finished:
            _report_what_is_next(training)
        return _result(training)


def _open_backend(plan: Plan, report: Report) -> Backend:
    """The model, with the weights that a new training begins with."""
    config, initial = plan.config, plan.initial
    set_random_seed(config.training.seed)  # here, because a trial draws random numbers too
    schedule = restore_schedule(plan.schedule) if plan.schedule else None
    backend = open_backend(config, plan.data.tokenizers, schedule)
    if initial is not None:
        backend.set_weights(load_weights(initial), initial.weights)
        report(f"weights start from {initial.path}")
    report(f"model: {backend.model.count_params():,} parameters")
    return backend


def _report_start(training: Training) -> None:
    progress, epochs = training.progress, training.config.training.epochs
    batches = training.plan.epochs.batches(progress.epoch)
    if progress != Progress():
        where = f"epoch {progress.epoch + 1}, update {progress.batch + 1}"
        if progress.batch == batches.count:
            where = f"the validation of epoch {progress.epoch + 1}"
        training.writer.report(f"resuming at {where}")
    training.writer.report(
        f"training: {epochs} epochs of {batches.count:,} updates,"
        f" {batches.target_tokens()[-1]:,} target tokens each,"
        f" {batches.padding_share:.1%} of positions are padding"
    )


def _is_short(training: Training) -> bool:
    return training.progress.epoch < training.config.training.epochs


def _why_finished(training: Training) -> str:
    config, progress = training.config, training.progress
    if not _is_short(training):
        updates = training.backend.updates
        is_over = config.training.schedule.is_zero_after(updates)
        again = f"translator train CONFIG --init {shlex.quote(str(training.writer.run.path))}"
        advice = again if is_over else f"--resume --set training.epochs=N, or {again}"
        configured = f"training.epochs: {config.training.epochs}"
        return f"{progress.epoch} epochs are done ({configured}); for more: {advice}"
    if training.clock.is_over:
        return (
            f"stopped in epoch {progress.epoch + 1} of {config.training.epochs}, as the"
            f" {config.training.minutes:g} minutes are over; to train all epochs: --resume --set"
            " training.minutes=null"
        )
    return (
        f"stopped early: {config.validation.patience} validations without a better"
        f" {training.selection.metric}; to continue: --resume --set validation.patience=N"
    )


def _report_what_is_next(training: Training) -> None:
    plan, run, report = training.plan, training.writer.run, training.writer.report
    facts = plan.updates, len(plan.data.train), plan.room
    for advice in ADVISERS.ask(plan.config, training.progress.validations, run, *facts):
        report(f"next: {advice}")
    for command in (*COMMANDS, *COMMANDS_AFTERWARDS.answers()):
        report(f"next: {command.format(run=shlex.quote(str(run.path)))}")


def _result(training: Training) -> TrainingResult:
    best = training.selection.best(training.progress)
    loss = best["val_cross_entropy"] if best else math.inf
    return TrainingResult(training.is_finished, training.progress, perplexity(loss))
