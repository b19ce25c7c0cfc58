"""How long an epoch of many pairs takes to plan, and how much memory.

    python benchmarks/planning.py 1000000 10000000 100000000

The pairs are lengths alone: their tokens are in no file. Lengths are drawn so that half are below
25 tokens, as in corpora of the web. Prints, for each number of pairs, the time of a processor for
each pair and the most memory that the process had of its own; files that are read and written
through memory do not count, as the system takes them away when memory is short.
"""

import argparse
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import numpy as np

from translator.config.schema import DataConfig
from translator.data.encoded_pairs import EncodedPairs, TokenArray
from translator.data.planning import plan_batches

CONFIG = DataConfig(max_length=256, batch_tokens=25_000)
STEP = 1 << 22


def write_lengths(folder: Path, count: int) -> None:
    """Writes where the sentences of many pairs would begin."""
    random = np.random.default_rng(5)
    paths = [folder / f"{side}.npy" for side in ("source", "target")]
    files = [np.lib.format.open_memmap(path, "w+", np.int64, (count + 1,)) for path in paths]
    ends = [0, 0]
    for begin in range(0, count, STEP):
        number = min(STEP, count - begin)
        middle = random.lognormal(3.2, 0.6, number)
        for side, offsets in enumerate(files):
            lengths = np.clip(middle * random.lognormal(0, 0.15, number), 3, 256).astype(np.int64)
            offsets[begin + 1 : begin + number + 1] = ends[side] + np.cumsum(lengths)
            ends[side] = offsets[begin + number]


def measure(count: int) -> None:
    """Prints the figures of one number of pairs."""
    peak, is_done = [0], threading.Event()

    def watch() -> None:
        while not is_done.wait(0.02):
            peak[0] = max(peak[0], own_memory())

    with tempfile.TemporaryDirectory() as name:
        write_lengths(Path(name), count)
        offsets = [np.load(Path(name, f"{side}.npy"), "c") for side in ("source", "target")]
        pairs = EncodedPairs(*(TokenArray(np.zeros(0, np.uint16), its) for its in offsets))
        before = own_memory()
        threading.Thread(target=watch, daemon=True).start()
        began = time.process_time(), time.perf_counter()
        plan = plan_batches(pairs, CONFIG, (1, 1))
        seconds = time.process_time() - began[0], time.perf_counter() - began[1]
        is_done.set()
    print(
        f"{count:>13,} pairs: {len(plan):>9,} batches, {1e6 * seconds[0] / count:.3f} µs of a"
        f" processor and {1e6 * seconds[1] / count:.3f} µs a pair,"
        f" {(peak[0] - before) / 1e6:,.0f} MB",
        flush=True,
    )


def own_memory() -> int:
    """Bytes that are in memory and in no file."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("RssAnon")) * 1024


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("pairs", nargs="+", type=int)
    numbers = parser.parse_args().pairs
    if len(numbers) == 1:
        measure(numbers[0])
    else:  # each in a process of its own
        for number in numbers:
            subprocess.run([sys.executable, __file__, str(number)], check=True)
