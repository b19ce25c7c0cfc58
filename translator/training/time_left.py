"""Estimates how long a training still takes."""

from typing import NamedTuple

from translator.config.schema import Config
from translator.training.state import Progress

MEASURED = 20  # passes of batches, before the user is told how long a training takes
WORTH_TELLING = 60  # seconds


class Remaining(NamedTuple):
    """Seconds that are left, validations included; None where nothing was measured yet.

    Attributes:
        epoch: until the end of the epoch.
        run: until the end of the last epoch.
    """

    epoch: float | None
    run: float | None


class TimeLeft:
    """Estimates the time that is left of a training.

    A pass of a batch through the model takes as long as on average in this process, without the
    updates in which a step was compiled. R-Drop makes two passes. Until the first validation the
    time of validating is unknown and left out.
    """

    def __init__(self, config: Config, progress: Progress) -> None:
        self.config = config
        self.progress = progress
        self.seconds, self.passes = 0.0, 0  # of the updates that count
        self.before = progress.seconds
        self.is_told = False
        self.expect_compilation()

    def expect_compilation(self) -> None:
        """Says that the next update is the first one of a compiled step."""
        self.compiles = True

    def note_update(self) -> None:
        """Says that an update is done, and ``progress`` has counted it."""
        if not self.compiles:
            self.seconds += self.progress.seconds - self.before
            self.passes += self._passes(self.progress.epoch)
        self.compiles, self.before = False, self.progress.seconds

    def end_round(self) -> None:
        """Says that a validation follows; ``progress`` still has the time since the one before."""
        self.seconds += self.progress.seconds - self.before  # until the device was done
        self.before = 0.0

    def estimate(self, count: int) -> Remaining:
        """Estimates the time that is left."""
        progress, epochs = self.progress, self.config.training.epochs
        if progress.epoch >= epochs:
            return Remaining(0.0, 0.0)
        if not self.passes:
            return Remaining(None, None)
        done = progress.batch - (progress.seconds > 0)
        validated = sum(end <= done for end in self.config.validation.ends_of_rounds(count))
        pace, validation = self.seconds / self.passes, self._seconds_of_validation()
        updates = count - progress.batch
        validations = self._validations(progress.epoch, count) - validated
        epoch = updates * self._passes(progress.epoch) * pace + validations * validation
        later = range(progress.epoch + 1, epochs)
        passes = count * sum(map(self._passes, later))
        validations = sum(self._validations(number, count) for number in later)
        return Remaining(epoch, epoch + passes * pace + validations * validation)

    def tell(self, count: int) -> str:
        """A line about a longer training, once, after its first updates; else empty."""
        if self.is_told or self.passes < MEASURED:
            return ""
        self.is_told = True
        seconds = self.estimate(count).run or 0.0
        if seconds < WORTH_TELLING:
            return ""
        minutes = round(seconds / 60)
        time = f"{minutes} min" if minutes < 100 else f"{minutes / 60:.1f} h"
        return f"at the speed of its first updates training takes {time}, validations not counted"

    def _validations(self, epoch: int, count: int) -> int:
        """Those of an epoch, by its number from 0."""
        validation = self.config.validation
        if validation.every_updates is not None:
            return len(validation.ends_of_rounds(count))
        return int(validation.follows(epoch + 1, self.config.training.epochs))

    def _passes(self, epoch: int) -> int:
        """How often each batch of an epoch goes through the model."""
        training = self.config.training
        return 2 if training.r_drop_alpha and epoch >= training.r_drop_after else 1

    def _seconds_of_validation(self) -> float:
        """The mean of as many as have one translation among them."""
        every = max(1, self.config.validation.translate_every)
        latest = [line["validation_seconds"] for line in self.progress.times[-every:]]
        return float(sum(latest)) / max(1, len(latest))
