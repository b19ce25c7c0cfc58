"""Estimates how long a training still takes, from its latest updates and validations."""

from typing import NamedTuple

from translator.config.schema import Config
from translator.training.state import Progress


class Remaining(NamedTuple):
    """Seconds that are left, validations included; None where nothing was measured yet.

    Attributes:
        epoch: until the end of the epoch.
        run: until the end of the last epoch.
    """

    epoch: float | None
    run: float | None


class Pace(NamedTuple):
    """Time and work of some updates.

    Attributes:
        seconds: that they took.
        passes: batches that went through the model; R-Drop sends each twice.
    """

    seconds: float
    passes: int


class TimeLeft:
    """Estimates the time that is left of a training.

    A pass takes as long as it did on average since the validation before the last. Until the
    first validation the time of validating is unknown and left out. The first update of a
    process is not counted, because the step is compiled in it.

    Args:
        config: resolved; see `translator.training.resolution`.
        progress: the training's position, which others update.
    """

    def __init__(self, config: Config, progress: Progress) -> None:
        self.config = config
        self.progress = progress
        self.latest = self._latest_round()
        self.validated = progress.validations[-1]["epoch"] if progress.validations else 0
        self.expect_compilation()

    def expect_compilation(self) -> None:
        """Says that the next update is the first one of a compiled step."""
        self.compiled: Pace | None = None
        self.before = self.progress.seconds

    def note_update(self) -> None:
        """Says that an update is done, and ``progress`` has counted it."""
        if self.compiled is None:
            seconds = self.progress.seconds - self.before
            self.compiled = Pace(seconds, self._passes(self.progress.epoch))

    def end_round(self, count: int) -> None:
        """Says that the updates until a validation are done; ``progress`` still has their time.

        Args:
            count: updates of the epoch.
        """
        self.latest = self._current_round(count)
        self.validated = self.progress.epoch + 1
        self.compiled = Pace(0.0, 0)

    def estimate(self, count: int) -> Remaining:
        """Estimates the time that is left.

        Args:
            count: updates of the epoch that the training is in.
        """
        progress, epochs = self.progress, self.config.training.epochs
        if progress.epoch >= epochs:
            return Remaining(0.0, 0.0)
        seconds, passes = (sum(each) for each in zip(self.latest, self._current_round(count)))
        if passes <= 0:
            return Remaining(None, None)
        in_epoch = (count - progress.batch) * self._passes(progress.epoch)
        validations = [self._validations(number, count) for number in range(progress.epoch, epochs)]
        every = self.config.validation.every_updates or count
        validations[0] -= (progress.batch - (progress.seconds > 0)) // every
        each = self._seconds_of_validation()
        epoch = in_epoch * seconds / passes + validations[0] * each
        later = count * self._passes_of(range(progress.epoch + 1, epochs))
        of_others = later * seconds / passes + sum(validations[1:]) * each
        return Remaining(epoch, epoch + of_others)

    def _validations(self, epoch: int, count: int) -> int:
        """Those of an epoch, by its number from 0."""
        validation = self.config.validation
        if validation.every_updates is not None:
            return -(-count // validation.every_updates)
        return int(validation.follows(epoch + 1, self.config.training.epochs))

    @property
    def _first_with_r_drop(self) -> int:
        training = self.config.training
        return training.r_drop_after if training.r_drop_alpha else training.epochs

    def _passes(self, epoch: int) -> int:
        """How often each batch of an epoch goes through the model."""
        return 2 if epoch >= self._first_with_r_drop else 1

    def _passes_of(self, epochs: range) -> int:
        """The sum over several epochs."""
        return sum(map(self._passes, epochs))

    def _current_round(self, count: int) -> Pace:
        """The updates since the last validation, without the one that was compiled."""
        progress = self.progress
        if progress.seconds == 0:
            return Pace(0.0, 0)
        every = self.config.validation.every_updates
        if every is None:
            passes = count * self._passes_of(range(self.validated, progress.epoch))
            passes += progress.batch * self._passes(progress.epoch)
        else:
            passes = ((progress.batch - 1) % every + 1) * self._passes(progress.epoch)
        compiled = self.compiled or Pace(0.0, 0)
        return Pace(progress.seconds - compiled.seconds, passes - compiled.passes)

    def _latest_round(self) -> Pace:
        """The updates before the last validation of a run that is resumed."""
        times = self.progress.times
        if not times:
            return Pace(0.0, 0)
        updates = times[-1]["updates"] - (times[-2]["updates"] if len(times) > 1 else 0)
        validations = self.progress.validations
        last, before = validations[-1]["epoch"], validations[-2]["epoch"] if len(times) > 1 else 0
        epochs = range(min(before, last - 1), last)
        return Pace(times[-1]["seconds"], updates * self._passes_of(epochs) // len(epochs))

    def _seconds_of_validation(self) -> float:
        """The mean of as many as have one translation among them."""
        every = max(1, self.config.validation.translate_every)
        latest = [line["validation_seconds"] for line in self.progress.times[-every:]]
        return float(sum(latest)) / max(1, len(latest))
