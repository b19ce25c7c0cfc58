"""Computes a training: the model, its optimiser, and the steps, for TensorFlow or for JAX.

A training knows only `Backend`. `open_backend` makes a `Backend` for Keras's current backend.
"""

import abc
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import keras
import numpy as np
from keras import ops
from keras.optimizers.schedules import LearningRateSchedule

from translator.base.backends import JAX
from translator.base.errors import InputError
from translator.config.schema import Config, TrainingConfig
from translator.data.batches import EDGES, Batches, BatchLayout
from translator.data.preparation import TrainingData
from translator.model.losses import MaskedCrossEntropy, TokenSums, token_weights
from translator.model.transformer import Transformer
from translator.runs.weights import (
    assign_named,
    frozen_names,
    make_model,
    model_weights,
    named_values,
    set_model_weights,
    variable_value,
)
from translator.tokenizers.subword import Tokenizers
from translator.training.hardware import device_count, shard_count
from translator.training.optimizer import Shortened, make_adam, make_schedule, moving_averages

NO_TOKENS = TokenSums(0.0, 0.0, 0.0)
MicroBatch = tuple[tuple[Any, Any], Any]  # (source ids (B, S), target ids (B, T)), (B, T)


class Figures(NamedTuple):
    """Means over the target tokens since the last validation.

    Attributes:
        sums: (6,) on the device: loss and tokens, cross-entropy and tokens, accuracy and tokens.
            Reading them waits until the device has computed them.
    """

    sums: Any

    def read(self) -> dict[str, float]:
        """The means by their names."""
        sums = np.asarray(self.sums)
        means = sums[::2] / np.maximum(sums[1::2], np.float32(1))
        return dict(zip(("loss", "cross_entropy", "accuracy"), map(float, means)))


