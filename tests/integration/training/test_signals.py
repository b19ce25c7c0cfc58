"""Signals that a training process hears."""

import os
import signal

import pytest

from translator.base import signals


@pytest.fixture(params=[signal.SIG_DFL, signal.SIG_IGN])
def hang_up(request):
    """What a hang-up does before: nothing under nohup."""
    before = signal.signal(signal.SIGHUP, request.param)
    yield request.param
    assert signal.getsignal(signal.SIGHUP) is request.param
    signal.signal(signal.SIGHUP, before)


def test_only_a_second_ctrl_c_ends_at_once_and_what_was_ignored_stays_so(monkeypatch, hang_up):
    """Where a terminal closes, a shell passes the hang-up on, and the kernel sends another."""
    monkeypatch.setattr(signals, "_silence_closed_terminal", lambda: None)
    for number in (signal.SIGHUP, signal.SIGTERM):
        with signals.StopOnSignal() as stop:
            os.kill(os.getpid(), number)
            os.kill(os.getpid(), number)
            assert stop.asked == (number == signal.SIGTERM or hang_up == signal.SIG_DFL)
    with signals.StopOnSignal() as stop:
        os.kill(os.getpid(), signal.SIGINT)
        assert stop.asked
        with pytest.raises(KeyboardInterrupt):
            os.kill(os.getpid(), signal.SIGINT)
