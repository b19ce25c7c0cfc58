"""Measures the memory of a training on synthetic pairs, and when it makes its first update.

    python benchmarks/memory.py --pairs 10000000

It trains twice: the corpus is encoded first, then found encoded.
"""

import os
import signal
import subprocess
import tempfile
import time
from pathlib import Path

import harness
from encoding import write_pairs

from translator.cli import errors_as_one_line

CONFIG = """
corpus: {{train: {{tsv: {folder}/train.tsv}}, validation: {{tsv: {folder}/validation.tsv}}}}
data: {{max_length: 40, batch_tokens: 4096}}
validation: {{every_updates: 1, translate_every: 0}}
training: {{schedule: {{name: constant, learning_rate: 1e-3, warmup_steps: 100}}}}
"""
SMALL = "tokenizer: {vocab_size: 400}\nmodel: {num_layers: 1, d_model: 16, num_heads: 2, dff: 16}\n"


def main() -> None:
    """Prints a row for each training."""
    parser = harness.Parser(__doc__)
    parser.add_argument("--pairs", type=int, default=10_000_000)
    parser.add_argument("--updates", type=int, default=100, help="of a training (default: 100)")
    options = parser.parse(pairs=500, updates=1)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        os.environ["TRANSLATOR_HOME"] = str(folder / "home")
        write_pairs(folder / "train.tsv", options.pairs)
        write_pairs(folder / "validation.tsv", 100)
        config = folder / "config.yaml"
        config.write_text(CONFIG.format(folder=folder) + SMALL * options.small, "utf-8")
        runs = ["encoded first"] if options.small else ["encoded first", "found encoded"]
        rows = [[run, *train(config, folder / run, options.updates)] for run in runs]
    harness.show(
        options,
        "memory",
        f"Memory of a training on {options.pairs:,} pairs",
        ["", "memory", "before the first update", "to the first update"],
        rows,
    )


def train(config: Path, run: Path, updates: int) -> list[str]:
    """Trains for some updates; returns the memory in all and before the first, and its time."""
    made, at_first = 0, (0, 0.0)
    began = time.perf_counter()

    def read(line: str, process: "subprocess.Popen[str]") -> None:
        nonlocal made, at_first
        if line.startswith("epoch"):  # of the validation after each update
            made += 1
            if made == 1:
                at_first = harness.read_memory(process.pid, "RssAnon"), time.perf_counter() - began
            if made == updates:
                process.send_signal(signal.SIGTERM)

    used = harness.watch([*harness.PROGRAM, "train", str(config), "--run", str(run)], None, read)
    sizes = [f"{size / 2**30:.2f} GiB" for size in (used.anonymous, at_first[0])]
    return [*sizes, f"{at_first[1]:.1f} s"]


if __name__ == "__main__":
    with errors_as_one_line():
        main()
