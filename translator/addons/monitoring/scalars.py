"""The figures of each validation for TensorBoard."""

import functools
import importlib
import time
from collections.abc import Callable
from pathlib import Path

from translator.base.errors import missing_package
from translator.config.schema import Config
from translator.runs.directory import RunDirectory
from translator.runs.figures import Figures


def record_scalars(config: Config, run: RunDirectory) -> Callable[[Figures, Figures], None] | None:
    """The writer of each validation's figures; None unless ``training.tensorboard`` is set."""
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
