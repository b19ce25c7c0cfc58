"""The estimate of the time that is left, in figures that can be added up by hand."""

import pytest

from translator.config.yaml_file import validate_config
from translator.training.state import Progress
from translator.training.time_left import TimeLeft

COUNT = 10  # updates of an epoch


def begun(
    epochs: int, training: dict | None = None, progress: Progress | None = None, **validation: int
) -> TimeLeft:
    """Of a training of some epochs, from its beginning or from where it has come."""
    values = {"corpus": {"name": "demo"}, "data": {"batch_size": 8}, "validation": validation}
    config = validate_config({**values, "training": {"epochs": epochs, **(training or {})}}, "test")
    return TimeLeft(config, progress or Progress())


def update(time_left: TimeLeft, *seconds: float) -> None:
    for each in seconds:
        time_left.progress.batch += 1
        time_left.progress.seconds += each
        time_left.note_update()


def validate(time_left: TimeLeft, seconds: float) -> None:
    """Makes a validation of these seconds, after the last update of an epoch."""
    time_left.end_round()
    progress = time_left.progress
    progress.times.append({"validation_seconds": seconds})
    progress.seconds, progress.epoch, progress.batch = 0.0, progress.epoch + 1, 0


def test_nothing_is_known_before_the_second_update_as_the_first_is_compiled():
    time_left = begun(3)
    assert time_left.estimate(COUNT) == (None, None)
    update(time_left, 30.0)
    assert time_left.estimate(COUNT) == (None, None)
    update(time_left, 2.0)
    assert time_left.estimate(COUNT) == pytest.approx((8 * 2, 28 * 2))
    update(time_left, *[2.0] * 8)
    validate(time_left, 5.0)
    assert time_left.estimate(COUNT) == pytest.approx((20 + 5, 2 * (20 + 5)))
    for left in (25, 0):
        update(time_left, *[2.0] * COUNT)
        validate(time_left, 5.0)
        assert time_left.estimate(COUNT).run == pytest.approx(left)


def test_a_training_is_told_once_how_long_it_takes():
    time_left = begun(100)
    update(time_left, 30.0, *[1.2] * 19)
    assert time_left.tell(COUNT) == ""
    update(time_left, 1.2)
    line = "at the speed of its first updates training takes 20 min, validations not counted"
    assert time_left.tell(COUNT) == line
    assert time_left.tell(COUNT) == ""


@pytest.mark.parametrize(("epochs", "told"), [(5, ""), (2_000, "takes 6.7 h")])
def test_a_short_training_is_told_nothing_and_a_long_one_in_hours(epochs, told):
    time_left = begun(epochs)
    update(time_left, 30.0, *[1.2] * 20)
    line = time_left.tell(COUNT)
    assert (told in line, bool(line)) == (True, bool(told))


def test_a_resumed_run_leaves_out_what_is_done():
    done = Progress(1, 4, seconds=8.0, times=[{"validation_seconds": 5.0}])
    time_left = begun(4, progress=done)
    update(time_left, 30.0, 2.0)
    assert time_left.estimate(COUNT) == pytest.approx((4 * 2 + 5, 4 * 2 + 5 + 2 * 25))


def test_each_epoch_has_its_validations():
    done = Progress(1, 0, times=[{"validation_seconds": 3.0}])
    time_left = begun(3, progress=done, every_updates=4)  # after 4 and 10, as 8 is near
    update(time_left, 9.0, 2.0, 2.0, 2.0)
    assert time_left.estimate(COUNT) == pytest.approx((12 + 6, 32 + 12)), "one is about to come"
    time_left.end_round()
    done.seconds = 0.0
    assert time_left.estimate(COUNT) == pytest.approx((12 + 3, 32 + 9))
    rare = begun(6, progress=Progress(1, 0, times=done.times), every_epochs=2)  # 2, 4, 6
    update(rare, 9.0, 2.0)
    assert rare.estimate(COUNT) == pytest.approx((16 + 3, 16 + 4 * 20 + 3 * 3))


def test_validations_that_translate_are_counted_as_often_as_they_come():
    times = [{"validation_seconds": seconds} for seconds in (1.0, 9.0, 1.0, 11.0)]
    time_left = begun(6, progress=Progress(4, 0, times=times), translate_every=2)
    update(time_left, 9.0, 2.0)
    assert time_left.estimate(COUNT).run == pytest.approx(16 + 20 + 2 * (1 + 11) / 2)


def test_r_drop_doubles_the_epochs_that_have_it():
    time_left = begun(4, {"r_drop_alpha": 1.0, "r_drop_after": 2}, Progress(1, 0))
    update(time_left, 9.0, *[1.0] * 9)
    assert time_left.estimate(COUNT).run == pytest.approx(2 * 20)
    validate(time_left, 0.0)
    time_left.expect_compilation()
    update(time_left, 60.0, 2.0)
    assert time_left.estimate(COUNT) == pytest.approx((8 * 2, 28 + 8)), "a pass takes as long"
    without = begun(4, {"r_drop_after": 2}, Progress(1, 0))
    update(without, 9.0, 1.0)
    assert without.estimate(COUNT).run == pytest.approx(8 + 2 * 10)
