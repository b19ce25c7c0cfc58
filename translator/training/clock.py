"""Measures time: with a trial before a training, and during the training."""

import statistics
import time
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from translator.base.backends import JAX, running_backend
from translator.base.processes import agree
from translator.config.schema import Config, ScheduleConfig
from translator.training import recipes
from translator.training.recipes import recipe_for
from translator.training.state import Progress

if TYPE_CHECKING:
    from translator.data.epochs import Epochs

OVERTIME = 1.1  # a training may last this many times the set time
UPDATES = 12  # updates of a trial; they are a random sample of an epoch's batches
UPDATES_OF_JAX = 2  # the same for JAX, which may have to compile for each update
SECONDS = 4.0  # seconds that are measured in a trial, if there is time for it
SHARE = 0.1  # the share of the time that trials may take
# Seconds to export and greedily translate 1,000 sentences on two cores, for each million
# parameters. They are not measured, because an untrained model never ends a sentence.
SECONDS_TO_TRANSLATE = 0.6
LATEST = 20  # the speed is measured from so many latest updates
FEWEST = 3  # with fewer updates, the speed is not known


class TimeBudget(NamedTuple):
    """The time that is left, and durations that a trial measured on this machine; in seconds.

    Attributes:
        seconds: the rest of the set time.
        start: the time until the first update, for example for compiling.
        update: one update without R-Drop, on average.
        validation: computing the loss of the validation split, and translating it.
    """

    seconds: float
    start: float
    update: float
    validation: float

    @property
    def validations(self) -> float:
        """The number of validations that the time allows."""
        share = recipes.VALIDATION_SHARE * self._for_updates(0) / self.validation
        return min(float(recipes.VALIDATIONS), max(1.0, share))

    @property
    def updates(self) -> float:
        """The number of updates that the time allows, besides these validations."""
        return self._for_updates(self.validations) / self.update

    def is_enough(self, pairs: int) -> bool:
        """Whether the time allows enough updates of a model of this speed."""
        return self.updates >= recipes.ENOUGH * recipe_for(pairs).updates

    def minutes_for_epoch(self, updates_per_epoch: int, minutes: float) -> float:
        """The minutes of a training of one epoch, if there is too little time for it."""
        return minutes + (updates_per_epoch - self.updates) * self.update / 60

    def minutes_for(self, pairs: int, updates: float, minutes: float) -> float:
        """The minutes of a training of this many updates, with the recipe's R-Drop."""
        passes = updates * (2 - recipe_for(pairs).without_r_drop)
        used = self.start + recipes.SECONDS_TO_FINISH + 60 * minutes - self.seconds
        return (used + passes * self.update) / 60 / (1 - recipes.VALIDATION_SHARE)

    def _for_updates(self, validations: float) -> float:
        """The seconds left for updates after the time of this number of validations."""
        used = self.start + recipes.SECONDS_TO_FINISH + validations * self.validation
        return self.seconds - used


def measure_budget(config: Config, epochs: "Epochs", began: float, seconds: float) -> TimeBudget:
    """Measures the time budget; all processes get the budget of the process that writes.

    Args:
        began: the value of ``time.perf_counter`` when the program began.
        seconds: the time that the trial may take.
    """
    speed = measure_speed(config, epochs, seconds)
    left = 60 * (config.training.minutes or 0.0) - (time.perf_counter() - began)
    return TimeBudget(*agree([left, *speed]))


def measure_speed(config: Config, epochs: "Epochs", seconds: float) -> tuple[float, float, float]:
    """Trains a model for a few seconds and throws it away.

    Args:
        seconds: the allowed time, without building, compiling and one round of updates.

    Returns:
        The last three fields of `TimeBudget`.
    """
    from translator.training.backends import open_backend, validation_batches
    from translator.training.messages import explaining_lack_of_memory

    constant = ScheduleConfig(name="constant", learning_rate=1e-4)  # the others have no end
    training = config.training.model_copy(update={"schedule": constant})
    config = config.model_copy(update={"training": training})
    batches, validation = epochs.batches(0), validation_batches(config, epochs.data)
    backend = open_backend(config, epochs.data.tokenizers)
    most = UPDATES_OF_JAX if running_backend() == JAX else UPDATES
    updates = min(most, batches.count)

    def train() -> None:
        for batch in backend.feed(batches, 0, updates):
            figures = backend.update(batch)
        figures.read()  # waits for the device

    with explaining_lack_of_memory(config.data, lambda: "in a trial of some updates"):
        start, update = _time(train, seconds)
        _, of_loss = _time(lambda: backend.measure(validation), seconds / 4)
    sentences = len(epochs.data.validation) if config.validation.translate_every else 0
    if config.validation.max_sentences is not None:
        sentences = min(sentences, config.validation.max_sentences)
    parameters = backend.look().count_params()
    translating = SECONDS_TO_TRANSLATE * parameters / 1e6 * sentences / 1_000
    translating *= config.validation.beam_size / max(1, config.validation.translate_every)
    return start, update / updates, of_loss + translating


def _time(act: Callable[[], object], seconds: float) -> tuple[float, float]:
    """The seconds of the first call, and of each further call; at least one is made."""
    began = time.perf_counter()
    act()
    first, count, began = time.perf_counter() - began, 0, time.perf_counter()
    while not count or (elapsed := time.perf_counter() - began) < min(seconds, SECONDS):
        act()
        count += 1
    return first, elapsed / count


