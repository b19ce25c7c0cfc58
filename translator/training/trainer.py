"""A training, from a configuration to a finished run.

Vaswani et al. (2017), https://arxiv.org/abs/1706.03762, section 6.1, describe averaging weights.
"""

import math
import shlex
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from translator.base.keras_startup import set_random_seed
from translator.base.processes import share
from translator.config.schema import Config
from translator.corpora.corpus import HeldOutPairs
from translator.data.preparation import TrainingData
from translator.export.ctranslate2 import export_run
from translator.model.losses import perplexity
from translator.model.transformer import Transformer
from translator.runs.directory import RunDirectory
from translator.runs.export_layout import load_weights
from translator.runs.exports import is_export
from translator.runs.weights import make_model, set_model_weights
from translator.text.learnt_words import LearntWords
from translator.text.word_alignment import PairCrossAttention, find_alignment_heads
from translator.tokenizers.words import words_of
from translator.training.backends import Backend, open_backend
from translator.training.hardware import device_count, on_one_device
from translator.training.hooks import ADVISERS, COMMANDS_AFTERWARDS, FINISHERS
from translator.training.loop import Training
from translator.training.optimizer import restore_schedule
from translator.training.plan import Plan, make_plan
from translator.training.state import Progress, RunWriter, kept_snapshots, read_state, save_state
from translator.training.validation import describe
from translator.translation.attention_reading import read_attention

Report = Callable[[str], None]
SENTENCES = 1000  # sentences of the validation split that are searched for alignment heads
COMMANDS = (  # commands for the run after its training
    'translator translate --run {run} "A sentence."',
    "translator evaluate --run {run}",
    "translator train OTHER.yaml --init {run}",
)


class TrainingResult(NamedTuple):
    """How a training ended.

    Attributes:
        finished: False if the training was interrupted; ``resume`` continues it.
        best_perplexity: the perplexity of the best weights on the validation split.
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
        if training.is_finished and plan.config.training.keep_last > 1:
            keep_average_if_better(training)
        finish(training)
        minutes, seconds = divmod(round(time.perf_counter() - began), 60)
        writer.report(f"trained for {minutes} min {seconds} s, corpus and tokenizers included")
        if training.is_finished:
            _report_what_is_next(training)
        return _result(training)


def _open_backend(plan: Plan, report: Report) -> Backend:
    """Makes the model, with the initial weights of a new training."""
    config, initial = plan.config, plan.initial
    set_random_seed(config.training.seed)  # here, because a trial also draws random numbers
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
        has_ended = config.training.schedule.is_zero_after(updates)
        command = f"translator train CONFIG --init {shlex.quote(str(training.writer.run.path))}"
        advice = command if has_ended else f"--resume --set training.epochs=N, or {command}"
        configured = f"training.epochs: {config.training.epochs}"
        return f"{progress.epoch} epochs are done ({configured}); for more: {advice}"
    if training.clock.is_over:
        return (
            f"stopped in epoch {progress.epoch + 1} of {config.training.epochs}, because"
            f" {config.training.minutes:g} minutes were too short; to train all epochs: --resume"
            " --set training.minutes=null"
        )
    return (
        f"stopped early: {config.validation.patience} validations without a better"
        f" {config.validation.metric}; to continue: --resume --set validation.patience=N"
    )


def _report_what_is_next(training: Training) -> None:
    plan, run, report = training.plan, training.writer.run, training.writer.report
    facts = plan.updates, len(plan.data.train), plan.budget
    for advice in ADVISERS.ask(plan.config, training.progress.validations, run, *facts):
        report(f"next: {advice}")
    for command in (*COMMANDS, *COMMANDS_AFTERWARDS.answers()):
        report(f"next: {command.format(run=shlex.quote(str(run.path)))}")


def _result(training: Training) -> TrainingResult:
    best = training.selection.best(training.progress)
    loss = best["val_cross_entropy"] if best else math.inf
    return TrainingResult(training.is_finished, training.progress, perplexity(loss))


def average_snapshots(run: RunDirectory, numbers: Sequence[int]) -> dict[str, np.ndarray]:
    """The mean of the weights of some validations, by their numbers. It is summed in float64."""
    sums: dict[str, np.ndarray] = {}
    for number in numbers:
        for name, array in run.read_weights(run.snapshot(number)).items():
            sums[name] = sums.get(name, 0.0) + array.astype(np.float64)
    return {name: (array / len(numbers)).astype(np.float32) for name, array in sums.items()}


def keep_average_if_better(training: Training) -> None:
    """Replaces a run's best weights with the average of the last weights, if this is better.

    Afterwards the model has the averaged weights. If the run keeps them, their figures are in
    ``training.progress``, which the caller must save.
    """
    selection, writer, progress = training.selection, training.writer, training.progress
    validation, config = training.plan.validation, training.config
    numbers = kept_snapshots(len(progress.validations), config.training.keep_last)
    weights = average_snapshots(writer.run, numbers)
    figures = validation.measure_weights(training.backend, weights)
    if config.validation.metric in ("bleu", "chrf"):
        figures |= share(lambda: validation.translate(weights))
    best = selection.best(progress)
    better = best is None or selection.cost(figures) < selection.cost(best)
    before = "the earlier average" if best is progress.averaged else "the best validation"
    writer.report(
        f"average of the last {len(numbers)} validations: {describe(figures)};"
        + (f" {before}: {describe(best)};" if best else "")
        + f" kept: {'the average' if better else before}"
    )
    if better:
        writer.replace_weights(weights)
        progress.averaged = figures


def is_complete(training: Training) -> bool:
    """Whether a training has ended and its run is finished."""
    progress = training.progress
    is_concluded = progress.concluded == len(progress.validations)
    return training.is_finished and is_concluded and is_export(training.writer.run.export)


def finish(training: Training) -> None:
    """Finishes a training's run in the process that writes, and records this in the state."""
    model = training.backend.look()
    share(lambda: _finish(training, model))


