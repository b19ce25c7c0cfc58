"""A program in a terminal of its own, as a person sees it."""

import contextlib
import os
import pty
import re
import select
import signal
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from pathlib import Path

PROGRAM = [sys.executable, "-m", "translator.cli"]
CONTROL = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]|\x07")


class Terminal:
    """A running program.

    Attributes:
        seen: all that it has written so far, with control sequences.
    """

    def __init__(self, process: subprocess.Popen, descriptor: int) -> None:
        self.process = process
        self.descriptor = descriptor
        self.seen = ""
        self._expected = 0

    def type(self, text: str) -> None:
        os.write(self.descriptor, text.encode())

    def interrupt(self) -> None:
        """Types Ctrl-C once the program waits for a key.

        Python notices a signal that comes while readline still draws only at the next key.
        """
        time.sleep(0.5)
        self.type("\x03")

    def expect(self, text: str, seconds: float = 60) -> str:
        """Waits for a text after the one that was expected last; returns what came before it."""
        end = time.monotonic() + seconds
        while text not in self.seen[self._expected :]:
            if not self._read(end - time.monotonic()):
                raise AssertionError(f"expected {text!r}, found {self.seen[self._expected :]!r}")
        place = self.seen.index(text, self._expected)
        before = self.seen[self._expected : place]
        self._expected = place + len(text)
        return before

    def end(self) -> int:
        """Waits until the program ends; returns its exit code."""
        while self._read(30):
            pass
        return self.process.wait(30)

    def _read(self, seconds: float) -> bool:
        ready, _, _ = select.select([self.descriptor], [], [], max(seconds, 0))
        if not ready:
            return False
        try:
            content = os.read(self.descriptor, 65536)
        except OSError:  # the program has closed its side
            return False
        self.seen += content.decode("utf-8", "replace")
        return bool(content)


@contextlib.contextmanager
def terminal(
    *arguments: object, command: str = "translate", cwd: Path | None = None, **environment: str
) -> Iterator[Terminal]:
    """Runs ``translator translate``, or another command, in a terminal of 80 columns."""
    ours, theirs = pty.openpty()
    termios.tcsetwinsize(theirs, (24, 80))
    variables = {**os.environ, "TERM": "xterm", "COLUMNS": "80", **environment}
    process = subprocess.Popen(
        [*PROGRAM, command, *map(str, arguments)], stdin=theirs, stdout=theirs, stderr=theirs,
        cwd=cwd, env=variables, start_new_session=True, preexec_fn=_own_terminal,  # noqa: PLW1509
    )  # fmt: skip
    os.close(theirs)
    try:
        yield Terminal(process, ours)
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        process.wait()
        with contextlib.suppress(OSError):  # a test may have hung up
            os.close(ours)


def _own_terminal() -> None:
    """Makes the terminal that of the process, so that Ctrl-C and a hang-up reach it."""
    import fcntl

    for number in (signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


def plain(text: str) -> str:
    """What a terminal shows of a text, without control sequences."""
    return CONTROL.sub("", text).replace("\r", "")
