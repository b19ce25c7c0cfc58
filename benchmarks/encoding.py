"""Prepares synthetic pairs for training in a fresh process; prints its peak memory and its time.

python benchmarks/encoding.py --pairs 100000 --pairs 1000000 --pairs 10000000
"""

import gzip
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import click
import numpy as np

VOCABULARY = 1_000_000  # words of each language
EXPONENT = 1.2  # of Zipf's law
REPEATED = 0.05  # share of the pairs that are as an earlier one
CHUNK = 50_000  # pairs that are made at a time
SYLLABLES = [c + v for c in (*"bdfghklmnprstwz", "sch", "st", "tr") for v in "aeiou"]
CONFIG = """
corpus: {{train: {{{files}}}}}
tokenizer: {{{tokenizer}}}
data: {{max_length: 64, batch_tokens: 4096{options}}}
"""
TOKENIZERS = {
    "sentencepiece": "name: sentencepiece, vocab_size: 16000",
    "bpemb": "name: bpemb, vocab_size: 10000, stand_in: both",
}
FILES = {"plain": ("train.en", "train.de"), "gz": ("train.en.gz", "train.de.gz"), "tsv": ("t.tsv",)}
PREPARE = """
import sys
from translator.config.yaml_file import read_config
from translator.data.preparation import prepare
prepare(read_config(sys.argv[1]), lambda line: print(line, file=sys.stderr))
"""


class Language:
    """Words by their rank: the frequent ones are short, those after them longer.

    Args:
        draw: makes the words.
        nouns: share of the words that have a capital.
    """

    def __init__(self, draw: np.random.Generator, nouns: float) -> None:
        size = len(SYLLABLES)
        order = draw.permutation(size)
        digits = np.array(SYLLABLES, object)[order]
        ranks = np.arange(VOCABULARY)
        words = digits[ranks % size]
        while (ranks := ranks // size).any():
            words = np.where(ranks > 0, words + digits[ranks % size], words)
        capital = draw.random(VOCABULARY) < nouns
        self.words = [w.capitalize() if c else w for w, c in zip(words, capital.tolist())]

    def write(self, ranks: list[int], is_question: bool) -> str:
        """A sentence of words."""
        words = [self.words[rank] for rank in ranks]
        words[0] = words[0].capitalize()
        return " ".join(words) + "?" if is_question else " ".join(words) + "."


def make_pairs(count: int) -> Iterator[tuple[str, str]]:
    """Yields sentences of 3 to 17 words, as frequent as words are by Zipf's law, and translations.

    A translation has the translations of the words, one of which is at another place or missing.
    """
    draw = np.random.default_rng(1)
    source, target = Language(draw, nouns=0.1), Language(draw, nouns=0.4)
    target.words[::50] = source.words[::50]  # names
    shares = (np.arange(VOCABULARY) + 2.7) ** -EXPONENT
    cumulated = np.cumsum(shares / shares.sum())
    for first in range(0, count, CHUNK):
        size = min(CHUNK, count - first)
        lengths = draw.integers(3, 17, size, endpoint=True)
        ranks = np.searchsorted(cumulated, draw.random(lengths.sum())).tolist()
        ends = np.cumsum(lengths).tolist()
        start, pair = 0, ("", "")
        moves = draw.random((size, 3)).tolist()
        for end, (place, other, repeats) in zip(ends, moves):
            if repeats >= REPEATED or not pair[0]:
                words = ranks[start:end]
                translated = list(words)
                moved = translated.pop(int(place * len(words)))
                if other < 0.8:
                    translated.insert(int(other * len(words)), moved)
                pair = source.write(words, place < 0.1), target.write(translated, place < 0.1)
            yield pair
            start = end


def write_files(folder: Path, count: int, layout: str) -> list[Path]:
    """Writes a corpus as two files, plain or gzipped, or as one TSV file."""
    paths = [folder / name for name in FILES[layout]]
    opened = gzip.open if layout == "gz" else open
    files = [opened(path, "wt", encoding="utf-8") for path in paths]
    for pair in make_pairs(count):
        for file, text in zip(files, pair if len(files) > 1 else ["\t".join(pair)]):
            file.write(text + "\n")
    for file in files:
        file.close()
    return paths


def read_status(process: int) -> dict[str, float]:
    """The memory of a process in GiB by its kind; empty where it has ended."""
    try:
        lines = Path(f"/proc/{process}/status").read_text()
    except OSError:
        return {}
    return {kind: int(size) / 2**20 for kind, size in re.findall(r"(\w+):\s+(\d+) kB", lines)}


class Measured(NamedTuple):
    """What a process needed.

    Attributes:
        peak: its peak memory in GiB, with pages of files (VmHWM).
        anonymous: its peak anonymous memory in GiB, without them (RssAnon).
        seconds: until it ended.
        processor_seconds: of all its threads.
    """

    peak: float
    anonymous: float
    seconds: float
    processor_seconds: float


def measure(command: list[str]) -> Measured:
    """Runs a command; its memory is read fifty times a second."""
    began, before = time.perf_counter(), os.times()
    peak = anonymous = 0.0
    with subprocess.Popen(command) as process:
        while process.poll() is None:
            found = read_status(process.pid)
            peak = max(peak, found.get("VmHWM", 0.0))
            anonymous = max(anonymous, found.get("RssAnon", 0.0))
            time.sleep(0.02)
    if process.returncode:
        raise SystemExit(process.returncode)
    after = os.times()
    used = sum(after[2:4]) - sum(before[2:4])
    return Measured(peak, anonymous, time.perf_counter() - began, used)


@click.command()
@click.option("--pairs", multiple=True, type=int, default=(100_000, 1_000_000), show_default=True)
@click.option("--layout", type=click.Choice(list(FILES)), default="plain", show_default=True)
@click.option("--tokenizer", type=click.Choice(list(TOKENIZERS)), default="sentencepiece")
@click.option("--added", is_flag=True, help="Add noisy copies, words and phrases.")
@click.option("--folder", type=Path, help="For the temporary files.")
def main(
    pairs: tuple[int, ...], layout: str, tokenizer: str, added: bool, folder: Path | None
) -> None:
    """Print peak memory and time of preparing each number of PAIRS."""
    names = f"{'pairs':>12} {'VmHWM':>10} {'RssAnon':>10} {'time':>9} {'pairs/s':>9}"
    print(f"{names} {'processor':>10}  {layout}, {tokenizer}")
    options = ", noise: 0.2, word_pairs: true" if added else ""
    for count in pairs:
        with tempfile.TemporaryDirectory(dir=folder) as name:
            paths = write_files(Path(name), count, layout)
            keys = ("source", "target") if len(paths) > 1 else ("tsv",)
            files = ", ".join(f"{key}: {path}" for key, path in zip(keys, paths))
            config = Path(name) / "config.yaml"
            config.write_text(
                CONFIG.format(files=files, tokenizer=TOKENIZERS[tokenizer], options=options)
            )
            os.environ["TRANSLATOR_HOME"] = str(Path(name) / "home")
            found = measure([sys.executable, "-c", PREPARE, str(config)])
            print(
                f"{count:>12,} {found.peak:>6.2f} GiB {found.anonymous:>6.2f} GiB"
                f" {found.seconds:>7.1f} s {count / found.seconds:>9,.0f}"
                f" {found.processor_seconds:>8.1f} s",
                flush=True,
            )


if __name__ == "__main__":
    main()
