"""Learning rates over the updates of a run; the first update is number 1."""

from abc import ABC, abstractmethod
from typing import Any

import keras
import numpy as np
from keras import ops

from translator.config.schema import ScheduleConfig


class _Schedule(keras.optimizers.schedules.LearningRateSchedule, ABC):
    """A schedule with a warm-up. Keras counts steps from 0, the formulas count updates from 1."""

    def __init__(self, learning_rate: float, warmup_steps: int) -> None:
        self.learning_rate = learning_rate
        self.warmup_steps = warmup_steps

    def __call__(self, step: Any) -> Any:
        return self.rate(ops.cast(step, "float32") + 1.0)

    @abstractmethod
    def rate(self, update: Any) -> Any:
        """The rate of an update, a float32 scalar from 1."""

    def get_config(self) -> dict[str, Any]:
        return {"learning_rate": self.learning_rate, "warmup_steps": self.warmup_steps}


@keras.saving.register_keras_serializable(package="translator")
class Noam(_Schedule):
    """factor * D^-0.5 * min(update^-0.5, update * warmup_steps^-1.5).

    The paper's own schedule, section 5.3.

    Args:
        learning_rate: factor; 1 in the paper.
        warmup_steps: updates until the highest rate.
        d_model: D.
    """

    def __init__(self, learning_rate: float, warmup_steps: int, d_model: int) -> None:
        super().__init__(learning_rate, warmup_steps)
        self.d_model = d_model

    def rate(self, update: Any) -> Any:
        factor = self.learning_rate * self.d_model**-0.5
        return factor * ops.minimum(ops.rsqrt(update), update * self.warmup_steps**-1.5)

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "d_model": self.d_model}


@keras.saving.register_keras_serializable(package="translator")
class InverseSqrt(_Schedule):
    """Rises to ``learning_rate`` in a line, then falls with 1 / sqrt(update).

    Fairseq's ``inverse_sqrt``, https://arxiv.org/abs/1904.01038

    Args:
        learning_rate: the highest rate.
        warmup_steps: updates until then.
    """

    def rate(self, update: Any) -> Any:
        rising = update / self.warmup_steps
        falling = ops.sqrt(self.warmup_steps / update)
        return self.learning_rate * ops.minimum(rising, falling)


class _Falling(_Schedule):
    """Rises to ``learning_rate`` in a line, then falls to ``final_rate`` and stays there.

    Args:
        learning_rate: the highest rate.
        warmup_steps: updates until then.
        total_steps: updates until the lowest rate.
        final_rate: the lowest rate.
    """

    def __init__(
        self, learning_rate: float, warmup_steps: int, total_steps: int, final_rate: float = 0.0
    ) -> None:
        super().__init__(learning_rate, warmup_steps)
        self.total_steps = total_steps
        self.final_rate = final_rate

    def rate(self, update: Any) -> Any:
        rising = self.learning_rate * update / max(self.warmup_steps, 1)
        progress = (update - self.warmup_steps) / (self.total_steps - self.warmup_steps)
        left = self.left(ops.clip(progress, 0.0, 1.0))
        falling = self.final_rate + (self.learning_rate - self.final_rate) * left
        return ops.where(update < self.warmup_steps, rising, falling)

    @abstractmethod
    def left(self, progress: Any) -> Any:
        """The share of the fall that is left, from 1 to 0.

        Args:
            progress: share of the updates after the warm-up that are done, from 0 to 1.
        """

    def get_config(self) -> dict[str, Any]:
        ends = {"total_steps": self.total_steps, "final_rate": self.final_rate}
        return {**super().get_config(), **ends}


@keras.saving.register_keras_serializable(package="translator")
class Linear(_Falling):
    """Falls in a line, as BERT's did: https://aclanthology.org/N19-1423, appendix A.2."""

    def left(self, progress: Any) -> Any:
        return 1.0 - progress


@keras.saving.register_keras_serializable(package="translator")
class Cosine(_Falling):
    """Falls as half a cosine: Loshchilov and Hutter (2017), https://arxiv.org/abs/1608.03983."""

    def left(self, progress: Any) -> Any:
        return 0.5 * (1.0 + ops.cos(np.pi * progress))


@keras.saving.register_keras_serializable(package="translator")
class Constant(_Schedule):
    """Rises to ``learning_rate`` in a line and stays.

    Args:
        learning_rate: the highest rate.
        warmup_steps: updates until then; 0 for none.
    """

    def rate(self, update: Any) -> Any:
        return self.learning_rate * ops.minimum(1.0, update / max(self.warmup_steps, 1))


def make_schedule(config: ScheduleConfig, d_model: int) -> _Schedule:
    """The schedule that a resolved configuration names."""
    if config.name == "noam":
        return Noam(config.learning_rate, config.warmup_steps, d_model)
    if config.name in ("linear", "cosine"):
        if config.total_steps is None:
            raise ValueError(f"{config.name}: expected total_steps, found None; resolve it first")
        return {"linear": Linear, "cosine": Cosine}[config.name](
            config.learning_rate, config.warmup_steps, config.total_steps, config.final_rate
        )
    kind = InverseSqrt if config.name == "inverse_sqrt" else Constant
    return kind(config.learning_rate, config.warmup_steps)
