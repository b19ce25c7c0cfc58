"""The state of a training between two steps, all that going on needs."""

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from translator.weights import assign_named, load_arrays, named_values, save_arrays


class Position(NamedTuple):
    """Where a run stands: the next step is batch ``batch`` of epoch ``epoch``, from 0."""

    epoch: int
    batch: int


def save_training_state(path: Path, model: Any, position: Position, best: float) -> None:
    """Writes all that going on needs: weights, optimiser, dropout seeds, position."""
    arrays = {
        **named_values(model.weights, "model/"),
        **named_values(model.optimizer.variables, "optimizer/"),
        **{f"seeds/{i}": seed.numpy() for i, seed in enumerate(_seeds(model))},
        "position": np.array(position, dtype=np.int64),
        "best": np.array(best, dtype=np.float64),
    }
    save_arrays(path, arrays)


def load_training_state(path: Path, model: Any) -> tuple[Position, float]:
    """Puts back what `save_training_state` wrote, into a built and compiled model.

    Returns:
        The position, and the best validation cross-entropy so far.

    Raises:
        InputError: the file is missing or damaged, or belongs to another model.
    """
    arrays = load_arrays(path)
    assign_named(model.weights, arrays, path, "model/")
    assign_named(model.optimizer.variables, arrays, path, "optimizer/")
    for i, seed in enumerate(_seeds(model)):
        seed.assign(arrays[f"seeds/{i}"])
    return _position(arrays), float(arrays["best"])


def read_position(path: Path) -> Position:
    """Where the run stands whose state is in ``path``."""
    return _position(load_arrays(path))


def _position(arrays: dict[str, np.ndarray]) -> Position:
    return Position(*map(int, arrays["position"]))


def _seeds(model: Any) -> list[Any]:
    return [variable for variable in model.variables if "seed_generator" in variable.path]
