"""Trains from validation to validation and keeps what each leaves."""

import math
import time

import keras
import numpy as np

from translator.base.errors import InputError
from translator.config.schema import Config
from translator.data.batches import Batches
from translator.data.bpe_dropout import BPEDropout
from translator.data.preparation import TrainingData
from translator.runs.directory import RunDirectory
from translator.runs.weights import save_arrays
from translator.training.callbacks import (
    Bar,
    Interrupted,
    NoNumber,
    StopOnSignal,
    Updates,
    training_tokens,
)
from translator.training.failures import (
    TRY_ANEW,
    FailedUpdate,
    loss_is_no_number,
    memory_is_full,
    runs_out_of_memory,
)
from translator.training.moving_average import averaged_weights
from translator.training.selection import Selection
from translator.training.state import Progress, check_finite, save_state
from translator.training.tensorboard import write_scalars
from translator.training.validation import Validation


class Epochs:
    """The training side's batches, epoch after epoch.

    Args:
        config: the run's.
        data: what is trained on.

    Raises:
        InputError: there is to be BPE-dropout, and a tokenizer leaves nothing to drop.
    """

    def __init__(self, config: Config, data: TrainingData) -> None:
        self.config = config
        self.data = data
        rate, longest = config.data.bpe_dropout, config.data.max_length
        sides = data.train, data.tokenizers
        self.dropout = BPEDropout(*sides, rate, config.training.seed, longest) if rate else None
        self.latest: tuple[int, Batches] | None = None

    def batches(self, epoch: int) -> Batches:
        """The updates of an epoch, from 0; those asked for last are not planned again."""
        if self.latest is not None and self.latest[0] == epoch:
            return self.latest[1]
        self.latest = None  # no two plans in memory
        training = self.config.training
        batches = Batches(
            self.dropout.epoch(epoch) if self.dropout else self.data.train,
            self.config.data,
            self.data.tokenizers,
            (training.seed, epoch),
            training.accumulation_steps,
            training.jit_compile is True,
            training.data_parallel,
        )
        self.latest = epoch, batches
        return batches


