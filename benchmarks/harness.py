"""Parts that all benchmarks use: arguments, turns, processes, tables and JSON lines."""

import argparse
import contextlib
import datetime
import io
import json
import math
import multiprocessing
import os
import platform
import resource
import shlex
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from translator.base.errors import InputError
from translator.base.files import whole_file
from translator.base.machine import ALL_CORES

ROOT = Path(__file__).parents[1]
PROGRAM = (sys.executable, "-m", "translator.cli")
TERMINATED = 130  # exit code of a training that a signal ended
SMALL_PAIRS = {"train": 300, "validation": 20, "test": 20}
SMALL_CONFIG = """
corpus:
  train: {{tsv: {folder}/train.tsv}}
  validation: {{tsv: {folder}/validation.tsv}}
  test: {{tsv: {folder}/test.tsv}}
tokenizer: {{vocab_size: 350}}
data: {{max_length: 60, batch_size: 16}}
model: {{num_layers: 1, d_model: 16, num_heads: 2, dff: 16}}
training: {{epochs: 1, data_parallel: 1}}
"""

T = TypeVar("T")
Cell = int | float | str | None
Row = Sequence[Cell]


class Parser(argparse.ArgumentParser):
    """The arguments that all benchmarks have.

    Args:
        description: of the benchmark; its first line is shown.
        rounds: of a benchmark that measures in turns.
    """

    def __init__(self, description: str | None, rounds: int | None = None) -> None:
        super().__init__(description=(description or "").partition("\n")[0])
        self.add_argument("--try", action="store_true", dest="small", help="tiny sizes, for a test")
        self.add_argument("--json", type=Path, help="write the results into this file")
        self.add_argument("--name", help="of the first result (default: the name in the code)")
        if rounds:
            self.add_argument("--rounds", type=int, default=rounds, help=f"(default: {rounds})")

    def parse(self, **small: object) -> argparse.Namespace:
        """Reads the command line; ``small`` are the defaults with --try."""
        if "--try" in sys.argv:
            self.set_defaults(**small)
        return self.parse_args()


@contextlib.contextmanager
def folder_and_run(options: argparse.Namespace) -> Iterator[tuple[Path, Path]]:
    """A temporary folder, and the run of --run; with --try and without --run, a tiny run."""
    with tempfile.TemporaryDirectory() as name:
        if options.run is None and not options.small:
            raise InputError("expected a trained run, found none; name one with --run")
        yield Path(name), options.run or train_small_run(Path(name))


def write_small_config(folder: Path) -> Path:
    """Writes a few pairs of the demo corpus, and a configuration that trains on them."""
    from translator.corpora.demo import load_demo_corpus

    pairs = iter(load_demo_corpus().test)
    for split, count in SMALL_PAIRS.items():
        lines = [f"{pair.source}\t{pair.target}\n" for _, pair in zip(range(count), pairs)]
        (folder / f"{split}.tsv").write_text("".join(lines), "utf-8")
    path = folder / "config.yaml"
    path.write_text(SMALL_CONFIG.format(folder=folder), "utf-8")
    return path


def train_small_run(folder: Path) -> Path:
    """Trains a tiny run for an epoch."""
    run_here("train", str(write_small_config(folder)), "--run", str(folder / "run"))
    return folder / "run"


def run_here(*arguments: str) -> bytes:
    """Runs the program in this process; returns its standard output."""
    from translator.cli import main

    with contextlib.redirect_stdout(io.TextIOWrapper(io.BytesIO(), "utf-8")) as output:
        main(list(arguments))
        output.flush()
    return output.buffer.getvalue()


def in_turns(
    variants: Mapping[str, Callable[[], T]],
    rounds: int,
    warm_up: int = 1,
    minutes: float = math.inf,
    describe: Callable[[T], str] = lambda result: "",
) -> dict[str, list[T]]:
    """Runs variants one after the other, round after round, so that load affects all of them.

    Args:
        variants: what is run, by name.
        rounds: how many results of each are kept.
        warm_up: rounds before these.
        minutes: after this time no further round begins, except for the first two.
        describe: makes the text that is printed for a result as soon as it is measured.
    """
    results: dict[str, list[T]] = {name: [] for name in variants}
    ends = time.perf_counter() + 60 * minutes
    for number in range(warm_up + rounds):
        if number > 1 and time.perf_counter() > ends:
            break
        for name, run in variants.items():
            print(f"round {number}: {name} ", file=sys.stderr, end="", flush=True)
            results[name].append(run())
            print(describe(results[name][-1]), file=sys.stderr, flush=True)
    return {name: kept[warm_up:] for name, kept in results.items()}


