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

BACKEND = "KERAS_BACKEND"  # the variable of the environment that Keras reads, once
BYTES = {TENSORFLOW: 3200 << 20, JAX: 1900 << 20}  # of addresses, to compute on two cores

# Packages that Keras (sklearn for its wrappers) and TensorFlow load for parts of theirs that no
# command uses. They take a third of the time.
UNUSED = ("jax", "matplotlib", "sklearn")

_started_in: int | None = None  # the process that Keras was started in


@contextlib.contextmanager
def quiet_import() -> Iterator[TextIO]:
    """Keeps standard output and error clean while TensorFlow or JAX starts.

    Their C++ code prints before any of its settings can stop it, so the
    file descriptors are redirected, only for the duration of the block.

    Yields:
        What still writes to standard error.
    """
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()
    kept, nowhere = {number: os.dup(number) for number in (1, 2)}, os.open(os.devnull, os.O_WRONLY)
    for number in kept:
        os.dup2(nowhere, number)
    try:
        with open(kept[2], "w", encoding="utf-8", closefd=False) as stream:
            yield stream
    finally:
        for number, copy in kept.items():
            os.dup2(copy, number)
            os.close(copy)
        os.close(nowhere)


@contextlib.contextmanager
def hidden(names: Collection[str]) -> Iterator[None]:
    """Lets imports of packages fail in the block, as if they were not installed.

    Args:
        names: of the packages; those that are loaded already are not hidden.
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
            "Keras: expected the process that started it, found a forked one, where it would wait"
            " forever; start processes with multiprocessing's method 'spawn'"
        )
    chosen = choose_backend(backend)
    if "keras" not in sys.modules:
        asked = os.environ.get(BACKEND)
        os.environ[BACKEND] = chosen  # whatever a user's keras.json says
        try:
            check_memory(BYTES[chosen], f"Keras on {chosen}")
            unused = set(UNUSED) - {chosen} if machine.is_program else ()
            with (
                quiet_import() as stream,
                progress(f"starting {chosen}", stream=stream),
                hidden(unused),
            ):
                if chosen == JAX:
                    import jax  # noqa: F401
                import keras  # noqa: F401
        except ModuleNotFoundError as error:
            raise missing_package(error) or error from None
        finally:  # programs that this one starts choose for themselves
            if asked is None:
                del os.environ[BACKEND]
            else:
                os.environ[BACKEND] = asked


def set_random_seed(seed: int) -> None:
    """Seeds Python, NumPy and Keras.

    Keras's function also imports TensorFlow wherever it is installed, to seed it. Under JAX
    that would only take seconds, so TensorFlow is hidden from it.
    """
    import keras

    is_jax = keras.config.backend() == JAX
    with hidden(("tensorflow",) if is_jax else ()):
        keras.utils.set_random_seed(seed)