def _finish(training: Training, model: Transformer) -> None:
    writer, progress, data = training.writer, training.progress, training.plan.data
    is_spread = device_count() > 1
    with on_one_device():
        if is_spread:
            model = make_model(training.config, data.tokenizers)
        if writer.run.weights.exists():
            finish_run(writer.run, data, model, writer.report)
    if training.is_finished:
        state, _ = read_state(writer.run, writer.report)
        writer.run.mark_finished()
        progress.concluded = len(progress.validations)
        save_state(writer.run, state, progress)


def finish_run(
    run: RunDirectory, data: TrainingData, model: Transformer, report: Callable[[str], None]
) -> None:
    """Writes the files that a run keeps: words, held-out pairs, alignment, export, add-ons' files.

    Args:
        model: a model of the run's configuration; the weights are loaded into it.
    """
    set_model_weights(model, run.read_weights(run.weights), run.weights)
    alignment = find_alignment_heads(_cross_attention(data, model))
    run.read_record()._replace(alignment=alignment).write(run.path)
    data = data._replace(words=data.words.joined_with(LearntWords.load(run.path)))
    data.words.save(run.path)
    HeldOutPairs.read(data.held_out).write(run.held_out)
    if alignment is not None:
        layer, heads, accuracy, words = alignment
        report(
            f"best alignment by cross-attention: layer {layer + 1}, head"
            f" {', '.join(str(head + 1) for head in heads)}: {accuracy:.1%} of {words:,} words"
        )
    report(f"export for CTranslate2: {export_run(run).name}/ in the run")
    FINISHERS.ask(run, data, report)


def _cross_attention(data: TrainingData, model: Transformer) -> Iterator[PairCrossAttention]:
    """The cross-attention of the validation split's first sentences."""
    tokenizers = data.tokenizers
    numbers = range(min(SENTENCES, len(data.validation)))
    sources, targets = ([side[i].tolist() for i in numbers] for side in data.validation)
    scores = read_attention(model, tokenizers, sources, targets)
    for source, target, heads in zip(sources, targets, scores):
        yield PairCrossAttention(
            words_of(tokenizers.source.pieces(source)),
            words_of(tokenizers.target.pieces(target[1:])),
            heads.cross,
        )
