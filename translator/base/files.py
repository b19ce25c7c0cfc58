"""Writes files completely or not at all, and reads whole files.

A file is written under a temporary name beside its own, and renamed when it is complete.
"""

import contextlib
import hashlib
import os
import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO

from translator.base.errors import InputError
from translator.base.late import late_pattern

_HOST = hashlib.sha256(os.fsencode(os.uname().nodename)).hexdigest()[:8]  # short names
_LEFTOVER = late_pattern(rf"(?P<name>.+)\.{_HOST}\.(?P<process>[0-9]+)\.(?P<kind>part|old)")


def path_of(value: str | os.PathLike[str], name: str) -> Path:
    """The path that a user gave."""
    if not isinstance(value, (str, os.PathLike)):
        raise InputError(
            f"{name}: expected a path, as a string or a Path, found {type(value).__name__}"
        )
    return Path(os.fsdecode(value))


def path_below_home(value: str | os.PathLike[str], name: str) -> Path:
    """Like `path_of`; ``~`` at the beginning means the folder of a user."""
    return Path(os.path.expanduser(path_of(value, name)))


def what_is_at(path: str | os.PathLike[str]) -> str:
    """Describes for an error what is at a path instead of a file."""
    if os.path.isdir(path):
        return "a folder"
    if os.path.exists(path):
        return "a device or a pipe"
    return "a link that leads nowhere" if os.path.islink(path) else "nothing there"


def check_output_path(
    path: Path, endings: tuple[str, ...] = (), inputs: Iterable[Path] = ()
) -> None:
    """Checks that a path can and may be written, before any work is done.

    Args:
        endings: the allowed endings of its name, such as ``.png``; any if empty.
        inputs: input files, which must not be overwritten.
    """
    if endings and path.suffix.lower() not in endings:
        raise InputError(f"{path}: expected a name that ends in {', '.join(endings)}")
    if not path.parent.is_dir():
        raise InputError(f"{path}: expected an existing folder, found none at {path.parent}")
    if path.is_dir():
        raise InputError(f"{path}: expected the name of a file, found a folder")
    if path.exists() and any(file.exists() and path.samefile(file) for file in inputs):
        raise InputError(
            f"{path}: expected a file to write, found an input of this command; choose another name"
        )


@contextlib.contextmanager
def whole_path(path: Path, former: Path | None = None, replace: bool = True) -> Iterator[Path]:
    """Writes a file or folder under a temporary name, and renames it to ``path`` when complete.

    A link stays a link; the target of the link is replaced.

    Args:
        former: the new name of the old file or folder at ``path``; None to remove the old one.
        replace: whether a folder at ``path`` is replaced even if it is not empty.

    Yields:
        An unused path beside ``path``.

    Raises:
        OSError: ``path`` cannot be written, or may not be replaced. The error names ``path``; the
            file or folder there is untouched, and nothing incomplete remains.
    """
    target = Path(os.path.realpath(path))
    partial = _leftover(target, "part")
    with _name_in_errors(path, partial):
        try:
            with contextlib.suppress(OSError):
                _remove_leftovers(target.parent, target.name)
            remove(partial)  # an earlier process with the same id wrote it
            yield partial
            _write_to_disk(partial)
            if former is None and replace and target.is_dir():
                former = _leftover(target, "old")
            _rename(partial, target, former)
        finally:
            remove(partial)
            _clear_old(_leftover(target, "old"), target)


@contextlib.contextmanager
def whole_file(path: Path, former: Path | None = None) -> Iterator[BinaryIO]:
    """Opens a file for writing. When it is complete, it replaces ``path``; see `whole_path`.

    A pipe or a device is written directly.
    """
    if path.exists() and not path.is_file():
        with _name_in_errors(path), open(path, "wb") as file:
            yield file
    else:
        with whole_path(path, former) as partial, open(partial, "wb") as file:
            yield file


@contextlib.contextmanager
def whole_folder(path: Path, replace: bool = True) -> Iterator[Path]:
    """Yields an empty folder to fill, which becomes ``path`` in the end; see `whole_path`."""
    with whole_path(path, replace=replace) as partial:
        partial.mkdir(parents=True)
        yield partial


def remove_leftovers(folder: Path) -> None:
    """Removes incomplete files of killed processes of this machine in a folder and below it."""
    for parent, _, _ in os.walk(folder):
        with contextlib.suppress(OSError):
            _remove_leftovers(Path(parent))


def final_name(path: Path) -> str:
    """The name that a file or folder gets when it is complete."""
    match = _LEFTOVER.fullmatch(path.name)
    return match["name"] if match else path.name


def remove(path: Path) -> None:
    """Removes a file, or a folder with its content, if it exists."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)


@contextlib.contextmanager
def _name_in_errors(path: Path, partial: Path | None = None) -> Iterator[None]:
    """Makes errors of the disk name ``path``, instead of the temporary name or no file."""
    try:
        yield
    except OSError as error:
        named = error.filename
        if named is None or (partial is not None and str(named).startswith(str(partial))):
            error.filename, error.filename2 = str(path), None
        raise


def _leftover(target: Path, kind: str) -> Path:
    return target.with_name(f"{target.name}.{_HOST}.{os.getpid()}.{kind}")


def _remove_leftovers(folder: Path, name: str | None = None) -> None:
    """Removes leftovers of killed processes in a folder; ``name`` limits it to one file."""
    with os.scandir(folder) as entries:
        matches = [match for entry in entries if (match := _LEFTOVER.fullmatch(entry.name))]
    for match in matches:
        if name in (None, match["name"]) and not _is_running(int(match["process"])):
            leftover, target = folder / match[0], folder / match["name"]
            if match["kind"] == "old":
                _clear_old(leftover, target)
            else:
                remove(leftover)


def _clear_old(old: Path, target: Path) -> None:
    """Removes a folder that was replaced, or moves it back if the new one is missing."""
    if old.exists() and not target.exists():
        os.replace(old, target)
    else:
        remove(old)


def _is_running(process: int) -> bool:
    if process == os.getpid():
        return True
    try:
        os.kill(process, 0)
    except PermissionError:  # the process runs as another user
        return True
    except (ProcessLookupError, OverflowError):
        return False
    return True


def _rename(partial: Path, target: Path, former: Path | None) -> None:
    """Gives a complete file or folder its name; if that fails, restores what was there."""
    with contextlib.suppress(OSError):
        target.rmdir()  # works only for an empty folder, which may be replaced
    if former is None or not target.exists():
        os.replace(partial, target)
        return
    os.replace(target, former)
    try:
        os.replace(partial, target)
    except BaseException:  # also Ctrl-C
        os.replace(former, target)
        raise


def _write_to_disk(path: Path) -> None:
    """Waits until the disk has stored a file, or all files of a folder."""
    files = [path] if path.is_file() else [file for file in path.rglob("*") if file.is_file()]
    for file in files:
        descriptor = os.open(file, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


MAX_BYTES = 1 << 27  # limit for whole files; files of a run have at most a few megabytes


def open_file(path: Path) -> BinaryIO:
    """Opens a regular file for reading."""
    if path.exists() and not path.is_file():
        raise InputError(f"{path}: expected a file, found {what_is_at(path)}")
    return open(path, "rb")


def read_file(path: Path) -> bytes:
    """The content of a regular file of at most `MAX_BYTES`."""
    with open_file(path) as file:
        if os.fstat(file.fileno()).st_size > MAX_BYTES:
            raise InputError(f"{path}: expected at most {MAX_BYTES:,} bytes, found a longer file")
        return file.read()
