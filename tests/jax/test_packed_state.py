"""The state of `fit` in few arrays has the same values, and gives the same losses."""

from types import SimpleNamespace
from typing import Any

import jax
import numpy as np
import pytest

from tests.builders import quiet
from tests.jax.test_devices import UPDATES, Recorder, train
from translator.data.preparation import prepare
from translator.training import packed_state
from translator.training.packed_state import STATE, pack, unpack

pytestmark = pytest.mark.slow
SETTINGS = (
    "training.precision=float32",
    "training.ema_momentum=0.9",
    "model.num_layers=1",
    "data.max_length=16",
    "training.schedule.learning_rate=1e-3",
)
SHAPES = {"float32": [(2, 3), (4,), (), (1, 1, 2), (3,)], "uint32": [(2,), (5, 1), ()]}


def test_unpacking_gives_what_was_packed():
    kinds = [(dtype, shape) for dtype, shapes in SHAPES.items() for shape in shapes]
    mixed = [kinds[i] for i in (5, 0, 1, 7, 2, 6, 3, 4)]
    variables = [SimpleNamespace(dtype=dtype, shape=shape) for dtype, shape in mixed]
    random = np.random.default_rng(1)
    values = [jax.numpy.asarray(random.integers(0, 99, v.shape).astype(v.dtype)) for v in variables]
    packed = pack(values)
    lengths = {dtype: len(array) for dtype, array in packed.vectors.items()}
    assert lengths == {"float32": 8, "uint32": 3}
    assert len(packed.matrices) == 3
    for found, expected in zip(unpack(packed, variables), values, strict=True):
        assert (found.dtype, found.shape) == (expected.dtype, expected.shape)
        np.testing.assert_array_equal(found, expected)


def test_losses_and_weights_are_those_of_an_array_for_each_variable(settings, monkeypatch):
    config = settings()
    data = prepare(config, quiet)
    found, weights = train(config, data, 1)
    monkeypatch.setattr(packed_state, "pack", list)
    monkeypatch.setattr(packed_state, "unpack", lambda values, variables: values)
    expected, others = train(config, data, 1)
    assert len(found) == UPDATES
    for ours, theirs in zip(found, expected, strict=True):
        assert ours["loss"] == pytest.approx(theirs["loss"], rel=1e-5)
    for name, array in weights.items():
        if not name.endswith("key/bias"):
            np.testing.assert_allclose(array, others[name], atol=1e-4)


def test_a_step_takes_few_arrays_which_keras_leaves_as_they_are(settings, monkeypatch):
    seen: list[tuple[Any, int, int]] = []

    def note(self: Recorder, batch: int, logs: Any = None) -> None:
        self.figures.append(logs)
        model = self._model  # `self.model` would give the variables their values
        state, kinds = getattr(model, STATE), (model, model.optimizer)
        count = sum(len(each.variables) for each in kinds) + len(model.metrics_variables)
        seen.append((state, len(jax.tree.leaves(state)), count))

    monkeypatch.setattr(Recorder, "on_train_batch_end", note)
    config = settings()
    train(config, prepare(config, quiet), 1)
    for state, arrays, variables in seen:
        assert type(state) is dict, "not one of Keras's, which it makes anew at each update"
        assert all(type(each.matrices) is list for each in state.values())
        assert arrays < variables / 2


@pytest.mark.parametrize("devices", [1, 2])
def test_variables_have_the_values_of_an_update_once_they_are_asked_for(
    settings, monkeypatch, devices
):
    """As many updates as the optimiser has counted, and training goes on from there."""
    counted: list[int] = []

    def sync(self: Recorder, batch: int, logs: Any = None) -> None:
        self.figures.append({"loss": float(logs["loss"])})
        if batch % 2:
            updates = int(self.model.optimizer.iterations)  # `self.model` asks
            counted.append(updates - len(self.figures))

    config = settings()
    data = prepare(config, quiet)
    expected, weights = train(config, data, devices)
    monkeypatch.setattr(Recorder, "on_train_batch_end", sync)
    found, others = train(config, data, devices)
    assert len(counted) > UPDATES // 3
    assert not any(counted)
    assert [each["loss"] for each in found] == [each["loss"] for each in expected]
    for name, array in weights.items():
        np.testing.assert_array_equal(array, others[name])
