"""What this add-on gives to the core: warnings before a training, advice after it, scalars."""

import functools
import importlib
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from translator.base.errors import missing_package
from translator.config.schema import Config
from translator.runs.directory import RunDirectory
from translator.runs.figures import Figures
from translator.training.hooks import ADVISERS, FINISHERS, RECORDERS, WARNERS

if TYPE_CHECKING:
    from translator.data.preparation import TrainingData
    from translator.training.clock import Room


def _warn(config: Config, data: "TrainingData", updates: int, room: "Room | None") -> Iterable[str]:
    from translator.addons.monitoring.prospects import offer_known_model, warn

    return [*warn(config, data, updates, room), *offer_known_model(config, data)]


def _advise(
    config: Config,
    validations: Sequence[Figures],
    run: RunDirectory,
    updates: int,
    pairs: int,
    room: "Room | None",
) -> str | None:
    from translator.addons.monitoring.advice import Trained, advise

    epochs = config.training.epochs
    last_of_another_epoch = updates + updates // epochs - 1
    is_over = config.training.schedule.is_zero_after(last_of_another_epoch)
    return advise(Trained(config, validations, run.path, is_over, pairs, updates, room))


def _finish(run: RunDirectory, data: "TrainingData", report: Callable[[str], None]) -> None:
    from translator.addons.monitoring.prospects import compare_with_known_model

    compare_with_known_model(run, data, report)


def record_scalars(config: Config, run: RunDirectory) -> Callable[[Figures, Figures], None] | None:
    """What writes the figures of each validation, where ``training.tensorboard`` asks for it."""
    if not config.training.tensorboard:
        return None
    try:
        importlib.import_module("tensorboard")
    except ModuleNotFoundError as error:
        raise missing_package(error) or error from None
    return functools.partial(write_scalars, run.tensorboard)


def write_scalars(folder: Path, figures: Figures, times: Figures) -> None:
    """Adds the figures of a validation.

    Args:
        folder: for TensorBoard's ``--logdir``.
        figures: a line of ``metrics.jsonl``.
        times: a line of ``times.jsonl``.
    """
    from tensorboard.compat.proto.event_pb2 import Event
    from tensorboard.compat.proto.summary_pb2 import Summary
    from tensorboard.summary.writer.event_file_writer import EventFileWriter

    values = []
    for name, value in {**times, **figures}.items():
        if name != "updates":
            side = "validation" if name.startswith("val_") else "training"
            tag = f"{side}/{name.removeprefix('val_')}"
            values.append(Summary.Value(tag=tag, simple_value=value))
    event = Event(step=figures["updates"], wall_time=time.time(), summary=Summary(value=values))
    writer = EventFileWriter(str(folder))
    writer.add_event(event)
    writer.close()


WARNERS.register(_warn)
FINISHERS.register(_finish)
RECORDERS.register(record_scalars)
ADVISERS.register(_advise)
