"""The run on disk during a training: its progress, its state, its best validation."""

import contextlib
import dataclasses
import json
import math
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from tqdm import tqdm

from translator.base.errors import InputError
from translator.base.files import whole_file
from translator.base.lock import locked
from translator.base.processes import agree, check_equal, in_turn, in_writer, writes
from translator.config.training import ValidationConfig
from translator.runs.directory import RunDirectory
from translator.runs.figures import Figures, write_lines
from translator.runs.weights import load_arrays, weights_fingerprint
from translator.text.learnt_words import LearntWords

if TYPE_CHECKING:
    from translator.training.backends import Backend
    from translator.training.hooks import Recorder
    from translator.training.plan import Plan

STABILITY_ADVICE = (
    "train again with a lower training.schedule.learning_rate, more warmup_steps, or"
    " training.clip_grad_norm=1; the last checkpoint is kept"
)
LOWER_IS_BETTER = ("cross_entropy", "perplexity", "loss")


@dataclasses.dataclass
class Progress:
    """How far a run has come.

    Attributes:
        epoch: the epoch of the next update, from 0.
        batch: the next update's number in its epoch, from 0.
        validations: the figures of each validation, the lines of ``metrics.jsonl``.
        times: the duration of each validation, the lines of ``times.jsonl``.
        seconds: the time of training since the last validation.
        tokens: the target tokens of the epochs that have ended since then.
        concluded: how many validations there were when the run was finished (averaged, exported).
        averaged: the figures of the averaged weights, if ``weights.npz`` holds an average; None
            if it holds the weights of one validation.
        skipped: updates of the schedule that were skipped because the time was short.
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

    def to_array(self) -> np.ndarray:
        """Returns the form for the saved state: the bytes of a JSON object."""
        values = dataclasses.asdict(self)
        values["rounds"] = values.pop("validations")
        return np.frombuffer(json.dumps(values).encode(), np.uint8)

    @classmethod
    def of_state(cls, arrays: Mapping[str, np.ndarray]) -> "Progress":
        """Reads the progress from a saved state."""
        values = json.loads(arrays["progress"].tobytes())
        return cls(validations=values.pop("rounds"), **values)


class Selection(NamedTuple):
    """Chooses among the validations of a run by their figures."""

    validation: ValidationConfig

    def ranked(self, validations: Sequence[Figures]) -> list[int]:
        """Numbers (from 1) of validations that measured the metric; the best one comes first.

        Of two equally good validations, the earlier comes first.
        """
        name = f"val_{self.validation.metric}"
        measured = [i for i, figures in enumerate(validations, 1) if name in figures]
        return sorted(measured, key=lambda i: self.cost(validations[i - 1]))

    def cost(self, figures: Figures) -> float:
        """The value of the metric. Its sign is changed if higher is better."""
        value: float = figures[f"val_{self.validation.metric}"]
        if math.isnan(value):
            return math.inf
        return value if self.validation.metric in LOWER_IS_BETTER else -value

    def best(self, progress: Progress) -> Figures | None:
        """The figures of the best weights, from a validation or from a better average."""
        ranked = self.ranked(progress.validations)
        candidates = [progress.averaged] if progress.averaged else []
        candidates += [progress.validations[ranked[0] - 1]] if ranked else []
        return min(candidates, key=self.cost, default=None)

    def has_stalled(self, validations: Sequence[Figures]) -> bool:
        """Whether patience has run out."""
        ranked = self.ranked(validations)
        patience, later = self.validation.patience, [n for n in ranked if n > ranked[0]]
        return patience is not None and len(later) >= patience


def kept_snapshots(count: int, keep_last: int) -> range:
    """Of ``count`` validations, numbered from 1, the numbers of those with kept weights."""
    return range(max(count - keep_last, 0) + 1, count + 1)


def save_state(run: RunDirectory, state: Mapping[str, np.ndarray], progress: Progress) -> None:
    """Writes all values for an exact resume; the previous state stays, too.

    Args:
        state: the result of `Backend.state` or `read_state`.

    Raises:
        InputError: a weight is NaN or infinite; nothing is written.
        OSError: it cannot be written; earlier states are untouched.
    """
    check_finite({name: state[name] for name in state if not name.startswith("metrics/")})
    arrays = {**state, "progress": progress.to_array()}
    run.write_weights(run.last, arrays, former=run.before_last)
    write_lines(run.metrics, progress.validations)
    write_lines(run.times, progress.times)


def check_finite(arrays: Mapping[str, np.ndarray]) -> None:
    """Refuses arrays with NaN or infinite values."""
    for name, array in arrays.items():
        if np.issubdtype(array.dtype, np.floating) and not np.isfinite(array).all():
            raise InputError(
                "training: expected finite weights, found NaN or infinity in"
                f" {name}; {STABILITY_ADVICE}"
            )


def read_progress(run: RunDirectory) -> Progress:
    """How far a run has come."""
    return Progress.of_state(read_state(run)[0])


def read_state(
    run: RunDirectory, report: Callable[[str], None] = lambda line: None
) -> tuple[dict[str, np.ndarray], Path]:
    """Reads the arrays and the file of the latest state. If it is damaged, reads the earlier state.

    Raises:
        InputError: there is no state, or it belongs to another run.
    """
    if not run.last.exists() and not run.before_last.exists():
        raise InputError(
            f"{run.last}: expected the state to resume from, found none; restore it, or train again"
            " with --run DIR"
        )
    run.check_weights()  # a state of another run is not damaged, but wrong
    try:
        return load_arrays(run.last), run.last
    except InputError:
        if not run.before_last.exists():
            raise
    arrays = load_arrays(run.before_last)
    report(f"{run.last}: expected an undamaged state, found damage; using the state before it")
    return arrays, run.before_last


class RunWriter(contextlib.ExitStack):
    """The run directory of a training, in the process that writes it.

    In other processes its methods do nothing, except that all processes read the first state of the
    training. As a context manager, it releases the run's lock at the end.
    """

    def __init__(self, run: RunDirectory, report: Callable[[str], None]) -> None:
        super().__init__()
        self.run = run
        self.recorders: Sequence[Recorder] = ()  # called with the figures of each validation
        self._report = report

    @in_writer
    def report(self, line: str) -> None:
        """Reports a line to the user."""
        self._report(line)

    @in_writer
    def claim(self, resume: bool) -> None:
        """Checks that the run may be written; locks an existing run against other processes."""
        if resume:
            self.enter_context(locked(self.run.path))
        else:
            self.run.check_free()

    def begin(self, plan: "Plan", backend: "Backend") -> Progress:
        """Makes the run, or restores its state; all processes call this together.

        Returns:
            The progress of the training.
        """
        state, self.recorders = None, plan.recorders
        agree()  # no process writes a state before all have looked for one
        with in_turn():
            if plan.has_state:
                state = arrays, path = read_state(self.run, self.report)
                if path != self.run.last:
                    self.run.last.unlink(missing_ok=True)  # it must not replace the undamaged state
            self._open(plan)
            if state is None:
                self.save(backend, Progress())
        state_hash = weights_fingerprint(self.run.last) if self.run.last.exists() else "not there"
        advice = "put the run on a disk that all machines share, and name it with --run"
        check_equal("run", {f"{self.run.last}, hash": state_hash}, advice)
        if state is None:
            return Progress()
        backend.set_state(arrays, path)
        progress = Progress.of_state(arrays)
        if writes():  # their last lines may be cut off
            write_lines(self.run.metrics, progress.validations)
            write_lines(self.run.times, progress.times)
        return progress

    def save(self, backend: "Backend", progress: Progress) -> None:
        """Writes all values for an exact resume; see `save_state`."""
        state = backend.state()  # all processes take part
        if writes():
            save_state(self.run, state, progress)

    @in_writer
    def write_validation(
        self,
        line: str,
        progress: Progress,
        weights: Mapping[str, np.ndarray],
        keep: bool,
        best: bool,
    ) -> None:
        """Reports the latest validation, and writes the measured weights."""
        is_notebook = "ipykernel" in sys.modules  # a notebook shows standard error as failures
        tqdm.write(line, file=sys.stdout if is_notebook else sys.stderr)
        for record in self.recorders:
            record(progress.validations[-1], progress.times[-1])
        if keep:
            self.run.snapshots.mkdir(exist_ok=True)
            self.run.write_weights(self.run.snapshot(len(progress.validations)), weights)
        if best:
            self.run.write_weights(self.run.weights, weights)

    @in_writer
    def replace_weights(self, weights: Mapping[str, np.ndarray]) -> None:
        """Saves weights that are better than those of the best validation so far."""
        self.run.write_weights(self.run.weights, weights)

    @in_writer
    def remove_snapshots(self, but: Iterable[int]) -> None:
        """Removes all snapshots, except the snapshots of some validations."""
        exceptions = {self.run.snapshot(number) for number in but}
        for path in {*self.run.snapshots.glob("*.npz")} - exceptions:
            path.unlink()

    @in_writer
    def write_failed_batch(self, pairs: Sequence[tuple[str, str]]) -> None:
        """Writes the sentence pairs of an update that failed."""
        with whole_file(self.run.failed_batch) as file:
            file.writelines(f"{source}\t{target}\n".encode() for source, target in pairs)

    @in_writer
    def _open(self, plan: "Plan") -> None:
        """Makes a new run, or writes the changed settings of an existing one."""
        config, data = plan.config, plan.data
        if plan.resumes:
            self.run.write_config(config)
        else:
            self.run.create(
                config,
                data.tokenizers,
                data.fingerprint,
                data.train_key,
                schedule=plan.schedule,
                tags=data.count_tags(),
            )
            self.enter_context(locked(self.run.path))
            if plan.initial is not None:  # its weights know its words, too
                LearntWords.load(plan.initial.path).save(self.run.path)
        self.run.remove_leftovers()
