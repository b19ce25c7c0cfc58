"""Learning rates against their formulas."""

import keras
import pytest

from translator.config import ScheduleConfig
from translator.training.schedules import make_schedule


def rates(name: str, steps: list[int], **settings) -> list[float]:
    """The rates of some steps, counted from 0 as Keras counts them."""
    schedule = make_schedule(ScheduleConfig(name=name, **settings), d_model=128)
    return [float(schedule(step)) for step in steps]


def test_noam():
    first, highest, late = rates("noam", [0, 3999, 15_999], warmup_steps=4000)
    assert first == pytest.approx(128**-0.5 * 4000**-1.5)
    assert highest == pytest.approx(128**-0.5 * 4000**-0.5)
    assert late == pytest.approx(highest / 2)


def test_inverse_sqrt():
    got = rates("inverse_sqrt", [0, 49, 99, 399], learning_rate=3e-3, warmup_steps=100)
    assert got == pytest.approx([3e-5, 1.5e-3, 3e-3, 1.5e-3])


def test_constant():
    assert rates("constant", [0, 9], learning_rate=0.1, warmup_steps=0) == pytest.approx([0.1, 0.1])
    got = rates("constant", [0, 3, 4, 99], learning_rate=0.1, warmup_steps=4)
    assert got == pytest.approx([0.025, 0.1, 0.1, 0.1])


@pytest.mark.parametrize("name", ["noam", "inverse_sqrt", "constant"])
def test_schedule_survives_a_serialisation_round_trip(name):
    schedule = make_schedule(ScheduleConfig(name=name, warmup_steps=10), d_model=64)
    again = keras.saving.deserialize_keras_object(keras.saving.serialize_keras_object(schedule))
    assert [float(again(i)) for i in range(30)] == [float(schedule(i)) for i in range(30)]
