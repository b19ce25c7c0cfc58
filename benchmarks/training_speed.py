"""Real target tokens per second of a training step, compared with PyTorch and with padding.

    pip install ".[bench]"
    python benchmarks/training_speed.py [--set tokenizer.stand_in=target]

Every row is a process of its own that trains the model of configs/tatoeba.yaml on the
same batches of the corpus, with the same number of threads. The rows take turns, so that
other load on the machine affects all of them; a row's figure is its median.
"""

import argparse
import multiprocessing
import statistics
import time
from multiprocessing.connection import Connection
from typing import NamedTuple

import numpy as np

from translator.base.errors import InputError
from translator.base.keras_startup import start_keras
from translator.base.machine import ALL_CORES
from translator.cli import errors_as_one_line
from translator.config.schema import Config, ModelConfig
from translator.config.yaml_file import read_config

UNTIMED = 5  # batches at the beginning of each round
ROWS = {  # name: (worker, its options)
    "translator, float32": ("keras", {}),
    "PyTorch, float32": ("torch", {}),
    "PyTorch, float32, torch.compile": ("torch", {"compiled": True}),
    "translator, float32, padded to the longest": ("keras", {"padded": True}),
    "translator, bfloat16": ("keras", {"bfloat16": True}),
    "PyTorch, bfloat16": ("torch", {"bfloat16": True}),
}


class Drawn(NamedTuple):
    """The data of a round: (source, target) ids of each batch, and what PyTorch's model needs."""

    batches: list[tuple[np.ndarray, np.ndarray]]
    vocab_sizes: tuple[int, int]
    padding_ids: tuple[int, int]
    longest: tuple[int, int]
    positions: np.ndarray


def main() -> None:
    """Measures all rows and prints them."""
    options = parse_arguments()
    config = read_config(options.config, tuple(options.set))
    check(config)
    context = multiprocessing.get_context("spawn")
    with context.Pool(1) as pool:  # TensorFlow stays out of this process
        drawn = pool.apply(draw_batches, (config, options.batches))
    tokens = report_batches(drawn)
    rows = {name: start(context, row, config, drawn) for name, row in ROWS.items()}
    rows = {name: row for name, row in rows.items() if ready(name, row)}
    seconds: dict[str, list[float]] = {name: [] for name in rows}
    for number in range(options.rounds + 1):
        for name, connection in rows.items():
            connection.send("go")
            taken, loss = connection.recv()
            if number:  # the first round warms up
                seconds[name].append(taken)
            print(f"round {number}, {name}: {tokens / taken:,.0f} tokens/s, loss {loss:.3f}")
    for connection in rows.values():
        connection.send(None)
    print_table({name: [tokens / s for s in taken] for name, taken in seconds.items()})


def parse_arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--config", default="configs/tatoeba.yaml")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--batches", type=int, default=60, help="of each round")
    return parser.parse_args()


def check(config: Config) -> None:
    """Refuses a model that the one in PyTorch differs from."""
    usual = ModelConfig()
    for key in ("head_dim", "activation", "normalize_first", "tied_embeddings"):
        if getattr(config.model, key) != getattr(usual, key):
            raise InputError(
                f"model.{key}: expected {getattr(usual, key)}, which the model in PyTorch has"
            )
    if config.training.label_smoothing:
        raise InputError("training.label_smoothing: expected 0, which the model in PyTorch has")


def draw_batches(config: Config, count: int) -> Drawn:
    """The first batches of the first epoch, and what a model needs to know about them."""
    start_keras()
    from translator.data.batches import Batches
    from translator.data.preparation import prepare
    from translator.data.tensorflow_batches import make_dataset
    from translator.model.constants import sinusoidal_positions

    data = prepare(config, print)
    batches = Batches(data.train, config.data, data.tokenizers, (config.training.seed, 0))
    print(
        f"{batches.count:,} batches an epoch, {batches.padding_share:.1%} of positions are padding"
    )
    drawn = [
        (source, np.concatenate([target_in[:, :1], target_out], axis=1))
        for (source, target_in), target_out in make_dataset(batches).take(count).as_numpy_iterator()
    ]
    return Drawn(
        drawn,
        tuple(tokenizer.size for tokenizer in data.tokenizers),
        batches.padding_ids,
        tuple(int(side.lengths.max()) for side in data.train),
        sinusoidal_positions(config.data.max_length, config.model.d_model),
    )


