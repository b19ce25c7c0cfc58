"""What add-ons do in a training: they watch it, and they finish its run."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

from translator.base.addons import Hook
from translator.config.schema import Config
from translator.runs.directory import RunDirectory
from translator.tokenizers.subword import Tokenizers

if TYPE_CHECKING:  # add-ons register at every start, which loads as little as it can
    from translator.data.preparation import TrainingData


class Observer(Protocol):
    """A Keras callback that watches a training, and says at its end what it has seen."""

    def describe(self) -> str:
        """A line for the user; empty for none."""


OBSERVERS: Hook[Callable[[Config, Tokenizers, RunDirectory, int], Observer | None]] = Hook()
"""Given the resolved configuration, the tokenizers, the run and the updates of the training."""

FINISHERS: "Hook[Callable[[RunDirectory, TrainingData, Callable[[str], None]], None]]" = Hook()
"""Given a run with its weights and its export, what it was trained on, and what takes lines."""
