"""Starts Keras on JAX with virtual devices; another process than that of TensorFlow's tests."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from translator.config.schema import Config
from translator.config.yaml_file import read_config

if os.environ.get("KERAS_BACKEND") != "jax":
    collect_ignore_glob = ["test_*.py"]  # `make test` runs them in a process of their own
else:
    import jax

    from translator.base.keras_startup import start_keras

    jax.config.update("jax_num_cpu_devices", 3)
    start_keras()


@pytest.fixture(scope="session", autouse=True)
def one_shape() -> Iterator[None]:
    """Pads all batches to ``max_length``, so that each training compiles once."""
    from translator.training import backends

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(backends, "EDGES", (1024,))
        yield


@pytest.fixture(scope="module")
def settings(tiny_corpus: Path, request: pytest.FixtureRequest) -> Callable[..., Config]:
    """Reads the tiny corpus's, for JAX, with the module's ``SETTINGS`` and those of a test."""

    def read(*overrides: str) -> Config:
        of_module = request.module.SETTINGS
        return read_config(
            tiny_corpus / "config.yaml", ("training.backend=jax", *of_module, *overrides)
        )

    return read
