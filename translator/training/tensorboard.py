"""Figures for TensorBoard, in addition to the run's own files."""

import importlib
from pathlib import Path

from translator.base.errors import InputError
from translator.training.state import Figures


def check_tensorboard() -> None:
    """Checks that TensorBoard is installed.

    Raises:
        InputError: it is not.
    """
    try:
        importlib.import_module("tensorboard")
    except ImportError:
        raise InputError(
            "training.tensorboard: expected TensorBoard, found it is not installed;"
            " pip install 'keras-translator[tensorboard]', or set training.tensorboard: false"
        ) from None


def write_scalars(folder: Path, figures: Figures, times: Figures) -> None:
    """Adds the figures of a validation.

    Args:
        folder: for TensorBoard's ``--logdir``.
        figures: a line of ``metrics.jsonl``.
        times: a line of ``times.jsonl``.
    """
    import tensorflow as tf

    writer = tf.summary.create_file_writer(str(folder))
    with writer.as_default(step=figures["updates"]):
        for name, value in {**times, **figures}.items():
            if name != "updates":
                side = "validation" if name.startswith("val_") else "training"
                tf.summary.scalar(f"{side}/{name.removeprefix('val_')}", value)
    writer.close()
