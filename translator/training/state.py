"""The state of a training between two updates, with everything that an exact resume needs."""

import dataclasses
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from translator.base.errors import InputError
from translator.runs.directory import RunDirectory
from translator.runs.figures import Figures, write_lines
from translator.runs.weights import (
    assign_named,
    load_arrays,
    named_values,
    variable_value,
)
from translator.training.failures import STABILITY_ADVICE

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
    """

    epoch: int = 0
    batch: int = 0
    validations: list[Figures] = dataclasses.field(default_factory=list)
    times: list[Figures] = dataclasses.field(default_factory=list)
    seconds: float = 0.0
    tokens: int = 0
    concluded: int = 0
    averaged: Figures | None = None

    def to_json(self) -> str:
        """As it is written into the saved state."""
        values = dataclasses.asdict(self)
        return json.dumps({NAMES_IN_FILE.get(name, name): values[name] for name in values})

    @classmethod
    def from_json(cls, text: str | bytes) -> "Progress":
        """Reads what `to_json` wrote."""
        values, names = json.loads(text), {old: name for name, old in NAMES_IN_FILE.items()}
        return cls(**{names.get(name, name): values[name] for name in values})


def save_state(run: RunDirectory, model: Any, progress: Progress) -> None:
    """Writes everything that an exact resume needs, and keeps the state before it as well.

    Raises:
        InputError: a weight is NaN or infinite; nothing is written.
        OSError: it cannot be written; the states before are untouched.
    """
    arrays = {
        **named_values(model.weights, "model/"),
        **named_values(model.optimizer.variables, "optimizer/"),
    }
    check_finite(arrays)
    arrays |= {f"{name}/{i}": variable_value(v) for name, i, v in _unnamed_variables(model)}
    arrays["progress"] = np.frombuffer(progress.to_json().encode(), np.uint8)
    run.write_weights(run.last, arrays, former=run.before_last)
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


def set_state(model: Any, arrays: Mapping[str, np.ndarray], path: Path) -> Progress:
    """Gives a model the state of `read_state`; of several processes all must do it together."""
    assign_named(model.weights, arrays, path, "model/")
    assign_named(model.optimizer.variables, arrays, path, "optimizer/")
    for name, i, variable in _unnamed_variables(model):
        if f"{name}/{i}" not in arrays:
            raise InputError(
                f"{path}: expected the state of a run of this program, found no {name}/{i} in it;"
                " train again with --run DIR"
            )
        variable.assign(arrays[f"{name}/{i}"])
    return _progress_in(arrays)


def read_progress(run: RunDirectory) -> Progress:
    """How far a run has come."""
    return _progress_in(_load_undamaged(run, lambda line: None)[0])


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


def _progress_in(arrays: Mapping[str, np.ndarray]) -> Progress:
    return Progress.from_json(arrays["progress"].tobytes())


def metric_variables(model: Any) -> list[Any]:
    """The variables in which a compiled model's metrics count."""
    return [variable for metric in model.metrics for variable in metric.variables]


def _unnamed_variables(model: Any) -> list[tuple[str, int, Any]]:
    """The seeds of dropout, and the metrics since the last validation, by kind and number."""
    seeds = [variable for variable in model.variables if "seed_generator" in variable.path]
    return [
        (name, i, variable)
        for name, variables in (("seeds", seeds), ("metrics", metric_variables(model)))
        for i, variable in enumerate(variables)
    ]
