"""Trains a run from its configuration: corpus, tokenizers, batches, `fit`."""

import contextlib
import math
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import keras

from translator.base.errors import InputError
from translator.base.lock import locked
from translator.config.schema import Config
from translator.corpora import fingerprint
from translator.data.preparation import prepare
from translator.runs.directory import RunDirectory
from translator.runs.weights import set_embeddings
from translator.tokenizers.bpemb_download import load_vectors
from translator.training.averaging import keep_average, make_usable
from translator.training.callbacks import above_bar
from translator.training.compilation import make_training_model
from translator.training.hardware import (
    check_precision,
    keep_choices,
    resolve,
    share_out_threads,
)
from translator.training.loop import Epochs, Rounds
from translator.training.metrics import perplexity
from translator.training.state import Progress, load_state, save_state
from translator.training.tensorboard import check_tensorboard
from translator.training.validation import Validation

Report = Callable[[str], None]
MAY_CHANGE = {  # what a run that goes on may have otherwise
    "training": ("epochs", "save_minutes", "tensorboard"),
    "validation": ("patience", "samples"),
}


class TrainingResult(NamedTuple):
    """How a training ended.

    Attributes:
        finished: False where it was interrupted; ``resume`` goes on.
        progress: how far it came.
        best_perplexity: on the validation split, of the weights that are kept.
    """

    finished: bool
    progress: Progress
    best_perplexity: float


def train(
    config: Config, run_dir: str | Path, resume: bool = False, report: Report = print
) -> TrainingResult:
    """Trains a model into a run directory.

    Args:
        config: what to train; a run that goes on keeps its own and takes from
            this one only what `MAY_CHANGE` names.
        run_dir: where everything goes.
        resume: go on with the run that is there.
        report: is given each line for the reader.

    Returns:
        How it ended.

    Raises:
        InputError: the corpus, the tokenizers or the run directory cannot be
            used, another process trains there, or the training failed.
        OSError: the disk is full; the last checkpoint stays.
    """
    began = time.perf_counter()
    run = RunDirectory(run_dir)
    if config.training.tensorboard:
        check_tensorboard()
    with contextlib.ExitStack() as while_training:
        if resume:
            config = _config_to_resume(run, config)
            check_precision(config.training.precision)
            while_training.enter_context(locked(run.path, report))
        else:
            run.check_free()
            config = resolve(config)
        shards = config.training.data_parallel
        if shards > 1:
            share_out_threads(shards)
        keras.utils.set_random_seed(config.training.seed)
        tokenizers = run.read_tokenizers(config) if resume else None
        corpus = fingerprint(config.corpus)
        if resume:
            run.check_corpus(corpus)
        data = prepare(config, report, tokenizers, corpus)
        epochs = Epochs(config, data)
        config = _with_total_steps(config, epochs)
        validation = Validation(config, data, above_bar(report))
        model = make_training_model(config, data.tokenizers)
        has_state = resume and run.has_begun
        if config.tokenizer.vectors and not has_state:
            set_embeddings(model, load_vectors(config))
            report(f"embeddings begin as BPEmb's vectors of {config.model.d_model} dimensions")
        report(f"model: {model.count_params():,} parameters")
        if not resume:
            run.create(config, data.tokenizers, data.fingerprint)
            while_training.enter_context(locked(run.path, report))
        progress = Progress()
        if has_state:
            progress = load_state(run, model, report)
        if resume:
            _check_rate(config, run.read_config(), epochs)
            run.write_config(config)
        run.remove_leftovers()
        if not has_state:
            save_state(run, model, progress)
        rounds = Rounds(model, config, run, epochs, validation, progress)
        return _train(rounds, report, began)


def _with_total_steps(config: Config, epochs: Epochs) -> Config:
    """Lets a schedule that has an end and is given none end with the training.

    With BPE-dropout epochs are of almost the same length: the first stands for all.
    """
    training, schedule = config.training, config.training.schedule
    if not schedule.has_end or schedule.total_steps is not None:
        return config
    steps = training.epochs * epochs.batches(0).count
    if steps <= schedule.warmup_steps:
        raise InputError(
            f"training.schedule.warmup_steps: expected fewer than the {steps:,} updates of the"
            f" whole training, found {schedule.warmup_steps:,}; lower it, or train for more epochs"
        )
    schedule = schedule.model_copy(update={"total_steps": steps})
    training = training.model_copy(update={"schedule": schedule})
    return config.model_copy(update={"training": training})