class Backend(abc.ABC):
    """A model in training.

    Args:
        schedule: a schedule of the learning rate; None for the configured one.
    """

    def __init__(
        self, config: Config, tokenizers: Tokenizers, schedule: LearningRateSchedule | None = None
    ) -> None:
        training = config.training
        precision: str = training.precision
        policy = precision if precision == "float32" else f"mixed_{precision}"
        self.config = config
        self.model: Transformer = make_model(config, tokenizers, dtype_policy=policy)
        self._freeze()
        schedule = schedule or make_schedule(training.schedule, config.model.d_model)
        self.schedule = Shortened(schedule)
        self.adam = make_adam(training, self.schedule)
        self.optimizer: keras.optimizers.Optimizer = self.adam
        if training.precision == "float16":
            self.optimizer = keras.optimizers.LossScaleOptimizer(
                self.adam, name="loss_scale_optimizer"
            )
        self.optimizer.build(self.model.trainable_variables)
        self.sums = keras.Variable(np.zeros(6, np.float32), trainable=False, name="sums")
        self.r_drop_alpha = 0.0

    def _freeze(self) -> None:
        """Excludes the parts in ``training.freeze`` from training."""
        names = list(model_weights(self.model))
        frozen = frozen_names(names, self.config.training.freeze)
        for name, variable in zip(names, self.model.weights):
            variable.trainable = variable.trainable and name not in frozen

    @abc.abstractmethod
    def feed(self, batches: Batches, start: int = 0, end: int | None = None) -> Iterable[Any]:
        """Gathers some of an epoch's updates ahead, in the form for `update`.

        Args:
            start: the first update, from 0.
            end: the update after the last one; None for all.
        """

    @abc.abstractmethod
    def update(self, batch: Any, skipped: int = 0) -> Figures:
        """Makes an update. It uses R-Drop if ``r_drop_alpha`` is above 0.

        Args:
            skipped: the number of skipped updates of the schedule.
        """

    @abc.abstractmethod
    def measure(self, batches: Batches) -> dict[str, float]:
        """Measures loss, cross-entropy and accuracy; the plan must have one batch for each update.

        If there are moving averages, it measures these. Dropout and R-Drop are off.
        """

    def prepare(  # noqa: B027  # a backend that compiles nothing has nothing to do
        self, batches: Batches, validation: Batches, is_stopped: Callable[[], bool]
    ) -> None:
        """Compiles the steps of a pass and of a validation in advance, if this saves time."""

    def look(self) -> Transformer:
        """The model, with the values of the latest update in its variables."""
        return self.model

    def begin_round(self) -> None:
        """Sets the sums of the training side to 0."""
        self.look()
        self.sums.assign(np.zeros(6, np.float32))

    @property
    def updates(self) -> int:
        """How many updates the optimiser has made."""
        self.look()
        return int(self.optimizer.iterations)

    @property
    def learning_rate(self) -> float:
        """The rate of the next update."""
        self.look()
        return float(self.optimizer.learning_rate)

    def figures(self) -> dict[str, float]:
        """The figures of the training side since the last validation."""
        self.look()
        return Figures(variable_value(self.sums)).read()

    def weights(self) -> dict[str, np.ndarray]:
        """The model's weights by name. If there are moving averages, it returns these instead."""
        weights = model_weights(self.look())
        names = {id(variable): name for variable, name in zip(self.model.weights, weights)}
        averages = moving_averages(self.adam)
        return weights | {names[id(v)]: variable_value(average) for v, average in averages}

    def set_weights(self, weights: Mapping[str, np.ndarray], origin: Path) -> None:
        """Gives these weights to the model, and to its moving averages."""
        set_model_weights(self.look(), weights, origin)
        for variable, average in moving_averages(self.adam):
            average.assign(variable)

    def state(self) -> dict[str, np.ndarray]:
        """All values for an exact resume, by name: weights, optimiser, seeds, sums."""
        arrays = named_values(self.look().weights, "model/")
        arrays |= named_values(self.optimizer.variables, "optimizer/")
        arrays |= {f"seeds/{i}": variable_value(seed) for i, seed in enumerate(self.seeds)}
        return arrays | {f"metrics/{i}": s for i, s in enumerate(variable_value(self.sums))}

    def set_state(self, arrays: Mapping[str, np.ndarray], path: Path) -> None:
        """Restores the result of `state`; several processes must call it together.

        Args:
            path: the file of the state.
        """
        assign_named(self.look().weights, arrays, path, "model/")
        assign_named(self.optimizer.variables, arrays, path, "optimizer/")
        names = [f"seeds/{i}" for i in range(len(self.seeds))]
        names += [f"metrics/{i}" for i in range(6)]
        if missing := [name for name in names if name not in arrays]:
            raise InputError(
                f"{path}: expected the state of a run of this program, found no {missing[0]} in it;"
                " train again with --run DIR"
            )
        for i, seed in enumerate(self.seeds):
            seed.assign(arrays[f"seeds/{i}"])
        self.sums.assign(np.stack([arrays[f"metrics/{i}"] for i in range(6)]))

    @property
    def seeds(self) -> list[Any]:
        """The variables with the random seeds of dropout."""
        return [variable for variable in self.model.variables if "seed_generator" in variable.path]

    def loss(self, r_drop_alpha: float) -> MaskedCrossEntropy:
        """The loss of a batch."""
        smoothing = self.config.training.label_smoothing
        return MaskedCrossEntropy(self.padding_id, smoothing, r_drop_alpha)

    def count_tokens(self, ids: Any) -> Any:
        """The real tokens of target ids (B, T), a float32 scalar."""
        return ops.sum(token_weights(ids, self.padding_id))

    @property
    def padding_id(self) -> int:
        """The padding id of the target side."""
        return self.model.padding_ids[1]

    @property
    def copies(self) -> int:
        """How often each pair occurs in its batch."""
        return 2 if self.r_drop_alpha else 1


def as_sums(loss: Any = 0.0, of_all: Any = 0.0, tokens: TokenSums = NO_TOKENS) -> Any:
    """The summands of a batch, (6,).

    Args:
        loss: the mean over ``of_all`` tokens.
    """
    cross_entropy, accuracy, count = tokens
    return ops.stack([loss * of_all, of_all, cross_entropy, count, accuracy, count])


def training_layout(training: TrainingConfig) -> BatchLayout:
    """How the batches of a training become arrays, on this machine."""
    return BatchLayout(
        training.accumulation_steps,
        edges=EDGES if keras.backend.backend() == JAX else (),
        shards=shard_count(training),
        devices=device_count(),
    )


def validation_batches(config: Config, data: TrainingData) -> Batches:
    """The batches of the validation split, which are measured one by one."""
    layout = training_layout(config.training)._replace(accumulation_steps=1, shards=1)
    return Batches(data.validation, config.data, data.tokenizers, layout=layout)


def open_backend(
    config: Config, tokenizers: Tokenizers, schedule: LearningRateSchedule | None = None
) -> Backend:
    """Makes a model in training, on Keras's current backend."""
    if keras.backend.backend() == JAX:
        from translator.training.backends.jax import JaxBackend

        return JaxBackend(config, tokenizers, schedule)
    from translator.training.backends.tensorflow import TensorFlowBackend

    return TensorFlowBackend(config, tokenizers, schedule)
