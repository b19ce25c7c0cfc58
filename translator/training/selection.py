"""Which validation was the best, and when to stop early."""

import math
from collections.abc import Sequence
from typing import NamedTuple

from translator.config.schema import Config
from translator.runs.figures import Figures
from translator.training.state import Progress

LOWER_IS_BETTER = ("cross_entropy", "perplexity", "loss")
NAMES = {"cross_entropy": "loss", "loss": "smoothed loss", "bleu": "BLEU", "chrf": "chrF2"}


class Selection(NamedTuple):
    """Chooses among the validations of a run by their figures.

    Attributes:
        metric: a figure's name without ``val_``.
        keep_last: how many of the latest validations keep their weights.
        keep_best: how many of the best validations keep their weights.
        patience: stop after this many validations of the metric without a better one; None
            for never.
    """

    metric: str
    keep_last: int
    keep_best: int
    patience: int | None

    @classmethod
    def of(cls, config: Config) -> "Selection":
        """The selection that a configuration describes."""
        training, validation = config.training, config.validation
        return cls(validation.metric, training.keep_last, training.keep_best, validation.patience)

    @property
    def metric_name(self) -> str:
        """The metric as the lines about validations name it."""
        return NAMES.get(self.metric, self.metric)

    def ranked(self, validations: Sequence[Figures]) -> list[int]:
        """The numbers, from 1, of the validations that measured the metric, the best first.

        If two are equally good, the earlier comes first.
        """
        name = f"val_{self.metric}"
        measured = [i for i, figures in enumerate(validations, 1) if name in figures]
        return sorted(measured, key=lambda i: self.cost(validations[i - 1]))

    def cost(self, figures: Figures) -> float:
        """The metric, with its sign changed where higher is better."""
        value: float = figures[f"val_{self.metric}"]
        if math.isnan(value):
            return math.inf
        return value if self.metric in LOWER_IS_BETTER else -value

    def best(self, progress: Progress) -> Figures | None:
        """The figures of the best weights: of a validation, or of an average that is better."""
        ranked = self.ranked(progress.validations)
        candidates = [progress.averaged] if progress.averaged else []
        candidates += [progress.validations[ranked[0] - 1]] if ranked else []
        return min(candidates, key=self.cost, default=None)

    def has_stalled(self, validations: Sequence[Figures]) -> bool:
        """Whether patience has run out."""
        ranked = self.ranked(validations)
        since = [number for number in ranked if number > ranked[0]]
        return self.patience is not None and len(since) >= self.patience

    def kept(self, validations: Sequence[Figures], which: str | None = None) -> list[int]:
        """The numbers, from 1, of the validations whose weights are kept.

        Args:
            which: only the ``last`` or the ``best``; both if None.
        """
        numbers = list(range(1, len(validations) + 1))
        last = numbers[-self.keep_last :] if self.keep_last else []
        best = sorted(self.ranked(validations)[: self.keep_best])
        return {"last": last, "best": best, None: sorted({*last, *best})}[which]
