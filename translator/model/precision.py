"""The precision that layers compute in."""

import contextlib
from collections.abc import Iterator

import keras


@contextlib.contextmanager
def layers_of(dtype_policy: str) -> Iterator[None]:
    """Gives all layers that are made inside the block this policy, by its Keras name."""
    previous = keras.config.dtype_policy()
    keras.config.set_dtype_policy(dtype_policy)
    try:
        yield
    finally:
        keras.config.set_dtype_policy(previous)