def _check_rate(config: Config, kept: Config, epochs: Epochs) -> None:
    """Refuses more epochs than a run was begun for, at a learning rate of 0."""
    schedule, asked = config.training.schedule, config.training.epochs
    if asked <= kept.training.epochs:
        return
    updates = epochs.batches(0).count
    if _comes_to_nothing(config, asked * updates - 1):
        raise InputError(
            f"training.epochs: expected at most {schedule.total_steps // updates}, after which the"
            f" learning rate has come down to 0, found {asked}; train anew with --run DIR"
        )


def _comes_to_nothing(config: Config, updates: int) -> bool:
    schedule = config.training.schedule
    return schedule.has_end and not schedule.final_rate and schedule.total_steps <= updates


def _where(progress: Progress, count: int) -> str:
    """Where a run that was stopped goes on, in an epoch of so many updates."""
    if progress.batch == count:
        return f"going on at the validation of epoch {progress.epoch + 1}"
    return f"going on at epoch {progress.epoch + 1}, update {progress.batch + 1}"


def _train(rounds: Rounds, report: Report, began: float) -> TrainingResult:
    model, config, run = rounds.model, rounds.config, rounds.run
    epochs, progress = rounds.epochs, rounds.progress
    if rounds.is_finished:
        report(_why_finished(config, rounds))
        if progress.concluded == len(progress.rounds):
            return _result(rounds)
    else:
        first = epochs.batches(progress.epoch)
        if progress != Progress():
            report(_where(progress, first.count))
        report(
            f"training: {config.training.epochs} epochs of {first.count:,} updates,"
            f" {first.pairs.target_tokens:,} target tokens each,"
            f" {first.padding_share:.1%} of positions are padding"
        )
        rounds.train()
        if rounds.is_finished and progress.epoch < config.training.epochs:
            report(_why_finished(config, rounds))
    if rounds.is_finished and config.training.average != "none":
        keep_average(rounds, report)
    if run.weights.exists():
        make_usable(run, epochs.data, model, report)
    if rounds.is_finished:
        load_state(run, model, report)
        progress.concluded = len(progress.rounds)
        save_state(run, model, progress)
    minutes, seconds = divmod(round(time.perf_counter() - began), 60)
    report(f"trained for {minutes} min {seconds} s, corpus and tokenizers included")
    return _result(rounds)


def _why_finished(config: Config, rounds: Rounds) -> str:
    progress, patience = rounds.progress, config.validation.patience
    if progress.epoch >= config.training.epochs:
        is_down = _comes_to_nothing(config, int(rounds.model.optimizer.iterations))
        more = "train anew" if is_down else "--resume --set training.epochs=N"
        asked = f"training.epochs: {config.training.epochs}"
        return f"{progress.epoch} epochs are done ({asked}); more: {more}"
    return (
        f"stopped early: {patience} validations brought no better {rounds.selection.metric};"
        " to go on: --resume --set validation.patience=N"
    )


def _result(rounds: Rounds) -> TrainingResult:
    best = rounds.selection.best(rounds.progress)
    loss = best["val_cross_entropy"] if best else math.inf
    return TrainingResult(rounds.is_finished, rounds.progress, perplexity(loss))


def _config_to_resume(run: RunDirectory, config: Config) -> Config:
    if not run.path.exists():
        raise InputError(
            f"{run.path}: expected a run to go on with, found no such folder; begin it without"
            " --resume"
        )
    kept = run.read_config()
    changes: dict[str, Any] = {}
    for section, keys in MAY_CHANGE.items():
        values = {key: getattr(getattr(config, section), key) for key in keys}
        changes[section] = getattr(kept, section).model_copy(update=values)
    resumed = kept.model_copy(update=changes)
    config = keep_choices(config, kept)
    different = list(_differences(resumed.model_dump(), config.model_dump()))
    if different:
        raise InputError(
            f"{run.path}: the run was begun with other settings: {', '.join(different)};"
            " resume with those, or train anew with --run DIR"
        )
    return resumed


def _differences(ours: dict[str, Any], theirs: dict[str, Any], within: str = "") -> Iterator[str]:
    for key in ours | theirs:
        its, other = ours.get(key), theirs.get(key)
        if isinstance(its, dict) and isinstance(other, dict):
            yield from _differences(its, other, f"{within}{key}.")
        elif its != other:
            yield f"{within}{key} ({its}, found {other})"
