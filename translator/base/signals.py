"""Stops a long work in order when the user, or the system, asks for it."""

import contextlib
import os
import signal
import stat
import sys
from types import FrameType
from typing import Any


class StopOnSignal:
    """Turns the first Ctrl-C (or SIGTERM, or SIGHUP) into a stop after the current update.

    A second Ctrl-C ends the program at once. A second hang-up does not, because a shell may
    send it twice. Signals that the program was started to ignore stay ignored, such as the
    hang-up under nohup.
    """

    def __init__(self) -> None:
        self.asked = False
        self.before: dict[int, Any] = {}

    def __enter__(self) -> "StopOnSignal":
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            if signal.getsignal(number) is not signal.SIG_IGN:
                self.before[number] = signal.signal(number, self._ask)
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self.before.items():
            signal.signal(number, handler)

    def _ask(self, number: int, frame: FrameType | None) -> None:
        self.asked = True
        if number == signal.SIGHUP:
            _silence_closed_terminal()
        if number == signal.SIGINT:
            signal.signal(number, self.before[number])
            print("\nstopping after this update; Ctrl-C again stops at once", file=sys.stderr)


def _silence_closed_terminal() -> None:
    """Discards further output to a terminal that was closed, where writing would fail."""
    for number in (1, 2):
        with contextlib.suppress(OSError):  # it is closed
            if stat.S_ISCHR(os.fstat(number).st_mode):
                silence(number)


def silence(number: int) -> None:
    """Discards what is written to a file descriptor from now on.

    Raises:
        OSError: there are no more file descriptors.
    """
    devnull = os.open(os.devnull, os.O_WRONLY)
    os.dup2(devnull, number)
    os.close(devnull)
