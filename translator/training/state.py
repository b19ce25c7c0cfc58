"""How far a training has come: its state on disk, which of its validations is the best."""

import dataclasses
import json
import math
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from translator.base.errors import InputError
from translator.config.schema import Config
from translator.runs.directory import RunDirectory
from translator.runs.figures import Figures, write_lines
from translator.runs.weights import load_arrays
from translator.training.failures import STABILITY_ADVICE

LOWER_IS_BETTER = ("cross_entropy", "perplexity", "loss")
NAMES = {"cross_entropy": "loss", "loss": "smoothed loss", "bleu": "BLEU", "chrf": "chrF2"}
NAMES_IN_FILE = {"validations": "rounds"}  # fields of `Progress` that the file names differently


@dataclasses.dataclass
class Progress:
    """How far a run has come.

    Attributes:
        epoch: of the next update, from 0.
        batch: the next update's number in its epoch, from 0.
        validations: the figures of each validation, the lines of ``metrics.jsonl``.
        times: the duration of each, the lines of ``times.jsonl``.
        seconds: of training since the last validation.
        tokens: target tokens of the epochs that have ended since then.
        concluded: number of validations after which the run was finished, with average and
            export.
        averaged: the figures of the averaged weights, if ``weights.npz`` holds an average;
            None while it holds the weights of one validation.
        skipped: updates of the schedule that were passed over, where the time was short.
    """

    epoch: int = 0
    batch: int = 0
    validations: list[Figures] = dataclasses.field(default_factory=list)
    times: list[Figures] = dataclasses.field(default_factory=list)
    seconds: float = 0.0
    tokens: int = 0
    concluded: int = 0
    averaged: Figures | None = None
    skipped: int = 0

    def to_json(self) -> str:
        """As it is written into the saved state."""
        values = dataclasses.asdict(self)
        return json.dumps({NAMES_IN_FILE.get(name, name): values[name] for name in values})

    @classmethod
    def from_json(cls, text: str | bytes) -> "Progress":
        """Reads what `to_json` wrote."""
        values, names = json.loads(text), {old: name for name, old in NAMES_IN_FILE.items()}
        return cls(**{names.get(name, name): values[name] for name in values})


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


def save_state(run: RunDirectory, state: Mapping[str, np.ndarray], progress: Progress) -> None:
    """Writes everything that an exact resume needs, and keeps the state before it as well.

    Args:
        state: from `Backend.state`, or `read_state`.

    Raises:
        InputError: a weight is NaN or infinite; nothing is written.
        OSError: it cannot be written; the states before are untouched.
    """
    check_finite({name: state[name] for name in state if not name.startswith("metrics/")})
    written = np.frombuffer(progress.to_json().encode(), np.uint8)
    run.write_weights(run.last, {**state, "progress": written}, former=run.before_last)
    write_lines(run.metrics, progress.validations)
    write_lines(run.times, progress.times)


def check_finite(arrays: Mapping[str, np.ndarray]) -> None:
    """Refuses arrays with NaN or infinite values."""
    for name, array in arrays.items():
        if np.issubdtype(array.dtype, np.floating) and not np.isfinite(array).all():
            raise InputError(
                "training: expected finite weights, found NaN or infinity in"
                f" {name.partition('/')[2]}; {STABILITY_ADVICE}"
            )


def read_state(
    run: RunDirectory, report: Callable[[str], None]
) -> tuple[dict[str, np.ndarray], Path]:
    """The arrays of the latest undamaged state, and its file.

    Args:
        run: where it is; no other process may train in it.
        report: is given a line if the latest state is damaged and the one before is read.
    """
    arrays, path = _load_undamaged(run, report)
    if path != run.last:
        run.last.unlink(missing_ok=True)  # so that it does not replace the undamaged state
    return arrays, path


def read_progress(run: RunDirectory) -> Progress:
    """How far a run has come."""
    return progress_in(_load_undamaged(run, lambda line: None)[0])


def progress_in(arrays: Mapping[str, np.ndarray]) -> Progress:
    """That of a state."""
    return Progress.from_json(arrays["progress"].tobytes())


def _load_undamaged(
    run: RunDirectory, report: Callable[[str], None]
) -> tuple[dict[str, np.ndarray], Path]:
    if not run.last.exists() and not run.before_last.exists():
        raise InputError(
            f"{run.last}: expected the state to resume from, found none; put it back, or train"
            " again with --run DIR"
        )
    run.check_weights()  # another run's are not damaged
    try:
        return load_arrays(run.last), run.last
    except InputError:
        if not run.before_last.exists():
            raise
    arrays = load_arrays(run.before_last)
    report(f"{run.last}: expected the latest state undamaged, found damage; using the one before")
    return arrays, run.before_last
