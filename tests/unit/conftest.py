"""Holds that these tests need neither Keras nor TensorFlow."""

import sys
from collections.abc import Iterator

import pytest

BACKENDS = {"keras", "tensorflow"}


@pytest.fixture(autouse=True)
def no_backend(request) -> Iterator[None]:
    """Fails all tests if one of their modules imports a backend, where no other kind is run."""
    yield
    imported = BACKENDS & set(sys.modules)
    others = (item for item in request.session.items if not item.nodeid.startswith("tests/unit"))
    assert not imported or any(others), f"unit tests imported {imported}: move them to integration"
