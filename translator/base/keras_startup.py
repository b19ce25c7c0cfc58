"""Imports Keras without the messages that TensorFlow prints at its start."""

import contextlib
import os
import sys
from collections.abc import Iterator

from translator.base.errors import InputError
from translator.base.extras import missing_package

_started_in: int | None = None  # the process that Keras was started in


@contextlib.contextmanager
def quiet_import() -> Iterator[None]:
    """Keeps standard error clean while TensorFlow is imported.

    TensorFlow's C++ code prints before any of its settings can stop it, so the
    file descriptor is redirected, only during the import.
    """
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    os.environ.setdefault("KERAS_BACKEND", "tensorflow")  # whatever a user's keras.json says
    sys.stderr.flush()
    kept, nowhere = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 2)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nowhere)


def start_keras() -> None:
    """Imports Keras and its backend quietly; the first call takes seconds.

    Raises:
        InputError: Keras or its backend is not installed, or the process was forked from one that
            had started Keras.
    """
    global _started_in
    if _started_in is None:
        _started_in = os.getpid()
    elif _started_in != os.getpid():
        raise InputError(
            "Keras: expected the process that started it, found a forked one, where it would wait"
            " forever; start processes with multiprocessing's method 'spawn'"
        )
    if "keras" not in sys.modules:
        try:
            with quiet_import():
                import keras  # noqa: F401
        except ModuleNotFoundError as error:
            raise missing_package(error) or error from None
