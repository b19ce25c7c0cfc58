"""A lock that lets one process at a time train in a run directory."""

import contextlib
from collections.abc import Iterator
from pathlib import Path

from translator.base.errors import InputError

LOCK = "lock"  # the locked file


@contextlib.contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Keeps other processes out of a folder, which must exist.

    The operating system releases the lock when the process ends, however it
    ends, so a killed process never blocks others.
    """
    from filelock import FileLock, Timeout

    lock = FileLock(folder / LOCK)
    try:
        lock.acquire(timeout=0)
    except Timeout:
        raise InputError(
            f"{folder}: expected a run that no other process trains, found another process training"
            " it; wait for it or stop it, or train elsewhere with --run DIR"
        ) from None
    try:
        yield
    finally:
        lock.release()
