"""Trains a run from its configuration: corpus, tokenizers, batches, `fit`."""

import contextlib
import math
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from translator.base.backends import has_gpu
from translator.base.keras_startup import set_random_seed
from translator.base.lock import locked
from translator.base.notebook import small_table
from translator.base.version import __version__
from translator.config.schema import Config
from translator.corpora import fingerprint
from translator.data.preparation import TrainingData, prepare
from translator.model.transformer import Transformer
from translator.runs.directory import RunDirectory
from translator.runs.exports import is_export
from translator.runs.weights import set_embeddings, set_model_weights, weights_fingerprint
from translator.tokenizers.bpemb_download import load_vectors
from translator.training.advice import Trained, advise
from translator.training.automatic import choose_for_encoding, choose_for_training
from translator.training.averaging import keep_average_if_better
from translator.training.callbacks import report_above_bar
from translator.training.compilation import make_training_model
from translator.training.devices import (
    check_device_count,
    device_count,
    on_one_device,
    sharing_batches,
)
from translator.training.epochs import Epochs
from translator.training.finishing import finish_run
from translator.training.hardware import gpu_capability, set_threads_per_shard, shard_count
from translator.training.hooks import OBSERVERS, Observer
from translator.training.initial_run import InitialRun
from translator.training.metrics import perplexity
from translator.training.processes import Processes
from translator.training.prospects import warn
from translator.training.resolution import (
    flatten,
    rate_is_zero_after,
    resolve,
    resolve_schedule,
)
from translator.training.state import Progress, load_state, read_state, save_state, set_state
from translator.training.tensorboard import check_tensorboard
from translator.training.training_loop import TrainingLoop
from translator.training.validation import Validation

Report = Callable[[str], None]
IDLE_GPU = (
    "training on the CPU, as nothing is installed that can use the GPU:"
    " pip install 'keras-translator[jax-cuda]' adds it"
)


class TrainingResult(NamedTuple):
    """How a training ended.

    Attributes:
        finished: False where it was interrupted; ``resume`` continues it.
        progress: how far it came.
        best_perplexity: on the validation split, of the weights that are kept.
    """

    finished: bool
    progress: Progress
    best_perplexity: float

    def _repr_html_(self) -> str:
        """The figures of the last validations, for notebooks."""
        rows = [("finished", "yes" if self.finished else "no, resume=True continues it")]
        rows.append(("perplexity of the best weights", f"{self.best_perplexity:.2f}"))
        for row in self.progress.validations[-5:]:
            bleu = f", BLEU {row['val_bleu']:.2f}" if "val_bleu" in row else ""
            loss = f"loss {row['val_cross_entropy']:.3f}"
            rows.append((f"epoch {row['epoch']}", f"{loss}{bleu}"))
        return small_table(rows)


def train_run(
    config: Config, run_dir: str | Path, resume: bool, report: Report, processes: Processes
) -> TrainingResult:
    """Trains a model into a run directory; see `translator.training.start.train`.

    Of several processes the first alone writes and reports; each computes its part.
    """
    began = time.perf_counter()
    run = RunDirectory(run_dir)
    report = report if processes.is_first else lambda line: None
    if config.training.tensorboard:
        check_tensorboard()
    with contextlib.ExitStack() as while_training:
        of_run = run.read_config_to_resume() if resume else None
        if not resume and processes.is_first:
            run.check_free()
        config = resolve(config, of_run, str(run.path))
        _check_settings(config, processes)
        if resume and processes.is_first:
            while_training.enter_context(locked(run.path, report))
        initial = None
        if not (resume and run.has_begun):
            config, initial = InitialRun.of_config(config)
            config = choose_for_encoding(config, report)
        _set_up_process(config)
        while_training.enter_context(sharing_batches(config.training))
        with processes.in_turn():
            data = _prepare_data(config, run if resume else None, initial, report)
        _check_data(data, processes)
        config = choose_for_training(config, data, began, report, processes)
        epochs = Epochs(config, data)
        config = resolve_schedule(config, epochs, of_run)
        check_device_count(epochs.batches(0))
        if has_gpu() and gpu_capability() is None:
            report(IDLE_GPU)
        validation = Validation(config, data, report_above_bar(report), processes)
        total = config.training.epochs * epochs.batches(0).count
        observers = _observers(config, data, run, total)
        has_state = resume and run.has_begun
        if not has_state and processes.is_first:
            for line in warn(config, data, total):
                report(line)
        processes.exchange()  # all know whether there is a state before the first writes one
        model = _make_model(config, data, not has_state, initial, report)
        state, progress = None, Progress()
        with processes.in_turn():
            if not resume and processes.is_first:
                run.create(config, data.tokenizers, data.fingerprint, data.train_key)
                while_training.enter_context(locked(run.path, report))
            if has_state:
                state = read_state(run, report)
            if processes.is_first:
                if resume:
                    run.write_config(config)
                run.remove_leftovers()
                if not has_state:
                    save_state(run, model, progress)
        _check_folder(run, processes)
        if state is not None:
            progress = set_state(model, *state)
        loop = TrainingLoop(model, config, run, epochs, validation, progress, processes, observers)
        return _train_and_finish(loop, report, began)


def _observers(config: Config, data: TrainingData, run: RunDirectory, total: int) -> list[Observer]:
    asked = (observe(config, data.tokenizers, run, total) for observe in OBSERVERS.answers())
    return [observer for observer in asked if observer is not None]


def _check_settings(config: Config, processes: Processes) -> None:
    """Checks that all processes have the same configuration; the devices of each are its own."""
    facts = {key: str(value) for key, value in flatten(config.model_dump())}
    del facts["training.devices"]
    facts["the program's version"] = __version__
    processes.check_equal("settings", facts, "start all with the same configuration")


