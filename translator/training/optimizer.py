"""Adam, and its learning rate over the updates of a run; the first update is number 1."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

import keras
import numpy as np
from keras import ops
from keras.optimizers.schedules import LearningRateSchedule

from translator.base.errors import InputError
from translator.config.schema import ScheduleConfig, TrainingConfig
from translator.model.keras_internals import (
    adam_moments,
    tensorflow_resource,
    variables_with_averages,
)
from translator.runs.directory import RunDirectory

ADAM = {"beta_1": 0.9, "beta_2": 0.98, "epsilon": 1e-9}  # section 5.3 of Vaswani et al. (2017)
COMPARED = (0, 1, 100, 10_000)  # steps at which a schedule and its restored copy are compared
CUSTOM = {  # the configuration of a run whose record has the schedule
    "training.schedule.name": "custom",
    "training.schedule.learning_rate": 1.0,
    "training.schedule.warmup_steps": 0,
    "training.schedule.total_steps": None,
    "training.schedule.final_rate": 0.0,
}


@keras.saving.register_keras_serializable(package="translator")
class Schedule(LearningRateSchedule):
    """A schedule with a warm-up. Keras counts steps from 0, the formulas count updates from 1.

    - ``noam``: learning_rate * D^-0.5 * min(update^-0.5, update * warmup_steps^-1.5), section 5.3
      of Vaswani et al. (2017), https://arxiv.org/abs/1706.03762
    - ``inverse_sqrt``: linear rise, then a fall with 1 / sqrt(update), as in fairseq,
      https://arxiv.org/abs/1904.01038
    - ``linear``: linear rise, then a linear fall, as for BERT, https://aclanthology.org/N19-1423,
      appendix A.2
    - ``cosine``: linear rise, then a fall along half a cosine, Loshchilov and Hutter (2017),
      https://arxiv.org/abs/1608.03983
    - ``constant``: linear rise, then always the same rate

    Args:
        learning_rate: the highest rate; for ``noam`` the factor, 1 in the paper.
        warmup_steps: updates until the highest rate; 0 for no warm-up.
        total_steps: for ``linear`` and ``cosine``, updates until the lowest rate.
    """

    def __init__(
        self,
        name: str,
        learning_rate: float,
        warmup_steps: int,
        d_model: int,
        total_steps: int | None = None,
        final_rate: float = 0.0,
    ) -> None:
        if name in ("linear", "cosine") and total_steps is None:
            raise ValueError(f"{name}: expected total_steps, found None; resolve it first")
        self.name = name
        self.learning_rate = learning_rate
        self.warmup_steps = warmup_steps
        self.d_model = d_model
        self.total_steps = total_steps
        self.final_rate = final_rate

    def __call__(self, step: Any) -> Any:
        """The rate of a step, a float32 scalar."""
        update, warmup = ops.cast(step, "float32") + 1.0, self.warmup_steps
        if self.name == "noam":
            factor = self.learning_rate * self.d_model**-0.5
            return factor * ops.minimum(ops.rsqrt(update), update * warmup**-1.5)
        if self.name == "inverse_sqrt":
            rising, falling = update / warmup, ops.sqrt(warmup / update)
            return self.learning_rate * ops.minimum(rising, falling)
        if self.total_steps is None:
            return self.learning_rate * ops.minimum(1.0, update / max(warmup, 1))
        rising = self.learning_rate * update / max(warmup, 1)
        done = ops.clip((update - warmup) / (self.total_steps - warmup), 0.0, 1.0)
        left = 1.0 - done if self.name == "linear" else 0.5 * (1.0 + ops.cos(np.pi * done))
        falling = self.final_rate + (self.learning_rate - self.final_rate) * left
        return ops.where(update < warmup, rising, falling)

    def get_config(self) -> dict[str, Any]:
        return dict(vars(self))


def make_schedule(config: ScheduleConfig, d_model: int) -> Schedule:
    """Makes the schedule of a complete configuration."""
    return Schedule(**config.model_dump(), d_model=d_model)


def stored_schedule(schedule: Any, resumed: RunDirectory | None) -> dict[str, Any] | None:
    """Serializes the user's own schedule in the form that a run stores; None if there is none.

    Args:
        schedule: a `LearningRateSchedule`; None for the schedule of the configuration, or of the
            resumed run.
    """
    form = None if schedule is None else serialize_schedule(schedule)
    if resumed is None:
        return form
    recorded = resumed.read_record().schedule
    if form not in (None, recorded):
        raise InputError(
            f"schedule: expected the schedule with which {resumed.path} began, found another;"
            " resume without schedule, or train again with another run_dir"
        )
    return recorded


def serialize_schedule(schedule: Any) -> dict[str, Any]:
    """Serializes a schedule as Keras does, in plain values."""
    if not isinstance(schedule, LearningRateSchedule):
        raise InputError(
            "schedule: expected a keras.optimizers.schedules.LearningRateSchedule, found"
            f" {type(schedule).__name__}"
        )
    try:
        form: dict[str, Any] = json.loads(json.dumps(keras.saving.serialize_keras_object(schedule)))
    except (TypeError, NotImplementedError):
        raise InputError(
            f"schedule: expected numbers, texts, lists and dictionaries from get_config of"
            f" {type(schedule).__name__}, found something else"
        ) from None
    restored = restore_schedule(form)
    steps = [ops.convert_to_tensor(step) for step in COMPARED]
    if any(float(schedule(step)) != float(restored(step)) for step in steps):
        raise InputError(
            f"schedule: expected the same rates from a {type(schedule).__name__} rebuilt from"
            " its get_config, found other rates; let get_config return all arguments of __init__"
        )
    return form


def restore_schedule(form: Mapping[str, Any]) -> LearningRateSchedule:
    """Restores a serialized schedule. Its class is one of Keras's, or a registered class."""
    name = str(form.get("class_name"))
    kind: Any = keras.saving.get_registered_object(str(form.get("registered_name")))
    kind = kind or getattr(keras.optimizers.schedules, name, None)
    is_known = isinstance(kind, type) and issubclass(kind, LearningRateSchedule)
    if not is_known:
        raise InputError(
            f"schedule: expected a class that Keras can restore, found {name}; register it with"
            " @keras.saving.register_keras_serializable(), and import it before you resume"
        )
    try:
        return kind.from_config(dict(form["config"]))
    except (KeyError, TypeError, ValueError) as error:
        raise InputError(f"schedule: {name} cannot be restored: {error}") from None


