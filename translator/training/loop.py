"""The loop of a training: updates, saving, validations, and the end."""

import functools
import math
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np

from translator.base.errors import InputError
from translator.base.processes import agree, any_asks, are_several, writes
from translator.base.signals import StopOnSignal
from translator.data.batches import Batches
from translator.training.backends import Backend, Figures
from translator.training.clock import Clock
from translator.training.hardware import gpu_capability
from translator.training.messages import (
    FailedUpdate,
    ProgressBar,
    describe_validation,
    explaining_lack_of_memory,
    non_finite_loss_error,
)
from translator.training.plan import Plan
from translator.training.state import (
    STABILITY_ADVICE,
    Progress,
    RunWriter,
    Selection,
    check_finite,
    kept_snapshots,
)

ASK_EVERY = 20  # updates between two times when processes exchange their wishes


class PendingValidation(NamedTuple):
    """A validation. It may still be translating, while the training continues.

    Attributes:
        position: the epoch and its completed share, for the line that reports the figures.
        updates_of_epoch: how many updates its epoch has.
        figures: all measured figures, without BLEU and chrF.
        times: seconds of the updates before it, and of the validation so far.
        scores: waits for BLEU and chrF; returns {} if nothing is translated.
    """

    position: str
    updates_of_epoch: int
    figures: Mapping[str, Any]
    times: Mapping[str, Any]
    weights: Mapping[str, np.ndarray]
    scores: Callable[[], dict[str, float]]