def _check_data(data: TrainingData, processes: Processes) -> None:
    sides = zip(("source", "target"), data.tokenizers)
    facts = {f"{side} tokenizer, hash": tokenizer.fingerprint for side, tokenizer in sides}
    facts = {"corpus, hash": data.fingerprint, **facts, "encoded pairs, hash": data.train_key}
    processes.check_equal("data", facts, "give all machines the same files")


def _check_folder(run: RunDirectory, processes: Processes) -> None:
    """Checks that all processes see the run that the first has just written, or resumed."""
    seen = weights_fingerprint(run.last) if run.last.exists() else "not there"
    advice = "put the run on a disk that all machines share, and name it with --run"
    processes.check_equal("run", {f"{run.last}, hash": seen}, advice)


def _set_up_process(config: Config) -> None:
    shards = shard_count(config.training)
    if shards > 1:
        set_threads_per_shard(shards)


def _prepare_data(
    config: Config, resumed: RunDirectory | None, initial: InitialRun | None, report: Report
) -> TrainingData:
    """Tokenizers and encoded corpus; a run that is resumed brings its own tokenizers."""
    if resumed is None:
        return prepare(config, report, initial and initial.tokenizers)
    tokenizers = resumed.read_tokenizers(config)
    corpus = fingerprint(config.corpus)
    resumed.check_corpus(corpus)
    data = prepare(config, report, tokenizers, corpus)
    resumed.check_training_pairs(data.train_key)
    return data


def _make_model(
    config: Config, data: TrainingData, is_new: bool, initial: InitialRun | None, report: Report
) -> Transformer:
    set_random_seed(config.training.seed)  # here, because a trial draws random numbers too
    model = make_training_model(config, data.tokenizers)
    if initial is not None:
        set_model_weights(model, initial.load_weights(), initial.run.weights)
        report(f"weights start from {initial.run.path}")
    elif config.tokenizer.vectors and is_new:
        set_embeddings(model, load_vectors(config))
        report(f"embeddings start from BPEmb's vectors of {config.model.d_model} dimensions")
    report(f"model: {model.count_params():,} parameters")
    return model


def _train_and_finish(loop: TrainingLoop, report: Report, began: float) -> TrainingResult:
    config, run, progress = loop.config, loop.run, loop.progress
    if loop.is_finished:
        report(_why_finished(loop))
        if progress.concluded == len(progress.validations) and is_export(run.export):
            return _result(loop)
    else:
        _report_start(loop, report)
        loop.train()
        if loop.is_finished and progress.epoch < config.training.epochs:
            report(_why_finished(loop))
    for line in filter(None, (observer.describe() for observer in loop.observers)):
        report(line)
    if loop.is_finished and config.training.average != "none":
        keep_average_if_better(loop, report)
    if loop.processes.is_first:
        _write_results(loop, report)
    loop.processes.exchange()
    minutes, seconds = divmod(round(time.perf_counter() - began), 60)
    report(f"trained for {minutes} min {seconds} s, corpus and tokenizers included")
    if loop.is_finished and (advice := _advice(loop)) is not None:
        report(f"next: {advice}")
    return _result(loop)


def _advice(loop: TrainingLoop) -> str | None:
    config, updates = loop.config, loop.epochs.batches(0).count
    is_over = rate_is_zero_after(config, (config.training.epochs + 1) * updates - 1)
    return advise(Trained(config, loop.progress.validations, loop.run.path, is_over))


def _write_results(loop: TrainingLoop, report: Report) -> None:
    """Finishes what the run holds besides its weights; the state says so at the end."""
    config, run, progress = loop.config, loop.run, loop.progress
    model, is_spread = loop.model, device_count() > 1
    with on_one_device():
        if is_spread:
            model = make_training_model(config, loop.epochs.data.tokenizers)
        if run.weights.exists():
            finish_run(run, loop.epochs.data, model, report)
        if loop.is_finished:
            load_state(run, model, report)
            run.mark_finished()
            progress.concluded = len(progress.validations)
            save_state(run, model, progress)


def _report_start(loop: TrainingLoop, report: Report) -> None:
    progress, epochs = loop.progress, loop.config.training.epochs
    batches = loop.epochs.batches(progress.epoch)
    if progress != Progress():
        where = f"epoch {progress.epoch + 1}, update {progress.batch + 1}"
        if progress.batch == batches.count:
            where = f"the validation of epoch {progress.epoch + 1}"
        report(f"resuming at {where}")
    report(
        f"training: {epochs} epochs of {batches.count:,} updates,"
        f" {batches.target_tokens()[-1]:,} target tokens each,"
        f" {batches.padding_share:.1%} of positions are padding"
    )


def _why_finished(loop: TrainingLoop) -> str:
    config, progress = loop.config, loop.progress
    if progress.epoch >= config.training.epochs:
        updates = int(loop.model.optimizer.iterations)
        is_over = rate_is_zero_after(config, updates)
        advice = "train again" if is_over else "--resume --set training.epochs=N"
        configured = f"training.epochs: {config.training.epochs}"
        return f"{progress.epoch} epochs are done ({configured}); for more: {advice}"
    return (
        f"stopped early: {config.validation.patience} validations without a better"
        f" {loop.selection.metric}; to continue: --resume --set validation.patience=N"
    )


def _result(loop: TrainingLoop) -> TrainingResult:
    best = loop.selection.best(loop.progress)
    loss = best["val_cross_entropy"] if best else math.inf
    return TrainingResult(loop.is_finished, loop.progress, perplexity(loss))
