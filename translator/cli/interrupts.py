"""Ends the program at Ctrl-C with a line, also while modules are imported.

Libraries that start lose a `KeyboardInterrupt`, or print it, so nothing is raised there.
"""

import contextlib
import os
import signal
import threading
from collections.abc import Iterator
from types import FrameType

INTERRUPTED = 130  # the exit code of a program that SIGINT ended
_IMPORT = "<frozen importlib."  # begins the names of Python's own files that import


@contextlib.contextmanager
def ending_imports() -> Iterator[None]:
    """Lets Ctrl-C end the process at once in an import, and raise `KeyboardInterrupt` elsewhere.

    A handler other than Python's own stays, such as that of a program that ignores the signal.
    """
    usual = signal.default_int_handler
    is_main = threading.current_thread() is threading.main_thread()
    if not is_main or signal.getsignal(signal.SIGINT) is not usual:
        yield
        return
    try:
        standard_error = os.dup(2)  # number 2 leads nowhere while TensorFlow starts
    except OSError:  # it is closed
        standard_error = -1

    def handle(number: int, frame: FrameType | None) -> None:
        inner = frame
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
    finally:
        if signal.getsignal(signal.SIGINT) is handle:
            signal.signal(signal.SIGINT, usual)
        if standard_error >= 0:
            os.close(standard_error)
