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
    """Has Keras go through updates and validations without computing; losses fall."""

    def fit(model, updates, callbacks, **_):
        callbacks.on_train_begin()
        callbacks.on_epoch_begin(0)
        for number, _ in enumerate(updates):
            model.optimizer.iterations.assign_add(1)
            model.trainable_variables[0].assign(1.01 * model.trainable_variables[0])
            callbacks.on_train_batch_end(number, {"loss": 9.0, "accuracy": 0.5})
        callbacks.on_epoch_end(0)

    def evaluate(model, *_, **__):
        loss = 9 / (1 + int(model.optimizer.iterations))
        return {"cross_entropy": loss, "loss": loss, "accuracy": 0.5}

    monkeypatch.setattr(keras.Model, "fit", fit)
    monkeypatch.setattr(keras.Model, "evaluate", evaluate)
