"""Trains on synthetic pairs, and prints the memory it takes and when training starts.

python benchmarks/memory.py --pairs 10000000
"""

import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import click

CONFIG = """
corpus: {{train: {{tsv: {folder}/train.tsv}}, validation: {{tsv: {folder}/validation.tsv}}}}
data: {{max_length: 40, batch_tokens: 4096}}
validation: {{every_updates: 1, translate_every: 0}}
training: {{schedule: {{name: constant, learning_rate: 1e-3, warmup_steps: 100}}}}
"""


def write_corpus(path: Path, pairs: int) -> None:
    """Writes sentences of 3 to 20 random words; the target has the same words spelt backwards."""
    draw = random.Random(1)
    words = ["".join(draw.choices("abcdefghijklmnop", k=draw.randint(2, 9))) for _ in range(30000)]
    with open(path, "w", encoding="utf-8") as file:
        for _ in range(pairs):
            chosen = draw.choices(words, k=draw.randint(3, 20))
            file.write(f"{' '.join(chosen)}\t{' '.join(word[::-1] for word in chosen)}\n")


def anonymous_memory(process: int) -> float:
    """The anonymous memory of a process in GiB, which no file backs; 0 where it has ended."""
    try:
        lines = Path(f"/proc/{process}/status").read_text().splitlines()
    except OSError:
        return 0.0
    found = [line.split()[1] for line in lines if line.startswith("RssAnon")]
    return int(found[0]) / 2**20 if found else 0.0


def train(config: Path, run: Path, updates: int) -> None:
    """Trains for some updates; prints the time of each line of output, and the peak memory."""
    made = 0
    began, peak, peak_training = time.perf_counter(), 0.0, 0.0
    command = [sys.executable, "-m", "translator.cli", "train", str(config), "--run", str(run)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        os.set_blocking(process.stderr.fileno(), False)
        is_training = False
        while process.poll() is None:
            memory = anonymous_memory(process.pid)
            peak = max(peak, memory)
            peak_training = max(peak_training, memory if is_training else 0.0)
            for line in process.stderr:
                made += line.startswith("epoch")  # of the validation after each update
                if made <= 1 or not line.startswith("epoch"):
                    print(f"{time.perf_counter() - began:7.1f} s  {line.rstrip()}", flush=True)
                is_training |= line.startswith("training:")
                if made == updates:
                    process.send_signal(signal.SIGTERM)
            time.sleep(0.1)
    print(f"RssAnon at most: {peak:.2f} GiB, while training {peak_training:.2f} GiB", flush=True)


@click.command()
@click.option("--pairs", default=10_000_000, show_default=True)
@click.option("--updates", default=100, show_default=True, help="How many to make.")
def main(pairs: int, updates: int) -> None:
    """Train twice on PAIRS synthetic pairs: the corpus is encoded first, then found encoded."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        os.environ["TRANSLATOR_HOME"] = str(folder / "home")
        write_corpus(folder / "train.tsv", pairs)
        write_corpus(folder / "validation.tsv", 100)
        config = folder / "config.yaml"
        config.write_text(CONFIG.format(folder=folder), "utf-8")
        for run in ("encoded first", "found encoded"):
            print(f"-- {run}")
            train(config, folder / run, updates)


if __name__ == "__main__":
    main()
