"""Learning rates over the updates of a run; the first update is number 1."""

from typing import Any

import keras
import numpy as np
from keras import ops

from translator.config.schema import ScheduleConfig


@keras.saving.register_keras_serializable(package="translator")
class Schedule(keras.optimizers.schedules.LearningRateSchedule):
    """A schedule with a warm-up. Keras counts steps from 0, the formulas count updates from 1.

    - ``noam``: learning_rate * D^-0.5 * min(update^-0.5, update * warmup_steps^-1.5), section 5.3
      of Vaswani et al. (2017), https://arxiv.org/abs/1706.03762
    - ``inverse_sqrt``: up in a line, then down with 1 / sqrt(update), as in fairseq,
      https://arxiv.org/abs/1904.01038
    - ``linear``: up in a line and down in one, as BERT's, https://aclanthology.org/N19-1423,
      appendix A.2
    - ``cosine``: up in a line, then down as half a cosine, Loshchilov and Hutter (2017),
      https://arxiv.org/abs/1608.03983
    - ``constant``: up in a line, then the same rate

    Args:
        name: one of these.
        learning_rate: the highest rate; of ``noam`` the factor, 1 in the paper.
        warmup_steps: updates until the highest rate; 0 for none.
        d_model: D.
        total_steps: of ``linear`` and ``cosine``, updates until the lowest rate.
        final_rate: of these two, the lowest rate, which stays.
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
    """The schedule that a resolved configuration names."""
    return Schedule(**config.model_dump(), d_model=d_model)