class Shortened(LearningRateSchedule):
    """A schedule that may skip some updates if the time is short.

    Attributes:
        skipped: the number of skipped updates so far, or a tensor of shape ().
    """

    def __init__(self, schedule: LearningRateSchedule) -> None:
        self.schedule = schedule
        self.skipped: Any = 0

    def __call__(self, step: Any) -> Any:
        """The rate of a step, a float32 scalar."""
        return self.schedule(step + ops.cast(self.skipped, step.dtype))


@keras.saving.register_keras_serializable(package="translator")
class FusedAdam(keras.optimizers.Adam):
    """Keras's Adam; under TensorFlow it is computed by TensorFlow's fused kernel.

    Kingma and Ba (2015), "Adam", https://arxiv.org/abs/1412.6980. The kernel is one operation.
    Keras alone needs eight operations, and each of them reads and writes an array of the
    variable's size.
    """

    def apply(self, grads: Sequence[Any], trainable_variables: Any = None) -> None:
        """Updates the variables.

        The gradient of an embedding is a list of rows, and a row may occur twice. Clipping
        needs the norm of the sum, so equal rows are summed first.
        """
        if self.global_clipnorm is not None and keras.backend.backend() == "tensorflow":
            import tensorflow as tf

            grads = [tf.convert_to_tensor(gradient) for gradient in grads]
        step = ops.cast(self.iterations + 1, "float32")
        betas = [ops.cast(beta, "float32") for beta in (self.beta_1, self.beta_2)]
        self.powers = [ops.power(beta, step) for beta in betas]  # the same for all variables
        super().apply(grads, trainable_variables)

    def update_step(self, gradient: Any, variable: Any, learning_rate: Any) -> None:
        """Updates a variable and its two moments."""
        if keras.backend.backend() != "tensorflow" or self.amsgrad:
            super().update_step(gradient, variable, learning_rate)
            return
        import tensorflow as tf

        momentum, velocity = adam_moments(self, variable)
        tf.raw_ops.ResourceApplyAdam(
            var=tensorflow_resource(variable),
            m=tensorflow_resource(momentum),
            v=tensorflow_resource(velocity),
            beta1_power=self.powers[0],
            beta2_power=self.powers[1],
            lr=learning_rate,
            beta1=self.beta_1,
            beta2=self.beta_2,
            epsilon=self.epsilon,
            grad=ops.cast(tf.convert_to_tensor(gradient), variable.dtype),
        )


def make_adam(training: TrainingConfig, schedule: LearningRateSchedule) -> FusedAdam:
    """Makes the configured optimiser."""
    return FusedAdam(
        schedule,
        **ADAM,
        global_clipnorm=training.clip_grad_norm,
        use_ema=training.ema_momentum is not None,
        ema_momentum=training.ema_momentum or 0.99,
    )


def moving_averages(adam: FusedAdam) -> list[tuple[Any, Any]]:
    """The trained variables and their moving averages; empty without averages."""
    return variables_with_averages(adam) if adam.use_ema else []
