"""What add-ons do in a training: they warn, watch it, finish its run, and say what to try next."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from translator.base.addons import Hook
from translator.config.schema import Config
from translator.data.preparation import TrainingData
from translator.runs.directory import RunDirectory
from translator.tokenizers.subword import Tokenizers
from translator.training.clock import Room

WARNERS: Hook[Callable[[Config, TrainingData, int, Room | None], Iterable[str]]] = Hook("warners")
"""Given the complete configuration, the encoded corpus, the updates, and what there is time for."""

Watcher = Callable[[int, Callable[[], Any]], None]
"""Given how many updates are done, and what returns the model as it is after them."""
WATCHERS: Hook[Callable[[Config, Tokenizers, RunDirectory, int], Watcher | None]] = Hook("watchers")
"""Given the complete configuration, the tokenizers, the run and the updates of the training: what
is called before the first update and after each."""

Recorder = Callable[[dict[str, Any], dict[str, Any]], None]
RECORDERS: Hook[Callable[[Config, RunDirectory], Recorder | None]] = Hook("recorders")
"""Given the configuration and the run: what is given the figures and times of each validation."""

FINISHERS: Hook[Callable[[RunDirectory, TrainingData, Callable[[str], None]], None]] = Hook(
    "finishers"
)
"""Given a run with its weights and its export, what it was trained on, and what takes lines."""

COMMANDS_AFTERWARDS: Hook[str] = Hook("commands afterwards")
"""Commands that look at a finished run; {run} stands for its path."""

Adviser = Callable[
    [Config, Sequence[dict[str, Any]], RunDirectory, int, int, Room | None], str | None
]
ADVISERS: Hook[Adviser] = Hook("advisers")
"""Given the complete configuration, the validations, the run, the updates, the pairs, the room."""
