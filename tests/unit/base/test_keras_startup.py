"""Starting Keras, where it must not be started."""

import importlib

import pytest

from translator.base import keras_startup
from translator.base.errors import InputError


def test_keras_is_refused_in_a_process_forked_after_it_was_started(monkeypatch):
    monkeypatch.setattr(keras_startup, "_started_in", 1)
    with pytest.raises(InputError, match="the process that started Keras, found a f"):
        keras_startup.start_keras()


def test_a_hidden_package_cannot_be_imported_until_the_block_ends():
    with keras_startup.hide_packages(["pytest", "wave"]):
        assert importlib.import_module("pytest") is pytest
        with pytest.raises(ModuleNotFoundError, match="wave"):
            importlib.import_module("wave")
    assert importlib.import_module("wave")
