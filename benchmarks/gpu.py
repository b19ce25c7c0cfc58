r"""Measures training on a GPU: speed, memory and whole trainings, as Markdown tables.

    pip install ".[jax-cuda,bench]"
    python benchmarks/gpu.py > gpu.md
    python benchmarks/gpu.py --parts --train configs/multi30k.yaml configs/tatoeba-best.yaml

Speed: `fit` as ``translator train`` calls it, with JAX in bfloat16, and two models in PyTorch on
the same batches, compiled, with fused attention and fused Adam: the same model written out
(`benchmarks/pytorch_transformer.py`), and the same with the layers of PyTorch's ``nn.Transformer``.
Each is a process of its own. They take turns, and a row's figure is the median of its rounds; the
first round, which compiles, is apart. Memory: each row is a process that is alone on the GPU.
What happens meanwhile is printed to standard error. With --try, all is tiny and runs on a CPU too.
"""

import argparse
import contextlib
import importlib.metadata
import json
import platform
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from training_workers import (
    FED,
    GATHERED,
    ON_DEVICE,
    Device,
    Worker,
    WorkerFailed,
    closing,
    prepare_description,
    prepare_keras,
    prepare_memory,
    prepare_pytorch,
)
from training_workloads import CASES, OF_MEMORY, TINY, Workload, find_peak, make_workload

from translator.base.errors import InputError
from translator.cli import errors_as_one_line

OURS = "translator"
ROWS = {  # name: (what makes its process, further arguments, its kinds of rounds)
    OURS: (prepare_keras, (), (FED, ON_DEVICE, GATHERED)),
    "PyTorch, written out": (prepare_pytorch, (False,), (FED,)),
    "PyTorch, nn.Transformer": (prepare_pytorch, (True,), (FED,)),
}
PARTS = ("speed", "memory")
MEMORY_UPDATES = 8  # of a row
MEMORY_TOKENS = [4096, 16384, 32768, 65536]
MOST_TOKENS = 2**21  # of a batch
TRY = {"batch_tokens": 1024, "updates": 8, "rounds": 2, "memory_tokens": [1024]}


class Timed(NamedTuple):
    """A round: its seconds without untimed updates, and all seconds that it took."""

    seconds: float
    in_all: float


Rounds = dict[tuple[str, str], list[Timed]]  # of each row and kind; the first one compiles


def main() -> None:
    """Prints all tables."""
    options = parse_arguments()
    device = find_device(options)
    if "speed" in options.parts:
        print_speed(options, device)
    if "memory" in options.parts:
        print_memory(options, device)
    if options.train:
        print_trainings(options)


def parse_arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--parts", nargs="*", choices=PARTS, default=PARTS, help="default: both")
    parser.add_argument("--cases", nargs="+", choices=CASES, default=list(CASES), help="of speed")
    parser.add_argument("--batch-tokens", type=int, default=16384, help="of each side")
    parser.add_argument("--updates", type=int, default=120, help="of a round, about")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--memory-tokens", type=int, nargs="+", default=MEMORY_TOKENS)
    parser.add_argument("--train", nargs="+", default=[], metavar="CONFIG", help="train and score")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="of these")
    parser.add_argument("--runs", type=Path, default=Path("checkpoints/gpu"), help="of these")
    parser.add_argument("--try", action="store_true", dest="small", help="tiny sizes, any device")
    options = parser.parse_args()
    if options.small:
        vars(options).update(TRY)
    return options


def find_device(options: argparse.Namespace) -> Device:
    """Prints the device, the precision and the versions; takes out the parts that need a GPU."""
    versions = []
    for package in ("jax", "keras", "torch"):
        with contextlib.suppress(importlib.metadata.PackageNotFoundError):
            versions.append(f"{package} {importlib.metadata.version(package)}")
    try:
        with closing(Worker(prepare_description)) as worker:
            device = worker.ask()
        reason = "JAX finds no GPU; --try measures tiny sizes on a CPU"
    except WorkerFailed as error:
        device, reason = Device("none", "no device"), str(error)
    of_python = f"Python {platform.python_version()}"
    print(", ".join([device.kind, "bfloat16", *versions, of_python]), flush=True)
    if device.platform != "gpu" and not (options.small and device.platform == "cpu"):
        if options.parts:
            print(f"\nLeft out, {' and '.join(options.parts)}: {reason}", flush=True)
        options.parts = ()
    return device


def report(line: str) -> None:
    """Prints what happens while it is measured."""
    print(line, file=sys.stderr, flush=True)


