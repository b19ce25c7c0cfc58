"""Starts Keras without the many messages that TensorFlow prints."""

import contextlib
import os
import sys
from collections.abc import Iterator


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
    """Imports Keras and its backend quietly; the first call takes seconds."""
    if "keras" not in sys.modules:
        with quiet_import():
            import keras  # noqa: F401
