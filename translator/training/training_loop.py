"""Trains from one validation to the next, and keeps the weights and figures of each."""

import functools
import math
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import keras
import numpy as np

from translator.base.backends import JAX
from translator.base.errors import InputError
from translator.config.schema import Config
from translator.data.batches import Batches
from translator.runs.directory import RunDirectory
from translator.runs.weights import save_arrays
from translator.training.callbacks import (
    Interrupted,
    NonFiniteLoss,
    ProgressBar,
    StopOnSignal,
    UnreadLogs,
    UpdateCounter,
    write_validation,
)
from translator.training.epochs import Epochs
from translator.training.failures import (
    STABILITY_ADVICE,
    FailedUpdate,
    is_out_of_memory,
    non_finite_loss_error,
    out_of_memory_error,
)
from translator.training.feeding import feed
from translator.training.hardware import gpu_capability
from translator.training.hooks import Observer
from translator.training.moving_average import averaged_weights
from translator.training.processes import Processes
from translator.training.selection import Selection
from translator.training.state import Progress, check_finite, save_state
from translator.training.tensorboard import write_scalars
from translator.training.time_left import TimeLeft
from translator.training.validation import Validation


class OpenValidation(NamedTuple):
    """A validation that may still be translating, while training goes on.

    Attributes:
        position: epoch and share of it, for the line that reports the figures.
        in_epoch: updates of its epoch.
        figures: but those of the translations.
        times: its durations; seconds of the validation so far.
        weights: that were measured.
        scores: waits for BLEU and chrF; returns none where nothing is translated.
    """

    position: str
    in_epoch: int
    figures: dict[str, Any]
    times: dict[str, Any]
    weights: dict[str, np.ndarray]
    scores: Callable[[], dict[str, float]]


