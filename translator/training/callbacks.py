"""Callbacks of `fit`: a counter of updates, which saves and stops; the progress bar."""

import math
import sys
import time
from collections.abc import Callable
from typing import Any

import keras
import numpy as np
from tqdm import tqdm

from translator.base.signals import StopOnSignal
from translator.runs.weights import variable_value
from translator.training.processes import any_asks, are_several
from translator.training.state import Progress, metric_variables
from translator.training.time_left import TimeLeft

ASK_EVERY = 20  # updates, after which several processes ask each other
REFRESH_SECONDS = 0.5  # between two drawings of the bar
FIRST = "preparing the first update"
BAR = "{desc} {percentage:3.0f}%|{bar:10}| "


class Interrupted(Exception):
    """Raised between two updates when the user has asked to stop."""


class NonFiniteLoss(Exception):
    """Raised when the loss is NaN or infinite."""


class UnreadLogs(keras.callbacks.CallbackList):
    """Callbacks that are given the figures of an update unread, as `fit` has them.

    Reading one waits until the device has computed it. Keras's own list reads all of them after
    every update, so that the device waits for the program in turn.
    """

    def on_train_batch_end(self, batch: int, logs: Any = None) -> None:
        """Passes the figures on."""
        for callback in self.callbacks:
            callback.on_train_batch_end(batch, logs)


class UpdateCounter(keras.callbacks.Callback):
    """Counts updates and time, checks the loss, saves the state from time to time, and stops.

    The loss of an update is checked after the next one, which the device computes meanwhile.
    Several processes save and stop after the same update, if one of them is to.
    """

    def __init__(
        self,
        progress: Progress,
        save: Callable[[], None],
        save_minutes: float,
        stop: StopOnSignal,
    ) -> None:
        super().__init__()
        self.progress = progress
        self.save = save
        self.save_seconds = 60 * save_minutes
        self.stop = stop
        self.began = self.saved = time.perf_counter()
        self.metric_values: list[np.ndarray] = []
        self.unread: dict[str, Any] | None = None  # the figures of the latest update

    def on_train_begin(self, logs: Any = None) -> None:
        """Remembers the metrics of a run that was interrupted between two validations."""
        resuming = self.progress.seconds > 0
        self.metric_values = (
            [variable_value(v) for v in metric_variables(self.model)] if resuming else []
        )

    def on_epoch_begin(self, epoch: int, logs: Any = None) -> None:
        """Restores these metrics, which Keras has just reset, and starts the clock."""
        for variable, value in zip(metric_variables(self.model), self.metric_values):
            variable.assign(value)
        self.began = time.perf_counter() - self.progress.seconds

    def on_train_batch_end(self, batch: int, logs: Any = None) -> None:
        """Counts the update.

        Raises:
            NonFiniteLoss: the loss of the update before is NaN or infinite.
            Interrupted: the user, or another process, has asked to stop.
        """
        self._read()
        self.unread = logs
        self.progress.batch += 1
        self.progress.seconds = time.perf_counter() - self.began
        stops, saves = self.stop.asked, time.perf_counter() - self.saved > self.save_seconds
        if are_several():
            asks_now = self.progress.batch % ASK_EVERY == 0
            stops, saves = any_asks(stops, saves) if asks_now else (False, False)
        if saves:
            self._read()
            self.save()
            self.saved = time.perf_counter()
        if stops:
            self._read()
            raise Interrupted

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        """Checks the latest update, and stops the clock once the device has computed it.

        Raises:
            NonFiniteLoss: as after an update.
        """
        self._read()
        self.progress.seconds = time.perf_counter() - self.began

    def _read(self) -> None:
        """Checks the latest update that was counted."""
        figures, self.unread = self.unread or {}, None
        loss = float(figures.get("loss", 0.0))
        if not math.isfinite(loss):
            raise NonFiniteLoss(str(loss))


