"""Trains, and says on standard output what it is about to do, or in the middle of.

python announced_training.py CONFIG RUN [EVENT COUNT]: at that event it waits to be killed.
An event is an update, a writing (of half a file of weights), a renaming (between the two of a
state), a translation (of the validation split), an average (before it is kept) or an export
(before it is whole).
"""

import collections
import os
import sys
import time

from translator.base.keras_startup import start_keras
from translator.config.yaml_file import read_config
from translator.runs import weights
from translator.runs.directory import RunDirectory
from translator.runs.weights import save_arrays

start_keras()

from translator.base import files as writing  # noqa: E402
from translator.export import ctranslate2  # noqa: E402
from translator.training import trainer  # noqa: E402
from translator.training.loop import Training  # noqa: E402
from translator.training.start import train  # noqa: E402
from translator.training.validation import Validation  # noqa: E402

replace = os.replace
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


class Halves(dict):
    """Arrays that say so, and wait if this is the place, once half of them are written."""

    def items(self):
        for number, item in enumerate(super().items()):
            if number == len(self) // 2:
                announce("writing")
            yield item


def replace_in_steps(source, target):
    """Says so where a state has got out of the way of the next."""
    replace(source, target)
    if str(target).endswith("before-last.npz"):
        announce("renaming")


if __name__ == "__main__":
    Training._between_updates = announcing(Training._between_updates, "update", after=True)
    Validation.translate = announcing(Validation.translate, "translation")
    weights.save_arrays = lambda path, arrays, *others: save_arrays(path, Halves(arrays), *others)
    writing.os.replace = replace_in_steps
    trainer.keep_average_if_better = announcing(trainer.keep_average_if_better, "average")
    ctranslate2.describe_export = announcing(ctranslate2.describe_export, "export")
    run = RunDirectory(sys.argv[2])
    config, resume = read_config(sys.argv[1]), run.record.exists()
    train(config, run.path, resume, lambda line: print(line, file=sys.stderr), deterministic=True)
