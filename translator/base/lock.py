"""A lock that lets one process at a time train in a run directory."""

import contextlib
import os
import socket
from collections.abc import Callable, Iterator
from pathlib import Path

from translator.base.errors import InputError
from translator.base.files import read_file, whole_file
from translator.base.texts import printable

LOCK, HOLDER = "lock", "locked-by"  # the locked file, and the file that names its process


@contextlib.contextmanager
def locked(folder: Path, report: Callable[[str], None]) -> Iterator[None]:
    """Keeps other processes out of a folder.

    The operating system releases the lock when the process ends, however it
    ends, so a killed process never blocks others.

    Args:
        folder: must exist; the files `LOCK` and `HOLDER` are made in it.
        report: is given a line if the last process was killed while it had the lock.
    """
    from filelock import FileLock, Timeout

    holder = folder / HOLDER
    lock = FileLock(folder / LOCK)
    try:
        lock.acquire(timeout=0)
    except Timeout:
        raise InputError(
            f"{folder}: expected a run that no other process trains, found"
            f" {_read(holder) or 'another process'} training it; wait for it or stop it, or train"
            " elsewhere with --run DIR"
        ) from None
    try:
        if before := _read(holder):
            report(f"{folder}: {before} ended unexpectedly; nothing that it saved is lost")
        with whole_file(holder) as file:
            file.write(f"process {os.getpid()} on {printable(socket.gethostname())}".encode())
        yield
    finally:
        holder.unlink(missing_ok=True)
        lock.release()


def _read(holder: Path) -> str:
    try:
        return read_file(holder).decode("utf-8", "replace")
    except FileNotFoundError:
        return ""