class Training:
    """A training, from its current state until it ends or the user stops it.

    All updates from one validation to the next are a round.
    """

    def __init__(self, plan: Plan, backend: Backend, progress: Progress, writer: RunWriter) -> None:
        self.plan, self.config = plan, plan.config
        self.backend = backend
        self.progress = progress
        self.writer = writer
        self.clock = Clock(plan.config, progress, plan.updates, backend.updates, plan.began)
        self.selection = Selection(plan.config.validation)
        # While a GPU trains, the CPU translates; with patience the next update waits for BLEU.
        can_wait = plan.config.validation.patience is None
        self.translates_aside = gpu_capability() is not None and can_wait
        self.thread = ThreadPoolExecutor(max_workers=1)
        self.pending: PendingValidation | None = None
        self.stop = StopOnSignal()
        self.is_stopped = False
        self.saved_at = time.perf_counter()
        self.unread: Figures | None = None  # figures of an update whose loss is not read yet

    @property
    def is_finished(self) -> bool:
        """Whether all epochs are done, the time is over, or patience has run out."""
        progress = self.progress
        done = progress.epoch >= self.config.training.epochs
        is_over = self.clock.is_over and progress.seconds == 0  # only after a validation
        return done or is_over or self.selection.has_stalled(progress.validations)

    def train(self) -> None:
        """Trains until it is finished or the user stops it.

        Raises:
            InputError: the loss became NaN or infinite, or memory ran out;
                the last checkpoint stays.
            OSError: the disk is full; the last checkpoint stays.
        """
        self.saved_at = time.perf_counter()
        if self.clock.updates == 0:
            self._call_watchers()
        with self.stop:
            while not self.is_finished and not self.is_stopped:
                self._train_epoch()
            if self.is_stopped and (self.pending or self.progress.seconds > 0):
                self._save()

    def _train_epoch(self) -> None:
        """Trains from the current update to the end of its epoch, with validations."""
        progress, training = self.progress, self.config.training
        batches = self.plan.epochs.batches(progress.epoch)
        self._prepare_step()
        ends_in_validation = self.config.validation.follows(progress.epoch + 1, training.epochs)
        bar = ProgressBar(progress, batches.count, training.epochs, self.clock.compiles)
        try:
            for start, end in self._rounds(batches.count):
                tokens = batches.target_tokens() - batches.target_tokens()[start]
                self._make_updates(batches, end, tokens, bar)
                if self.is_stopped:
                    return
                if progress.batch < batches.count or ends_in_validation or self.clock.is_over:
                    self._validate(bar.describe_position(), batches.count, tokens)
                else:
                    progress.tokens += int(tokens[end])
                    progress.epoch, progress.batch = progress.epoch + 1, 0
                self.is_stopped = any(any_asks(self.stop.asked))
                if self.is_finished or self.is_stopped:
                    return
        finally:
            bar.close()

    def _prepare_step(self) -> None:
        """Switches R-Drop on in the right epoch; compiles in advance if this saves time."""
        backend, epoch = self.backend, self.progress.epoch
        alpha = self.config.training.r_drop_in(epoch)
        self.clock.compiles |= alpha != backend.r_drop_alpha
        backend.r_drop_alpha = alpha
        whole, validation = self.plan.epochs.whole_pass(epoch), self.plan.validation.batches
        backend.prepare(whole, validation, lambda: self.stop.asked)

    def _rounds(self, count: int) -> list[tuple[int, int]]:
        """The remaining rounds of the epoch: the first update of each, and its end."""
        ends = self.config.validation.ends_of_rounds(count)
        validated = self.progress.batch if self.progress.seconds == 0 else self.progress.batch - 1
        return [(start, end) for start, end in zip([0, *ends], ends) if end > validated]

    def _make_updates(
        self, batches: Batches, end: int, tokens: np.ndarray, bar: ProgressBar
    ) -> None:
        """Makes the updates before the next validation, or fewer if the training stops.

        Args:
            tokens: for each update of the epoch, the tokens of the round before it.
        """
        progress, clock, first = self.progress, self.clock, self.progress.batch
        if first == end or clock.is_over:  # the run was stopped just before the validation
            return
        if progress.seconds == 0:
            self.backend.begin_round()
        done_before_epoch = clock.updates - first

        def failed_update(update: int) -> FailedUpdate:
            return FailedUpdate(done_before_epoch, batches, update)

        began = time.perf_counter() - progress.seconds
        with explaining_lack_of_memory(
            self.config.data, lambda: failed_update(progress.batch).describe()
        ):
            for batch in self.backend.feed(batches, first, end):
                figures = self.backend.update(batch, clock.skipped)
                self._check_loss(failed_update)
                self.unread = figures
                progress.batch += 1
                progress.seconds = time.perf_counter() - began
                clock.note_update()
                self._call_watchers()
                left = functools.partial(clock.seconds_left, batches.count)
                bar.advance(figures, self._tokens_per_second(tokens), left)
                paused = time.perf_counter()
                self._between_updates(batches.count, failed_update)
                began += time.perf_counter() - paused  # pauses are counted as saving or validating
                if self.is_stopped or clock.is_over:
                    break
            self._check_loss(failed_update)
        progress.seconds = time.perf_counter() - began

    def _call_watchers(self) -> None:
        for watch in self.plan.watchers:
            watch(self.clock.updates, self.backend.look)

    def _check_loss(self, failed_update: Callable[[int], FailedUpdate]) -> None:
        """Checks the loss of the latest update; waits until the device has computed it."""
        figures, self.unread = self.unread, None
        if figures is None or math.isfinite(loss := figures.read()["loss"]):
            return
        update = failed_update(self.progress.batch - 1)
        pairs = update.pairs(self.plan.data.tokenizers)
        self.writer.write_failed_batch(pairs)
        raise non_finite_loss_error(str(loss), update, pairs, self.writer.run.failed_batch)

    def _tokens_per_second(self, tokens: np.ndarray) -> float:
        """Target tokens a second since the last validation."""
        count = self.progress.tokens + int(tokens[self.progress.batch])
        return count / self.progress.seconds

    def _between_updates(self, count: int, failed_update: Callable[[int], FailedUpdate]) -> None:
        """Called between updates: saves if it is time, checks for a stop, keeps to the set time.

        Several processes do all this after the same updates.
        """
        stops = self.stop.asked
        saves = time.perf_counter() - self.saved_at > 60 * self.config.training.save_minutes
        if are_several():
            if self.progress.batch % ASK_EVERY:
                return
            stops, saves = any_asks(stops, saves)
        self.clock.steer(count)
        if saves:
            self._check_loss(failed_update)
            self._save()
        self.is_stopped = stops

    def _validate(self, position: str, count: int, tokens: np.ndarray) -> None:
        """Measures the model and begins to translate; meanwhile training may continue.

        The previous validation is completed first.
        """
        self._end_validation()
        progress, backend = self.progress, self.backend
        seconds, tokens_per_second = progress.seconds, self._tokens_per_second(tokens)
        is_last = self._is_last_validation(count)
        began = time.perf_counter()
        figures = self._measure()
        weights = backend.weights()
        check_finite(weights)
        goes_on = self.translates_aside and not is_last
        self.pending = PendingValidation(
            position,
            count,
            {"epoch": progress.epoch + 1, "updates": backend.updates, **figures},
            {
                "updates": backend.updates,
                "seconds": round(seconds, 3),
                "validation_seconds": time.perf_counter() - began,
                "target_tokens_per_second": round(tokens_per_second, 1),
            },
            weights,
            self._begin_translating(weights, goes_on) if self._translates(is_last) else dict,
        )
        self.clock.end_round()
        progress.seconds, progress.tokens = 0.0, 0
        if progress.batch == count:
            progress.epoch, progress.batch = progress.epoch + 1, 0
        if not goes_on:
            self._end_validation()
            self.saved_at = time.perf_counter()

    def _measure(self) -> dict[str, float]:
        """The figures of a validation without translations, and of the training side."""
        figures = self.backend.figures() | self.plan.validation.measure_loss(self.backend)
        loss = figures["val_cross_entropy"]
        if not math.isfinite(loss):
            raise InputError(
                f"validation: expected a finite loss, found {loss}; {STABILITY_ADVICE}"
            )
        return figures | {"learning_rate": self.backend.learning_rate}

    def _is_last_validation(self, count: int) -> bool:
        """Whether all epochs end here. The last validation always translates."""
        progress, epochs = self.progress, self.config.training.epochs
        ends = progress.batch == count and progress.epoch + 1 == epochs
        return ends or self.clock.is_over

    def _translates(self, is_last: bool) -> bool:
        every, number = self.config.validation.translate_every, len(self.progress.validations) + 1
        return every > 0 and (is_last or number % every == 0)

    def _begin_translating(
        self, weights: Mapping[str, np.ndarray], aside: bool
    ) -> Callable[[], dict[str, float]]:
        """Returns a function that waits for BLEU and chrF, in the process that writes."""
        if not writes():
            return dict
        translate, number = self.plan.validation.translate, len(self.progress.validations)
        if not aside:
            return functools.partial(translate, weights, number)
        return self.thread.submit(translate, weights, number).result

    def _end_validation(self) -> None:
        """Waits for the translations of the latest validation; writes its figures and weights.

        Also writes the current state.
        """
        if self.pending is None:
            return
        pending, self.pending = self.pending, None
        progress, began = self.progress, time.perf_counter()
        figures = {**pending.figures, **agree(pending.scores())}
        waited = time.perf_counter() - began + pending.times["validation_seconds"]
        position = {name: figures.pop(name) for name in ("epoch", "updates")}
        rounded = {name: float(f"{value:.7g}") for name, value in sorted(figures.items())}
        progress.validations.append({**position, **rounded})
        progress.times.append({**pending.times, "validation_seconds": round(waited, 3)})
        is_best = self.selection.best(progress) is progress.validations[-1]
        if is_best:
            progress.averaged = None
        left = self.clock.seconds_left(pending.updates_of_epoch)
        metric = self.config.validation.metric if is_best else None
        line = describe_validation(
            pending.position, progress.validations[-1], progress.times[-1], left, metric
        )
        kept = kept_snapshots(len(progress.validations), self.config.training.keep_last)
        self.writer.write_validation(line, progress, pending.weights, len(kept) > 0, is_best)
        self.writer.save(self.backend, progress)
        self.writer.remove_snapshots(but=kept)  # only after the state without them is saved

    def _save(self) -> None:
        """Writes the state. If a validation is still open, its figures are included."""
        if self.pending is None:
            self.writer.save(self.backend, self.progress)
        self._end_validation()
        self.saved_at = time.perf_counter()
