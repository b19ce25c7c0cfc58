"""What happens beside the updates of `fit`: counting, clock, bar, checkpoints, Ctrl-C."""

import contextlib
import math
import os
import signal
import stat
import sys
import time
from collections.abc import Callable
from types import FrameType
from typing import Any

import keras
import numpy as np
from tqdm import tqdm

from translator.training.state import Progress, counters


class Interrupted(Exception):
    """Raised between two updates when the user has asked to stop."""


class NoNumber(Exception):
    """Raised where the loss is infinite or no number any more."""


class Updates(keras.callbacks.Callback):
    """Keeps count of updates and of time, and saves the state now and then.

    Args:
        progress: is kept up to date.
        save: writes the state.
        save_minutes: how long training goes on without that.
    """

    def __init__(self, progress: Progress, save: Callable[[], None], save_minutes: float) -> None:
        super().__init__()
        self.progress = progress
        self.save = save
        self.save_seconds = 60 * save_minutes
        self.began = self.saved = time.perf_counter()
        self.counted: list[np.ndarray] = []

    def on_train_begin(self, logs: Any = None) -> None:
        """Notes what was counted in this round before it was broken off."""
        going_on = self.progress.seconds > 0
        self.counted = [v.numpy() for v in counters(self.model)] if going_on else []

    def on_epoch_begin(self, epoch: int, logs: Any = None) -> None:
        """Counts on from there; Keras has begun anew. Starts the clock."""
        for variable, value in zip(counters(self.model), self.counted):
            variable.assign(value)
        self.began = time.perf_counter() - self.progress.seconds

    def on_train_batch_end(self, batch: int, logs: dict[str, Any] | None = None) -> None:
        """Notes how far the training has come, if the loss is still a number."""
        if not math.isfinite(logs["loss"]):
            raise NoNumber(str(logs["loss"]))
        now = time.perf_counter()
        self.progress.batch += 1
        self.progress.seconds = now - self.began
        if now - self.saved > self.save_seconds:
            self.save()
            self.saved = time.perf_counter()


class Bar(keras.callbacks.Callback):
    """One tqdm bar an epoch: loss, accuracy, tokens per second, time left.

    Args:
        progress: where the training is.
        count: updates in the epoch.
        epochs: how many epochs there will be.
    """

    def __init__(self, progress: Progress, count: int, epochs: int) -> None:
        super().__init__()
        self.progress = progress
        self.count = count
        self.name = f"epoch {progress.epoch + 1:>{len(str(epochs))}}/{epochs}"
        self.bar = tqdm(
            total=count,
            initial=progress.batch,
            desc=self.name,
            bar_format="{desc} {percentage:3.0f}%|{bar:10}| {elapsed}<{remaining} {postfix}",
            mininterval=0.5,
            leave=False,
            disable=None,  # where standard error is no terminal, the rounds' lines are enough
        )

    def on_train_batch_end(self, batch: int, logs: dict[str, Any] | None = None) -> None:
        """Moves the bar."""
        rate = training_tokens(self.model) / self.progress.seconds
        figures = _summary(logs | {"target_tokens_per_second": rate})
        self.bar.set_postfix_str(figures, refresh=False)
        self.bar.update()

    def write(self, figures: dict[str, Any], times: dict[str, Any]) -> None:
        """Writes the figures of a round above the bar."""
        line = self.name
        if self.progress.batch < self.count:
            line += f" {self.progress.batch / self.count:3.0%}"
        line += f"  {times['seconds']:.0f} s  {_summary(figures | times)}"
        line += f"  validation loss {figures['val_cross_entropy']:.3f}"
        line += f" accuracy {figures['val_accuracy']:.1%}"
        if "val_bleu" in figures:
            line += f" BLEU {figures['val_bleu']:.2f} chrF2 {figures['val_chrf']:.2f}"
        tqdm.write(line, file=sys.stderr)

    def close(self) -> None:
        """Takes the bar away."""
        self.bar.close()


def above_bar(report: Callable[[str], None]) -> Callable[[str], None]:
    """The same report, whose lines do not run into a bar that stands on the terminal."""

    def reported(line: str) -> None:
        with tqdm.external_write_mode(file=sys.stderr):
            report(line)

    return reported


class StopOnSignal(keras.callbacks.Callback):
    """Turns the first Ctrl-C (or SIGTERM, or SIGHUP) into a stop after the current update.

    A second Ctrl-C ends the program at once; a hang-up, which comes twice where a shell
    passes it on, does not. What the program was begun to ignore, as nohup has it ignore a
    hang-up, stays ignored.
    """

    def __init__(self) -> None:
        super().__init__()
        self.asked = False
        self.before: dict[int, Any] = {}

    def __enter__(self) -> "StopOnSignal":
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            if signal.getsignal(number) is not signal.SIG_IGN:
                self.before[number] = signal.signal(number, self._ask)
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self.before.items():
            signal.signal(number, handler)

    def _ask(self, number: int, frame: FrameType | None) -> None:
        self.asked = True
        if number == signal.SIGHUP:
            _write_to_no_terminal()
        if number == signal.SIGINT:
            signal.signal(number, self.before[number])
            print("\nstopping after this update; Ctrl-C again ends at once", file=sys.stderr)

    def on_train_batch_end(self, batch: int, logs: Any = None) -> None:
        """Stops between two updates."""
        self.check()

    def check(self) -> None:
        """Stops here where that was asked for.

        Raises:
            Interrupted: it was.
        """
        if self.asked:
            raise Interrupted


def _write_to_no_terminal() -> None:
    """Lets what is still to be said go nowhere, where a terminal that is gone would refuse it."""
    for number in (1, 2):
        with contextlib.suppress(OSError):  # it is closed
            if stat.S_ISCHR(os.fstat(number).st_mode):
                nowhere = os.open(os.devnull, os.O_WRONLY)
                os.dup2(nowhere, number)
                os.close(nowhere)


def training_tokens(model: keras.Model) -> float:
    """Real target tokens of the round so far; those that R-Drop has twice count once."""
    [counter] = [v for v in counters(model) if v.path.endswith("accuracy/tokens")]
    return float(counter) / model.loss.copies


def _summary(figures: dict[str, Any]) -> str:
    return (
        f"loss {figures['loss']:.3f} accuracy {figures['accuracy']:.1%}"
        f" {figures['target_tokens_per_second']:,.0f} tokens/s"
    )