class Clock:
    """The time that a training takes, and the time that it may take.

    The time for a pass of a batch through the model is the median of the latest passes in this
    process. So a stall does not count. Updates that compiled a step do not count, either. R-Drop
    makes two passes. Before the first validation, the time of validations is unknown and left out.

    If a time is set and the machine becomes too slow, the schedule advances faster: each update
    skips a part of the schedule. So the schedule ends when the time plus a tenth is over. The
    training ends with it, also within an epoch.

    Args:
        total: the updates of the training, by the plan.
        updates: the number of completed updates.
        began: the value of ``now`` when the program began.
        now: returns the time in seconds.
    """

    def __init__(
        self,
        config: Config,
        progress: Progress,
        total: int,
        updates: int,
        began: float,
        now: Callable[[], float] = time.perf_counter,
    ) -> None:
        self.config = config
        self.progress = progress
        self.total = total
        self.updates = updates
        of_rounds = (line["seconds"] + line["validation_seconds"] for line in progress.times)
        self.began = began - progress.seconds - float(sum(of_rounds))  # without interruptions
        self.now = now
        self.latest: deque[float] = deque(maxlen=LATEST)  # seconds of the latest passes
        self.before = progress.seconds
        self.stride = 1.0  # how many updates the schedule advances with the next update
        self.owed = 0.0  # the part of an update that must still be skipped
        self.compiles = True  # whether the next update is the first one of a compiled step

    @property
    def is_over(self) -> bool:
        """Whether the time has ended the training before its last epoch."""
        training, progress = self.config.training, self.progress
        is_cut = progress.skipped > 0 or training.epochs == 1  # no other training is cut
        is_at_end = self.updates + progress.skipped >= self.total
        is_short = is_cut and is_at_end and progress.epoch < training.epochs
        return training.minutes is not None and is_short

    @property
    def skipped(self) -> int:
        """The updates of the schedule that were skipped."""
        return 0 if self.config.training.minutes is None else self.progress.skipped

    def note_update(self) -> None:
        """Must be called after each update, when ``progress`` has counted the update."""
        seconds = self.progress.seconds - self.before
        if not self.compiles:
            self.latest.append(seconds / self._passes(self.progress.epoch))
        self.compiles, self.before = False, self.progress.seconds
        self.updates += 1
        self.owed += self.stride - 1
        self.progress.skipped += int(self.owed)
        self.owed %= 1

    def end_round(self) -> None:
        """Must be called before each validation."""
        self.before = 0.0

    def steer(self, count: int) -> None:
        """Decides how fast the schedule advances; all processes call this together.

        Args:
            count: the epoch's updates.
        """
        if self.config.training.minutes is not None:
            self.stride = agree(self._choose_stride(count))

    def seconds_left(self, count: int) -> float | None:
        """Seconds until the end of the training, with validations; None before the first measure.

        Args:
            count: the epoch's updates.
        """
        seconds = self._estimate(count)
        if seconds is None or self.config.training.minutes is None:
            return seconds
        return min(seconds, max(0.0, self._left()))

    def _choose_stride(self, count: int) -> float:
        progress, left = self.progress, self._left()
        rest = max(1, self.total - self.updates - progress.skipped)  # updates left in the schedule
        if left <= 0:
            return float(rest)
        seconds = self._estimate(count) if len(self.latest) >= FEWEST else None
        updates = (self.config.training.epochs - progress.epoch) * count - progress.batch
        if seconds is None or updates < 1:
            return 1.0
        fitting = (left - self._seconds_of_validation()) * updates / seconds
        return max(1.0, rest / max(1.0, fitting))

    def _left(self) -> float:
        """Seconds until the time plus a tenth is over."""
        seconds = 60 * (self.config.training.minutes or 0.0)
        to_finish = min(recipes.SECONDS_TO_FINISH, recipes.MOST_TO_FINISH * seconds)
        return OVERTIME * seconds - to_finish - (self.now() - self.began)

    def _estimate(self, count: int) -> float | None:
        """The seconds that the remaining updates and validations take."""
        progress, validation = self.progress, self.config.validation
        epochs = range(progress.epoch, self.config.training.epochs)
        if not epochs:
            return 0.0
        if not self.latest:
            return None
        passes = count * sum(map(self._passes, epochs))
        passes -= progress.batch * self._passes(progress.epoch)
        done = progress.batch - (progress.seconds > 0)  # the next validation may be due
        validations = sum(self._validations(epoch, count) for epoch in epochs)
        validations -= sum(end <= done for end in validation.ends_of_rounds(count))
        return passes * statistics.median(self.latest) + validations * self._seconds_of_validation()

    def _validations(self, epoch: int, count: int) -> int:
        """The number of validations in an epoch, which counts from 0."""
        validation = self.config.validation
        if validation.every_updates is not None:
            return len(validation.ends_of_rounds(count))
        return int(validation.follows(epoch + 1, self.config.training.epochs))

    def _passes(self, epoch: int) -> int:
        """How often each batch of an epoch goes through the model."""
        return 2 if self.config.training.r_drop_in(epoch) else 1

    def _seconds_of_validation(self) -> float:
        """The mean seconds of the latest validations. One of them also translated."""
        every = max(1, self.config.validation.translate_every)
        latest = [line["validation_seconds"] for line in self.progress.times[-every:]]
        return float(sum(latest)) / max(1, len(latest))