def timed(run: Callable[[], object]) -> float:
    """The seconds that a call takes."""
    began = time.perf_counter()
    run()
    return time.perf_counter() - began


class Ids(NamedTuple):
    """The facts of a tokenizer that a model and its batches need."""

    size: int
    padding_id: int = 0


class Worker:
    """A separate process that answers questions one after the other.

    Args:
        prepare: makes the function that answers the questions, in the process.
        *arguments: of ``prepare``.
        is_process: False answers in this process, for --try.

    Raises:
        InputError: ``prepare`` failed; in one line.
    """

    def __init__(
        self, prepare: Callable[..., Callable[[Any], Any]], *arguments: Any, is_process: bool = True
    ) -> None:
        self.pool: ProcessPoolExecutor | None = None
        self.answer: Callable[[Any], Any] = _answer
        if is_process:
            self.pool = ProcessPoolExecutor(1, multiprocessing.get_context("spawn"))
            self._run(_prepare, prepare, arguments)
        else:
            self.answer = self._run(prepare, *arguments)

    def ask(self, question: Any = None) -> Any:
        """The process's answer.

        Raises:
            InputError: it failed, or ended; in one line.
        """
        return self._run(self.answer, question)

    def close(self) -> None:
        """Ends the process."""
        if self.pool:
            self.pool.shutdown()

    def _run(self, function: Callable[..., Any], *arguments: Any) -> Any:
        try:
            if self.pool:
                return self.pool.submit(function, *arguments).result()
            return function(*arguments)
        except Exception as error:
            kind = "" if isinstance(error, InputError) else f"{type(error).__name__}: "
            raise InputError(kind + str(error).strip().partition("\n")[0]) from error


_prepared: list[Callable[[Any], Any]] = []  # of the process of a worker


def _prepare(prepare: Callable[..., Callable[[Any], Any]], arguments: Sequence[Any]) -> None:
    _prepared.append(prepare(*arguments))


def _answer(question: Any) -> Any:
    return _prepared[0](question)


class Usage(NamedTuple):
    """What a process used.

    Attributes:
        seconds: from its start to its exit.
        processor_seconds: of all its threads.
        peak: its most resident memory in bytes, with pages of files.
        anonymous: its most anonymous memory in bytes, without them, on Linux.
    """

    seconds: float
    processor_seconds: float
    peak: int
    anonymous: int


def watch(
    command: Sequence[str],
    folder: Path | None = None,
    on_line: Callable[[str, "subprocess.Popen[str]"], None] | None = None,
) -> Usage:
    """Runs a command until it ends, and measures it.

    Args:
        command: the command.
        folder: its folder; the current one by default.
        on_line: is given each line that it writes to standard error, and the process, which it may
            terminate.

    Raises:
        InputError: it failed; with the last line of its errors.
    """
    began, lines, memory, ended = time.perf_counter(), [""], [0], threading.Event()
    process = subprocess.Popen(
        command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )

    def watch_memory() -> None:
        while not ended.wait(0.02):
            memory.append(read_memory(process.pid, "RssAnon"))

    watcher = threading.Thread(target=watch_memory)
    watcher.start()
    assert process.stderr is not None  # it is a pipe
    with process.stderr:
        for line in process.stderr:
            lines += filter(None, [line.strip()])
            if on_line is not None:
                on_line(line, process)
    _, status, used = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - began
    process.returncode = os.waitstatus_to_exitcode(status)
    ended.set()
    watcher.join()
    if process.returncode not in ((0,) if on_line is None else (0, TERMINATED)):
        raise InputError(
            lines[-1].removeprefix("translator: ") or f"exit code {process.returncode}"
        )
    # Linux also counts the memory of the process that starts another one: here this is little.
    return Usage(seconds, used.ru_utime + used.ru_stime, used.ru_maxrss * 1024, max(memory))


def read_memory(process: int, kind: str = "VmRSS") -> int:
    """The memory of a process in bytes by its kind, on Linux; 0 if it has ended."""
    with contextlib.suppress(OSError), open(f"/proc/{process}/status", encoding="utf-8") as lines:
        return 1024 * sum(int(line.split()[1]) for line in lines if line.startswith(f"{kind}:"))
    return 0


