"""Learning rates against their formulas."""

import keras
import pytest

from translator.config.schema import ScheduleConfig
from translator.training.optimizer import make_schedule


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


@pytest.mark.parametrize(
    ("name", "shares"), [("linear", [1, 0.75, 0.5, 0, 0]), ("cosine", [1, 0.853553, 0.5, 0, 0])]
)
def test_those_that_fall_to_an_end(name, shares):
    settings = {"learning_rate": 0.2, "warmup_steps": 10, "total_steps": 50}
    assert rates(name, [0, 4], **settings) == pytest.approx([0.02, 0.1])
    steps = [9, 19, 29, 49, 500]
    assert rates(name, steps, **settings) == pytest.approx([0.2 * s for s in shares], abs=1e-7)
    raised = rates(name, steps, **settings, final_rate=0.1)
    assert raised == pytest.approx([0.1 + 0.1 * share for share in shares])
    at_once = rates(name, [0], learning_rate=0.2, warmup_steps=0, total_steps=10_000)
    assert at_once == pytest.approx([0.2], rel=1e-3)


def test_constant():
    assert rates("constant", [0, 9], learning_rate=0.1, warmup_steps=0) == pytest.approx([0.1, 0.1])
    got = rates("constant", [0, 3, 4, 99], learning_rate=0.1, warmup_steps=4)
    assert got == pytest.approx([0.025, 0.1, 0.1, 0.1])


def test_only_noam_has_a_usual_rate():
    assert ScheduleConfig().learning_rate == 1
    for name in ("inverse_sqrt", "linear", "cosine", "constant"):
        with pytest.raises(ValueError, match=f"{name} needs learning_rate, the highest rate"):
            ScheduleConfig(name=name)


@pytest.mark.parametrize("name", ["noam", "inverse_sqrt", "linear", "cosine", "constant"])
def test_schedule_survives_a_serialisation_round_trip(name):
    ends = {"total_steps": 20, "final_rate": 0.1} if name in ("linear", "cosine") else {}
    settings = ScheduleConfig(name=name, learning_rate=0.5, warmup_steps=10, **ends)
    schedule = make_schedule(settings, d_model=64)
    again = keras.saving.deserialize_keras_object(keras.saving.serialize_keras_object(schedule))
    assert [float(again(i)) for i in range(30)] == [float(schedule(i)) for i in range(30)]
