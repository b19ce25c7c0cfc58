"""Trains, and says on standard output what it is about to do, or in the middle of.

python announced_training.py CONFIG RUN [EVENT COUNT]: at that event it waits to be killed.
An event is an update, a writing (of half a file of weights), a renaming (between the two of a
state), a translation (of the validation split), an average (before it is kept) or an export
(before it is whole).
"""

import collections
import io
import os
import sys
import time

import numpy as np

from translator.base.keras_startup import start_keras
from translator.config.yaml_file import read_config
from translator.runs.directory import RunDirectory

start_keras()

from translator.base import files as writing  # noqa: E402
from translator.export import formats  # noqa: E402
from translator.runs import weights  # noqa: E402
from translator.training import trainer  # noqa: E402
from translator.training.callbacks import UpdateCounter  # noqa: E402
from translator.training.start import train  # noqa: E402
from translator.training.validation import Validation  # noqa: E402

save, replace = np.savez, os.replace
seen = collections.Counter()


def announce(event):
    """Says that something happens, and waits if this is the place."""
    seen[event] += 1
    print(event, flush=True)
    if sys.argv[3:] == [event, str(seen[event])]:
        time.sleep(60)


def announcing(function, event, after=False):
    """The same function, which says so."""

    def announced(*args, **kwargs):
        if not after:
            announce(event)
        result = function(*args, **kwargs)
        if after:
            announce(event)
        return result

    return announced


def save_in_halves(file, **arrays):
    """Writes half, says so, and waits if this is the place, before the other half."""
    content = io.BytesIO()
    save(content, **arrays)
    half = len(content.getvalue()) // 2
    file.write(content.getvalue()[:half])
    file.flush()
    announce("writing")
    file.write(content.getvalue()[half:])


def replace_in_steps(source, target):
    """Says so where a state has got out of the way of the next."""
    replace(source, target)
    if str(target).endswith("before-last.npz"):
        announce("renaming")


if __name__ == "__main__":
    UpdateCounter.on_train_batch_end = announcing(
        UpdateCounter.on_train_batch_end, "update", after=True
    )
    Validation.translate = announcing(Validation.translate, "translation")
    weights.np.savez = save_in_halves
    writing.os.replace = replace_in_steps
    trainer.keep_average_if_better = announcing(trainer.keep_average_if_better, "average")
    formats.describe_export = announcing(formats.describe_export, "export")
    run = RunDirectory(sys.argv[2])
    config, resume = read_config(sys.argv[1]), run.record.exists()
    train(config, run.path, resume, lambda line: print(line, file=sys.stderr), deterministic=True)