class Rounds:
    """A training, cut at its validations: the ends of epochs, and more where they are long.

    Args:
        model: compiled and built.
        config: the run's.
        run: where everything goes.
        epochs: what it is fed.
        validation: what it is measured by.
        progress: where it begins; it is kept up to date.
    """

    def __init__(
        self,
        model: keras.Model,
        config: Config,
        run: RunDirectory,
        epochs: Epochs,
        validation: Validation,
        progress: Progress,
    ) -> None:
        self.model = model
        self.config = config
        self.run = run
        self.epochs = epochs
        self.progress = progress
        self.selection = Selection.of(config)
        self.validation = validation

    @property
    def is_finished(self) -> bool:
        """Whether all epochs are done, or patience is at its end."""
        done = self.progress.epoch >= self.config.training.epochs
        return done or self.selection.has_stalled(self.progress.rounds)

    def train(self) -> None:
        """Trains until it is finished, or until the user wants no more.

        Raises:
            InputError: the loss became infinite or no number, or memory ran out;
                the last checkpoint stays.
            OSError: the disk is full; likewise.
        """
        with StopOnSignal() as stop:
            try:
                while not self.is_finished:
                    self._train_epoch(stop)
            except Interrupted:
                self._save()

    def _train_epoch(self, stop: StopOnSignal) -> None:
        batches = self.epochs.batches(self.progress.epoch)
        self._set_r_drop()
        bar = Bar(self.progress, batches.count, self.config.training.epochs)
        updates = Updates(self.progress, self._save, self.config.training.save_minutes)
        try:
            for end in self._round_ends(batches.count):
                self._train_round(batches, end, [updates, bar, stop])
                self._finish_round(bar, batches.count)
                updates.saved = time.perf_counter()
                stop.check()
                if self.is_finished:
                    break
        finally:
            bar.close()

    def _set_r_drop(self) -> None:
        """R-Drop, or none yet; the step is made anew where that changes."""
        training, model = self.config.training, self.model
        alpha = training.r_drop_alpha if self.progress.epoch >= training.r_drop_after else 0.0
        if alpha != model.loss.r_drop_alpha:
            model.loss.r_drop_alpha = alpha
            model.train_function = None

    def _round_ends(self, count: int) -> list[int]:
        """The updates of the epoch after which there is still to be a validation."""
        every = self.config.validation.every_updates or count
        ends = [*range(every, count, every), count]
        validated = self.progress.batch if self.progress.seconds == 0 else self.progress.batch - 1
        return [end for end in ends if end > validated]

    def _train_round(self, batches: Batches, end: int, callbacks: list) -> None:
        start = self.progress.batch
        if start == end:  # stopped just before the validation
            return
        try:
            self.model.fit(
                batches.dataset(start, end, self.model.loss.copies),
                shuffle=False,  # the plan has done that
                verbose=0,
                callbacks=callbacks,
            )
        except NoNumber as error:
            number = int(self.model.optimizer.iterations)  # it has been made
            failed = self._failed(batches, number)
            tokenizers = self.epochs.data.tokenizers
            raise loss_is_no_number(str(error), failed, tokenizers, self.run) from None
        except Exception as error:
            if not runs_out_of_memory(error):
                raise
            failed = self._failed(batches, int(self.model.optimizer.iterations) + 1)
            raise memory_is_full(failed.describe(), self.config.data) from None

    def _failed(self, batches: Batches, number: int) -> FailedUpdate:
        return FailedUpdate(number, batches, self.progress.batch)

    def _finish_round(self, bar: Bar, count: int) -> None:
        """Measures, and writes what has to be written."""
        progress, model, validation = self.progress, self.model, self.config.validation
        number = len(progress.rounds) + 1
        tokens, seconds = training_tokens(model), progress.seconds
        figures = {name: float(value) for name, value in model.get_metrics_result().items()}
        began = time.perf_counter()
        every, is_last = validation.translate_every, self._is_last(count)
        translate = every > 0 and (number % every == 0 or is_last)
        figures |= self.validation.measure(model, translate)
        if not math.isfinite(figures["val_cross_entropy"]):
            raise InputError(f"the validation loss is no number any more; {TRY_ANEW}")
        figures["learning_rate"] = float(model.optimizer.learning_rate)
        updates = int(model.optimizer.iterations)
        rounded = {name: round(value, 6) for name, value in sorted(figures.items())}
        progress.rounds.append({"epoch": progress.epoch + 1, "updates": updates, **rounded})
        progress.times.append(
            {
                "updates": updates,
                "seconds": round(seconds, 3),
                "validation_seconds": round(time.perf_counter() - began, 3),
                "target_tokens_per_second": round(tokens / seconds, 1),
            }
        )
        progress.seconds = 0.0
        bar.write(progress.rounds[-1], progress.times[-1])
        if self.config.training.tensorboard:
            write_scalars(self.run.tensorboard, progress.rounds[-1], progress.times[-1])
        if progress.batch == count:
            progress.epoch, progress.batch = progress.epoch + 1, 0
        self._keep(averaged_weights(model))
        self._save()
        self._tidy()

    def _is_last(self, count: int) -> bool:
        """Whether the run ends here: then its translations are measured in any case."""
        progress, epochs = self.progress, self.config.training.epochs
        return progress.batch == count and progress.epoch + 1 == epochs

    def _keep(self, weights: dict[str, np.ndarray]) -> None:
        check_finite(weights)
        rounds = self.progress.rounds
        if len(rounds) in self.selection.kept(rounds):
            self.run.snapshots.mkdir(exist_ok=True)
            save_arrays(self.run.snapshot(len(rounds)), weights)
        if self.selection.best(self.progress) is rounds[-1]:
            self.progress.averaged = None
            save_arrays(self.run.weights, weights)

    def _save(self) -> None:
        save_state(self.run, self.model, self.progress)

    def _tidy(self) -> None:
        """Removes the weights that are not to be kept any more, now that the state knows."""
        kept = {self.run.snapshot(number) for number in self.selection.kept(self.progress.rounds)}
        for path in self.run.snapshots.glob("*.npz"):
            if path not in kept:
                path.unlink()
