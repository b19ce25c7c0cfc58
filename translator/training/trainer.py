"""Trains a run from its configuration: corpus, tokenizers, batches, `fit`."""

import math
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import keras

from translator.config import Config
from translator.corpora import fingerprint
from translator.dataset import Batches
from translator.errors import InputError
from translator.export.ctranslate2 import export_ctranslate2
from translator.model.transformer import Transformer
from translator.preparation import TrainingData, prepare
from translator.run import RunDirectory
from translator.training.callbacks import (
    Bar,
    Checkpoints,
    Interrupted,
    MetricsLog,
    StopOnSignal,
    Throughput,
    ValidatedAverages,
)
from translator.training.checkpoint import (
    Position,
    load_training_state,
    save_training_state,
)
from translator.training.losses import MaskedCrossEntropy
from translator.training.metrics import TokenAccuracy, TokenCrossEntropy, perplexity
from translator.training.optimizer import FusedAdam
from translator.training.restoration import learn_restoration
from translator.training.schedules import make_schedule
from translator.vocabulary import load_vectors
from translator.weights import load_arrays, make_model, set_embeddings, set_model_weights

Report = Callable[[str], None]


class TrainingResult(NamedTuple):
    """How a training ended.

    Attributes:
        finished: False where it was interrupted; ``resume`` goes on.
        position: of the next step.
        best_perplexity: on the validation split, of the weights that were kept.
    """

    finished: bool
    position: Position
    best_perplexity: float


def compile_model(model: Transformer, config: Config) -> None:
    """Gives a model the configuration's optimiser, loss and metrics."""
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
        loss=MaskedCrossEntropy(padding_id, training.label_smoothing),
        metrics=[TokenCrossEntropy(padding_id), TokenAccuracy(padding_id)],
        jit_compile=False,
    )
    model.optimizer.build(model.trainable_variables)


def train(
    config: Config, run_dir: str | Path, resume: bool = False, report: Report = print
) -> TrainingResult:
    """Trains a model into a run directory.

    Args:
        config: what to train; a run that goes on keeps its own and takes from
            this one only the number of epochs.
        run_dir: where everything goes.
        resume: go on with the run that is there.
        report: is given each line for the reader.

    Returns:
        How it ended.

    Raises:
        InputError: the corpus, the tokenizers or the run directory cannot be used.
    """
    began = time.perf_counter()
    run = RunDirectory(run_dir)
    if resume:
        config = _config_to_resume(run, config)
    else:
        run.check_free()
    keras.utils.set_random_seed(config.training.seed)
    if resume:
        run.check_corpus(fingerprint(config.corpus))
    data = prepare(config, report, run.read_tokenizers(config) if resume else None)
    model = make_model(config, data.tokenizers)
    if config.tokenizer.vectors and not resume:
        set_embeddings(model, load_vectors(config))
        report(f"embeddings begin as BPEmb's vectors of {config.model.d_model} dimensions")
    compile_model(model, config)
    report(f"model: {model.count_params():,} parameters")
    start, best = Position(0, 0), math.inf
    if not resume:
        run.create(config, data.tokenizers, data.fingerprint)
        save_training_state(run.last, model, start, best)  # from now on --resume goes on
    else:
        start, best = load_training_state(run.last, model)
        run.write_config(config)
        report(f"going on at epoch {start.epoch + 1}, batch {start.batch + 1}")
    if start.epoch >= config.training.epochs:
        report(f"all {start.epoch} epochs are done; more: --set training.epochs=N")
        return TrainingResult(True, start, perplexity(best))
    result = _fit(model, config, run, data, start, best, report)
    if run.weights.exists():
        _finish(model, config, run, data, report)
    minutes, seconds = divmod(round(time.perf_counter() - began), 60)
    report(f"trained for {minutes} min {seconds} s, corpus and tokenizers included")
    return result


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
    if not run.last.exists():
        raise InputError(
            f"{run.last}: expected the state to go on from, found none; put it back, or train"
            " anew with --run DIR"
        )
    training = kept.training.model_copy(update={"epochs": config.training.epochs})
    wanted = config.model_copy(
        update={"training": config.training.model_copy(update={"epochs": kept.training.epochs})}
    )
    if wanted != kept:
        different = [
            f"{section}.{key}"
            for section, values in kept.model_dump().items()
            for key, value in values.items()
            if wanted.model_dump()[section][key] != value
        ]
        raise InputError(
            f"{run.path}: the run was begun with other settings: {', '.join(different)};"
            " resume with those, or train anew with --run DIR"
        )
    return kept.model_copy(update={"training": training})


def _fit(
    model: Transformer,
    config: Config,
    run: RunDirectory,
    data: TrainingData,
    start: Position,
    best: float,
    report: Report,
) -> TrainingResult:
    batches = Batches(data.train, config.data, data.tokenizers, config.training.seed)
    validation = Batches(data.validation, config.data, data.tokenizers)
    epochs = config.training.epochs
    report(
        f"training: {epochs} epochs of {batches.count:,} batches,"
        f" {data.train.target_tokens:,} target tokens each,"
        f" {batches.padding_share:.1%} of positions are padding"
    )
    checkpoints = Checkpoints(run, start, best)
    bar = Bar(batches.count, epochs, start)
    with StopOnSignal(checkpoints, batches.count) as stop:
        averages = [ValidatedAverages()] if config.training.ema_momentum is not None else []
        callbacks = [*averages, Throughput(), bar, MetricsLog(run.metrics), checkpoints, stop]
        try:
            for epoch in range(start.epoch, epochs):
                model.fit(
                    batches.dataset(epoch, skip=checkpoints.position.batch),
                    validation_data=validation.dataset(),
                    initial_epoch=epoch,
                    epochs=epoch + 1,
                    shuffle=False,  # the plan has done that
                    verbose=0,
                    callbacks=callbacks,
                )
        except Interrupted:
            checkpoints.save()
        finally:
            bar.close()
    finished = checkpoints.position.epoch >= epochs
    return TrainingResult(finished, checkpoints.position, perplexity(checkpoints.best))
