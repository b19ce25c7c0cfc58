"""How long an epoch of many pairs takes to plan, and how much memory.

    python benchmarks/planning.py --pairs 1000000 10000000 100000000

The pairs are lengths alone, without tokens. Half of them have fewer than 25 tokens a side, as in
corpora of the web. Each number of pairs is a process of its own. Memory is that of the process
alone: what is in files that it reads and writes, the system takes away where memory is short.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

import harness
import numpy as np

LONGEST = 256
STEP = 1 << 22  # pairs whose lengths are drawn at a time
SIDES = ("source", "target")
PLAN = f"""
import sys, time
import numpy as np
from translator.config.schema import DataConfig
from translator.data.encoded_pairs import EncodedPairs, TokenArray
from translator.data.planning import plan_batches
offsets = [np.load(path, "c") for path in sys.argv[1:]]
pairs = EncodedPairs(*(TokenArray(np.zeros(0, np.uint16), each) for each in offsets))
began = time.perf_counter(), time.process_time()
plan = plan_batches(pairs, DataConfig(max_length={LONGEST}, batch_tokens=25_000), (1, 1))
print(len(plan), time.perf_counter() - began[0], time.process_time() - began[1], file=sys.stderr)
"""


def main() -> None:
    """Prints a row for each number of pairs."""
    parser = harness.Parser(__doc__)
    parser.add_argument("--pairs", type=int, nargs="+", default=[1_000_000])
    options = parser.parse(pairs=[5000])
    rows = []
    for pairs in options.pairs:
        with tempfile.TemporaryDirectory() as folder:
            rows.append([pairs, *plan(write_lengths(Path(folder), pairs), pairs)])
    columns = ["pairs", "batches", "seconds", "processor, µs a pair", "memory"]
    harness.show(options, "planning", "Planning an epoch", columns, rows, "none")


def write_lengths(folder: Path, count: int) -> list[Path]:
    """Writes where the sentences of each side of many pairs would begin."""
    random = np.random.default_rng(5)
    paths = [folder / f"{side}.npy" for side in SIDES]
    files = [np.lib.format.open_memmap(path, "w+", np.int64, (count + 1,)) for path in paths]
    for begin in range(0, count, STEP):
        number = min(STEP, count - begin)
        middle = random.lognormal(3.2, 0.6, number)
        for offsets in files:
            lengths = np.clip(middle * random.lognormal(0, 0.15, number), 3, LONGEST)
            ends = offsets[begin] + np.cumsum(lengths.astype(np.int64))
            offsets[begin + 1 : begin + number + 1] = ends
    return paths


def plan(paths: list[Path], pairs: int) -> harness.Row:
    """What planning an epoch of some pairs takes."""
    figures: list[float] = []

    def read(line: str, process: "subprocess.Popen[str]") -> None:
        figures.extend(map(float, line.split()))

    used = harness.watch([sys.executable, "-c", PLAN, *map(str, paths)], on_line=read)
    batches, seconds, processor = figures
    each = round(1e6 * processor / pairs, 3)
    return [int(batches), round(seconds, 1), each, f"{used.anonymous / 2**30:.2f} GiB"]


if __name__ == "__main__":
    main()