def format_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table of Markdown; all columns but the first are aligned to the right."""
    lines = [header, ["---", *["---:"] * (len(header) - 1)], *rows]
    return "\n".join(f"| {' | '.join(line)} |".replace("|  |", "| |") for line in lines)


def print_speed(options: argparse.Namespace, device: Device) -> None:
    """Prints the speed of all rows, and what is known of where the time goes."""
    speeds, splits, notes = [], [], []
    cases = {"tiny": TINY} if options.small else {name: CASES[name] for name in options.cases}
    for name, case in cases.items():
        sizes = options.batch_tokens, options.updates, min(5, options.updates // 3)
        work = make_workload(case, *sizes, device.platform == "gpu")
        notes.append(f"{name}: {describe(work)}")
        rounds, problems = measure_case(name, work, options.rounds)
        notes += [f"{name}: {row}: left out, {reason}" for row, reason in problems.items()]
        lines = speed_lines(name, work, rounds, find_peak(device.kind))
        report("\n".join(map(" | ".join, lines)))
        speeds += lines
        if (OURS, FED) in rounds:
            splits.append(split_line(name, work, rounds))
    columns = ("tokens/s", "range", "ms an update", "share of the peak", "compiling")
    print(f"\n{format_table(['', *columns, 'translator is'], speeds)}")
    columns = ("ms an update", "with all data on the device", "gathering alone")
    print(f"\n{format_table(['translator', *columns], splits)}\n")
    print("\n".join(f"- {note}" for note in notes), flush=True)


def describe(work: Workload) -> str:
    """What a round of it is."""
    updates, tokens, flops = work.count_timed()
    sizes, data, tables = work.config.model, work.config.data, "three tables"
    if sizes.tied_embeddings == "all":
        tables = "one table"
    return (
        f"num_layers {sizes.num_layers}, d_model {sizes.d_model}, num_heads {sizes.num_heads},"
        f" dff {sizes.dff}, {work.vocab_size:,} pieces ({tables}); a round has {updates} updates of"
        f" at most {data.batch_tokens:,} tokens a side, {tokens:,} real target tokens and"
        f" {flops / 1e12:.3g} teraFLOPs of the model; {work.batches().padding_share:.1%} of"
        " positions are padding"
    )


def measure_case(name: str, work: Workload, rounds: int) -> tuple[Rounds, dict[str, str]]:
    """Measures the rows of a case in turns.

    Returns:
        Their rounds, and why rows are missing.
    """
    found: Rounds = {}
    problems: dict[str, str] = {}
    with contextlib.ExitStack() as while_measuring:
        workers = {}
        for row, (prepare, more, _) in ROWS.items():
            report(f"{name}: {row}: starting")
            try:
                workers[row] = while_measuring.enter_context(closing(Worker(prepare, work, *more)))
            except WorkerFailed as error:
                problems[row] = str(error)
        for number in range(rounds + 1):
            for row in [row for row in workers if row not in problems]:
                report(f"{name}: {row}: round {number}")
                try:
                    ask_for_rounds(row, workers[row], found)
                except WorkerFailed as error:
                    problems[row] = str(error)
    return {key: timed for key, timed in found.items() if key[0] not in problems}, problems


def ask_for_rounds(row: str, worker: Worker, found: Rounds) -> None:
    """Lets a row make a round of each of its kinds, and adds them to what was found."""
    *_, kinds = ROWS[row]
    for kind in kinds:
        began = time.perf_counter()
        answer = worker.ask(kind)
        timed = Timed(answer.seconds, time.perf_counter() - began)
        found.setdefault((row, kind), []).append(timed)
        report(
            f"  {kind}: {timed.seconds:.3f} s of {timed.in_all:.3f}, mean loss {answer.loss:.3f}"
        )


def median(timed: Sequence[Timed]) -> float:
    """Seconds of a round, without the first one."""
    return statistics.median(each.seconds for each in timed[1:])


def speed_lines(name: str, work: Workload, rounds: Rounds, peak: float | None) -> list[list[str]]:
    """The lines of a case in the table of speed.

    Args:
        name: of the case.
        work: what was measured.
        rounds: of its rows.
        peak: of the device, operations a second; None where it is unknown.
    """
    updates, tokens, flops = work.count_timed()
    ours = rounds.get((OURS, FED))
    lines = []
    for row in [row for row, kind in rounds if kind == FED]:
        timed = rounds[row, FED]
        seconds = median(timed)
        speeds = sorted(tokens / each.seconds for each in timed[1:])
        compiling = timed[0].in_all - statistics.median(each.in_all for each in timed[1:])
        figures = [
            f"{tokens / seconds:,.0f}",
            f"{speeds[0]:,.0f} to {speeds[-1]:,.0f}",
            f"{1000 * seconds / updates:.1f}",
            "unknown" if peak is None else f"{flops / seconds / peak:.1%}",
            f"{compiling:.0f} s",
            f"{seconds / median(ours):.2f} times as fast" if ours and row != OURS else "",
        ]
        lines.append([f"{name}: {row}", *figures])
    return lines


def split_line(name: str, work: Workload, rounds: Rounds) -> list[str]:
    """The line of a case in the table of where the time goes."""
    updates, *_ = work.count_timed()
    kinds = (FED, ON_DEVICE, GATHERED)
    return [name, *(f"{1000 * median(rounds[OURS, kind]) / updates:.2f}" for kind in kinds)]


def print_memory(options: argparse.Namespace, device: Device) -> None:
    """Prints the memory that training takes, by the tokens of a batch."""
    name, case = ("tiny", TINY) if options.small else ("base", OF_MEMORY)
    limits: list[int] = []

    def measure(tokens: int) -> int | None:
        report(f"{name}: memory of {tokens:,} tokens")
        work = make_workload(case, tokens, MEMORY_UPDATES, 1, device.platform == "gpu")
        with closing(Worker(prepare_memory, work)) as worker:
            found = worker.ask()
        limits.extend([] if found is None else found[1:])
        return None if found is None else found[0]

    try:
        most = max(options.memory_tokens) if options.small else MOST_TOKENS
        found = measure_until_full(measure, options.memory_tokens, most)
    except WorkerFailed as error:
        print(f"\nMemory: left out, {error}", flush=True)
        return
    rows = [[f"{tokens:,}", gibibytes(found[tokens])] for tokens in sorted(found)]
    print(f"\n{format_table([f'{name}: tokens of a batch, a side', 'peak memory'], rows)}\n")
    fitting = max((tokens for tokens in found if found[tokens] is not None), default=0)
    lengths = "24 and of 256" if options.small else "32 and of 96"
    limit = gibibytes(max(limits, default=0))
    print(f"- the largest that fits of these: {fitting:,}; JAX may use: {limit}")
    print(f"- half of the tokens are in sentences of {lengths}", flush=True)


def measure_until_full(
    measure: Callable[[int], int | None], tokens: Sequence[int], most: int, halvings: int = 2
) -> dict[int, int | None]:
    """Measures some sizes, then larger ones, until one does not fit; then sizes in between.

    Args:
        measure: the bytes that a size takes; None where it does not fit.
        tokens: the sizes, smallest first.
        most: no larger size is tried.
        halvings: how many times the gap is halved between what fits and what does not.

    Returns:
        What was found, by size.
    """
    found: dict[int, int | None] = {}
    waiting = sorted(tokens)
    while waiting:
        size = waiting.pop(0)
        found[size] = measure(size)
        if found[size] is None:
            break
        if not waiting and 2 * size <= most:
            waiting.append(2 * size)
    fitting = [size for size, taken in found.items() if taken is not None]
    if len(fitting) == len(found) or not fitting:
        return found
    low, high = max(fitting), max(found)
    for _ in range(halvings):
        middle = (low + high) // 2
        found[middle] = measure(middle)
        low, high = (low, middle) if found[middle] is None else (middle, high)
    return found


def gibibytes(taken: int | None) -> str:
    """Bytes for a table; 0 where the device does not say."""
    if taken is None:
        return "does not fit"
    return f"{taken / 2**30:.2f} GiB" if taken else "unknown"


def print_trainings(options: argparse.Namespace) -> None:
    """Trains each configuration, and prints how long it took and how well the run translates."""
    rows, problems = [], []
    for config in options.train:
        try:
            rows.append(train_and_score(config, options.runs, options.set))
        except InputError as error:
            problems.append(f"{config}: {error}")
    print(f"\n{format_table(['training', 'minutes', 'tokens/s', 'BLEU', 'chrF2'], rows)}")
    for problem in problems:
        print(f"\n- left out, {problem}")


def train_and_score(config: str, runs: Path, settings: Sequence[str]) -> list[str]:
    """The line of a training in the table.

    Args:
        config: a file, or the name of one that comes with the program.
        runs: the folder of the run's directory.
        settings: KEY=VALUE, each.

    Raises:
        InputError: it failed; the program itself has said why.
    """
    run = runs / Path(config).stem
    overrides = [part for each in ("training.backend=jax", *settings) for part in ("--set", each)]
    began = time.perf_counter()
    run_program("train", config, "--run", str(run), *overrides)
    minutes = (time.perf_counter() - began) / 60
    scores = json.loads(run_program("evaluate", "--run", str(run), "--json"))["scores"]
    lines = (run / "times.jsonl").read_text().splitlines()
    speed = statistics.median(json.loads(line)["target_tokens_per_second"] for line in lines)
    figures = (f"{minutes:.1f}", f"{speed:,.0f}", f"{scores['bleu']:.2f}", f"{scores['chrf']:.2f}")
    return [Path(config).stem, *figures]


def run_program(*arguments: str) -> str:
    """Runs the program, whose errors are printed; returns its output.

    Raises:
        InputError: it failed.
    """
    report(f"translator {' '.join(arguments)}")
    command = [sys.executable, "-m", "translator.cli", *arguments]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    if done.returncode:
        raise InputError(f"translator {arguments[0]} ended with exit code {done.returncode}")
    return done.stdout


if __name__ == "__main__":
    with errors_as_one_line():
        main()
