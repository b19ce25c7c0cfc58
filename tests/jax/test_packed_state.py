"""The state of a training in few arrays has the same values, and gives the same losses."""

from pathlib import Path
from types import SimpleNamespace

import jax
import numpy as np
import pytest

from tests.builders import quiet
from tests.jax.test_devices import UPDATES, resolved, train
from translator.data.preparation import prepare
from translator.training.backends import open_backend, validation_batches
from translator.training.backends.jax import pack, unpack

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


def test_a_step_takes_few_arrays(settings):
    config = settings()

    def check(backend):
        variables = sum(map(len, backend.kinds))
        assert len(jax.tree.leaves(backend._packed)) < variables / 2

    train(config, prepare(config, quiet), 1, check)


@pytest.mark.parametrize("devices", [1, 2])
def test_variables_have_the_values_of_an_update_once_they_are_asked_for(settings, devices):
    """As many updates as the optimiser has counted, and training goes on from there."""
    counted: list[int] = []
    config = settings()
    data = prepare(config, quiet)
    expected, weights = train(config, data, devices)
    figures, others = train(config, data, devices, lambda backend: counted.append(backend.updates))
    assert counted == list(range(1, UPDATES + 1))
    assert figures == expected
    for name, array in weights.items():
        np.testing.assert_array_equal(array, others[name])


def test_measuring_changes_nothing_and_takes_the_averages(settings):
    """Those of an optimiser of momentum 0.9, which lag behind."""
    config = resolved(settings(), 1)
    data = prepare(config, quiet)
    expected, _ = train(config, data, 1)
    batches = validation_batches(config, data)
    measured = []
    figures, others = train(
        config, data, 1, lambda backend: measured.append(backend.measure(batches))
    )
    assert figures == expected
    backend = open_backend(config, data.tokenizers)
    backend.set_weights(others, Path("averages"))
    assert backend.measure(batches) == pytest.approx(measured[-1], rel=1e-5)
