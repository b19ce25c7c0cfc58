"""One process at a time in a run directory."""

import contextlib
import fcntl
import os
import socket
from collections.abc import Callable, Iterator
from pathlib import Path

from translator.base.errors import InputError


@contextlib.contextmanager
def locked(folder: Path, report: Callable[[str], None]) -> Iterator[None]:
    """Keeps other processes out of a folder.

    The operating system lets go of the lock when the process ends, however it
    ends, so a lock of the dead never stands in the way.

    Args:
        folder: must exist; a file named ``lock`` is made in it.
        report: is told of a process before that ended without letting go.

    Raises:
        InputError: another process has it.
    """
    path = folder / "lock"
    with open(path, "a+", encoding="utf-8") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise InputError(
                f"{folder}: expected a run that nothing trains, found {_read(path)} at work on it;"
                " wait for it or stop it, or train elsewhere with --run DIR"
            ) from None
        if before := _read(path):
            report(f"{folder}: {before} ended here without a word; nothing that it saved is lost")
        file.truncate(0)
        file.write(f"process {os.getpid()} on {socket.gethostname()}")
        file.flush()
        try:
            yield
        finally:
            file.truncate(0)


def _read(path: Path) -> str:
    return path.read_text("utf-8")
