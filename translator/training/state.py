"""The state of a training between two updates: all that going on as if nothing happened needs."""

import dataclasses
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from translator.base.errors import InputError
from translator.base.files import whole_file
from translator.runs.directory import RunDirectory
from translator.runs.weights import assign_named, load_arrays, named_values, save_arrays
from translator.training.failures import TRY_ANEW

Figures = dict[str, Any]


@dataclasses.dataclass
class Progress:
    """How far a run has come.

    Attributes:
        epoch: of the next update, from 0.
        batch: the next update's number in its epoch, from 0.
        rounds: what was measured at each validation, the lines of ``metrics.jsonl``.
        times: how long that took, the lines of ``times.jsonl``.
        seconds: of training since the last validation.
        concluded: after how many validations the run ended, averages and export included.
        averaged: the figures of the average that is kept; None while a validation's weights are.
    """

    epoch: int = 0
    batch: int = 0
    rounds: list[Figures] = dataclasses.field(default_factory=list)
    times: list[Figures] = dataclasses.field(default_factory=list)
    seconds: float = 0.0
    concluded: int = 0
    averaged: Figures | None = None


def save_state(run: RunDirectory, model: Any, progress: Progress) -> None:
    """Writes all that going on needs; the state before it stays beside it.

    Args:
        run: where it goes.
        model: compiled and built.
        progress: how far it has come.

    Raises:
        InputError: the weights are no numbers any more; nothing is written.
        OSError: it cannot be written; the states before are untouched.
    """
    arrays = {
        **named_values(model.weights, "model/"),
        **named_values(model.optimizer.variables, "optimizer/"),
    }
    check_finite(arrays)
    arrays |= {f"{name}/{i}": v.numpy() for name, i, v in _unnamed(model)}
    text = json.dumps(dataclasses.asdict(progress))
    arrays["progress"] = np.frombuffer(text.encode(), np.uint8)
    save_arrays(run.last, arrays, former=run.before_last)
    _write_lines(run.metrics, progress.rounds)
    _write_lines(run.times, progress.times)


def check_finite(arrays: dict[str, np.ndarray]) -> None:
    """Refuses arrays with anything in them that is no number.

    Raises:
        InputError: there is.
    """
    for name, array in arrays.items():
        if np.issubdtype(array.dtype, np.floating) and not np.isfinite(array).all():
            raise InputError(
                f"training: {name.partition('/')[2]} is no number any more; {TRY_ANEW}"
            )


def load_state(run: RunDirectory, model: Any, report: Callable[[str], None]) -> Progress:
    """Puts back the latest state that is whole, into a built and compiled model.

    Args:
        run: where it is; nobody else may train in it.
        model: of the run's configuration.
        report: is told where that is the state before the last.

    Returns:
        How far the run had come.

    Raises:
        InputError: there is no whole state, or it belongs to another model.
    """
    arrays, path = _load_whole(run, report)
    if path != run.last:
        run.last.unlink(missing_ok=True)  # or it would take the name of the one that is whole
    assign_named(model.weights, arrays, path, "model/")
    assign_named(model.optimizer.variables, arrays, path, "optimizer/")
    for name, i, variable in _unnamed(model):
        if f"{name}/{i}" not in arrays:
            raise InputError(
                f"{path}: expected the state of a run of this program, found no {name}/{i} in it;"
                " train anew with --run DIR"
            )
        variable.assign(arrays[f"{name}/{i}"])
    return _progress(arrays)


def read_progress(run: RunDirectory) -> Progress:
    """How far a run has come.

    Raises:
        InputError: there is no whole state.
    """
    return _progress(_load_whole(run, lambda line: None)[0])


def read_lines(path: Path) -> list[Figures]:
    """Figures from a file of one JSON object a line.

    Raises:
        InputError: there is none, or it is damaged.
    """
    try:
        return [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    except FileNotFoundError:
        raise InputError(
            f"{path}: expected the figures of a training, found none; was the run trained here?"
        ) from None
    except ValueError:
        raise InputError(f"{path}: expected one JSON object a line, found something else") from None


def _load_whole(run: RunDirectory, report: Callable[[str], None]) -> tuple[dict, Path]:
    if not run.last.exists() and not run.before_last.exists():
        raise InputError(
            f"{run.last}: expected the state to go on from, found none; put it back, or train"
            " anew with --run DIR"
        )
    try:
        return load_arrays(run.last), run.last
    except InputError:
        if not run.before_last.exists():
            raise
    arrays = load_arrays(run.before_last)
    report(f"{run.last}: expected the latest state whole, found it is not; taking the one before")
    return arrays, run.before_last


def _progress(arrays: dict[str, np.ndarray]) -> Progress:
    return Progress(**json.loads(arrays["progress"].tobytes()))


def counters(model: Any) -> list[Any]:
    """What a compiled model's metrics count in."""
    return [variable for metric in model.metrics for variable in metric.variables]


def _unnamed(model: Any) -> list[tuple[str, int, Any]]:
    """The seeds of dropout, and what metrics have counted in the round so far."""
    seeds = [variable for variable in model.variables if "seed_generator" in variable.path]
    return [
        (name, i, variable)
        for name, variables in (("seeds", seeds), ("metrics", counters(model)))
        for i, variable in enumerate(variables)
    ]


def _write_lines(path: Path, lines: list[Figures]) -> None:
    with whole_file(path) as file:
        file.writelines(f"{json.dumps(line)}\n".encode() for line in lines)
