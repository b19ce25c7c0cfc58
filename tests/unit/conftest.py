"""Holds that these tests need neither Keras nor TensorFlow."""

import sys
from collections.abc import Iterator

import pytest

BACKENDS = ("keras", "tensorflow")


@pytest.fixture(autouse=True)
def no_backend() -> Iterator[None]:
    """Fails a test that imports a backend, unless tests of another kind did so before."""
    before = {name for name in BACKENDS if name in sys.modules}
    yield
    imported = [name for name in BACKENDS if name in sys.modules and name not in before]
    assert not imported, f"a unit test imported {', '.join(imported)}: it belongs to integration"
