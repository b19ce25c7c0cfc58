"""Measures what several devices and processes add to a training: losses, traffic, time.

    python benchmarks/devices.py

It trains the demo's model for some updates on 1, 2 and 4 virtual devices of the CPU, and on 1, 2
and 3 processes that meet at the loopback address, each in a fresh process. The difference is the
largest of an update's loss to that of one device, and the bytes are those that enter the collective
operations of the compiled update.
"""

import itertools
import multiprocessing
import re
import socket
import statistics
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import harness

from translator.cli import errors_as_one_line

ROWS = ((1, 1), (1, 2), (1, 4), (2, 1), (3, 1))  # processes, devices of each
UNTIMED = 10
BYTES = {"f32": 4, "u32": 4, "s32": 4, "f16": 2, "bf16": 2, "u8": 1, "pred": 1}
COLLECTIVE = re.compile(r" (all-reduce|all-gather|all-to-all|collective-permute|reduce-scatter)\(")


class Found(NamedTuple):
    """Of an update: its losses as it is repeated, what it moves, the bytes of the weights."""

    losses: list[float]
    moved: int
    weights: int
    seconds: float


def main() -> None:
    """Measures each row and prints them."""
    parser = harness.Parser(__doc__)
    parser.add_argument("--updates", type=int, default=30)
    options = parser.parse(updates=UNTIMED + 2)
    rows: list[harness.Row] = []
    alone: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        config = "configs/demo.yaml"
        if options.small:
            config = str(harness.write_small_config(Path(folder)))
        for processes, devices in ROWS[1:2] if options.small else ROWS:
            found = measure(config, devices, processes, options.updates)
            alone = alone or found.losses
            difference = max(abs(a - b) / b for a, b in zip(found.losses, alone))
            row: list[harness.Cell] = [
                str(processes),
                devices,
                round(found.losses[-1], 6),
                f"{difference:.0e}",
            ]
            times = round(found.moved / found.weights, 2)
            rows.append([*row, found.moved, times, round(1000 * found.seconds)])
    columns = ["processes", "devices of each", "cross-entropy", "largest difference"]
    columns += ["bytes moved an update", "times the weights", "ms an update"]
    title = f"The demo's model, one update {options.updates} times"
    harness.show(options, "devices", title, columns, rows)


def measure(config: str, devices: int, processes: int, updates: int) -> Found:
    """What the first of a row's processes finds."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{probe.getsockname()[1]}"
    with ProcessPoolExecutor(processes, multiprocessing.get_context("spawn")) as pool:
        numbers = range(processes)
        started = [
            pool.submit(work, config, devices, processes, number, address, updates)
            for number in numbers
        ]
        return [each.result() for each in started][0]


def work(
    config_path: str, devices: int, processes: int, number: int, address: str, updates: int
) -> Found:
    """Trains in one process."""
    import jax

    from translator.training.processes import Processes, ProcessGroup, connect

    jax.config.update("jax_num_cpu_devices", devices)
    if processes > 1:
        connect(Processes(ProcessGroup(address, processes, number)))
    from translator.base.keras_startup import set_random_seed, start_keras
    from translator.config.yaml_file import read_config

    start_keras("jax")
    from translator.data.batches import Batches
    from translator.data.preparation import prepare
    from translator.training.compilation import make_training_model
    from translator.training.feeding import training_layout
    from translator.training.hardware import sharing_batches
    from translator.training.resolution import resolve

    chosen = ("training.backend=jax", f"training.devices={devices}", "training.precision=float32")
    config = resolve(read_config(config_path, chosen))
    set_random_seed(config.training.seed)
    with sharing_batches(config.training):
        data = prepare(config, lambda line: None)
        model = make_training_model(config, data.tokenizers)
        layout = training_layout(config.training)
        seed = (config.training.seed, 0)
        batches = Batches(data.train, config.data, data.tokenizers, seed, layout)
        longest = int(batches.shapes[:, 1].argmax())
        batches.plan = [batches.plan[longest]] * updates
        batches.shapes = batches.shapes[[longest] * updates]
        batches.count = updates
        return train(model, batches)


def train(model: Any, batches: Any) -> Found:
    """Repeats an update."""
    import jax
    import keras

    from translator.training.callbacks import UnreadLogs
    from translator.training.feeding import feed

    losses, times = [], []

    def record(number: int, logs: Any) -> None:
        losses.append(float(logs["cross_entropy"]))
        times.append(time.perf_counter())

    recorder = keras.callbacks.LambdaCallback(on_train_batch_end=record)
    callbacks = UnreadLogs([recorder], add_history=True, model=model)
    model.fit(feed(batches), shuffle=False, verbose=0, callbacks=callbacks)
    data = feed(batches)[0]
    mesh = keras.distribution.distribution()
    if mesh is not None:
        data = jax.tree.map(
            lambda array: jax.make_array_from_process_local_data(
                mesh.get_data_layout(array.shape).backend_layout, array
            ),
            data,
        )
    kinds = [model.trainable_variables, model.non_trainable_variables]
    kinds += [model.optimizer.variables, model.metrics_variables]
    state = tuple([variable.value for variable in kind] for kind in kinds)
    text = jax.jit(model.train_step).lower(state, data).compile().as_text()
    seconds = [after - before for before, after in itertools.pairwise(times[UNTIMED:])]
    moved = count_moved_bytes(text)
    return Found(losses, moved, 4 * model.count_params(), statistics.median(seconds))


def count_moved_bytes(text: str) -> int:
    """The bytes that enter the collective operations of a compiled program."""
    total = 0
    for line in text.splitlines():
        found = COLLECTIVE.search(line.replace("-start(", "("))
        if found and " = " in line:
            result = line[line.index(" = ") : found.start()]
            for kind, sizes in re.findall(r"\b([a-z]+\d*)\[([\d,]*)\]", result):
                count = 1
                for size in filter(None, sizes.split(",")):
                    count *= int(size)
                total += BYTES[kind] * count
    return total


if __name__ == "__main__":
    with errors_as_one_line():
        main()
