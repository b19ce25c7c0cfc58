#!/usr/bin/env python
"""Measures what several devices and processes add to a training: losses, traffic, time.

    python benchmarks/devices.py
    python benchmarks/devices.py --estimates

The first command trains the demo's model for some updates on 1, 2 and 4 virtual devices of the
CPU, and on 1, 2 and 3 processes that meet at the loopback address, each in a fresh process. The
second computes from the sizes of models what an update moves, and how long that takes on usual
links; it trains nothing.
"""

import argparse
import itertools
import json
import re
import socket
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from typing import Any, NamedTuple

ROWS = ((1, 1), (2, 1), (4, 1), (1, 2), (1, 3))  # devices of a process, processes
UPDATES, UNTIMED = 30, 10
BYTES = {"f32": 4, "u32": 4, "s32": 4, "f16": 2, "bf16": 2, "u8": 1, "pred": 1}
COLLECTIVE = re.compile(r" (all-reduce|all-gather|all-to-all|collective-permute|reduce-scatter)\(")


class Size(NamedTuple):
    """A Transformer by its sizes; all with one vocabulary, tied on all three sides, or two."""

    name: str
    layers: int
    d_model: int
    dff: int
    vocabularies: int
    vocab_size: int

    @property
    def in_layers(self) -> int:
        """Parameters of encoder and decoder."""
        attention = 4 * (self.d_model + 1) * self.d_model
        network = 2 * self.d_model * self.dff + self.dff + self.d_model
        norms = 2 * self.d_model
        encoder, decoder = attention + network + 2 * norms, 2 * attention + network + 3 * norms
        return self.layers * (encoder + decoder)

    @property
    def parameters(self) -> int:
        """All of them; an output projection apart has a bias."""
        tables = self.vocabularies * self.vocab_size * self.d_model
        return self.in_layers + tables + (self.vocab_size if self.vocabularies == 3 else 0)

    @property
    def operations(self) -> int:
        """Floating-point operations for a target token with a source token, there and back.

        Two for each weight that it meets, and twice that for the gradients.
        """
        return 6 * (self.in_layers + self.vocab_size * self.d_model)


SIZES = (
    Size("the tutorial's", 4, 128, 512, 3, 10_002),
    Size("base", 6, 512, 2048, 1, 32_000),
    Size("big", 6, 1024, 4096, 1, 32_000),
)
LINKS = {
    "NVLink, 300 GB/s": 300e9,
    "PCIe 4, 25 GB/s": 25e9,
    "100 Gbit/s": 12.5e9,
    "10 Gbit/s": 1.25e9,
}
ASSUMED_SPEED = 400e12  # operations a second that a card of 989e12 is taken to reach in bfloat16
DEVICES = 8


def print_estimates() -> None:
    """How many target tokens a device must have in an update to hide the sum of its gradients."""
    columns = ["size", "parameters", "memory of the weights", f"moved, {DEVICES} devices", *LINKS]
    print_line(columns)
    print_line(["---"] * len(columns))
    for size in SIZES:
        moved = 2 * (DEVICES - 1) / DEVICES * 4 * size.parameters
        tokens = (moved / speed * ASSUMED_SPEED / size.operations for speed in LINKS.values())
        memory = f"{16 * size.parameters / 2**30:.2f} GiB"  # weight, gradient, two moments
        cells = [size.name, f"{size.parameters:,}", memory, f"{moved / 1e6:,.0f} MB"]
        print_line([*cells, *(f"{count:,.0f} tokens" for count in tokens)])


def print_line(cells: Sequence[str]) -> None:
    """Prints a line of a table."""
    print(f"| {' | '.join(cells)} |", flush=True)


