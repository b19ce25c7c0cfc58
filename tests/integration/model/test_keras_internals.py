"""The names of Keras that this program uses without a promise that they stay."""

import keras
import pytest

from translator.base.errors import InputError
from translator.model import keras_internals as internals

SHAPES = (None, 1), (None, 1)


def compiled_model() -> keras.Model:
    model = keras.Sequential([keras.Input((2,)), keras.layers.Dense(1)])
    optimizer = keras.optimizers.Adam(use_ema=True)
    model.compile(optimizer, loss="mse", metrics=["mae"])
    optimizer.build(model.trainable_variables)
    return model


def test_the_functions_return_what_they_promise():
    model = compiled_model()
    [dense] = model.layers
    internals.build_compiled(model, *SHAPES)
    assert internals.loss_tracker(model).name == "loss"
    assert [metric.name for metric in internals.compiled_metrics(model)] == ["mae"]
    pairs = internals.variables_with_averages(model.optimizer)
    assert [variable for variable, _ in pairs] == [dense.kernel, dense.bias]
    moments = internals.adam_moments(model.optimizer, dense.bias)
    assert [moment.shape for moment in moments] == [(1,), (1,)]
    if keras.backend.backend() == "tensorflow":
        assert internals.tensorflow_resource(dense.kernel) is not None


def test_a_name_that_keras_has_lost_is_reported_by_its_name(monkeypatch):
    model = compiled_model()
    for kind in type(model).__mro__:
        if "_post_build" in vars(kind):
            monkeypatch.delattr(kind, "_post_build")
    message = f"Keras {keras.__version__}: expected Sequential._post_build, found no such name"
    with pytest.raises(
        InputError, match=f"{message}; .* written for Keras {internals.WRITTEN_FOR}"
    ):
        internals.build_compiled(model, *SHAPES)
