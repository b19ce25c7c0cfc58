"""Trains a run from its configuration: corpus, tokenizers, batches, `fit`."""

import contextlib
import math
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import keras

from translator.config import Config
from translator.corpora import fingerprint
from translator.errors import InputError
from translator.export.ctranslate2 import export_ctranslate2
from translator.locking import locked
from translator.model.transformer import Transformer
from translator.preparation import TrainingData, prepare
from translator.run import RunDirectory
from translator.training.accumulation import AccumulatingTransformer
from translator.training.averaging import average_weights
from translator.training.losses import MaskedCrossEntropy
from translator.training.metrics import TokenAccuracy, TokenCrossEntropy, perplexity
from translator.training.optimizer import FusedAdam
from translator.training.restoration import learn_restoration
from translator.training.rounds import Rounds
from translator.training.schedules import make_schedule
from translator.training.state import Progress, load_state, save_state
from translator.training.validation import describe
from translator.vocabulary import load_vectors
from translator.weights import (
    load_arrays,
    make_model,
    save_arrays,
    set_embeddings,
    set_model_weights,
)

Report = Callable[[str], None]
MAY_CHANGE = {  # what a run that goes on may have otherwise
    "training": ("epochs", "save_minutes"),
    "validation": ("patience", "samples"),
}


class TrainingResult(NamedTuple):
    """How a training ended.

    Attributes:
        finished: False where it was interrupted; ``resume`` goes on.
        progress: how far it came.
        best_perplexity: on the validation split, of the best validation.
    """

    finished: bool
    progress: Progress
    best_perplexity: float


def compile_model(model: Transformer, config: Config) -> None:
    """Gives a model the configuration's optimiser, loss and metrics, all of them built."""
    padding_id = model.padding_ids[1]
    training = config.training
    model.compile(
        optimizer=FusedAdam(
            make_schedule(training.schedule, config.model.d_model),
            beta_1=training.adam_beta_1,
            beta_2=training.adam_beta_2,
            epsilon=training.adam_epsilon,
            global_clipnorm=training.clip_grad_norm,
            use_ema=training.ema_momentum is not None,
            ema_momentum=training.ema_momentum or 0.99,
        ),
        loss=MaskedCrossEntropy(padding_id, training.label_smoothing, training.r_drop_alpha),
        metrics=[TokenCrossEntropy(padding_id), TokenAccuracy(padding_id)],
        jit_compile=False,
    )
    ids = keras.KerasTensor((None, None), "int32")
    model._symbolic_build(data_batch=((ids, ids), ids))  # `fit` would, but for one batch an update


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
    with contextlib.ExitStack() as while_training:
        if resume:
            config = _config_to_resume(run, config)
            while_training.enter_context(locked(run.path, report))
        else:
            run.check_free()
        keras.utils.set_random_seed(config.training.seed)
        if resume:
            run.check_corpus(fingerprint(config.corpus))
        data = prepare(config, report, run.read_tokenizers(config) if resume else None)
        accumulates = config.training.accumulation_steps > 1
        kind = AccumulatingTransformer if accumulates else Transformer
        model = make_model(config, data.tokenizers, kind)
        if config.tokenizer.vectors and not resume:
            set_embeddings(model, load_vectors(config))
            report(f"embeddings begin as BPEmb's vectors of {config.model.d_model} dimensions")
        compile_model(model, config)
        report(f"model: {model.count_params():,} parameters")
        if resume:
            progress = load_state(run, model, report)
            run.remove_leftovers()
            run.write_config(config)
            report(f"going on at epoch {progress.epoch + 1}, update {progress.batch + 1}")
        else:
            progress = Progress()
            run.create(config, data.tokenizers, data.fingerprint)
            while_training.enter_context(locked(run.path, report))
            save_state(run, model, progress)  # from now on --resume goes on
        return _train(model, config, run, data, progress, report, began)


def _train(
    model: Transformer,
    config: Config,
    run: RunDirectory,
    data: TrainingData,
    progress: Progress,
    report: Report,
    began: float,
) -> TrainingResult:
    rounds = Rounds(model, config, run, data, progress, report)
    if rounds.is_finished:
        report(_why_finished(config, rounds))
        if progress.concluded == len(progress.rounds):
            return _result(rounds)
    else:
        first = rounds.batches(progress.epoch)
        report(
            f"training: {config.training.epochs} epochs of {first.count:,} updates,"
            f" {first.pairs.target_tokens:,} target tokens each,"
            f" {first.padding_share:.1%} of positions are padding"
        )
        rounds.train()
        if rounds.is_finished and progress.epoch < config.training.epochs:
            report(_why_finished(config, rounds))
    if rounds.is_finished and config.training.average != "none":
        _keep_average(rounds, run, report)
    if run.weights.exists():
        _finish(model, config, run, data, report)
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
        return f"all {progress.epoch} epochs are done; more: --set training.epochs=N"
    return (
        f"stopped early: {patience} validations brought no better {rounds.selection.metric};"
        " to go on: --resume --set validation.patience=N"
    )


def _result(rounds: Rounds) -> TrainingResult:
    ranked = rounds.selection.ranked(rounds.progress.rounds)
    best = rounds.progress.rounds[ranked[0] - 1]["val_cross_entropy"] if ranked else math.inf
    return TrainingResult(rounds.is_finished, rounds.progress, perplexity(best))


def _keep_average(rounds: Rounds, run: RunDirectory, report: Report) -> None:
    """Puts the average in the place of the best weights, if it is better."""
    which, selection = rounds.config.training.average, rounds.selection
    numbers = selection.kept(rounds.progress.rounds, which)
    weights = average_weights([run.snapshot(number) for number in numbers])
    figures = rounds.validation.measure_weights(
        rounds.model, weights, selection.metric in ("bleu", "chrf")
    )
    best = rounds.progress.rounds[selection.ranked(rounds.progress.rounds)[0] - 1]
    better = selection.badness(figures) < selection.badness(best)
    report(
        f"average of the {which} {len(numbers)} validations: {describe(figures)}; the best one:"
        f" {describe(best)}; kept: {'the average' if better else 'the best one'}"
    )
    if better:
        save_arrays(run.weights, weights)


def _finish(
    model: Transformer, config: Config, run: RunDirectory, data: TrainingData, report: Report
) -> None:
    """Leaves beside the best weights what using them needs."""
    set_model_weights(model, load_arrays(run.weights), run.weights)
    restoration = learn_restoration(config, data.tokenizers, model)
    restoration.save(run.restoration)
    if restoration.alignment is not None:
        layer, heads, accuracy, words = restoration.alignment
        report(
            f"cross-attention points best in layer {layer + 1}, head"
            f" {', '.join(str(head + 1) for head in heads)}: {accuracy:.1%} of {words:,} words"
        )
    export_ctranslate2(run, run.export)
    report(f"export for CTranslate2: {run.export}")


def _config_to_resume(run: RunDirectory, config: Config) -> Config:
    kept = run.read_config()
    changes: dict[str, Any] = {}
    for section, keys in MAY_CHANGE.items():
        values = {key: getattr(getattr(config, section), key) for key in keys}
        changes[section] = getattr(kept, section).model_copy(update=values)
    resumed = kept.model_copy(update=changes)
    ours, theirs = resumed.model_dump(), config.model_dump()
    different = [
        f"{section}.{key}"
        for section, values in ours.items()
        for key, value in values.items()
        if theirs[section][key] != value
    ]
    if different:
        raise InputError(
            f"{run.path}: the run was begun with other settings: {', '.join(different)};"
            " resume with those, or train anew with --run DIR"
        )
    return resumed
