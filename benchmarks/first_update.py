"""Measures the processor's time from the start of a training to its first update.

    python benchmarks/first_update.py

The corpus is encoded already. Load on the machine changes this time less than that of a clock.
"""

import statistics
import sys
import tempfile
from pathlib import Path

import harness

from translator.cli import errors_as_one_line

STOPPING = """
import os
from translator.cli import main
from translator.training.hooks import OBSERVERS

def stopping(*_):
    import keras
    class AfterOneUpdate(keras.callbacks.Callback):
        on_train_batch_end = lambda *_: os._exit(0)
    return AfterOneUpdate()

OBSERVERS.register(stopping)
main()
"""


def main() -> None:
    """Prints the time."""
    parser = harness.Parser(__doc__, rounds=3)
    parser.add_argument("--config", type=Path, default=Path("configs/demo.yaml"))
    options = parser.parse(rounds=1)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        config = harness.write_small_config(folder) if options.small else options.config

        def start() -> float:
            run = f"{tempfile.mkdtemp(dir=folder)}/run"
            command = [sys.executable, "-c", STOPPING, "train", str(config), "--run", run]
            return harness.watch(command).processor_seconds

        [seconds] = harness.in_turns({"": start}, options.rounds).values()
    precision = "as `training.precision: auto` has it"
    found = f"{statistics.median(seconds):.1f} s"
    name = options.config.stem
    row = [f"{name}: start to first update, processor's time of all cores", found]
    harness.show(options, "first-update", "The first update", ["", "measured"], [row], precision)


if __name__ == "__main__":
    with errors_as_one_line():
        main()
