"""Trains from one validation to the next, and keeps the weights and figures of each."""

import functools
import math
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import keras
import numpy as np

from translator.base.backends import JAX
from translator.base.errors import InputError
from translator.base.signals import StopOnSignal
from translator.data.batches import Batches
from translator.training import recipes
from translator.training.ahead import compile_ahead
from translator.training.callbacks import (
    Interrupted,
    NonFiniteLoss,
    ProgressBar,
    UnreadLogs,
    UpdateCounter,
    describe_validation,
    report_above_bar,
)
from translator.training.compilation import averaged_weights
from translator.training.failures import (
    STABILITY_ADVICE,
    FailedUpdate,
    explaining_lack_of_memory,
    non_finite_loss_error,
)
from translator.training.feeding import feed
from translator.training.hardware import gpu_capability
from translator.training.plan import Plan
from translator.training.processes import agree, any_asks, writes
from translator.training.selection import Selection
from translator.training.state import Progress, check_finite
from translator.training.time_left import TimeLeft
from translator.training.writer import RunWriter

OVERTIME = 1.1  # times a given time, after which a training ends


class OpenValidation(NamedTuple):
    """A validation that may still be translating, while training goes on.

    Attributes:
        position: epoch and share of it, for the line that reports the figures.
        figures: but those of the translations.
        times: its durations; seconds of the validation so far.
        scores: waits for BLEU and chrF; returns none where nothing is translated.
    """

    position: str
    in_epoch: int
    figures: dict[str, Any]
    times: dict[str, Any]
    weights: dict[str, np.ndarray]
    scores: Callable[[], dict[str, float]]