def read_processor_seconds(process: int) -> float:
    """The processor time of a process so far, on Linux; 0 if it has ended."""
    with contextlib.suppress(OSError), open(f"/proc/{process}/stat", encoding="utf-8") as file:
        user, system = file.read().rpartition(")")[2].split()[11:13]
        return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")
    return 0.0


def peak_memory() -> int:
    """The most memory that this process has had, in bytes, on Linux."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def spread(values: Sequence[float]) -> str:
    """The lowest and the highest of some values."""
    return f"{min(values):,.0f} to {max(values):,.0f}"


def share(part: int, whole: int) -> str:
    """A share in per cent; empty if the whole is 0."""
    return f"{part / whole:.1%}" if whole else ""


def show(
    options: argparse.Namespace,
    name: str,
    title: str,
    columns: Sequence[str],
    rows: Sequence[Row],
    precision: str = "float32",
    machine: str = "",
) -> None:
    """Prints a table and its JSON line, and writes it into the file of --json.

    The commit is the one that is checked out; the date is today.

    Args:
        options: of `Parser`.
        name: of the result, in lower case with hyphens; --name may replace the first name.
        title: of the table.
        columns: its headings.
        rows: their cells.
        precision: of the measured program, if it has one.
        machine: the machine, if it is not this one's processor.
    """
    if options.name:
        name, options.name = options.name, None
    texts = [list(columns), *([_text(cell) for cell in row] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*texts, strict=True)]
    print(f"\n{title}")
    for first, *others in texts:
        cells = [f"{text:>{width}}" for text, width in zip(others, widths[1:])]
        print("  ".join([f"{first:<{widths[0]}}", *cells]).rstrip())
    result = {
        "name": name,
        "title": title,
        "command": command_line(),
        "commit": find_commit(),
        "machine": machine or find_machine(),
        "precision": precision,
        "date": datetime.date.today().isoformat(),
        "columns": list(columns),
        "rows": [list(row) for row in rows],
    }
    print(json.dumps(result, ensure_ascii=False), flush=True)
    if options.json:
        write_result(options.json, result)


def _text(cell: Cell) -> str:
    return "" if cell is None else f"{cell:,}" if isinstance(cell, int) else str(cell)


def write_result(path: Path, result: dict[str, Any]) -> None:
    """Puts a result into a file of results, in place of the result of the same name.

    Fields that only the old result has, such as its note, stay.
    """
    results = json.loads(path.read_text("utf-8")) if path.exists() else []
    names = [each["name"] for each in results]
    place = names.index(result["name"]) if result["name"] in names else len(names)
    former = results[place] if place < len(names) else {}
    results[place : place + 1] = [{**former, **result}]
    texts = [json.dumps({**each, "rows": []}, indent=2, ensure_ascii=False) for each in results]
    for place, each in enumerate(results):
        rows = ",\n".join(f"    {json.dumps(row, ensure_ascii=False)}" for row in each["rows"])
        texts[place] = texts[place].replace('"rows": []', f'"rows": [\n{rows}\n  ]')
    with whole_file(path) as file:
        file.write(("[\n" + ",\n".join(texts) + "\n]\n").encode())


def command_line() -> str:
    """The command that measures this again, without --json and --name."""
    words = ["python", f"benchmarks/{Path(sys.argv[0]).name}", *sys.argv[1:]]
    for option in {"--json", "--name"}.intersection(words):
        place = words.index(option)
        del words[place : place + 2]
    return shlex.join(words)


def find_commit() -> str:
    """The commit that is checked out; zeros if this is not a clone."""
    command = ["git", "rev-parse", "--short", "HEAD"]
    with contextlib.suppress(OSError, subprocess.CalledProcessError):
        return subprocess.check_output(
            command, cwd=ROOT, text=True, stderr=subprocess.DEVNULL
        ).strip()
    return "0000000"


def find_machine() -> str:
    """The processor, its widest instructions for products, and the cores of this process."""
    facts: dict[str, str] = {}
    with contextlib.suppress(OSError), open("/proc/cpuinfo", encoding="utf-8") as lines:
        for key, _, value in (line.partition(":") for line in lines):
            facts.setdefault(key.strip(), value.strip())
    flags = facts.get("flags", "").split()
    kinds = {"amx_tile": "AMX", "avx512f": "AVX-512", "avx2": "AVX2"}
    widest = next((f" with {kind}" for flag, kind in kinds.items() if flag in flags), "")
    name = facts.get("model name") or platform.processor() or platform.machine()
    return f"{name}{widest}, {ALL_CORES} core{'s' * (ALL_CORES > 1)}"