class TrainingLoop:
    """A training, divided by its validations: one after each epoch, or more in long epochs.

    Args:
        model: compiled and built.
        config: resolved; see `translator.training.resolution`.
        run: the directory that everything is written to.
        epochs: the training batches.
        validation: the validation split.
        progress: where training starts; it is updated.
        processes: those that train together; the first alone writes.
        observers: watch it, in the process that writes.
    """

    def __init__(
        self,
        model: keras.Model,
        config: Config,
        run: RunDirectory,
        epochs: Epochs,
        validation: Validation,
        progress: Progress,
        processes: Processes,
        observers: Sequence[Observer] = (),
    ) -> None:
        self.observers = observers if processes.is_first else ()
        self.model = model
        self.config = config
        self.run = run
        self.epochs = epochs
        self.progress = progress
        self.time_left = TimeLeft(config, progress)
        self.selection = Selection.of(config)
        self.validation = validation
        self.processes = processes
        # Where the CPU has nothing else to do, and no verdict can end the training.
        self.translates_aside = gpu_capability() is not None and config.validation.patience is None
        self.translating = ThreadPoolExecutor(max_workers=1)
        self.open: OpenValidation | None = None

    @property
    def is_finished(self) -> bool:
        """Whether all epochs are done, or patience has run out."""
        done = self.progress.epoch >= self.config.training.epochs
        return done or self.selection.has_stalled(self.progress.validations)

    def train(self) -> None:
        """Trains until it is finished or the user stops it.

        Raises:
            InputError: the loss became NaN or infinite, or memory ran out;
                the last checkpoint stays.
            OSError: the disk is full; likewise.
        """
        minutes = self.config.training.save_minutes
        with StopOnSignal() as stop:
            counter = UpdateCounter(self.progress, self._save, minutes, stop, self.processes)
            try:
                while not self.is_finished:
                    self._train_epoch(stop, counter)
            except Interrupted:
                self._save()

    def _train_epoch(self, stop: StopOnSignal, counter: UpdateCounter) -> None:
        batches = self.epochs.batches(self.progress.epoch)
        self._set_r_drop()
        tokens = batches.target_tokens()
        epochs = self.config.training.epochs
        bar = ProgressBar(self.progress, batches.count, epochs, self.time_left)
        try:
            for start, end in self._next_rounds(batches.count):
                bar.rate = functools.partial(self._tokens_per_second, tokens, start)
                self._fit(batches, end, counter, bar)
                if self._skips_validation(batches.count):
                    self._begin_next_epoch(int(tokens[end] - tokens[start]))
                else:
                    self._validate(bar, batches.count, self._tokens_per_second(tokens, start))
                    if self.open is None:
                        counter.saved = time.perf_counter()
                if any(self.processes.exchange(stop.asked)):
                    raise Interrupted
                if self.is_finished:
                    break
        finally:
            bar.close()

    def _tokens_per_second(self, tokens: np.ndarray, start: int) -> float:
        """Target tokens a second since the last validation.

        Args:
            tokens: of the epoch, before each update.
            start: the update of the epoch that was the first since then.
        """
        since = self.progress.tokens + int(tokens[self.progress.batch] - tokens[start])
        return since / self.progress.seconds

    def _set_r_drop(self) -> None:
        """Switches R-Drop on after its epochs; Keras then has to trace the step again."""
        training, model = self.config.training, self.model
        alpha = training.r_drop_alpha if self.progress.epoch >= training.r_drop_after else 0.0
        if alpha != model.loss.r_drop_alpha:
            model.loss.r_drop_alpha = alpha
            model.train_function = None
            self.time_left.expect_compilation()

    def _next_rounds(self, count: int) -> list[tuple[int, int]]:
        """The updates from validation to validation that are still to come in the epoch."""
        every = self.config.validation.every_updates or count
        ends = [*range(every, count, every), count]
        validated = self.progress.batch if self.progress.seconds == 0 else self.progress.batch - 1
        return [(start, end) for start, end in zip([0, *ends], ends) if end > validated]

    def _skips_validation(self, count: int) -> bool:
        """Whether an epoch ends here without a validation."""
        epoch, epochs = self.progress.epoch + 1, self.config.training.epochs
        follows = self.config.validation.follows(epoch, epochs)
        return self.progress.batch == count and not follows

    def _begin_next_epoch(self, tokens: int) -> None:
        """Goes on without a validation, after so many more target tokens."""
        progress = self.progress
        progress.tokens += tokens
        progress.epoch, progress.batch = progress.epoch + 1, 0

    def _fit(self, batches: Batches, end: int, counter: UpdateCounter, bar: ProgressBar) -> None:
        start = self.progress.batch
        if start == end:  # the run was stopped just before the validation
            return
        before = int(self.model.optimizer.iterations) - start
        try:
            self.model.fit(
                feed(batches, start, end, self.model.loss.copies, counter.wishes),
                shuffle=False,  # the plan is shuffled already
                verbose=0,
                callbacks=UnreadLogs(
                    [*self.observers, counter, bar],
                    add_history=True,
                    model=self.model,
                ),
            )
        except NonFiniteLoss as error:  # of the latest update that was counted
            failed = FailedUpdate(before, batches, self.progress.batch - 1)
            tokenizers = self.epochs.data.tokenizers
            writes = self.processes.is_first
            raise non_finite_loss_error(str(error), failed, tokenizers, self.run, writes) from None
        except Exception as error:
            if not is_out_of_memory(error):
                raise
            failed = FailedUpdate(before, batches, self.progress.batch)
            raise out_of_memory_error(failed.describe(), self.config.data) from None

    def _validate(self, bar: ProgressBar, count: int, tokens_per_second: float) -> None:
        """Measures the model and begins to translate; training may go on while that is done."""
        self._conclude()
        progress, model = self.progress, self.model
        of_training, seconds = model.get_metrics_result(), progress.seconds
        began = time.perf_counter()
        figures = self._measure(of_training)
        updates = int(model.optimizer.iterations)
        weights = averaged_weights(model)
        check_finite(weights)
        may_go_on = self.translates_aside and not self._is_last_validation(count)
        self.open = OpenValidation(
            bar.describe_position(),
            count,
            {"epoch": progress.epoch + 1, "updates": updates, **figures},
            {
                "updates": updates,
                "seconds": round(seconds, 3),
                "validation_seconds": time.perf_counter() - began,
                "target_tokens_per_second": round(tokens_per_second, 1),
            },
            weights,
            self._begin_translating(weights, may_go_on) if self._translates(count) else dict,
        )
        self.time_left.end_round(count)
        progress.seconds, progress.tokens = 0.0, 0
        if progress.batch == count:
            progress.epoch, progress.batch = progress.epoch + 1, 0
        if not may_go_on:
            self._conclude()

    def _measure(self, of_training: dict[str, Any]) -> dict[str, float]:
        """The figures of a validation but for the translations', with those of the training side.

        Raises:
            InputError: the loss is NaN or infinite.
        """
        figures = {name: float(value) for name, value in of_training.items()}
        figures |= self.validation.measure_loss(self.model)
        loss = figures["val_cross_entropy"]
        if not math.isfinite(loss):
            raise InputError(
                f"validation: expected a finite loss, found {loss}; {STABILITY_ADVICE}"
            )
        return figures | {"learning_rate": float(self.model.optimizer.learning_rate)}

    def _translates(self, count: int) -> bool:
        every, number = self.config.validation.translate_every, len(self.progress.validations) + 1
        return every > 0 and (number % every == 0 or self._is_last_validation(count))

    def _begin_translating(
        self, weights: dict[str, np.ndarray], aside: bool
    ) -> Callable[[], dict[str, float]]:
        """A function that returns BLEU and chrF, in the first process, when they are known."""
        if not self.processes.is_first:
            return dict
        if not aside:
            return functools.partial(self.validation.translate, weights)
        return self.translating.submit(self.validation.translate, weights).result

    def _conclude(self) -> None:
        """Writes figures, weights and state of the latest validation, once it has translated."""
        if self.open is None:
            return
        opened, self.open = self.open, None
        progress, began = self.progress, time.perf_counter()
        figures = opened.figures | self.processes.exchange(opened.scores())[0]
        waited = time.perf_counter() - began + opened.times["validation_seconds"]
        position = {name: figures.pop(name) for name in ("epoch", "updates")}
        rounded = {name: round(value, 6) for name, value in sorted(figures.items())}
        progress.validations.append({**position, **rounded})
        progress.times.append({**opened.times, "validation_seconds": round(waited, 3)})
        is_best = self.selection.best(progress) is progress.validations[-1]
        if is_best:
            progress.averaged = None
        if self.processes.is_first:
            write_validation(
                opened.position,
                progress.validations[-1],
                progress.times[-1],
                self.time_left.estimate(opened.in_epoch).run,
                self.selection.metric_name if is_best else None,
            )
            if self.config.training.tensorboard:
                write_scalars(self.run.tensorboard, progress.validations[-1], progress.times[-1])
            self._keep_weights(opened.weights, is_best)
            self._save()
            self._remove_old_snapshots()

    def _is_last_validation(self, count: int) -> bool:
        """Whether all epochs end here; the last validation always translates."""
        progress, epochs = self.progress, self.config.training.epochs
        return progress.batch == count and progress.epoch + 1 == epochs

    def _keep_weights(self, weights: dict[str, np.ndarray], is_best: bool) -> None:
        number = len(self.progress.validations)
        if number in self.selection.kept(self.progress.validations):
            self.run.snapshots.mkdir(exist_ok=True)
            save_arrays(self.run.snapshot(number), weights)
        if is_best:
            save_arrays(self.run.weights, weights)

    def _save(self) -> None:
        if self.open is not None:
            self._conclude()  # which saves
            return
        if keras.backend.backend() == JAX:  # the compiled step has the values while `fit` runs
            self.model.jax_state_sync()
        if self.processes.is_first:
            save_state(self.run, self.model, self.progress)

    def _remove_old_snapshots(self) -> None:
        """Removes weights that are no longer to be kept; the saved state knows that already."""
        numbers = self.selection.kept(self.progress.validations)
        kept = {self.run.snapshot(number) for number in numbers}
        for path in self.run.snapshots.glob("*.npz"):
            if path not in kept:
                path.unlink()
