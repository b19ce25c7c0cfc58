"""A training, from what is asked for to a finished run."""

import math
import shlex
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from translator.base.keras_startup import set_random_seed
from translator.config.schema import Config
from translator.model.transformer import Transformer
from translator.runs.directory import RunDirectory
from translator.runs.exports import load_weights
from translator.runs.weights import set_model_weights
from translator.training.compilation import make_training_model
from translator.training.finishing import finish, is_complete, keep_average_if_better
from translator.training.hooks import ADVISERS, COMMANDS_AFTERWARDS
from translator.training.losses import perplexity
from translator.training.plan import Plan, make_plan
from translator.training.schedules import restore_schedule, with_custom_schedule
from translator.training.state import Progress
from translator.training.training_loop import TrainingLoop
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
        config, form = with_custom_schedule(config, schedule, writer.run if resume else None)
        plan = make_plan(config, writer.run, resume, began, writer.report)._replace(schedule=form)
        model = _make_model(plan, writer.report)
        loop = TrainingLoop(plan, model, writer.begin(plan, model), writer)
        if is_complete(loop):
            writer.report(_why_finished(loop))
            return _result(loop)
        _train(loop)
        if loop.is_finished and plan.config.training.average != "none":
            keep_average_if_better(loop)
        finish(loop)
        minutes, seconds = divmod(round(time.perf_counter() - began), 60)
        writer.report(f"trained for {minutes} min {seconds} s, corpus and tokenizers included")
        if loop.is_finished:
            validations = loop.progress.validations
            facts = plan.updates, len(plan.data.train), plan.room
            for advice in ADVISERS.ask(plan.config, validations, writer.run, *facts):
                writer.report(f"next: {advice}")
            for command in (*COMMANDS, *COMMANDS_AFTERWARDS.answers()):
                writer.report(f"next: {command.format(run=shlex.quote(str(writer.run.path)))}")
        return _result(loop)


def _make_model(plan: Plan, report: Report) -> Transformer:
    """The model, with the weights that a new training begins with."""
    config, initial = plan.config, plan.initial
    set_random_seed(config.training.seed)  # here, because a trial draws random numbers too
    schedule = restore_schedule(plan.schedule) if plan.schedule else None
    model = make_training_model(config, plan.data.tokenizers, schedule)
    if initial is not None:
        set_model_weights(model, load_weights(initial), initial.weights)
        report(f"weights start from {initial.path}")
    report(f"model: {model.count_params():,} parameters")
    return model


def _train(loop: TrainingLoop) -> None:
    """Trains from validation to validation, and says what add-ons have seen."""
    is_done = loop.is_finished
    if not is_done:
        _report_start(loop)
        loop.train()
    if is_done or (loop.is_finished and loop.progress.epoch < loop.config.training.epochs):
        loop.writer.report(_why_finished(loop))
    for line in filter(None, (observer.describe() for observer in loop.observers)):
        loop.writer.report(line)


def _report_start(loop: TrainingLoop) -> None:
    progress, epochs = loop.progress, loop.config.training.epochs
    batches = loop.epochs.batches(progress.epoch)
    if progress != Progress():
        where = f"epoch {progress.epoch + 1}, update {progress.batch + 1}"
        if progress.batch == batches.count:
            where = f"the validation of epoch {progress.epoch + 1}"
        loop.writer.report(f"resuming at {where}")
    loop.writer.report(
        f"training: {epochs} epochs of {batches.count:,} updates,"
        f" {batches.target_tokens()[-1]:,} target tokens each,"
        f" {batches.padding_share:.1%} of positions are padding"
    )


def _why_finished(loop: TrainingLoop) -> str:
    config, progress = loop.config, loop.progress
    if progress.epoch >= config.training.epochs:
        updates = int(loop.model.optimizer.iterations)
        is_over = config.training.schedule.is_zero_after(updates)
        again = f"translator train CONFIG --init {shlex.quote(str(loop.writer.run.path))}"
        advice = again if is_over else f"--resume --set training.epochs=N, or {again}"
        configured = f"training.epochs: {config.training.epochs}"
        return f"{progress.epoch} epochs are done ({configured}); for more: {advice}"
    if loop.is_out_of_time:
        return (
            f"stopped in epoch {progress.epoch + 1} of {config.training.epochs}, as the"
            f" {config.training.minutes:g} minutes are over: the machine is slower than in the"
            " trial; to train all epochs: --resume --set training.minutes=null"
        )
    return (
        f"stopped early: {config.validation.patience} validations without a better"
        f" {loop.selection.metric}; to continue: --resume --set validation.patience=N"
    )


def _result(loop: TrainingLoop) -> TrainingResult:
    best = loop.selection.best(loop.progress)
    loss = best["val_cross_entropy"] if best else math.inf
    return TrainingResult(loop.is_finished, loop.progress, perplexity(loss))
