"""Starts Keras on its backend, without the messages that TensorFlow prints."""

import contextlib
import os
import sys
from collections.abc import Iterator
from typing import TextIO

from translator.base.backends import JAX, TENSORFLOW, choose_backend
from translator.base.errors import InputError
from translator.base.extras import missing_package
from translator.base.machine import check_memory
from translator.base.progress import progress

BACKEND = "KERAS_BACKEND"  # the variable of the environment that Keras reads, once
BYTES = {TENSORFLOW: 3200 << 20, JAX: 1900 << 20}  # of addresses, to compute on two cores

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


def start_keras(backend: str = "auto") -> None:
    """Imports Keras and its backend quietly; the first call takes seconds.

    Args:
        backend: as for `choose_backend`.

    Raises:
        InputError: Keras or its backend is not installed, Keras runs on another backend already,
            or the process was forked from one that had started Keras.
    """
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
            with quiet_import() as stream, progress(f"starting {chosen}", stream=stream):
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

    is_hidden = keras.config.backend() == JAX and "tensorflow" not in sys.modules
    if is_hidden:
        sys.modules["tensorflow"] = None  # type: ignore[assignment]  # an import then fails
    try:
        keras.utils.set_random_seed(seed)
    finally:
        if is_hidden:
            del sys.modules["tensorflow"]
