"""Reads whole files that a user named or that a run has: regular ones, no longer than they may be.

A pipe or a device may have no end, and a file without a bound may fill the memory.
"""

import os
from pathlib import Path
from typing import BinaryIO

from translator.base.errors import InputError

MAX_BYTES = 1 << 27  # of a file that is read whole; the longest of a run have a few megabytes


def open_file(path: Path) -> BinaryIO:
    """Opens a regular file for reading.

    Raises:
        OSError: it cannot be opened, as where there is nothing.
    """
    if path.exists() and not path.is_file():
        found = "a folder" if path.is_dir() else "a device or a pipe"
        raise InputError(f"{path}: expected a file, found {found}")
    return open(path, "rb")


def read_file(path: Path, most: int = MAX_BYTES) -> bytes:
    """The content of a regular file.

    Args:
        most: bytes that it may have.

    Raises:
        OSError: it cannot be read, as where there is nothing.
    """
    with open_file(path) as file:
        if os.fstat(file.fileno()).st_size > most:
            raise InputError(f"{path}: expected at most {most:,} bytes, found a longer file")
        return file.read()
