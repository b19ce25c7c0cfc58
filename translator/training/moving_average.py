"""Exponential moving averages, which are validated and kept in place of the weights."""

import contextlib
from collections.abc import Iterator
from typing import Any

import keras
import numpy as np

from translator.model.keras_internals import variables_with_averages
from translator.runs.weights import model_weights, variable_value


def moving_averages(optimizer: keras.optimizers.Optimizer) -> list[tuple[Any, Any]]:
    """Each trained variable and its moving average; empty where the optimiser keeps none."""
    optimizer = getattr(optimizer, "inner_optimizer", optimizer)  # float16: inside a loss scaler
    if not optimizer.use_ema:
        return []
    return variables_with_averages(optimizer)


def averaged_weights(model: keras.Model) -> dict[str, np.ndarray]:
    """A model's weights by name; their moving averages where there are any."""
    weights = model_weights(model)
    names = {id(variable): name for variable, name in zip(model.weights, weights)}
    averages = moving_averages(model.optimizer)
    return weights | {names[id(v)]: variable_value(average) for v, average in averages}


@contextlib.contextmanager
def averages_in_place(model: keras.Model) -> Iterator[None]:
    """Swaps the model's weights and their moving averages for the duration of a block."""
    _exchange(model)
    try:
        yield
    finally:
        _exchange(model)


def _exchange(model: keras.Model) -> None:
    for variable, average in moving_averages(model.optimizer):
        value = variable_value(variable)
        variable.assign(average)
        average.assign(value)
