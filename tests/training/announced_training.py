"""Trains, and says on standard output what it is about to do, for a parent to kill it there.

python announced_training.py CONFIG RUN
"""

import io
import sys
import time

import numpy as np

from translator.config_file import read_config
from translator.run import RunDirectory
from translator.startup import start_keras

PAUSE = 0.3  # seconds in the middle of writing, for the parent to act

start_keras()

from translator import weights  # noqa: E402
from translator.training.callbacks import Updates  # noqa: E402
from translator.training.trainer import train  # noqa: E402

note, save = Updates.on_train_batch_end, np.savez


def announce(self, batch, logs=None):
    """Says that an update was made."""
    note(self, batch, logs)
    print("update", flush=True)


def save_slowly(file, **arrays):
    """Writes half, says so, and waits before the other half."""
    content = io.BytesIO()
    save(content, **arrays)
    half = len(content.getvalue()) // 2
    file.write(content.getvalue()[:half])
    file.flush()
    print("writing", flush=True)
    time.sleep(PAUSE)
    file.write(content.getvalue()[half:])


if __name__ == "__main__":
    Updates.on_train_batch_end = announce
    weights.np.savez = save_slowly
    run = RunDirectory(sys.argv[2])
    resume = run.marker.exists()
    train(read_config(sys.argv[1]), run.path, resume, lambda line: print(line, file=sys.stderr))