def measure_row(devices: int, processes: int) -> dict[str, Any]:
    """What the first of a row's processes finds."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    started = [
        subprocess.Popen(
            [sys.executable, __file__, "--worker", *map(str, (devices, processes, number, port))],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        for number in range(processes)
    ]
    outputs = [process.communicate()[0] for process in started]
    found: dict[str, Any] = json.loads(outputs[0].splitlines()[-1])
    return found


def work(devices: int, processes: int, number: int, port: int) -> None:
    """Trains in one process, and prints what it has found as JSON."""
    import jax

    from translator.training.processes import Processes, ProcessGroup, connect

    jax.config.update("jax_num_cpu_devices", devices)
    if processes > 1:
        connect(Processes(ProcessGroup(f"127.0.0.1:{port}", processes, number)))
    from translator.base.keras_startup import set_random_seed, start_keras
    from translator.config.yaml_file import read_config

    start_keras("jax")
    from translator.data.preparation import prepare
    from translator.training.compilation import make_training_model
    from translator.training.devices import sharing_batches
    from translator.training.epochs import Epochs
    from translator.training.resolution import resolve

    chosen = ("training.backend=jax", f"training.devices={devices}", "training.precision=float32")
    config = resolve(read_config("configs/demo.yaml", chosen))
    set_random_seed(config.training.seed)
    with sharing_batches(config.training):
        data = prepare(config, lambda line: None)
        model = make_training_model(config, data.tokenizers)
        batches = Epochs(config, data).batches(0)
        longest = batches.shapes[:, 1] == batches.shapes[:, 1].max()
        print(json.dumps(train(model, batches, longest.nonzero()[0][0])))


def train(model: Any, batches: Any, update: int) -> dict[str, Any]:
    """Repeats one update: its losses, what it moves between devices, its median time."""
    import jax
    import keras

    from translator.training.callbacks import UnreadLogs
    from translator.training.feeding import feed

    losses, times = [], []

    class Recorder(keras.callbacks.Callback):
        def on_train_batch_end(self, batch: int, logs: Any = None) -> None:
            losses.append(float(logs["cross_entropy"]))
            times.append(time.perf_counter())

    callbacks = UnreadLogs([Recorder()], add_history=True, model=model)
    plan = batches.plan[update], batches.shapes[update]
    batches.plan, batches.shapes = [plan[0]] * UPDATES, batches.shapes[[update] * UPDATES]
    batches.count = UPDATES
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
    variables = (model.trainable_variables, model.non_trainable_variables)
    variables += (model.optimizer.variables, model.metrics_variables)
    state = tuple([variable.value for variable in kind] for kind in variables)
    text = jax.jit(model.train_step).lower(state, data).compile().as_text()
    seconds = [after - before for before, after in itertools.pairwise(times[UNTIMED:])]
    return {
        "losses": losses,
        "moved": count_moved_bytes(text),
        "weights": 4 * model.count_params(),
        "seconds": statistics.median(seconds),
    }


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


def main(arguments: Sequence[str] | None = None) -> None:
    """Prints the tables."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--estimates", action="store_true", help="only compute from the sizes")
    parser.add_argument("--worker", nargs=4, type=int, help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.worker:
        work(*options.worker)
    elif options.estimates:
        print_estimates()
    else:
        print_measured()


def print_measured() -> None:
    """Measures each row and prints it."""
    columns = ["processes", "devices of each", f"cross-entropy after {UPDATES} updates"]
    columns += ["largest difference of an update", "bytes moved an update", "times the weights"]
    columns += ["ms an update"]
    print_line(columns)
    print_line(["---"] * len(columns))
    alone: list[float] = []
    for devices, processes in ROWS:
        found = measure_row(devices, processes)
        alone = alone or found["losses"]
        difference = max(abs(a - b) / b for a, b in zip(found["losses"], alone))
        moved, seconds = found["moved"], found["seconds"]
        cells = [str(processes), str(devices), f"{found['losses'][-1]:.6f}", f"{difference:.0e}"]
        cells += [f"{moved:,}", f"{moved / found['weights']:.2f}", f"{1000 * seconds:.0f}"]
        print_line(cells)


if __name__ == "__main__":
    main()
