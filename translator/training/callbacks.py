"""What happens beside the steps of `fit`: bar, log, checkpoints, Ctrl-C."""

import json
import math
import signal
import sys
import time
from pathlib import Path
from types import FrameType
from typing import Any

import keras
import numpy as np
from tqdm import tqdm

from translator.errors import InputError
from translator.run import RunDirectory
from translator.training.checkpoint import Position, save_training_state
from translator.training.metrics import perplexity
from translator.weights import model_weights, save_arrays


class Interrupted(Exception):
    """Raised between two steps when the user has asked to stop."""


class Throughput(keras.callbacks.Callback):
    """Adds real target tokens per second of training to the logs of each epoch."""

    def __init__(self) -> None:
        super().__init__()
        self.began = 0.0
        self.seconds = 0.0
        self.tokens_per_second = 0.0

    def on_epoch_begin(self, epoch: int, logs: Any = None) -> None:
        """Starts the clock."""
        self.began = time.perf_counter()

    def on_train_batch_end(self, batch: int, logs: dict[str, Any] | None = None) -> None:
        """Reads the clock; what comes after the last step is validation."""
        self.seconds = time.perf_counter() - self.began
        self.tokens_per_second = training_tokens(self.model) / self.seconds
        logs["target_tokens_per_second"] = self.tokens_per_second

    def on_epoch_end(self, epoch: int, logs: dict[str, Any] | None = None) -> None:
        """Completes the epoch's logs for the callbacks that come later."""
        logs["seconds"] = self.seconds
        logs["target_tokens_per_second"] = self.tokens_per_second
        for prefix in ("", "val_"):
            if f"{prefix}cross_entropy" in logs:
                logs[f"{prefix}perplexity"] = perplexity(logs[f"{prefix}cross_entropy"])
        logs["learning_rate"] = float(self.model.optimizer.learning_rate)
        logs["updates"] = int(self.model.optimizer.iterations)


class Bar(keras.callbacks.Callback):
    """One tqdm bar an epoch: loss, accuracy, tokens per second, time left.

    Args:
        batch_count: batches an epoch.
        epochs: how many epochs there will be.
        start: where the training begins.
    """

    def __init__(self, batch_count: int, epochs: int, start: Position) -> None:
        super().__init__()
        self.batch_count = batch_count
        self.epochs = epochs
        self.start = start
        self.bar: tqdm | None = None

    def on_epoch_begin(self, epoch: int, logs: Any = None) -> None:
        """Opens the epoch's bar."""
        self.bar = tqdm(
            total=self.batch_count,
            initial=self.start.batch if epoch == self.start.epoch else 0,
            desc=self._name(epoch),
            bar_format="{desc} {percentage:3.0f}%|{bar:10}| {elapsed}<{remaining} {postfix}",
            mininterval=0.5,
            leave=False,
            disable=None,  # where standard error is no terminal, the epochs' lines are enough
        )

    def on_train_batch_end(self, batch: int, logs: dict[str, Any] | None = None) -> None:
        """Moves the bar."""
        self.bar.set_postfix_str(_summary(logs), refresh=False)
        self.bar.update()

    def on_epoch_end(self, epoch: int, logs: dict[str, Any] | None = None) -> None:
        """Puts the epoch's figures in the place of the bar."""
        self.close()
        line = f"{self._name(epoch)}  {logs['seconds']:.0f} s  {_summary(logs)}"
        line += f"  validation loss {logs['val_cross_entropy']:.3f}"
        line += f" accuracy {logs['val_accuracy']:.1%}"
        tqdm.write(line, file=sys.stderr)

    def close(self) -> None:
        """Takes the bar away."""
        if self.bar is not None:
            self.bar.close()

    def _name(self, epoch: int) -> str:
        return f"epoch {epoch + 1:>{len(str(self.epochs))}}/{self.epochs}"


class MetricsLog(keras.callbacks.Callback):
    """One JSON line an epoch.

    Args:
        path: the file, to which lines are added.
    """

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.path = path

    def on_epoch_end(self, epoch: int, logs: dict[str, Any] | None = None) -> None:
        """Adds the epoch's line."""
        values = {key: round(value, 6) for key, value in sorted(logs.items())}
        with open(self.path, "a", encoding="utf-8") as file:
            file.write(json.dumps({"epoch": epoch + 1, **values}) + "\n")


