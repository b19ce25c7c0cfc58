"""The estimate of the time that is left, in figures that can be added up by hand."""

import pytest

from translator.config.schema import Config
from translator.config.yaml_file import validate_config
from translator.training.state import Progress
from translator.training.time_left import TimeLeft

COUNT = 10  # updates of an epoch


def config_of(epochs: int, training: dict | None = None, **validation: int) -> Config:
    """Of a training of some epochs."""
    values = {"corpus": {"name": "demo"}, "data": {"batch_size": 8}, "validation": validation}
    return validate_config({**values, "training": {"epochs": epochs, **(training or {})}}, "test")


def after_epochs(seconds: float, validation: float, epochs: int) -> Progress:
    """A run that took these seconds for each epoch and for each validation."""
    times = [
        {"updates": number * COUNT, "seconds": seconds, "validation_seconds": validation}
        for number in range(1, epochs + 1)
    ]
    validations = [{"epoch": number} for number in range(1, epochs + 1)]
    return Progress(epochs, 0, validations, times)


def update(time_left: TimeLeft, progress: Progress, seconds: float) -> None:
    """Makes an update of these seconds."""
    progress.batch += 1
    progress.seconds += seconds
    time_left.note_update()


def test_nothing_is_known_before_the_second_update():
    progress = Progress()
    time_left = TimeLeft(config_of(3), progress)
    assert time_left.estimate(COUNT) == (None, None)
    update(time_left, progress, 30.0)
    assert time_left.estimate(COUNT) == (None, None), "the first update was compiled in that time"
    update(time_left, progress, 2.0)
    assert time_left.estimate(COUNT) == pytest.approx((8 * 2, 28 * 2))


def test_a_resumed_run_knows_at_once_what_is_left():
    progress = after_epochs(20.0, 5.0, epochs=2)
    time_left = TimeLeft(config_of(6), progress)
    assert time_left.estimate(COUNT) == pytest.approx((20 + 5, 4 * (20 + 5)))
    progress.batch, progress.seconds = 4, 8.0  # as when it was stopped within an epoch
    assert TimeLeft(config_of(6), progress).estimate(COUNT) == pytest.approx((17, 17 + 3 * 25))


def test_the_pace_is_that_since_the_validation_before_the_last():
    progress = after_epochs(20.0, 0.0, epochs=2)
    progress.times[0]["seconds"] = 1000.0
    time_left = TimeLeft(config_of(3), progress)
    for seconds in (50.0, *[4.0] * 5):  # the first is compiled
        update(time_left, progress, seconds)
    assert time_left.estimate(COUNT).run == pytest.approx(4 * (20 + 20) / (10 + 5))
    for _ in range(4):
        update(time_left, progress, 4.0)
    time_left.end_round(COUNT)
    progress.epoch, progress.batch, progress.seconds = 3, 0, 0.0
    longer = TimeLeft(config_of(4), progress)
    assert time_left.estimate(COUNT) == (0.0, 0.0)
    assert longer.estimate(COUNT).run == pytest.approx(20)


def test_compiling_is_left_out_of_the_round_that_it_was_in():
    progress = Progress()
    time_left = TimeLeft(config_of(2), progress)
    for seconds in (100.0, *[1.0] * 9):
        update(time_left, progress, seconds)
    time_left.end_round(COUNT)
    progress.epoch, progress.batch, progress.seconds = 1, 0, 0.0
    assert time_left.estimate(COUNT).run == pytest.approx(10)
    update(time_left, progress, 1.0)
    assert time_left.estimate(COUNT).run == pytest.approx(9), "this update counts"


def test_each_epoch_has_its_validations():
    progress = after_epochs(20.0, 3.0, epochs=1)
    progress.times[0]["updates"] = COUNT
    time_left = TimeLeft(config_of(3, every_updates=4), progress)  # after 4, 8 and 10
    assert time_left.estimate(COUNT) == pytest.approx((20 + 9, 40 + 18))
    update(time_left, progress, 2.0)
    assert time_left.estimate(COUNT) == pytest.approx((18 + 9, 38 + 18))
    progress.batch, progress.seconds = 4, 8.0  # the validation is still to come
    assert time_left.estimate(COUNT).epoch == pytest.approx(6 * (20 / 10) + 9)
    time_left.end_round(COUNT)
    progress.seconds = 0.0
    progress.times.append({"updates": 14, "seconds": 8.0, "validation_seconds": 3.0})
    assert time_left.estimate(COUNT).epoch == pytest.approx(6 * (20 / 10) + 6)
    progress.batch, progress.seconds = 6, 6.0  # two updates of 3 s, after three of 2 s
    assert time_left.estimate(COUNT).epoch == pytest.approx(4 * (6 + 6) / (3 + 2) + 6)


