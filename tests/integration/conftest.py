"""Starts Keras quietly before any module of these tests imports it."""

import functools
from collections.abc import Callable

import pytest

from translator.base.keras_startup import start_keras

start_keras()

import keras  # noqa: E402

import translator  # noqa: E402

keras.ops.convert_to_tensor(0)  # TensorFlow begins with threads of its own choice, for all tests


@pytest.fixture(scope="session")
def tiny_on(tiny_run) -> Callable[[str], translator.Translator]:
    """Loads the tiny run on an engine, once: Keras compiles anew for each translator."""
    return functools.cache(lambda engine: translator.load(tiny_run, engine))


@pytest.fixture
def computes_nothing(monkeypatch) -> None:
    """Goes through updates and validations without computing; losses fall."""
    from translator.training.backends import Figures
    from translator.training.backends.tensorflow import TensorFlowBackend

    def update(backend, batch, skipped=0):
        backend.optimizer.iterations.assign_add(1)
        backend.model.trainable_variables[0].assign(1.01 * backend.model.trainable_variables[0])
        backend.sums.assign([9, 1, 9, 1, 0.5, 1])
        return Figures(backend.sums.numpy())

    def measure(backend, batches):
        loss = 9 / (1 + backend.updates)
        return {"cross_entropy": loss, "loss": loss, "accuracy": 0.5}

    monkeypatch.setattr(TensorFlowBackend, "update", update)
    monkeypatch.setattr(TensorFlowBackend, "measure", measure)
