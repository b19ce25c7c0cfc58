"""Trains, and says on standard output when it makes an update or is in the middle of writing.

python announced_training.py CONFIG RUN PAUSE: at writing number PAUSE it waits to be killed.
"""

import io
import sys
import time

import numpy as np

from translator.config_file import read_config
from translator.run import RunDirectory
from translator.startup import start_keras

start_keras()

from translator import weights  # noqa: E402
from translator.training.callbacks import Updates  # noqa: E402
from translator.training.trainer import train  # noqa: E402

note, save, written = Updates.on_train_batch_end, np.savez, []


def announce(self, batch, logs=None):
    """Says that an update was made."""
    note(self, batch, logs)
    print("update", flush=True)


def save_in_halves(file, **arrays):
    """Writes half, says so, and waits if this is the place, before the other half."""
    content = io.BytesIO()
    save(content, **arrays)
    half = len(content.getvalue()) // 2
    file.write(content.getvalue()[:half])
    file.flush()
    written.append(file.name)
    print("writing", flush=True)
    if len(written) == int(sys.argv[3]):
        time.sleep(60)
    file.write(content.getvalue()[half:])


if __name__ == "__main__":
    Updates.on_train_batch_end = announce
    weights.np.savez = save_in_halves
    run = RunDirectory(sys.argv[2])
    resume = run.marker.exists()
    train(read_config(sys.argv[1]), run.path, resume, lambda line: print(line, file=sys.stderr))
