"""Signals that a training process hears."""

import os
import signal

import pytest

from translator.base import signals


def test_only_a_second_ctrl_c_ends_at_once(monkeypatch):
    """Where a terminal closes, a shell passes the hang-up on, and the kernel sends another."""
    monkeypatch.setattr(signals, "_silence_closed_terminal", lambda: None)
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    try:
        for number in (signal.SIGHUP, signal.SIGTERM):
            with signals.StopOnSignal() as stop:
                os.kill(os.getpid(), number)
                os.kill(os.getpid(), number)
                assert stop.asked
        with signals.StopOnSignal() as stop:
            os.kill(os.getpid(), signal.SIGINT)
            assert stop.asked
            with pytest.raises(KeyboardInterrupt):
                os.kill(os.getpid(), signal.SIGINT)
    finally:
        signal.signal(signal.SIGHUP, before)
