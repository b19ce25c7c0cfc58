"""Which validation was the best, and when nothing better is to be expected."""

import math
from collections.abc import Sequence
from typing import NamedTuple

from translator.config.schema import Config
from translator.training.state import Figures, Progress

LESS_IS_BETTER = ("cross_entropy", "perplexity", "loss")


class Selection(NamedTuple):
    """Chooses among the validations of a run, from their figures alone.

    Attributes:
        metric: a figure's name without ``val_``.
        keep_last: of so many latest validations the weights are kept.
        keep_best: likewise of the best.
        patience: so many validations of the metric without a better one end the run; None for
            never.
    """

    metric: str
    keep_last: int
    keep_best: int
    patience: int | None

    @classmethod
    def of(cls, config: Config) -> "Selection":
        """What a configuration asks for."""
        training, validation = config.training, config.validation
        return cls(validation.metric, training.keep_last, training.keep_best, validation.patience)

    def ranked(self, rounds: Sequence[Figures]) -> list[int]:
        """The numbers, from 1, of the validations that measured the metric, the best first.

        Of equally good ones the earlier is the better.
        """
        measured = [i for i, figures in enumerate(rounds, 1) if f"val_{self.metric}" in figures]
        return sorted(measured, key=lambda i: self.badness(rounds[i - 1]))

    def badness(self, figures: Figures) -> float:
        """The metric, turned so that less is better."""
        value = figures[f"val_{self.metric}"]
        if math.isnan(value):
            return math.inf
        return value if self.metric in LESS_IS_BETTER else -value

    def best(self, progress: Progress) -> Figures | None:
        """The figures of the weights to keep: the best validation's, or a better average's."""
        ranked = self.ranked(progress.rounds)
        found = [progress.averaged] if progress.averaged else []
        found += [progress.rounds[ranked[0] - 1]] if ranked else []
        return min(found, key=self.badness, default=None)

    def has_stalled(self, rounds: Sequence[Figures]) -> bool:
        """Whether patience is at its end."""
        ranked = self.ranked(rounds)
        since = [number for number in ranked if number > ranked[0]]
        return self.patience is not None and len(since) >= self.patience

    def kept(self, rounds: Sequence[Figures], which: str | None = None) -> list[int]:
        """The validations whose weights are kept; only ``last`` or ``best`` where asked for."""
        last = list(range(1, len(rounds) + 1))[-self.keep_last :] if self.keep_last else []
        best = self.ranked(rounds)[: self.keep_best]
        return {"last": last, "best": sorted(best)}.get(which, sorted({*last, *best}))