def test_epochs_without_a_validation_belong_to_the_next_one():
    progress = Progress()
    time_left = TimeLeft(config_of(5, every_epochs=2), progress)  # after 2, 4 and 5
    for _ in range(2):
        for _ in range(COUNT):
            update(time_left, progress, 1.0)
        assert time_left.estimate(COUNT).run == pytest.approx(10 * (4 - progress.epoch))
        progress.epoch, progress.batch = progress.epoch + 1, 0
    progress.epoch, progress.batch = 1, COUNT
    time_left.end_round(COUNT)
    progress.epoch, progress.batch, progress.seconds = 2, 0, 0.0
    progress.validations.append({"epoch": 2})
    progress.times.append({"updates": 20, "seconds": 20.0, "validation_seconds": 3.0})
    assert time_left.estimate(COUNT) == pytest.approx((10, 30 + 2 * 3))


def test_validations_that_translate_are_counted_as_often_as_they_come():
    progress = after_epochs(20.0, 1.0, epochs=4)
    progress.times[1]["validation_seconds"] = 9.0
    progress.times[3]["validation_seconds"] = 11.0
    time_left = TimeLeft(config_of(6, translate_every=2), progress)
    assert time_left.estimate(COUNT).run == pytest.approx(2 * (20 + (1 + 11) / 2))


def test_r_drop_doubles_the_epochs_that_have_it():
    r_drop = {"r_drop_alpha": 1.0, "r_drop_after": 3}
    progress = after_epochs(20.0, 0.0, epochs=1)
    time_left = TimeLeft(config_of(5, r_drop), progress)
    assert time_left.estimate(COUNT) == pytest.approx((20, 20 * 2 + 40 * 2))
    later = after_epochs(20.0, 0.0, epochs=3)
    time_left = TimeLeft(config_of(5, r_drop), later)
    assert time_left.estimate(COUNT) == pytest.approx((40, 80))
    time_left.expect_compilation()
    update(time_left, later, 60.0)
    update(time_left, later, 4.0)
    assert time_left.estimate(COUNT).epoch == pytest.approx(8 * 2 * (20 + 4) / (10 + 2))
    without = {"r_drop_alpha": 0.0, "r_drop_after": 3}
    assert TimeLeft(config_of(5, without), progress).estimate(COUNT).run == pytest.approx(80)


def test_r_drop_may_begin_between_two_validations():
    config = config_of(6, {"r_drop_alpha": 1.0, "r_drop_after": 3}, every_epochs=2)
    progress = Progress()
    time_left = TimeLeft(config, progress)
    for epoch, seconds in enumerate((1.0, 1.0, 1.0, 2.0)):
        progress.epoch, progress.batch = epoch, 0
        for _ in range(COUNT):
            update(time_left, progress, seconds)
            if (progress.epoch, progress.batch) != (0, 1):
                later = 2 * COUNT * max(0, 5 - max(epoch, 2)) + COUNT * max(0, 2 - epoch)
                left = (COUNT - progress.batch) * seconds + later
                assert time_left.estimate(COUNT).run == pytest.approx(left)
        if epoch % 2:
            time_left.end_round(COUNT)
            progress.seconds = 0.0
    progress.epoch, progress.batch = 4, 0
    progress.validations = [{"epoch": 2}, {"epoch": 4}]
    progress.times = [
        {"updates": updates, "seconds": seconds, "validation_seconds": 0.0}
        for updates, seconds in ((20, 20.0), (40, 30.0))
    ]
    assert TimeLeft(config, progress).estimate(COUNT).run == pytest.approx(40), "of a resumed run"