def report_batches(drawn: Drawn) -> int:
    """Prints the size of a round; returns its real target tokens."""
    targets = [target for _, target in drawn.batches[UNTIMED:]]
    tokens = sum(int(np.sum(target[:, 1:] != drawn.padding_ids[1])) for target in targets)
    print(
        f"a round: {len(targets)} batches, {sum(map(len, targets)):,} sentences, {tokens:,} real"
        f" target tokens, after {UNTIMED} untimed batches; the corpus's longest sentences have"
        f" {drawn.longest} tokens"
    )
    return tokens


def start(context, row, config: Config, drawn: Drawn) -> Connection:
    """Starts a row's process; it answers each "go" with (seconds, loss)."""
    worker, kind = row
    here, there = context.Pipe()
    target = {"keras": work_keras, "torch": work_torch}[worker]
    arguments = (there, config, drawn, kind)
    context.Process(target=target, args=arguments, daemon=True).start()
    return here


def ready(name: str, connection: Connection) -> bool:
    """Waits until a row can start; prints the reason if it cannot."""
    problem = connection.recv()
    if problem:
        print(f"{name}: left out, {problem}")
    return not problem


def work_keras(there: Connection, config: Config, drawn: Drawn, kind) -> None:
    """A row of this program: `fit` as ``translator train`` calls it, without bar and signals."""
    start_keras()
    import keras

    from translator.data.batches import Batches, BatchLayout
    from translator.data.preparation import prepare
    from translator.data.tensorflow_batches import make_dataset
    from translator.training.compilation import make_training_model
    from translator.training.hardware import make_deterministic
    from translator.training.resolution import resolve

    precision = "bfloat16" if kind.get("bfloat16") else "float32"
    training = config.training.model_copy(update={"precision": precision})
    config = resolve(config.model_copy(update={"training": training}))
    make_deterministic(config.training)
    keras.utils.set_random_seed(training.seed)
    data = prepare(config, lambda line: None)
    model = make_training_model(config, data.tokenizers)
    shards = config.training.data_parallel
    batches = Batches(
        data.train, config.data, data.tokenizers, (training.seed, 0), BatchLayout(shards=shards)
    )
    if kind.get("padded"):
        batches.shapes[:, 1:] = [int(side.lengths.max()) for side in data.train]
    dataset = make_dataset(batches, 0, len(drawn.batches))
    times: list[float] = []
    clock = keras.callbacks.LambdaCallback(
        on_train_batch_end=lambda batch, logs: times.append(time.perf_counter())
    )
    there.send(None)
    while there.recv():
        times.clear()
        history = model.fit(dataset, shuffle=False, verbose=0, callbacks=[clock])
        there.send((times[-1] - times[UNTIMED - 1], history.history["cross_entropy"][0]))


def work_torch(there: Connection, config: Config, drawn: Drawn, kind) -> None:
    """A row of PyTorch."""
    try:
        import torch
        from pytorch_transformer import Transformer, make_step
    except ImportError as error:
        there.send(f'{error}; pip install ".[bench]"')
        return
    torch.set_num_threads(ALL_CORES)
    torch.manual_seed(config.training.seed)
    sizes = config.model
    model = Transformer(
        drawn.vocab_sizes,
        drawn.padding_ids,
        torch.from_numpy(drawn.positions),
        sizes.num_layers,
        sizes.num_heads,
        sizes.dff,
        sizes.dropout_rate,
    )
    step = make_step(model, 1e-4, kind.get("bfloat16", False), kind.get("compiled", False))
    tensors = [tuple(torch.from_numpy(side).long() for side in pair) for pair in drawn.batches]
    try:
        step(*tensors[0])
    except Exception as error:  # torch.compile needs a C++ compiler
        there.send(f"{type(error).__name__}: {str(error).partition(chr(10))[0]}")
        return
    there.send(None)
    while there.recv():
        losses = [step(*pair).item() for pair in tensors[:UNTIMED]]
        began = time.perf_counter()
        losses += [step(*pair).item() for pair in tensors[UNTIMED:]]
        there.send((time.perf_counter() - began, statistics.fmean(losses)))


def print_table(speeds: dict[str, list[float]]) -> None:
    """Prints each row's median and range, and how much faster our row of its precision is."""
    width = max(map(len, speeds))
    medians = {name: statistics.median(found) for name, found in speeds.items()}
    print(f"\n{'':<{width}}  {'real target tokens/s':>20}  {'range':>16}  translator is")
    for name, found in speeds.items():
        precision = next(each for each in ("float32", "bfloat16") if each in name)
        ours = medians[next(other for other in speeds if precision in other)]
        span = f"{min(found):,.0f} to {max(found):,.0f}"
        ratio = f"{ours / medians[name]:.2f} times it"
        print(f"{name:<{width}}  {medians[name]:>20,.0f}  {span:>16}  {ratio}")


if __name__ == "__main__":
    with errors_as_one_line():
        main()
