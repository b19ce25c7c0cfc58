"""Files and folders that are there whole or not at all."""

import contextlib
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from translator.base.errors import InputError


def check_output_path(path: Path, endings: tuple[str, ...] = ()) -> None:
    """Refuses a place that `whole_file` could not write, before any work is done.

    Args:
        path: the file to be.
        endings: those that its name may have, such as ``.png``; any where empty.

    Raises:
        InputError: the ending is another, the folder does not exist, or there
            is a folder of that name.
    """
    if endings and path.suffix.lower() not in endings:
        raise InputError(f"{path}: expected a name that ends in {', '.join(endings)}")
    if not path.parent.is_dir():
        raise InputError(f"{path}: expected an existing folder, found none at {path.parent}")
    if path.is_dir():
        raise InputError(f"{path}: expected the name of a file, found a folder")


@contextlib.contextmanager
def whole_file(path: Path, former: Path | None = None) -> Iterator[BinaryIO]:
    """Opens a file for writing that replaces ``path`` only once it is complete.

    A link keeps its place and its target is replaced; what is no regular file,
    such as a pipe, is written directly.

    Args:
        path: the file.
        former: the name that what was at ``path`` is kept under; None for not at all.

    Raises:
        OSError: it cannot be written; what was at ``path`` before is untouched.
    """
    target = path.resolve()
    direct = target.exists() and not target.is_file()
    partial = target if direct else target.with_name(f"{target.name}.{os.getpid()}.part")
    try:
        with open(partial, "wb") as file:
            yield file
            if not direct:
                file.flush()
                os.fsync(file.fileno())
        if not direct:
            if former is not None and target.exists():
                os.replace(target, former)
            os.replace(partial, target)
    except OSError as error:
        error.filename = str(path)
        raise
    finally:
        if not direct:
            partial.unlink(missing_ok=True)


@contextlib.contextmanager
def whole_folder(path: Path, replace: bool = True) -> Iterator[Path]:
    """Gives an empty folder to fill, which becomes ``path`` once it is complete.

    Args:
        path: the folder to be.
        replace: whether it takes the place of one that is there.

    Raises:
        OSError: it cannot be written, or may not replace what is there; what was
            at ``path`` before is untouched.
    """
    target = path.resolve()
    partial, former = (
        target.with_name(f"{target.name}.{os.getpid()}.{ending}") for ending in ("part", "old")
    )
    try:
        remove(partial)  # of a process that was killed and had the same number
        partial.mkdir(parents=True)
        yield partial
        if replace and target.is_dir():
            os.replace(target, former)
        os.replace(partial, target)
    except OSError as error:
        error.filename = str(path)
        raise
    finally:
        for leftover in (partial, former):
            remove(leftover)


def remove(path: Path) -> None:
    """Removes a file, or a folder with all that is in it, if it is there."""
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)
