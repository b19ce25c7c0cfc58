"""Hooks of a training: add-ons warn, watch it, finish its run, and say what to try next."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from translator.base.addons import Hook
from translator.config.schema import Config
from translator.data.preparation import TrainingData
from translator.runs.directory import RunDirectory
from translator.tokenizers.subword import Tokenizers
from translator.training.clock import TimeBudget

WARNERS: Hook[Callable[[Config, TrainingData, int, TimeBudget | None], Iterable[str]]] = Hook(
    "warners"
)
"""Called with the complete configuration, the encoded corpus, the updates and the time budget."""

Watcher = Callable[[int, Callable[[], Any]], None]
"""Called with the number of updates, and a function that returns the model after them."""
WATCHERS: Hook[Callable[[Config, Tokenizers, RunDirectory, int], Watcher | None]] = Hook("watchers")
"""Called with the complete configuration, the tokenizers, the run and the updates of the training.
Returns a function to call before the first update and after each."""

Recorder = Callable[[dict[str, Any], dict[str, Any]], None]
RECORDERS: Hook[Callable[[Config, RunDirectory], Recorder | None]] = Hook("recorders")
"""Called with the configuration and the run. Returns a function to call with the figures and times
of each validation."""

FINISHERS: Hook[Callable[[RunDirectory, TrainingData, Callable[[str], None]], None]] = Hook(
    "finishers"
)
"""Called with a run that has weights and an export, its training data, and a report function."""

COMMANDS_AFTERWARDS: Hook[str] = Hook("commands afterwards")
"""Commands that look at a finished run; {run} is replaced by its path."""

Adviser = Callable[
    [Config, Sequence[dict[str, Any]], RunDirectory, int, int, TimeBudget | None], str | None
]
ADVISERS: Hook[Adviser] = Hook("advisers")
"""Called with the complete configuration, the validations, the run, the number of updates, the
number of pairs and the time budget."""