class Checkpoints(keras.callbacks.Callback):
    """Keeps the best weights by validation cross-entropy, and the latest state.

    Args:
        run: where they go.
        start: where this training begins.
        best: the best validation cross-entropy so far.
    """

    def __init__(self, run: RunDirectory, start: Position, best: float) -> None:
        super().__init__()
        self.run = run
        self.position = start
        self.best = best

    def on_train_batch_end(self, batch: int, logs: dict[str, Any] | None = None) -> None:
        """Notes how far the epoch has come, and that the loss is still a number."""
        self.position = Position(self.position.epoch, self.position.batch + 1)
        if not math.isfinite(logs["loss"]):
            raise InputError(
                f"the loss became {logs['loss']} at batch {self.position.batch} of epoch"
                f" {self.position.epoch + 1}; lower training.schedule.learning_rate or raise"
                " warmup_steps; the last epoch's weights are kept"
            )

    def on_epoch_end(self, epoch: int, logs: dict[str, Any] | None = None) -> None:
        """Writes what has to be written."""
        self.position = Position(epoch + 1, 0)
        if logs["val_cross_entropy"] < self.best:
            self.best = logs["val_cross_entropy"]
            save_arrays(self.run.weights, self._validated_weights())
        self.save()

    def _validated_weights(self) -> dict[str, np.ndarray]:
        weights = model_weights(self.model)
        averages = moving_averages(self.model.optimizer)
        names = {id(variable): name for variable, name in zip(self.model.weights, weights)}
        return weights | {names[id(v)]: average.numpy() for v, average in averages}

    def save(self) -> None:
        """Writes the latest state."""
        save_training_state(self.run.last, self.model, self.position, self.best)


class ValidatedAverages(keras.callbacks.Callback):
    """Puts the moving averages of the weights in their place while they are validated."""

    def on_test_begin(self, logs: Any = None) -> None:
        """Puts them there."""
        self._exchange()

    def on_test_end(self, logs: Any = None) -> None:
        """Puts the weights back."""
        self._exchange()

    def _exchange(self) -> None:
        for variable, average in moving_averages(self.model.optimizer):
            value = variable.numpy()
            variable.assign(average)
            average.assign(value)


class StopOnSignal(keras.callbacks.Callback):
    """Turns the first Ctrl-C (or SIGTERM, or SIGHUP) into a stop after the current step.

    After an epoch's last step that is the end of its validation. A second Ctrl-C
    ends the program at once.

    Args:
        checkpoints: knows how far the epoch has come.
        batch_count: batches an epoch.
    """

    def __init__(self, checkpoints: Checkpoints, batch_count: int) -> None:
        super().__init__()
        self.checkpoints = checkpoints
        self.batch_count = batch_count
        self.asked = False
        self.before: dict[int, Any] = {}

    def __enter__(self) -> "StopOnSignal":
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            self.before[number] = signal.signal(number, self._ask)
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self.before.items():
            signal.signal(number, handler)

    def _ask(self, number: int, frame: FrameType | None) -> None:
        self.asked = True
        self.__exit__()
        if number == signal.SIGINT:
            print("\nstopping after this step; Ctrl-C again ends at once", file=sys.stderr)

    def on_train_batch_end(self, batch: int, logs: Any = None) -> None:
        """Stops between two steps."""
        if self.asked and self.checkpoints.position.batch < self.batch_count:
            raise Interrupted

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        """Stops between two epochs."""
        if self.asked:
            raise Interrupted


def moving_averages(optimizer: keras.optimizers.Optimizer) -> list[tuple[Any, Any]]:
    """Each trained variable and its moving average, where the optimiser keeps them."""
    if not optimizer.use_ema:
        return []
    return list(
        zip(optimizer._trainable_variables, optimizer._model_variables_moving_average, strict=True)
    )


def training_tokens(model: keras.Model) -> float:
    """Real target tokens of the epoch so far, as the accuracy metric counted them."""
    [counter] = [
        v for m in model.metrics for v in m.variables if v.path.endswith("accuracy/tokens")
    ]
    return float(counter)


def _summary(logs: dict[str, Any]) -> str:
    return (
        f"loss {logs['loss']:.3f} accuracy {logs['accuracy']:.1%}"
        f" {logs['target_tokens_per_second']:,.0f} tokens/s"
    )
