"""The cache of files that are downloaded or computed once and used again."""

import contextlib
import errno
import hashlib
import json
import os
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from translator.base.errors import InputError
from translator.base.files import remove_leftovers, whole_folder


def home() -> Path:
    """``$TRANSLATOR_HOME``; if it is not set, the platform's folder for caches."""
    folder = os.environ.get("TRANSLATOR_HOME")
    try:
        if folder:
            return Path(folder).expanduser()
        from platformdirs import user_cache_path

        return user_cache_path("translator", appauthor=False).expanduser()
    except RuntimeError:
        raise InputError(
            f"TRANSLATOR_HOME: expected a folder for caches, found {folder or 'none'} and no"
            " home folder; set it to a folder"
        ) from None


def sha256(content: bytes | Path) -> str:
    """The SHA-256 of bytes, or of a file's bytes, as hexadecimal digits."""
    if isinstance(content, bytes):
        return hashlib.sha256(content).hexdigest()
    with open(content, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def crc32(path: Path) -> int:
    """The CRC-32 of a file, which finds accidental damage; it reads about 2 GB a second."""
    checksum = 0
    with open(path, "rb") as file:
        while block := file.read(1 << 20):
            checksum = zlib.crc32(block, checksum)
    return checksum


def key_of(value: Any) -> str:
    """A key for a value that JSON can write: equal values have equal keys."""
    return sha256(json.dumps(value, sort_keys=True).encode())[:32]


def cached_folder(kind: str, key: str, build: Callable[[Path], None]) -> Path:
    """Returns a folder that is built once for each key. A failed build leaves no folder.

    Args:
        kind: the subfolder of the cache, such as ``encoded``.
        key: depends on everything that decides the folder's content; see `key_of`.
        build: fills an empty folder; it is called only if no folder has this key yet.

    Raises:
        OSError: the disk is full or fails in another way. No incomplete folder remains.
    """
    folder = home() / kind / key
    if folder.is_dir():
        return folder
    make_folder(folder.parent)
    remove_leftovers(folder.parent)
    try:
        with whole_folder(folder, replace=False) as partial:
            build(partial)
    except OSError:
        if not folder.is_dir():  # otherwise another process has just built the folder
            raise
    return folder


def make_folder(folder: Path) -> None:
    """Makes a folder of the cache."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        if error.errno == errno.ENOSPC:
            raise
        raise InputError(
            f"{folder}: expected to make this folder of the cache, found:"
            f" {(error.strerror or str(error)).lower()}; set the environment's TRANSLATOR_HOME to"
            " another folder"
        ) from None


def temporary_folder() -> str | None:
    """The folder for temporary files as large as a corpus; None for the system's folder.

    It is the folder of the cache, because the system's folder may be in memory.
    """
    with contextlib.suppress(InputError):
        make_folder(home())
        if os.access(home(), os.W_OK):
            return str(home())
    return None