class TrainingLoop:
    """A training, divided by its validations: one after each epoch, or more in long epochs."""

    def __init__(
        self, plan: Plan, model: keras.Model, progress: Progress, writer: RunWriter
    ) -> None:
        self.config, self.epochs, self.validation = plan.config, plan.epochs, plan.validation
        self.model = model
        self.progress = progress
        self.writer = writer
        self.observers = plan.observers
        self.prepared = plan.prepared
        self.time_left = TimeLeft(plan.config, progress)
        self.selection = Selection.of(plan.config)
        # Where the CPU has nothing else to do, and no verdict can end the training.
        may_wait = plan.config.validation.patience is None
        self.translates_aside = gpu_capability() is not None and may_wait
        self.translating = ThreadPoolExecutor(max_workers=1)
        self.open: OpenValidation | None = None

    @property
    def is_finished(self) -> bool:
        """Whether all epochs are done, or patience has run out."""
        done = self.progress.epoch >= self.config.training.epochs
        return done or self.is_out_of_time or self.selection.has_stalled(self.progress.validations)

    @property
    def is_out_of_time(self) -> bool:
        """Whether a training of a given time has had a tenth more, and an epoch."""
        minutes, used = self.config.training.minutes, self.prepared + recipes.SECONDS_TO_FINISH
        used += sum(each["seconds"] + each["validation_seconds"] for each in self.progress.times)
        return minutes is not None and self.progress.epoch > 0 and used > OVERTIME * 60 * minutes

    def train(self) -> None:
        """Trains until it is finished or the user stops it.

        Raises:
            InputError: the loss became NaN or infinite, or memory ran out;
                the last checkpoint stays.
            OSError: the disk is full; likewise.
        """
        minutes = self.config.training.save_minutes
        with StopOnSignal() as stop:
            counter = UpdateCounter(self.progress, self._save, minutes, stop)
            try:
                while not self.is_finished:
                    self._train_epoch(stop, counter)
            except Interrupted:
                self._save()

    def _train_epoch(self, stop: StopOnSignal, counter: UpdateCounter) -> None:
        batches = self.epochs.batches(self.progress.epoch)
        self._set_r_drop()
        self._compile_ahead(stop)
        tokens = batches.target_tokens()
        epochs = self.config.training.epochs
        follows = self.config.validation.follows(self.progress.epoch + 1, epochs)
        say = report_above_bar(self.writer.report)
        bar = ProgressBar(self.progress, batches.count, epochs, self.time_left, say)
        try:
            for start, end in self._next_rounds(batches.count):
                bar.rate = functools.partial(self._tokens_per_second, tokens, start)
                self._fit(batches, end, counter, bar)
                is_whole = self.progress.batch == batches.count
                if is_whole and not follows:
                    self.progress.tokens += int(tokens[end] - tokens[start])
                    self.progress.epoch, self.progress.batch = self.progress.epoch + 1, 0
                else:
                    self._validate(bar, batches.count, self._tokens_per_second(tokens, start))
                    if self.open is None:
                        counter.saved = time.perf_counter()
                if any(any_asks(stop.asked)):
                    raise Interrupted
                if self.is_finished:
                    break
        finally:
            bar.close()

    def _tokens_per_second(self, tokens: np.ndarray, start: int) -> float:
        """Target tokens a second since the last validation.

        Args:
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

    def _compile_ahead(self, stop: StopOnSignal) -> None:
        """Compiles for all lengths, before the first epoch and before that with R-Drop."""
        if keras.backend.backend() == JAX and self.model.train_function is None:
            found = self.epochs.whole_pass(self.progress.epoch), self.validation.batches
            compile_ahead(self.model, self.config, *found, lambda: stop.asked)

    def _next_rounds(self, count: int) -> list[tuple[int, int]]:
        """The updates from validation to validation that are still to come in the epoch."""
        ends = self.config.validation.ends_of_rounds(count)
        validated = self.progress.batch if self.progress.seconds == 0 else self.progress.batch - 1
        return [(start, end) for start, end in zip([0, *ends], ends) if end > validated]

    def _fit(self, batches: Batches, end: int, counter: UpdateCounter, bar: ProgressBar) -> None:
        start = self.progress.batch
        if start == end:  # the run was stopped just before the validation
            return
        before = int(self.model.optimizer.iterations) - start

        def failed(later: int) -> FailedUpdate:
            return FailedUpdate(before, batches, self.progress.batch + later)

        callbacks = [*self.observers, counter, bar]
        try:
            with explaining_lack_of_memory(self.config.data, lambda: failed(0).describe()):
                self.model.fit(
                    feed(batches, start, end, self.model.loss.copies),
                    shuffle=False,  # the plan is shuffled already
                    verbose=0,
                    callbacks=UnreadLogs(callbacks, add_history=True, model=self.model),
                )
        except NonFiniteLoss as error:  # of the latest update that was counted
            pairs = failed(-1).pairs(self.epochs.data.tokenizers)
            self.writer.write_failed_batch(pairs)
            file = self.writer.run.failed_batch
            raise non_finite_loss_error(str(error), failed(-1), pairs, file) from None

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
        self.time_left.end_round()
        progress.seconds, progress.tokens = 0.0, 0
        if progress.batch == count:
            progress.epoch, progress.batch = progress.epoch + 1, 0
        if not may_go_on:
            self._conclude()

    def _measure(self, of_training: dict[str, Any]) -> dict[str, float]:
        """The figures of a validation without translations, and those of the training side."""
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
        if self._is_last_validation(count) or not every:
            return every > 0
        return number % every == 0 and not self._has_validated_enough()

    def _has_validated_enough(self) -> bool:
        """Whether translations have taken the share of a given time that they may take."""
        minutes, used = self.config.training.minutes, self.progress.times
        if minutes is None or self.selection.metric in ("bleu", "chrf"):
            return False
        seconds: float = sum(each["validation_seconds"] for each in used)
        return seconds > recipes.VALIDATION_SHARE * 60 * minutes

    def _begin_translating(
        self, weights: dict[str, np.ndarray], aside: bool
    ) -> Callable[[], dict[str, float]]:
        """A function that returns BLEU and chrF in the process that writes, once they are known."""
        if not writes():
            return dict
        translate, number = self.validation.translate, len(self.progress.validations)
        if not aside:
            return functools.partial(translate, weights, number)
        return self.translating.submit(translate, weights, number).result

    def _conclude(self) -> None:
        """Writes figures, weights and state of the latest validation, once it has translated."""
        if self.open is None:
            return
        opened, self.open = self.open, None
        progress, began = self.progress, time.perf_counter()
        figures = opened.figures | agree(opened.scores())
        waited = time.perf_counter() - began + opened.times["validation_seconds"]
        position = {name: figures.pop(name) for name in ("epoch", "updates")}
        rounded = {name: round(value, 6) for name, value in sorted(figures.items())}
        progress.validations.append({**position, **rounded})
        progress.times.append({**opened.times, "validation_seconds": round(waited, 3)})
        is_best = self.selection.best(progress) is progress.validations[-1]
        if is_best:
            progress.averaged = None
        left = self.time_left.estimate(opened.in_epoch).run
        metric = self.selection.metric_name if is_best else None
        line = describe_validation(
            opened.position, progress.validations[-1], progress.times[-1], left, metric
        )
        kept = self.selection.kept(progress.validations)
        is_kept = len(progress.validations) in kept
        self.writer.write_validation(line, progress, opened.weights, is_kept, is_best)
        self._save()
        self.writer.remove_snapshots(but=kept)  # the state knows already that they are not kept

    def _is_last_validation(self, count: int) -> bool:
        """Whether all epochs end here; the last validation always translates."""
        progress, epochs = self.progress, self.config.training.epochs
        return progress.batch == count and progress.epoch + 1 == epochs

    def _save(self) -> None:
        if self.open is not None:
            self._conclude()  # which saves
            return
        self.writer.save(self.model, self.progress)
