"""The time that is left, in figures that can be added up by hand, and how it is kept."""

from collections.abc import Callable

import pytest

from translator.config.yaml_file import validate_config
from translator.training.clock import Clock
from translator.training.state import Progress

COUNT = 10  # updates of an epoch
ELAPSED = [0.0]  # seconds of the latest clock


def begun(
    epochs: int, training: dict | None = None, progress: Progress | None = None, **validation: int
) -> Clock:
    """Of a training of some epochs, from its beginning or from where it has come."""
    values = {"corpus": {"name": "demo"}, "data": {"batch_size": 8}, "validation": validation}
    config = validate_config({**values, "training": {"epochs": epochs, **(training or {})}}, "test")
    progress = progress or Progress()
    done = progress.epoch * COUNT + progress.batch
    ELAPSED[0] = 0.0
    return Clock(config, progress, epochs * COUNT, done, 0.0, lambda: ELAPSED[0])


def update(clock: Clock, *seconds: float) -> None:
    for duration in seconds:
        clock.progress.batch += 1
        clock.progress.seconds += duration
        ELAPSED[0] += duration
        clock.note_update()


def validate(clock: Clock, seconds: float) -> None:
    """Makes a validation of these seconds, after the last update of an epoch."""
    clock.end_round()
    ELAPSED[0] += seconds
    progress = clock.progress
    progress.times.append({"seconds": progress.seconds, "validation_seconds": seconds})
    progress.seconds, progress.epoch, progress.batch = 0.0, progress.epoch + 1, 0


def test_nothing_is_known_before_the_second_update_as_the_first_is_compiled():
    clock = begun(3)
    assert clock.seconds_left(COUNT) is None
    update(clock, 30.0)
    assert clock.seconds_left(COUNT) is None
    update(clock, 2.0)
    assert clock.seconds_left(COUNT) == pytest.approx(28 * 2)
    update(clock, *[2.0] * 8)
    validate(clock, 5.0)
    assert clock.seconds_left(COUNT) == pytest.approx(2 * (20 + 5))
    for left in (25, 0):
        update(clock, *[2.0] * COUNT)
        validate(clock, 5.0)
        assert clock.seconds_left(COUNT) == pytest.approx(left)


def test_a_resumed_run_leaves_out_what_is_done():
    done = Progress(1, 4, seconds=8.0, times=[{"seconds": 0.0, "validation_seconds": 5.0}])
    clock = begun(4, progress=done)
    update(clock, 30.0, 2.0)
    assert clock.seconds_left(COUNT) == pytest.approx(4 * 2 + 5 + 2 * 25)


def test_validations_are_counted_as_often_as_they_come():
    done = Progress(1, 0, times=[{"seconds": 0.0, "validation_seconds": 3.0}])
    clock = begun(3, progress=done, every_updates=4)  # after 4 and 10, as 8 is near
    update(clock, 9.0, 2.0, 2.0, 2.0)
    assert clock.seconds_left(COUNT) == pytest.approx(32 + 12), "one is about to come"
    clock.end_round()
    done.seconds = 0.0
    assert clock.seconds_left(COUNT) == pytest.approx(32 + 9)
    rare = begun(6, progress=Progress(1, 0, times=done.times), every_epochs=2)  # 2, 4, 6
    update(rare, 9.0, 2.0)
    assert rare.seconds_left(COUNT) == pytest.approx(16 + 4 * 20 + 3 * 3)
    times = [{"seconds": 0.0, "validation_seconds": seconds} for seconds in (1.0, 9.0, 1.0, 11.0)]
    clock = begun(6, progress=Progress(4, 0, times=times), translate_every=2)
    update(clock, 9.0, 2.0)
    assert clock.seconds_left(COUNT) == pytest.approx(16 + 20 + 2 * (1 + 11) / 2)


def test_r_drop_doubles_the_epochs_that_have_it():
    clock = begun(4, {"r_drop_alpha": 1.0, "r_drop_after": 2}, Progress(1, 0))
    update(clock, 9.0, *[1.0] * 9)
    assert clock.seconds_left(COUNT) == pytest.approx(2 * 20)
    validate(clock, 0.0)
    clock.compiles = True
    update(clock, 60.0, 2.0)
    assert clock.seconds_left(COUNT) == pytest.approx(28 + 8), "a pass takes as long"
    without = begun(4, {"r_drop_after": 2}, Progress(1, 0))
    update(without, 9.0, 1.0)
    assert without.seconds_left(COUNT) == pytest.approx(8 + 2 * 10)


def stalling(update: int, seconds: float) -> Callable[[int], float]:
    return lambda number: 8.0 + seconds * (number == update)


def run_limited(seconds_of: Callable[[int], float], epochs: int = 4) -> Clock:
    """A training of six minutes, whose updates take so long, until the time or the epochs end."""
    clock = begun(epochs, {"minutes": 6})
    clock.compiles = False
    while not clock.is_over and clock.progress.epoch < epochs:
        update(clock, seconds_of(clock.updates))
        clock.steer(COUNT)
        if clock.progress.batch == COUNT:
            validate(clock, 1.0)
    return clock


def test_a_training_that_has_the_time_passes_over_nothing():
    clock = run_limited(lambda number: 8.0)
    assert (clock.updates, clock.progress.skipped, clock.is_over) == (40, 0, False)
    assert run_limited(lambda number: 8.6).progress.skipped == 0, "a tenth more is allowed"
    assert run_limited(stalling(1, 40)).progress.skipped == 0, "one stall that there is time for"
    assert run_limited(stalling(12, 40)).progress.skipped == 0


@pytest.mark.parametrize(
    "seconds_of",
    [
        lambda number: 25.0,  # slower than in the trial from the first update on
        lambda number: 8.0 if number < 10 else 40.0,  # and after a quarter of it
        stalling(12, 60),  # once, for longer than there is time
    ],
)
def test_a_machine_that_has_become_slow_ends_in_time_with_its_schedule_at_the_end(seconds_of):
    clock = run_limited(seconds_of)
    assert clock.progress.skipped > 0
    assert clock.updates + clock.progress.skipped == 40 == clock.total
    longest = max(seconds_of(number) for number in range(40))
    assert -longest < clock._left() < 2 * longest


def test_one_epoch_that_takes_longer_than_the_time_is_cut_within_it():
    clock = run_limited(lambda number: 60.0, epochs=1)
    assert (clock.progress.epoch, clock.progress.batch) == (0, 6)
    assert (clock.is_over, clock.skipped) == (True, 4)
    without = begun(1, None, clock.progress)
    assert (without.is_over, without.skipped) == (False, 0), "given no time, it goes on"
