"""Real target tokens per second of a training step, compared with PyTorch and with padding.

    pip install ".[bench]"
    python benchmarks/training_speed.py [--set tokenizer.stand_in=target]

Every row is a process of its own that trains the model of configs/tatoeba.yaml on the
same batches of the corpus, with the same number of threads. The rows take turns, so that
other load on the machine affects all of them; a row's figure is its median.
"""

import argparse
import contextlib
import statistics
import tempfile
from pathlib import Path
from typing import Any

import harness
from training_rows import Workload, prepare_keras, prepare_pytorch

from translator.base.errors import InputError
from translator.cli import errors_as_one_line
from translator.config.schema import Config, ModelConfig
from translator.config.yaml_file import read_config

UNTIMED = 5  # batches at the beginning of each round
ROWS: dict[str, tuple[str, dict[str, bool]]] = {  # name: precision, and how it differs
    "translator, float32": ("float32", {}),
    "PyTorch, float32": ("float32", {"compiled": False}),
    "PyTorch, float32, torch.compile": ("float32", {"compiled": True}),
    "translator, float32, padded to the longest": ("float32", {"is_padded": True}),
    "translator, bfloat16": ("bfloat16", {}),
    "PyTorch, bfloat16": ("bfloat16", {"compiled": False}),
}


def main() -> None:
    """Measures all rows and prints them."""
    parser = harness.Parser(__doc__, rounds=5)
    parser.add_argument("--config", type=Path, default=Path("configs/tatoeba.yaml"))
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE")
    parser.add_argument("--batches", type=int, default=60, help="of each round")
    options = parser.parse(rounds=1, batches=UNTIMED + 1, config=None)
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as workers:
        config = read_config(
            options.config or harness.write_small_config(Path(folder)), tuple(options.set)
        )
        check(config)
        turns = {}
        for name, (precision, how) in ROWS.items():
            try:
                worker = start(config, precision, options, **how)
            except harness.WorkerFailed as error:
                print(f"{name}: left out, {error}")
                continue
            workers.enter_context(contextlib.closing(worker))
            turns[name] = worker.ask
        rounds = harness.in_turns(turns, options.rounds)
    speeds = {name: [each.tokens / each.seconds for each in its] for name, its in rounds.items()}
    medians = {name: statistics.median(found) for name, found in speeds.items()}
    rows = []
    for name, found in speeds.items():
        ours = medians[f"translator, {ROWS[name][0]}"]
        ratio = None if medians[name] == ours else round(ours / medians[name], 2)
        rows.append([name, round(medians[name]), harness.spread(found), ratio])
    columns = ["", "tokens/s", "range", "translator in the same precision, times"]
    title = "Real target tokens a second of a training step"
    harness.show(options, "training-speed", title, columns, rows, "as the rows say")


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


def start(
    config: Config, precision: str, options: argparse.Namespace, **how: Any
) -> harness.Worker:
    """Starts the process of a row; a row of PyTorch says whether it is compiled."""
    training = config.training.model_copy(update={"precision": precision})
    config = config.model_copy(update={"training": training})
    work = Workload(config, options.batches, UNTIMED, is_padded=how.get("is_padded", False))
    is_process = not options.small
    if "compiled" not in how:
        return harness.Worker(prepare_keras, work, is_process=is_process)
    arguments = (work, precision == "bfloat16", how["compiled"], False)
    return harness.Worker(prepare_pytorch, *arguments, is_process=is_process)


if __name__ == "__main__":
    with errors_as_one_line():
        main()
