"""Handles Ctrl-C and other signals: stops long work cleanly, or ends the program with a line."""

import contextlib
import os
import signal
import stat
import sys
import threading
from collections.abc import Iterator
from types import FrameType
from typing import Any

INTERRUPTED = 130  # the exit code of a program that SIGINT ended
_IMPORT = "<frozen importlib."  # the beginning of the names of Python's files for imports


class StopOnSignal:
    """Turns the first Ctrl-C (or SIGTERM, or SIGHUP) into a stop after the current update.

    A second Ctrl-C ends the program at once. A second hang-up does not, because a shell may
    send it twice. Ignored signals stay ignored, such as the hang-up under nohup.
    """

    def __init__(self) -> None:
        self.asked = False
        self.before: dict[int, Any] = {}

    def __enter__(self) -> "StopOnSignal":
        is_main = threading.current_thread() is threading.main_thread()
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP) if is_main else ():
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
        else:
            signal.signal(signal.SIGINT, self.before.get(signal.SIGINT, signal.SIG_IGN))
            print("\nstopping after this update; Ctrl-C again stops at once", file=sys.stderr)


def _silence_closed_terminal() -> None:
    """Discards further output to a closed terminal, because writing to it would fail."""
    for number in (1, 2):
        with contextlib.suppress(OSError):  # closed before
            if stat.S_ISCHR(os.fstat(number).st_mode):
                silence(number)


def silence(number: int) -> None:
    """Discards what is written to a file descriptor from now on."""
    devnull = os.open(os.devnull, os.O_WRONLY)
    os.dup2(devnull, number)
    os.close(devnull)


@contextlib.contextmanager
def ending_imports() -> Iterator[None]:
    """Lets Ctrl-C end the process at once in an import, and raise `KeyboardInterrupt` elsewhere.

    Libraries lose or print a `KeyboardInterrupt` while they start, so none is raised there. While
    they compile, they turn it into an error of their own; here that error becomes a
    `KeyboardInterrupt` again. A handler that is not Python's own stays unchanged.
    """
    usual = signal.default_int_handler
    is_main = threading.current_thread() is threading.main_thread()
    if not is_main or signal.getsignal(signal.SIGINT) is not usual:
        yield
        return
    try:
        standard_error = os.dup(2)  # descriptor 2 is redirected while TensorFlow starts
    except OSError:  # standard error is closed
        standard_error = -1
    is_interrupted = False

    def handle(number: int, frame: FrameType | None) -> None:
        nonlocal is_interrupted
        is_interrupted, inner = True, frame
        while inner is not None:
            if inner.f_code.co_filename.startswith(_IMPORT):
                with contextlib.suppress(OSError):
                    os.write(standard_error, b"translator: interrupted\n")
                os._exit(INTERRUPTED)
            inner = inner.f_back
        usual(number, frame)

    signal.signal(signal.SIGINT, handle)
    try:
        yield
    except Exception:
        if is_interrupted:
            raise KeyboardInterrupt from None
        raise
    finally:
        if signal.getsignal(signal.SIGINT) is handle:
            signal.signal(signal.SIGINT, usual)
        if standard_error >= 0:
            os.close(standard_error)