class ProgressBar(keras.callbacks.Callback):
    """One tqdm bar for each epoch: time left, loss, tokens per second, accuracy.

    It must come after `UpdateCounter`, whose figures it shows.

    Args:
        say: is given the line about the time that the training takes.
    """

    def __init__(
        self,
        progress: Progress,
        count: int,
        epochs: int,
        time_left: TimeLeft,
        say: Callable[[str], None],
    ) -> None:
        super().__init__()
        self.progress = progress
        self.count = count
        self.time_left = time_left
        self.say = say
        self.name = f"epoch {progress.epoch + 1:>{len(str(epochs))}}/{epochs}"
        self.rate: Callable[[], float] = lambda: 0.0  # target tokens a second
        self.refreshed = 0.0
        self.bar = tqdm(
            total=count,
            initial=progress.batch,
            desc=self.name,
            bar_format=BAR + FIRST * time_left.compiles,
            mininterval=REFRESH_SECONDS,
            leave=False,
            dynamic_ncols=True,
            file=sys.stderr,
            disable=None,  # elsewhere each validation prints a line
        )

    def on_train_batch_end(self, batch: int, logs: Any = None) -> None:
        """Moves the bar; figures are read only for a bar that is drawn again."""
        self.time_left.note_update()
        if line := self.time_left.tell(self.count):
            self.say(line)
        now = time.perf_counter()
        if not self.bar.disable and now - self.refreshed > REFRESH_SECONDS:
            self.refreshed = now
            figures = {**(logs or {}), "target_tokens_per_second": self.rate()}
            loss, accuracy, rate = _parts_of_summary(figures)
            left = self.time_left.estimate(self.count)
            times = f"left {_interval(left.epoch)}, run {_interval(left.run)}"
            self.bar.bar_format = f"{BAR}{times} {loss} {rate} {accuracy}"  # tqdm cuts off the end
        self.bar.update()

    def describe_position(self) -> str:
        """The epoch, and how much of it is done."""
        if self.progress.batch == self.count:
            return self.name
        return f"{self.name} {self.progress.batch / self.count:3.0%}"

    def close(self) -> None:
        """Removes the bar."""
        self.bar.close()


def describe_validation(
    position: str,
    figures: dict[str, Any],
    times: dict[str, Any],
    seconds_left: float | None,
    best: str | None = None,
) -> str:
    """The figures of a validation as the line above the bar.

    Args:
        figures: a line of ``metrics.jsonl``.
        times: a line of ``times.jsonl``.
        best: the name of the metric where no validation before was better.
    """
    line = f"{position}  {times['seconds']:.0f} s  {' '.join(_parts_of_summary(figures | times))}"
    line += f"  validation loss {figures['val_cross_entropy']:.3f}"
    line += f" accuracy {figures['val_accuracy']:.1%}"
    if "val_bleu" in figures:
        line += f" BLEU {figures['val_bleu']:.2f} chrF2 {figures['val_chrf']:.2f}"
    if best is not None:
        line += f"  best {best} so far"
    if seconds_left:
        line += f"  left {_interval(seconds_left)}"
    return line


def report_above_bar(report: Callable[[str], None]) -> Callable[[str], None]:
    """A report function whose lines appear above a bar on the terminal, not inside it."""

    def report_line(line: str) -> None:
        with tqdm.external_write_mode(file=sys.stderr):
            report(line)

    return report_line


def _parts_of_summary(figures: dict[str, Any]) -> tuple[str, str, str]:
    loss, accuracy, rate = (
        float(figures[name]) for name in ("loss", "accuracy", "target_tokens_per_second")
    )
    return f"loss {loss:.3f}", f"accuracy {accuracy:.1%}", f"{rate:,.0f} tokens/s"


def _interval(seconds: float | None) -> str:
    """Such as 02:31 or 1:02:31; a question mark where it is not known."""
    return "?" if seconds is None else str(tqdm.format_interval(seconds))
