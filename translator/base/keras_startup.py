"""Starts Keras on its backend, without the messages that TensorFlow prints."""

import contextlib
import os
import sys
from collections.abc import Collection, Iterator
from typing import TextIO

from translator.base import machine
from translator.base.backends import JAX, TENSORFLOW, choose_backend
from translator.base.errors import InputError, missing_package
from translator.base.machine import check_memory
from translator.base.progress import progress

BACKEND = "KERAS_BACKEND"  # the environment variable that Keras reads once
BYTES = {TENSORFLOW: 3200 << 20, JAX: 1900 << 20}  # address space on two cores

# Keras and TensorFlow load these packages for features that no command uses, such as sklearn for
# Keras's wrappers. Loading them takes a third of the time.
UNUSED = ("jax", "matplotlib", "sklearn")

_started_in: int | None = None  # the process in which Keras was started


@contextlib.contextmanager
def quiet_import() -> Iterator[TextIO]:
    """Keeps standard output and error clean while TensorFlow or JAX starts.

    Their C++ code prints before any setting can prevent this. So the block redirects the file
    descriptors.

    Yields:
        A stream that still writes to standard error.
    """
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()
    copies, null = {number: os.dup(number) for number in (1, 2)}, os.open(os.devnull, os.O_WRONLY)
    for number in copies:
        os.dup2(null, number)
    try:
        with open(copies[2], "w", encoding="utf-8", closefd=False) as stream:
            yield stream
    finally:
        for number, copy in copies.items():
            os.dup2(copy, number)
            os.close(copy)
        os.close(null)


@contextlib.contextmanager
def hide_packages(names: Collection[str]) -> Iterator[None]:
    """Makes imports of packages fail in the block, as if they were not installed.

    Args:
        names: the packages. Packages that are already loaded are not hidden.
    """
    absent = set(names) - sys.modules.keys()
    sys.modules.update(dict.fromkeys(absent))  # type: ignore[arg-type]  # an import then fails
    try:
        yield
    finally:
        for name in absent:
            sys.modules.pop(name, None)


def start_keras(backend: str = "auto") -> None:
    """Imports Keras and its backend quietly; the first call takes seconds."""
    global _started_in
    if _started_in is None:
        _started_in = os.getpid()
    elif _started_in != os.getpid():
        raise InputError(
            "Keras: expected the process that started Keras, found a forked process, where Keras"
            " would wait forever; start processes with multiprocessing's method 'spawn'"
        )
    backend = choose_backend(backend)
    if "keras" not in sys.modules:
        before = os.environ.get(BACKEND)
        os.environ[BACKEND] = backend  # replaces the backend in a user's keras.json
        try:
            check_memory(BYTES[backend], f"Keras on {backend}")
            unused = set(UNUSED) - {backend} if machine.is_program else ()
            with (
                quiet_import() as stream,
                progress(f"starting {backend}", stream=stream),
                hide_packages(unused),
            ):
                if backend == JAX:
                    import jax  # noqa: F401
                import keras  # noqa: F401
        except ModuleNotFoundError as error:
            raise missing_package(error) or error from None
        finally:  # child processes choose their own backends
            if before is None:
                del os.environ[BACKEND]
            else:
                os.environ[BACKEND] = before


def set_random_seed(seed: int) -> None:
    """Seeds Python, NumPy and Keras.

    Keras's function also imports TensorFlow, if it is installed, to seed it. Under JAX this import
    only costs time, so TensorFlow is hidden.
    """
    import keras

    is_jax = keras.config.backend() == JAX
    with hide_packages(("tensorflow",) if is_jax else ()):
        keras.utils.set_random_seed(seed)
