"""The names of Keras that this program uses without a promise that they stay."""

import keras
import pytest

from translator.base.errors import InputError
from translator.model import keras_internals as internals


def trained_model() -> tuple[keras.Model, keras.optimizers.Optimizer]:
    model = keras.Sequential([keras.Input((2,)), keras.layers.Dense(1)])
    optimizer = keras.optimizers.Adam(use_ema=True)
    optimizer.build(model.trainable_variables)
    return model, optimizer


def test_the_functions_return_what_they_promise():
    model, optimizer = trained_model()
    [dense] = model.layers
    pairs = internals.variables_with_averages(optimizer)
    assert [variable for variable, _ in pairs] == [dense.kernel, dense.bias]
    moments = internals.adam_moments(optimizer, dense.bias)
    assert [moment.shape for moment in moments] == [(1,), (1,)]
    if keras.backend.backend() == "tensorflow":
        assert internals.tensorflow_resource(dense.kernel) is not None


def test_a_name_that_keras_has_lost_is_reported_by_its_name():
    _, optimizer = trained_model()
    del optimizer._model_variables_moving_average
    message = f"Keras {keras.__version__}: expected Adam._model_variables_moving_average, found no"
    with pytest.raises(InputError, match=f"{message} such name; .* {internals.WRITTEN_FOR}"):
        internals.variables_with_averages(optimizer)
