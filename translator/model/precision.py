"""The precision that layers are made for."""

import contextlib
from collections.abc import Iterator

import keras


@contextlib.contextmanager
def layers_of(dtype_policy: str) -> Iterator[None]:
    """Layers that are made while this lasts have a policy, by Keras's name."""
    usual = keras.config.dtype_policy()
    keras.config.set_dtype_policy(dtype_policy)
    try:
        yield
    finally:
        keras.config.set_dtype_policy(usual)
